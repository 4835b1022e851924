"""How a row shows that it is asked, and a yellow cell its verdict: by letter, colour and sign.

Also here:

* What may be typed into the yellow cells of a tab, with a message otherwise.
* The head of an exercise tab: progress, what to do first, and what the check columns are.
"""

from collections.abc import Sequence
from copy import copy

from openpyxl.cell.cell import Cell as Place
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import FormulaRule, Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.verdict import NO_NUMBER, RIGHT, WRONG
from generator.engine.step import Cell
from generator.locales.catalogue import Catalogue
from generator.render.workbook.checking import hints
from generator.render.workbook.checking.hints import HELP_COLUMN, boxes
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula, write_text
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.guards import number_rule
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.checks import (
    ABOUT_ROW,
    LEVELS,
    STATES,
    TITLE_ROW,
    TOTALS_ROW,
    CheckColumns,
    Checks,
    Rectangle,
)
from generator.render.workbook.layout.focus import ROW as WARNING_ROW
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.styles import ACCENT, INK

FIRST_FORMAT = 300  # ids of number formats that only rules use


class VerdictLook:
    """The look of a verdict: dark letters on a light ground, a sign after the entry.

    The outline stays the cell's own: it says that the cell is asked, in grey print as well.
    """

    def __init__(self, sign: str, ink: str, ground: str, bold: bool) -> None:
        self.sign = sign
        self.ink = ink
        self.ground = ground
        self.bold = bold

    def style(self, number: str, number_id: int) -> DifferentialStyle:
        """For cells with that number format."""
        return DifferentialStyle(
            font=Font(color=self.ink, bold=self.bold),
            fill=PatternFill(bgColor=self.ground, fill_type="solid"),
            numFmt=NumberFormat(numFmtId=number_id, formatCode=self._format(number)),
        )

    def _format(self, number: str) -> str:
        """The format with the sign behind it, for numbers and for text."""
        text = f'@" {self.sign}"'
        if number == "@":
            return text
        shown = f'{number}" {self.sign}"'
        return ";".join((shown, f"-{shown}", shown, text))


MARKS = {
    RIGHT: VerdictLook("✓", "14532D", "CDEBD3", bold=False),
    WRONG: VerdictLook("✗", "8B1A10", "FBD9D3", bold=True),
    NO_NUMBER: VerdictLook("?", "6B4300", "FFDF9E", bold=False),
}


