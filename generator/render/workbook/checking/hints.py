"""Hints on demand: in words, in functions, with cells, with the pupil's own numbers."""

from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.expr import Bin, Num
from generator.engine.step import Cell
from generator.notation.functions import Functions
from generator.notation.shown import shown_decimals
from generator.render.workbook.checking.named import Named
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put_number, write_formula, write_text
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.check_columns import LEVELS, TOTALS_ROW
from generator.render.workbook.layout.checks import Block, Checks
from generator.render.workbook.layout.formats import in_words
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Line
from generator.render.workbook.write.filling import notation

HELP_COLUMN = 2
WORDS, FUNCTIONS, CELLS, RESULTS = LEVELS[1:]


def write_numbers(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The numbers of the hints above their texts."""
    style = draft.styles.look("step", align="right")
    for level in LEVELS:
        put_number(cell_at(page, TOTALS_ROW, checks.columns.hint(level), style), float(level))


def write_steps(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The name that the program has for each step, in the row of its heading."""
    for line in (line for band in checks.sheet.bands for line in band.lines):
        _text(draft, page, checks, line.row, LEVELS[0], line.step)


def write(draft: Draft, page: Worksheet, checks: Checks, block: Block) -> None:
    """The choice of a hint in the help row, the chosen one below each heading."""
    row, t = block.band.help_row, draft.catalogue.t
    write_text(page, row, 1, t("exercise.help"), draft.styles.look("label"))
    style = draft.styles.look("entry", align="center")
    put_number(cell_at(page, row, HELP_COLUMN, style), 0.0)
    for line in block.band.lines:
        if mine := [cell for cell in block.cells if cell[0] == line.step]:
            _line(draft, page, checks, row, line, mine)


def put(draft: Draft, page: Worksheet, row: int, column: int, formula: Formula) -> None:
    """A formula of the checks, small and grey."""
    write_formula(page, row, column, formula, draft.styles.look("step", align="right"))


def _line(
    draft: Draft,
    page: Worksheet,
    checks: Checks,
    help_row: int,
    line: Line,
    cells: Sequence[Cell],
) -> None:
    """What stands under the heading of an asked step: the chosen hint of four."""
    chosen = at(help_row, HELP_COLUMN, fixed=True)
    step, turned = draft.trace[line.step], draft.layout.turned(line.step)
    said = in_words(draft.trace, step, draft.catalogue, turned)
    _text(draft, page, checks, line.row, WORDS, said)
    words = at(line.row, checks.columns.hint(WORDS))
    shown = Formula(f'=IF(N({chosen})>0,{words},"")', "")
    style = cell_at(page, line.row, WORDS_COLUMN)._style
    write_formula(page, line.row, WORDS_COLUMN, shown, style)
    _formulas(draft, page, checks, line, cells[0])
    _results(draft, page, checks, chosen, line, cells)
    for row in line.functions:
        texts = ",".join(at(row, checks.columns.hint(k)) for k in LEVELS[2:])
        text = f'=IFERROR(CHOOSE(N({chosen})+1,"","",{texts})&"","")'
        write_formula(page, row, WORDS_COLUMN, Formula(text, ""), draft.styles.look("live"))


def _formulas(draft: Draft, page: Worksheet, checks: Checks, line: Line, cell: Cell) -> None:
    """The first asked cell's formula over names and over cells, one line per row."""
    language, home = draft.catalogue.language, draft.layout.home(line.step)
    meaning = draft.exercise.meaning(*cell)
    celled = Functions(draft.layout.addresses(home), language).formula(meaning)
    pieces = draft.texts.functions(home.cell(*cell[1:]), celled, len(line.functions))
    for row, text in zip(line.functions, pieces, strict=False):
        _text(draft, page, checks, row, CELLS, text)
    for row in line.functions[:1]:
        _text(draft, page, checks, row, FUNCTIONS, Named(draft, cell).line())


def _results(
    draft: Draft,
    page: Worksheet,
    checks: Checks,
    chosen: str,
    line: Line,
    cells: Sequence[Cell],
) -> None:
    """What the asked cells should hold with the numbers entered so far, where allowed."""
    t, places = draft.catalogue.t, []
    for cell in cells:
        row, column = draft.layout.home(cell[0]).place(*cell[1:])
        places.append((row, checks.columns.result(column)))
        put(draft, page, *places[-1], Formula(_result(draft, chosen, cell), ""))
    lead, joined = t("exercise.help.results"), '&" · "&'.join(at(*place) for place in places)
    paused, allowed = on(*draft.layout.paused), f"{on(*draft.layout.settings['interim'])}=1"
    shown = f'IF({allowed},"{lead}"&{joined},"{t("exercise.help.not_shown")}")'
    formula = f'=IF({paused}>0,"{t("exercise.paused")}",{shown})'
    empty = " · ".join("" for _ in cells)
    for row in line.functions[:1]:
        put(draft, page, row, checks.columns.hint(RESULTS), Formula(formula, lead + empty))


def _result(draft: Draft, chosen: str, cell: Cell) -> str:
    """The formula of one of them: nothing until that hint is chosen."""
    step, excel = draft.trace[cell[0]], notation(draft, draft.layout.home(cell[0]))
    value = excel.write(draft.exercise.meaning(*cell))
    if not step.text:
        value = f"FIXED({value},{shown_decimals(step)},TRUE)"
    missing = f'"{draft.catalogue.t("exercise.help.missing")}"'
    value = f"IFERROR({value},{missing})"
    if lacking := draft.exercise.guard(*cell):
        value = f"IF({excel.write(Bin('>', lacking, Num(0)))},{missing},{value})"
    allowed = f"{on(*draft.layout.settings['interim'])}=1,{on(*draft.layout.paused)}=0"
    return f'=IF(AND({allowed},{chosen}={RESULTS}),{value},"")'


def _text(draft: Draft, page: Worksheet, checks: Checks, row: int, level: int, text: str) -> None:
    write_text(page, row, checks.columns.hint(level), text, draft.styles.look("step"))
