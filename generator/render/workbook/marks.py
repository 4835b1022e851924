"""How a row shows that it is asked, and a yellow cell its verdict: by letter, colour and sign.

Also what may be typed into the yellow cells, and the head of an exercise tab: progress, what to do
first, and what the check columns are.
"""

from copy import copy
from itertools import takewhile
from typing import NamedTuple

from openpyxl.formatting.rule import Rule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat

from generator.checks.verdict import NO_NUMBER, RIGHT, WRONG
from generator.engine.step import Cell
from generator.render.workbook.hints import HELP_COLUMN, CheckPen
from generator.render.workbook.layout import checks as beside
from generator.render.workbook.layout.box import Rectangle, at, on
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.tabs import FOCUS_ROW
from generator.render.workbook.pen import TabPen
from generator.render.workbook.rules import asks, number_rule, where
from generator.render.workbook.styles import ACCENT, INK

FIRST_FORMAT = 300  # ids of number formats that only rules use
MOST = 1000  # that may be typed in
BAR = 10  # signs of a full bar
ARROW = "→"  # what a line that is no warning begins with


class VerdictLook(NamedTuple):
    """The look of a verdict: dark letters on a light ground, a sign after the entry.

    The outline stays the cell's own: it says that the cell is asked, in grey print as well.
    """

    sign: str
    ink: str
    ground: str
    bold: bool

    def code(self, number: str) -> str:
        """The number format with the sign behind it, for numbers and for text."""
        text, shown = f'@" {self.sign}"', f'{number}" {self.sign}"'
        return text if number == "@" else ";".join((shown, f"-{shown}", shown, text))


MARKS = {
    RIGHT: VerdictLook("✓", "14532D", "CDEBD3", bold=False),
    WRONG: VerdictLook("✗", "8B1A10", "FBD9D3", bold=True),
    NO_NUMBER: VerdictLook("?", "6B4300", "FFDF9E", bold=False),
}


