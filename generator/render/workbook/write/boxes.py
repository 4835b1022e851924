"""Fills the boxes of a band: given numbers, live formulas, empty yellow cells, echoes.

Also here:

* An arrow beside the row of the chosen word in the interval tables.
* What stands in the cells of a step: a formula, and what it shows before anybody recalculates.
* Looks numbers and words of the model up where they are at home, for tabs that show them again.
"""

from collections.abc import Iterable

from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import OPEN
from generator.checks.verdict import GATE, PAUSED, TOLERANCE, WHEN
from generator.engine.trace import Step
from generator.notation.excel import Excel, one_of
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put_number, put_text, write_formula
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import ABOUT_ROW
from generator.render.workbook.layout.focus import FOCUS, focus_place
from generator.render.workbook.layout.formats import MASKED
from generator.render.workbook.layout.layout import Band
from generator.steps import kind_of


def write(draft: Draft, page: Worksheet, band: Band) -> None:
    """All boxes of a band; a home gets its defined name."""
    for box in band.boxes:
        step = draft.trace[box.step]
        if not box.home:
            _echo(draft, page, box, step)
            continue
        (_given if step.kind == "given" else _computed)(draft, page, box, step)
        draft.name(box)
    if band.picked:
        _in_focus(draft, page, band.picked)