def letter(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The sign of a task before the label of each asked row.

    A format writes it, so that formulas which read a label do not see it.
    """
    sign = draft.catalogue.t("workbook.start.sign.entry")
    rows = {draft.layout.home(name).place(i, j)[0] for name, i, j in checks.asked}
    for row in sorted(rows):
        _letter(page.cell(row, 1), sign)


def _letter(cell: Place, sign: str) -> None:
    """That sign before what the cell holds, in the darkest ink."""
    cell._style = copy(cell._style)
    shown = "@" if cell.number_format == "General" else cell.number_format
    cell.number_format = f'"{sign}  "{shown}'
    font = copy(cell.font)
    font.bold, font.color = True, INK
    cell.font = font


def show(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """Entries show their verdicts; before the other rules of the tab, such as colours of shares.

    In the file as well as by priority: LibreOffice takes the first rule that it finds.
    """
    others, page.conditional_formatting = page.conditional_formatting, ConditionalFormattingList()
    formats: dict[str, list[Cell]] = {}
    for cell in checks.asked:
        step = draft.trace[cell[0]]
        number = "@" if step.text else draft.looks[step.name].number
        formats.setdefault(number, []).append(cell)
    for number, cells in formats.items():
        for box in boxes(draft, cells):
            _show(page, checks.columns, box, number)
    for known in others:
        for rule in known.rules:
            rule.priority = 0
            page.conditional_formatting.add(str(known.sqref), rule)


def _show(page: Worksheet, columns: CheckColumns, box: Rectangle, number: str) -> None:
    """The rules that look at the verdicts, which stand in the columns of the checks.

    The last one stops, without a look of its own, whatever else colours or frames the tables: a
    cell that is asked keeps its outline where the focus is, too.
    """
    for order, (verdict, mark) in enumerate(MARKS.items()):
        formula = f"{at(box.top, columns.verdict(box.left))}={verdict}"
        style = mark.style(number, FIRST_FORMAT + order)
        rule = Rule(type="expression", formula=[formula], dxf=style, stopIfTrue=True)
        page.conditional_formatting.add(box.span, rule)
    kept = Rule(type="expression", formula=["TRUE"], dxf=DifferentialStyle(), stopIfTrue=True)
    page.conditional_formatting.add(box.span, kept)


MOST = 1000


def guard(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The rules for entries and for the choice of a hint."""
    kinds: dict[str, list[Cell]] = {"numbers": [], "wholes": [], "words": []}
    for cell in checks.asked:
        step = draft.trace[cell[0]]
        whole = step.op.precision != "rounded" and step.decimals == 0
        kinds["words" if step.text else "wholes" if whole else "numbers"].append(cell)
    spans = {kind: [box.span for box in boxes(draft, cells)] for kind, cells in kinds.items()}
    t = draft.catalogue
    for kind, entries, least in (("decimal", "numbers", -MOST), ("whole", "wholes", 0)):
        reason = t.t("exercise.number.error" if kind == "decimal" else "exercise.whole.error")
        _add(page, t, number_rule(t, kind, least, MOST, reason), "number.title", spans[entries])
    if words := spans["words"]:
        known = draft.layout.home("vocabulary.words").area()
        _add(page, t, _one_of(known, t, "word.prompt"), "word.title", words)
    first, last = (at(TOTALS_ROW, checks.columns.hint(k), fixed=True) for k in (0, LEVELS[-1]))
    for block in checks.blocks if draft.judging.hints else ():
        choice = at(block.band.help_row, HELP_COLUMN)
        _add(
            page,
            t,
            _one_of(f"{first}:{last}", t, "help.error"),
            "help.title",
            [f"{choice}:{choice}"],
        )


def _one_of(area: str, catalogue: Catalogue, error: str) -> DataValidation:
    """What stands in an area and nothing else, so that LibreOffice takes no formula."""
    rule = DataValidation(type="list", formula1=f"={area}", allow_blank=True, errorStyle="stop")
    rule.error = catalogue.t(f"exercise.{error}")
    return rule


def _add(
    page: Worksheet,
    catalogue: Catalogue,
    rule: DataValidation,
    title: str,
    spans: Sequence[str],
) -> None:
    """Puts a rule on cells, with what it says before and after an entry."""
    rule.errorTitle = rule.promptTitle = catalogue.t(f"exercise.{title}")
    rule.prompt = catalogue.t(f"exercise.{title.partition('.')[0]}.prompt")
    rule.showErrorMessage = rule.showInputMessage = True
    for span in spans:
        rule.add(span)
    if spans:
        page.add_data_validation(rule)


BAR = 10  # signs of a full bar
ARROW = "→"  # what a line that is no warning begins with


def write(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """Everything at the head of a tab with asked cells."""
    _explain(draft, page, checks)
    _progress(draft, page, checks)
    _first_open(draft, page, checks)


def write_waiting(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """In the line of the warning: which tab to fill in first, because cells here wait for it."""
    before = _before(draft, sheet)
    if before is None:
        return
    message, cell = on(*draft.layout.warning), _open_cell(before)
    lead, rest = draft.catalogue.phrases["exercise.waits"].split("{tab}")
    chosen = f'IF({cell}="","","{ARROW} {lead}"&{cell}&"{rest}")'
    shown = f"{ARROW} {lead}{next(iter(draft.checks))}{rest}"
    formula = CellFormula(f'=IF({message}<>"",{message}&"",{chosen})', shown)
    write_formula(page, WARNING_ROW, WORDS_COLUMN, formula, draft.styles.look("alarm"))


def calm(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """That line does not look like an alarm where it is none."""
    if _before(draft, sheet):
        place = at(WARNING_ROW, WORDS_COLUMN)
        rule = FormulaRule(formula=[f'LEFT({place},1)="{ARROW}"'], font=Font(color=ACCENT))
        page.conditional_formatting.add(place, rule)


def _before(draft: Draft, sheet: Sheet) -> Checks | None:
    """The last tab with asked cells before one that has hidden cells."""
    homes = {box.step for band in sheet.bands for box in band.boxes if box.home}
    if homes.isdisjoint(draft.exercise.steps):
        return None
    last = None
    for other in draft.layout.sheets:
        if other is sheet:
            break
        last = draft.checks.get(other.tab.title, last)
    return last


def _open_cell(checks: Checks) -> str:
    """The cell that names the first tab, up to this one, with a blank cell; "" for none."""
    return on(checks.title, at(ABOUT_ROW, checks.columns.state("gate"), fixed=True))


def _first_open(draft: Draft, page: Worksheet, checks: Checks) -> None:
    before = _before(draft, checks.sheet)
    formula = f'IF({checks.count("blank")}>0,"{checks.title}","")'
    if before:
        formula = f'IF({_open_cell(before)}<>"",{_open_cell(before)},{formula})'
    shown = CellFormula(f"={formula}", next(iter(draft.checks)))
    hints.put(draft, page, ABOUT_ROW, checks.columns.state("gate"), shown)


def _progress(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """How much is right, how much is filled in, and a bar; where nobody judges, only the latter."""
    if not draft.judging.judges:
        _filled(draft, page, checks)
        return
    right, blank = (at(TOTALS_ROW, checks.columns.state(name)) for name in ("right", "blank"))
    asked, t = len(checks.asked), draft.catalogue.t
    here, of, filled = (t(f"exercise.progress.{key}") for key in ("here", "of", "filled"))
    done = f"INT({BAR}*{right}/{asked})"
    bar = f'REPT("■",{done})&REPT("□",{BAR}-{done})'
    text = f'{bar}&"  {here}"&{right}&"{of}{asked}{filled}"&({asked}-{blank})'
    formula = f'=IF({on(*draft.layout.paused)}>0,"",{text})'  # in a pause nothing counts as right
    shown = CellFormula(formula, f"{'□' * BAR}  {here}0{of}{asked}{filled}0")
    write_formula(page, TITLE_ROW, WORDS_COLUMN, shown, draft.styles.look("strong"))


def _filled(draft: Draft, page: Worksheet, checks: Checks) -> None:
    asked, blank = len(checks.asked), at(TOTALS_ROW, checks.columns.state("blank"))
    filled, of = (draft.catalogue.t(f"exercise.progress.{key}") for key in ("only", "of"))
    formula = f'="{filled}"&({asked}-{blank})&"{of}{asked}"'
    shown = CellFormula(formula, f"{filled}0{of}{asked}")
    write_formula(page, TITLE_ROW, WORDS_COLUMN, shown, draft.styles.look("strong"))


def _explain(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """A word about each part of the checks, small and grey."""
    columns = checks.columns
    notes = {
        (TITLE_ROW, columns.first): "title",
        (TITLE_ROW, columns.first + 3): "about",
        (TOTALS_ROW, columns.state("gate")): "tab",
        **{(TOTALS_ROW + 1, columns.state(state)): state for state in STATES},
        (TOTALS_ROW, columns.verdict(1)): "verdicts",
        (TOTALS_ROW, columns.result(1)): "results",
        (ABOUT_ROW, columns.hint(0)): "hints",
    }
    for (row, column), key in notes.items():
        text = draft.catalogue.t(f"exercise.checks.{key}")
        write_text(page, row, column, text, draft.styles.look("step"))
    hints.write_numbers(draft, page, checks)
    hints.write_steps(draft, page, checks)
