"""The checks of an exercise tab: verdicts, gates, counts, what the pupil reads, hints on demand.

A hint is in words, in functions ("Q = ROUND(SUMPRODUCT(row of X, column of W_Q), 1)"), with cells,
or with the pupil's own numbers. A row shows that it is asked, and a yellow cell its verdict, by
letter, colour and sign. Also what may be typed into the yellow cells, and the head of the tab:
progress, what to do first, and what the check columns are.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partialmethod
from typing import NamedTuple

from openpyxl.formatting.rule import Rule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat

from generator.checks import verdict as judge
from generator.checks.exercise import gathered
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, Num, Ref
from generator.engine.step import Cell
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.excel import Functions
from generator.notation.shown import shown_decimals
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.package import CellFormula, cell_at, put
from generator.render.workbook.layout import checks as beside
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.layout import WORDS_COLUMN, Band, HeadingLine, Sheet
from generator.render.workbook.pen import TabPen
from generator.render.workbook.styles import INK, LOOKS, where
from generator.steps import kind_of

HELP_COLUMN = 2
WORDS, FUNCTIONS, CELLS, RESULTS = beside.LEVELS[1:]
COUNTED = {"right": judge.RIGHT, "wrong": judge.WRONG, "nan": judge.NO_NUMBER}
FIRST_FORMAT = 300  # ids of number formats that only rules use
MOST = 1000  # that may be typed in
BAR = 10  # signs of a full bar
UNTRIED = "□"  # in place of an interim result where nothing was entered


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


MARKS = {state: VerdictLook(**LOOKS["verdicts"][name]) for name, state in COUNTED.items()}


class CheckPen(TabPen):
    """Writes what judges the entries of a tab and what it says, shows and guards them."""

    def __init__(self, draft: Draft, checks: Checks) -> None:
        super().__init__(draft, checks.sheet)
        self.checks = checks
        self.paused = f"{on(*self.layout.paused)}>0"
        self.counted = COUNTED if draft.judging.judges else {}

    note = partialmethod(TabPen.live, role="step", align="right")  # a formula, small and grey

    def where(self, cells: Sequence[Cell]) -> list[Box]:
        """Where entries stand, as rectangles."""
        return beside.rectangles(self.layout.homes[name].place(i, j) for name, i, j in cells)

    def write_block(self, band: Band) -> None:
        """The help row of a band with asked cells: choice of a hint, state; what the hints say."""
        block = self.checks.block(band)
        if block is None:
            return
        if self.draft.judging.judges:
            at_band = Box("", self.title, band.bottom, 1, 1, 1)
            when = judge.When(self.t("workbook.judge.block"), self.t("workbook.judge.off"))
            judged = self.draft.excel(at_band).write(judge.gate(block.cells, when))
            self.note((band.help_row, self.checks.state("gate")), judged, 0.0)
        self._counts(block)
        if self.draft.judging.helps:
            self._hints(block)
        state = CellFormula(*self._state(block))
        self.put((band.help_row, WORDS_COLUMN), state, "words")

    def _counts(self, block: beside.CheckBlock) -> None:
        """How many entries are right, wrong, no number, blank."""
        row, spans = block.band.help_row, self._verdict_spans(block)
        for state, number in self.counted.items():
            how = f'COUNTIF({{0}},">{number - 1}")-COUNTIF({{0}},">{number}")'  # whatever its cause
            formula = "+".join(map(how.format, spans))
            self.note((row, self.checks.state(state)), formula, 0.0)
        excel = self.draft.excel(Box("", self.title, 1, 1, 1, 1))
        blank = excel.write(_blank(block.cells))
        self.note((row, self.checks.state("blank")), blank, float(len(block.cells)))

    def _state(self, block: beside.CheckBlock) -> tuple[str, str]:
        """How far a block is, in words, but in a pause; where nobody judges, only what is open."""
        row, asked = block.band.help_row, len(block.cells)
        if not self.draft.judging.judges:
            left, blank = self.t("exercise.state.left"), at(row, self.checks.state("blank"))
            return f'="{left}"&{blank}', f"{left}{asked}"
        says = {state: self.t(f"exercise.state.{state}") for state in (*COUNTED, "open")}
        cells = {state: at(row, self.checks.state(state)) for state in COUNTED}
        parts = [f'"{says[state]}"&{cell}' for state, cell in cells.items()]
        parts.append(f'"{says["open"]}"&({asked}-{"-".join(cells.values())})')
        shown = "".join(f"{says[state]}0" for state in COUNTED)
        parts += self._causes(block)
        formula = f'=IF({self.paused},"",{"&".join(parts)})'
        return formula, f"{shown}{says['open']}{asked}"

    def _causes(self, block: beside.CheckBlock) -> Iterator[str]:
        """Formulas of what usual slips made entries of a block wrong, in the words of marking."""
        spans = self._verdict_spans(block)
        made = {key for cell in block.cells for key in judge.slips_in(self.exercise, cell)}
        for key in (key for key in judge.CAUSES if key in made):
            count = "+".join(f"COUNTIF({span},{judge.CAUSES[key]})" for span in spans)
            told = self.t("grading.possibly", causes=self.t(f"grading.cause.{key}"))
            yield f'IF({count}>0,"  ·  {told}","")'

    def _verdict_spans(self, block: beside.CheckBlock) -> list[str]:
        places = self.where(block.cells)
        return [box._replace(column=self.checks.verdict(box.column)).span() for box in places]

    def write(self) -> None:
        """The verdict on each entry, the counts of the tab, on the first one those of all tabs."""
        for block in self.checks.blocks if self.draft.judging.judges else ():
            for cell in block.cells:
                home = self.layout.homes[cell[0]]
                row, column = home.place(*cell[1:])
                excel = self.draft.excel(home, **{judge.GATE: self.checks.gate(block.band)})
                judged = judge.verdict(self.exercise, cell, Ref(judge.GATE, 0, 0), causes=True)
                spot = row, self.checks.verdict(column)
                self.note(spot, excel.write(judged), float(judge.NOT_YET))
        counts = {**dict.fromkeys(self.counted, 0), "blank": len(self.checks.asked)}
        for state, shown in counts.items():
            column = self.checks.state(state)
            cells = ",".join(at(block.band.help_row, column) for block in self.checks.blocks)
            self.note((beside.TOTALS_ROW, column), f"SUM({cells})", float(shown))
        tabs = tuple(self.draft.checks.values())
        if self.checks is tabs[0]:
            blank = "+".join(tab.count("blank") for tab in tabs)
            spot = beside.ABOUT_ROW, self.checks.state("blank")
            self.note(spot, blank, float(len(self.exercise.asked)))
        self._head()

    # Hints: in each heading the one that is chosen in the help row of its block -------------------

    def _hints(self, block: beside.CheckBlock) -> None:
        """The choice of a hint in the help row, the chosen one below each heading."""
        row = block.band.help_row
        self.put((row, 1), self.t("exercise.help"), "label")
        self.put((row, HELP_COLUMN), 0.0, "entry", align="center")
        chosen = at(row, HELP_COLUMN, fixed=True)
        for line in block.band.lines:
            if mine := [cell for cell in block.cells if cell[0] == line.step]:
                self._line(chosen, line, mine)

    def _line(self, chosen: str, line: HeadingLine, cells: Sequence[Cell]) -> None:
        """What stands under the heading of an asked step: the chosen hint of four."""
        self.put((line.words, self.checks.hint(WORDS)), self.layout.in_words(line.step), "step")
        words = at(line.words, self.checks.hint(WORDS))
        told = CellFormula(f'=IF(N({chosen})>0,{words},"")', "")
        put(cell_at(self.page, line.words, WORDS_COLUMN), told)
        self._formulas(line, cells[0])
        for row in line.functions[:1]:
            spot = row, self.checks.hint(RESULTS)
            self.note(spot, *self._results(chosen, cells))
        for row in line.functions:
            texts = ",".join(at(row, self.checks.hint(k)) for k in beside.LEVELS[2:])
            text = f'IFERROR(CHOOSE(N({chosen})+1,"","",{texts})&"","")'
            self.live((row, WORDS_COLUMN), text, "", "live")

    def _formulas(self, line: HeadingLine, cell: Cell) -> None:
        """The first asked cell's formula over names and over cells, one line per row."""
        celled = self.formula(cell, self.exercise.meaning(cell))
        for row, text in line.lines(celled):
            self.put((row, self.checks.hint(CELLS)), text, "step")
        for row in line.functions[:1]:
            self.put((row, self.checks.hint(FUNCTIONS)), Named(self.draft, cell).line(), "step")

    def _results(self, chosen: str, cells: Sequence[Cell]) -> tuple[str, str]:
        """What the asked cells should hold with the numbers entered so far, where allowed.

        Nothing before something was tried: who has not begun learns more from the other hints.
        """
        places = []
        for cell in cells:
            row, column = self.layout.homes[cell[0]].place(*cell[1:])
            places.append(at(row, self.checks.result(column)))
            self.note(places[-1], self._result(chosen, cell), "")
        lead, joined = self.t("exercise.help.results"), '&" · "&'.join(places)
        allowed = f"{on(*self.layout.settings['interim'])}=1"
        blank = self.draft.excel(self.layout.homes[cells[0][0]]).write(_blank(cells))
        tried = f'IF({blank}={len(cells)},"{self.t("exercise.help.first")}","{lead}"&{joined})'
        shown = f'IF({allowed},{tried},"{self.t("exercise.help.not_shown")}")'
        formula = f'IF({self.paused},"{self.t("exercise.paused")}",{shown})'
        key = "first" if self.draft.judging.interim else "not_shown"
        return formula, self.t(f"exercise.help.{key}")

    def _result(self, chosen: str, cell: Cell) -> str:
        """The formula of one of them: nothing until that hint is chosen, and something tried."""
        step, excel = self.trace[cell[0]], self.draft.excel(self.layout.homes[cell[0]])
        value = excel.write(self.exercise.meaning(cell))
        if not step.text:
            value = f"FIXED({value},{shown_decimals(step)},TRUE)"
        missing = f'"{self.t("exercise.help.missing")}"'
        value = f"IFERROR({value},{missing})"
        if lacking := self.exercise.guard(cell):
            value = f"IF({excel.write(Bin('>', lacking, Num(0)))},{missing},{value})"
        value = f'IF({excel.write(_blank([cell]))}>0,"{UNTRIED}",{value})'
        allowed = f"{on(*self.layout.settings['interim'])}=1,{on(*self.layout.paused)}=0"
        return f'IF(AND({allowed},{chosen}={RESULTS}),{value},"")'

    # The head of the tab, its looks, what may be typed --------------------------------------------

    def _head(self) -> None:
        """A word about each part of the checks, small and grey; progress; the first open tab."""
        judging, below = self.draft.judging, beside.TOTALS_ROW + 1
        notes = {(beside.TOTALS_ROW, self.checks.state("gate")): "tab",
                 (below, self.checks.state("blank")): "blank"}  # fmt: skip
        if judging.judges:
            notes |= {
                (beside.TITLE_ROW, self.checks.first): "title",
                (beside.TITLE_ROW, self.checks.first + 3): "about",
                **{(below, self.checks.state(state)): state for state in beside.STATES},
                (beside.TOTALS_ROW, self.checks.verdict(1)): "verdicts",
            }
        if judging.helps:
            notes[beside.TOTALS_ROW, self.checks.result(1)] = "results"
            notes[beside.ABOUT_ROW, self.checks.hint(0)] = "hints"
        for spot, key in notes.items():
            self.put(spot, self.t(f"exercise.checks.{key}"), "step")
        for level in beside.LEVELS if judging.helps else ():
            spot = beside.TOTALS_ROW, self.checks.hint(level)
            self.put(spot, float(level), "step", align="right")
        named = self.sheet.bands if judging.helps else ()
        for line in (line for band in named for line in band.lines):
            self.put((line.row, self.checks.hint(beside.LEVELS[0])), line.step, "step")
        self._progress()
        formula = f'IF({self.checks.count("blank")}>0,"{self.title}","")'
        if before := self.draft.waits.get(self.title):
            formula = f'IF({before.open_tab}<>"",{before.open_tab},{formula})'
        spot = beside.ABOUT_ROW, self.checks.state("gate")
        self.note(spot, formula, next(iter(self.draft.checks)))

    def _progress(self) -> None:
        """How much is right and filled in, and a bar; where nobody judges, only the latter."""
        columns = map(self.checks.state, ("right", "blank"))
        right, blank = (at(beside.TOTALS_ROW, column) for column in columns)
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
        if self.draft.judging.helps:
            chosen = (at(block.band.help_row, HELP_COLUMN) for block in self.checks.blocks)
            count = "+".join(f"COUNTIF({one}:{one},{RESULTS})" for one in chosen)
            used = self.t("exercise.progress.help")
            formula = f'{formula}&IF({count}>0,"{used}"&({count}),"")'
        self.live((beside.TITLE_ROW, WORDS_COLUMN), formula, shown, "strong")

    def _letter(self) -> None:
        """The sign of a task before the label of each asked row, in the darkest ink.

        A format writes it, so that formulas which read a label do not see it.
        """
        sign = self.t("workbook.start.sign.entry")
        places = (self.layout.homes[name].place(i, j) for name, i, j in self.checks.asked)
        for row in sorted({row for row, _ in places}):
            cell = self.page.cell(row, 1)
            cell._style = copy(cell._style)
            shown = "@" if cell.number_format == "General" else cell.number_format
            cell.number_format = f'"{sign}  "{shown}'
            font = copy(cell.font)
            font.bold, font.color = True, INK
            cell.font = font

    def show(self) -> None:
        """Entries show their verdicts; before other rules of the tab, such as colours of shares."""
        self._letter()
        formats: dict[str, list[Cell]] = {}
        for cell in self.checks.asked:
            step = self.trace[cell[0]]
            number = "@" if step.text else self.layout.looks[step.name].number
            formats.setdefault(number, []).append(cell)
        self.mark_first(
            (box.span(), rule)
            for number, cells in formats.items()
            for box in self.where(cells)
            for rule in self._verdicts(box, number)
        )

    def _verdicts(self, box: Box, number: str) -> list[Rule]:
        """The rules that look at the verdicts, which stand in the columns of the checks.

        The last one stops, without a look of its own, whatever else colours or frames the tables: a
        cell that is asked keeps its outline where the focus is, too.
        """
        rules: list[Rule] = []
        judged = at(box.row, self.checks.verdict(box.column))
        for order, (reached, look) in enumerate(MARKS.items() if self.counted else ()):
            rule = where(
                f"TRUNC({judged})={reached}", look.ink, look.ground, look.bold, stopIfTrue=True
            )
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
        spans = {kind: [box.span() for box in self.where(cells)] for kind, cells in kinds.items()}
        for kind, entries, least in (("decimal", "number", -MOST), ("whole", "whole", 0)):
            reason, says = self.t(f"exercise.{entries}.error"), self._says("number")
            self.only_numbers((least, MOST), reason, *spans[entries], type=kind, **says)
        if spans["word"]:
            self._one_of(self.draft.area("vocabulary.words"), "word", "word.prompt", *spans["word"])
        columns = map(self.checks.hint, (0, beside.LEVELS[-1]))
        first, last = (at(beside.TOTALS_ROW, column, fixed=True) for column in columns)
        for block in self.checks.blocks if self.draft.judging.helps else ():
            choice = at(block.band.help_row, HELP_COLUMN)
            self._one_of(f"{first}:{last}", "help", "help.error", f"{choice}:{choice}")

    def _one_of(self, area: str, kind: str, error: str, *spans: str) -> None:
        """What stands in an area and nothing else, so that LibreOffice takes no formula."""
        more = self._says(kind) | {"errorStyle": "stop", "error": self.t(f"exercise.{error}")}
        self.offer(*spans, formula1=f"={area}", **more)

    def _says(self, kind: str) -> dict[str, str]:
        """What a rule says before and after an entry."""
        title, prompt = self.t(f"exercise.{kind}.title"), self.t(f"exercise.{kind}.prompt")
        return {"errorTitle": title, "promptTitle": title, "prompt": prompt}