def _given(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """The home of a given step: typed-in cells, or what the Start tab decides."""
    style = draft.styles.look("given", draft.looks[step.name].number, "" if step.text else "right")
    if step.text:
        style = draft.styles.look("given", "@", "", True)
    for i, j in cells_of(step):
        in_force = draft.layout.in_force(step.name, i, j)
        if in_force is not None:
            _fill(draft, page, box, step, ((i, j, in_force),), "inforce")
            continue
        cell = cell_at(page, *box.place(i, j), style)
        if step.text:
            put_text(cell, step.values[i, j])
        else:
            put_number(cell, float(step.values[i, j]))


def _computed(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """The home of a computed step: what is asked is empty, all other cells are live formulas."""
    asked, excel = draft.exercise.asked, notation(draft, box)
    role = "result" if kind_of(step.name).shown.result else "computed"
    if step.name in draft.exercise.steps:
        role = "computed"
        number = "@" if step.text else draft.looks[step.name].number
        entry = draft.styles.look("entry", number, "right")
        for i, j in cells_of(step):
            if (step.name, i, j) in asked:
                cell_at(page, *box.place(i, j), entry)
    formulas = (
        (i, j, formula(draft, excel, step.name, i, j))
        for i, j in cells_of(step)
        if (step.name, i, j) not in asked
    )
    _fill(draft, page, box, step, formulas, role)


def _echo(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """A box that repeats a step."""
    role = "label" if step.text and box.column == 1 else "echo"
    formulas = ((i, j, repeated(draft, box, i, j)) for i, j in cells_of(step))
    _fill(draft, page, box, step, formulas, role)


def _in_focus(draft: Draft, page: Worksheet, box: Box) -> None:
    """The focus token's row of a table once more, live."""
    style = draft.styles.look("echo", draft.looks[box.step].number, "right")
    place = focus_place(draft.trace, draft.exercise.asked)
    for j in range(box.width):
        live = CellFormula(in_focus(draft, box, j), shown(draft, box.step, place, j))
        write_formula(page, box.row, box.column + j, live, style)


def _fill(
    draft: Draft,
    page: Worksheet,
    box: Box,
    step: Step,
    formulas: Iterable[tuple[int, int, str]],
    role: str,
) -> None:
    """Cells (i, j) of a box with their formulas, in the look of a role."""
    wrapped = step.text and box.column == 1
    align = "" if wrapped else "right"
    if kind_of(step.name).shown.centred:
        align = "center"
    style = draft.styles.look(role, draft.looks[step.name].number, align, wrapped)
    for i, j, text in formulas:
        live = CellFormula(text, shown(draft, step.name, i, j))
        write_formula(page, *box.place(i, j), live, style)


def chosen_write(draft: Draft, page: Worksheet, band: Band) -> None:
    """The arrows of a band, live."""
    arrow = draft.catalogue.t("workbook.chosen")
    for table, chosen in draft.layout.choices(band):
        cell = at(chosen.row, chosen.column, fixed=True)
        next_word = shown(draft, chosen.step, 0, 0)
        for k, word in enumerate(draft.trace["vocabulary.words"].values[:, 0]):
            row = table.row + k
            text = f'=IF(EXACT($A{row},{cell}),"{arrow}","")'
            live = CellFormula(text, arrow if word == next_word else "")
            write_formula(page, row, table.right + 1, live, draft.styles.look("chosen"))


SETTINGS = {TOLERANCE: "tolerance", WHEN: "judge"}


def cells_of(step: Step) -> list[tuple[int, int]]:
    """All cells of a step, row by row, counted from 0."""
    height, width = step.shape
    return [(i, j) for i in range(height) for j in range(width)]


def notation(draft: Draft, box: Box, gate: str = "") -> Excel:
    """Formulas in a box; those of checks also read the settings, the counts and a block's gate."""
    address = draft.layout.addresses(box)
    if not draft.checks:
        return Excel(address)
    first = next(iter(draft.checks.values()))
    known = {step: on(*draft.layout.settings[name]) for step, name in SETTINGS.items()}
    known[OPEN] = on(first.title, at(ABOUT_ROW, first.columns.state("blank"), fixed=True))
    known[GATE], known[PAUSED] = gate, on(*draft.layout.paused)
    return Excel(lambda step, i, j: known[step] if step in known else address(step, i, j))


def formula(draft: Draft, excel: Excel, step: str, i: int, j: int) -> str:
    """The formula of a computed cell that nobody is asked for."""
    hidden = draft.exercise.hides(step, i, j)
    return excel.formula(
        draft.exercise.shown(step, i, j) if hidden else draft.trace.cell(step, i, j)
    )


def repeated(draft: Draft, box: Box, i: int, j: int) -> str:
    """The formula of an echo's cell; an empty cell is repeated as empty and not as 0."""
    address = draft.layout.echo_of(box, i, j)
    hidden = draft.exercise.hides(box.step, i, j)
    return f'=IF({address}="","",{address})' if hidden else f"={address}"


def in_focus(draft: Draft, box: Box, j: int) -> str:
    """The formula of the cell in the focus token's row of a table, in the table's column j."""
    home = draft.layout.home(box.step)
    column = home.column + j
    value = f"INDEX({at(home.row, column)}:{at(home.bottom, column)},{FOCUS})"
    if box.step in draft.exercise.steps:
        value = f'IF({value}="","",{value})'
    return f'=IFERROR({value},"")'


def shown(draft: Draft, step: str, i: int, j: int) -> float | str:
    """What a cell of a step shows before anybody recalculates; nothing for hidden cells."""
    if draft.exercise.hides(step, i, j):
        return ""
    value = draft.trace[step].values[i, j]
    if isinstance(value, str):
        return str(value)
    return MASKED if value == -float("inf") else float(value)


class LookUp:
    """Addresses of steps on their own tabs, for formulas on another one."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def cell(self, step: str, i: int, j: int) -> tuple[str, float | str]:
        """The address of a step's cell, and what it shows as delivered."""
        home = self.draft.layout.home(step)
        return on(home.sheet, at(*home.place(i, j), fixed=True)), shown(self.draft, step, i, j)

    def area(self, step: str) -> str:
        """The address of all cells of a step."""
        return self.draft.layout.home(step).area()

    def at(self, step: str, place: str) -> str:
        """The number at a place, from 1, of a step of one row or one column."""
        return one_of(self.area(step), place)

    def kept(self, step: str, place: str) -> str:
        """The same number as delivered, from the copy that its tab keeps."""
        home = self.draft.layout.home(step)
        return one_of(self.draft.kept[home.sheet].area(home), place)

    def ranked(self, most: int) -> list[int]:
        """The places, from 0, of the likeliest words as delivered, at most so many."""
        ranks = self.draft.trace["sampling.rank"].values[0]
        return sorted(range(len(ranks)), key=lambda j: float(ranks[j]))[:most]