class VerdictMarks(CheckPen):
    """Writes the head of an exercise tab, shows its verdicts, guards its entries."""

    def head(self) -> None:
        """A word about each part of the checks, small and grey; progress; the first open tab."""
        columns = self.columns
        notes = {
            (beside.TITLE_ROW, columns.first): "title",
            (beside.TITLE_ROW, columns.first + 3): "about",
            (beside.TOTALS_ROW, columns.state("gate")): "tab",
            **{(beside.TOTALS_ROW + 1, columns.state(state)): state for state in beside.STATES},
            (beside.TOTALS_ROW, columns.verdict(1)): "verdicts",
            (beside.TOTALS_ROW, columns.result(1)): "results",
            (beside.ABOUT_ROW, columns.hint(0)): "hints",
        }
        for spot, key in notes.items():
            self.put(spot, self.t(f"exercise.checks.{key}"), "step")
        for level in beside.LEVELS:
            self.put((beside.TOTALS_ROW, columns.hint(level)), float(level), "step", align="right")
        for line in (line for band in self.sheet.bands for line in band.lines):
            self.put((line.row, columns.hint(beside.LEVELS[0])), line.step, "step")
        self._progress()
        before = Waiting(self.draft, self.sheet).before()
        formula = f'IF({self.checks.count("blank")}>0,"{self.title}","")'
        if before:
            formula = f'IF({_open_cell(before)}<>"",{_open_cell(before)},{formula})'
        self.note((beside.ABOUT_ROW, columns.state("gate")), formula, next(iter(self.draft.checks)))

    def _progress(self) -> None:
        """How much is right and filled in, and a bar; where nobody judges, only the latter."""
        right, blank = (
            at(beside.TOTALS_ROW, self.columns.state(name)) for name in ("right", "blank")
        )
        asked = len(self.checks.asked)
        keys = ("here", "of", "filled", "only")
        here, of, filled, only = (self.t(f"exercise.progress.{key}") for key in keys)
        if self.draft.judging.judges:
            done = f"INT({BAR}*{right}/{asked})"
            bar = f'REPT("■",{done})&REPT("□",{BAR}-{done})'
            text = f'{bar}&"  {here}"&{right}&"{of}{asked}{filled}"&({asked}-{blank})'
            formula = f'IF({self.paused},"",{text})'  # in a pause nothing counts as right
            shown = f"{'□' * BAR}  {here}0{of}{asked}{filled}0"
        else:
            formula = f'"{only}"&({asked}-{blank})&"{of}{asked}"'
            shown = f"{only}0{of}{asked}"
        self.live((beside.TITLE_ROW, WORDS_COLUMN), formula, shown, "strong")

    def letter(self) -> None:
        """The sign of a task before the label of each asked row, in the darkest ink.

        A format writes it, so that formulas which read a label do not see it.
        """
        sign = self.t("workbook.start.sign.entry")
        for row in sorted(
            {self.layout.homes[name].place(i, j)[0] for name, i, j in self.checks.asked}
        ):
            cell = self.page.cell(row, 1)
            cell._style = copy(cell._style)
            shown = "@" if cell.number_format == "General" else cell.number_format
            cell.number_format = f'"{sign}  "{shown}'
            font = copy(cell.font)
            font.bold, font.color = True, INK
            cell.font = font

    def show(self) -> None:
        """Entries show their verdicts; before other rules of the tab, such as colours of shares."""
        formats: dict[str, list[Cell]] = {}
        for cell in self.checks.asked:
            step = self.trace[cell[0]]
            number = "@" if step.text else self.layout.looks[step.name].number
            formats.setdefault(number, []).append(cell)
        self.mark_first(
            (box.span, rule)
            for number, cells in formats.items()
            for box in self.where(cells)
            for rule in self._verdicts(box, number)
        )

    def _verdicts(self, box: Rectangle, number: str) -> list[Rule]:
        """The rules that look at the verdicts, which stand in the columns of the checks.

        The last one stops, without a look of its own, whatever else colours or frames the tables: a
        cell that is asked keeps its outline where the focus is, too.
        """
        rules: list[Rule] = []
        judged = at(box.top, self.columns.verdict(box.left))
        for order, (verdict, look) in enumerate(MARKS.items()):
            rule = where(f"{judged}={verdict}", look.ink, look.ground, look.bold, stopIfTrue=True)
            rule.dxf.numFmt = NumberFormat(FIRST_FORMAT + order, look.code(number))
            rules.append(rule)
        kept = Rule(type="expression", formula=["TRUE"], dxf=DifferentialStyle(), stopIfTrue=True)
        return [*rules, kept]

    def guard(self) -> None:
        """The rules for entries and for the choice of a hint."""
        kinds: dict[str, list[Cell]] = {"number": [], "whole": [], "word": []}
        for cell in self.checks.asked:
            step = self.trace[cell[0]]
            whole = step.op.precision != "rounded" and step.decimals == 0
            kinds["word" if step.text else "whole" if whole else "number"].append(cell)
        spans = {kind: [box.span for box in self.where(cells)] for kind, cells in kinds.items()}
        for kind, entries, least in (("decimal", "number", -MOST), ("whole", "whole", 0)):
            reason, says = self.t(f"exercise.{entries}.error"), self._says("number")
            rule = number_rule(self.draft.catalogue, kind, (least, MOST), reason, **says)
            self.allow(rule, *spans[entries])
        if spans["word"]:
            self._one_of(self.draft.area("vocabulary.words"), "word", "word.prompt", *spans["word"])
        first, last = (
            at(beside.TOTALS_ROW, self.columns.hint(k), fixed=True) for k in (0, beside.LEVELS[-1])
        )
        for block in self.checks.blocks if self.draft.judging.hints else ():
            choice = at(block.band.help_row, HELP_COLUMN)
            self._one_of(f"{first}:{last}", "help", "help.error", f"{choice}:{choice}")

    def _one_of(self, area: str, kind: str, error: str, *spans: str) -> None:
        """What stands in an area and nothing else, so that LibreOffice takes no formula."""
        more = {"allow_blank": True, "errorStyle": "stop", "error": self.t(f"exercise.{error}")}
        self.allow(asks("list", f"={area}", **more, **self._says(kind)), *spans)

    def _says(self, kind: str) -> dict[str, str]:
        """What a rule says before and after an entry."""
        title = self.t(f"exercise.{kind}.title")
        prompt = self.t(f"exercise.{kind}.prompt")
        return {"errorTitle": title, "promptTitle": title, "prompt": prompt}


class Waiting(TabPen):
    """In the line of the warning: which tab to fill in first, because cells here wait for it."""

    def write(self) -> None:
        """The line, on tabs that wait."""
        before = self.before()
        if before is None:
            return
        message, cell = on(*self.layout.warning), _open_cell(before)
        lead, rest = self.draft.catalogue.phrases["exercise.waits"].split("{tab}")
        chosen = f'IF({cell}="","","{ARROW} {lead}"&{cell}&"{rest}")'
        shown = f"{ARROW} {lead}{next(iter(self.draft.checks))}{rest}"
        formula = f'IF({message}<>"",{message}&"",{chosen})'
        self.live((FOCUS_ROW, WORDS_COLUMN), formula, shown, "alarm")

    def calm(self) -> None:
        """That line does not look like an alarm where it is none."""
        if self.before():
            place = at(FOCUS_ROW, WORDS_COLUMN)
            self.marks.add(place, where(f'LEFT({place},1)="{ARROW}"', ACCENT))

    def before(self) -> beside.Checks | None:
        """The last tab with asked cells before one that has hidden cells."""
        if self.exercise.steps.isdisjoint(box.step for box, _ in self.homes()):
            return None
        last = None
        for other in takewhile(lambda other: other is not self.sheet, self.layout.sheets):
            last = self.draft.checks.get(other.tab.title, last)
        return last


def _open_cell(checks: beside.Checks) -> str:
    """The cell that names the first tab, up to this one, with a blank cell; "" for none."""
    return on(checks.title, at(beside.ABOUT_ROW, checks.columns.state("gate"), fixed=True))