def pens_of(draft: Draft, sheet: Sheet) -> list[CheckPen]:
    """The pen for the checks of a tab, where it has asked cells."""
    checks = draft.checks.get(sheet.tab.title)
    return [CheckPen(draft, checks)] if checks else []


def _blank(cells: Sequence[Cell]) -> Expr:
    """How many of the cells are blank."""
    return Call(Fn.COUNT_BLANK, gathered(cells))


_FIRST_NAME = 0xF0000  # private characters stand for names while the formula is translated
_NAMES = re.compile("([\U000f0000-\U000ffffd])")


class Named(Functions):
    """The formula of one cell, with tables by their symbols and parts of them by what they are.

    A row and a column are those that are seen: of a table that stands turned beside the cell a
    row of the step is a column.
    """

    def __init__(self, draft: Draft, cell: Cell) -> None:
        super().__init__(lambda step, i, j: self._of(step), draft.catalogue.language)
        self.draft, self.t = draft, draft.catalogue.t
        self.home = draft.layout.homes[cell[0]]
        self.cell = cell
        self.names: list[str] = []

    def line(self) -> str:
        """The whole line, "Σ = ROUND(SUM(row of Exp), 4)"."""
        formula = self.formula(self.draft.exercise.meaning(self.cell)).removeprefix("=")
        separator = locale_of(self.language).spreadsheet.separator
        formula = formula.replace(separator, f"{separator} ")
        named = _NAMES.sub(lambda sign: self.names[ord(sign[0]) - _FIRST_NAME], formula)
        return f"{self._called(self.cell[0])} = {named}"

    def ref(self, node: Ref) -> str:
        """The symbol of the table."""
        return self._of(node.step)

    def area(self, node: Area) -> str:
        """ "row of X", "column of W_Q"; of a vector only its symbol."""
        height, width = self.draft.trace[node.step].shape
        box = self.draft.layout.source(node.step, self.home)
        rows, columns = node.r1 - node.r0, node.c1 - node.c0
        vector = min(height, width) == 1 and not kind_of(node.step).by_word
        if vector or rows == columns == 1 or min(rows, columns) > 1:
            return self._of(node.step)
        part = "row" if (rows == 1) != box.turned else "column"
        return self._name(self.t(f"exercise.help.{part}", table=self._called(node.step)))

    def dot(self, node: Dot) -> str:
        """Always as a function."""
        return f"SUMPRODUCT({self.area(node.left)},{self.area(node.right)})"

    def _range(self, area: Expr) -> str:
        return self.write(area)

    def _squares(self, area: Area, mean: Expr) -> str:
        return f"SUMPRODUCT((({self.area(area)})-{self.write(mean, STRENGTH['*'])})^2)"

    def _of(self, step: str) -> str:
        return self._name(self._called(step))

    def _called(self, step: str) -> str:
        """The table's symbol where formulas of this cell's step read it, or else its name."""
        names, box = self.draft.names, self.draft.layout.source(step, self.home)
        symbol = names.symbol(step, box, self.home.step)
        return symbol or self.t("exercise.help.table", table=names.name(step))

    def _name(self, text: str) -> str:
        self.names.append(text)
        return chr(_FIRST_NAME + len(self.names) - 1)
