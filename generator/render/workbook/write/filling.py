"""What stands in the cells of a step: a formula, and what it shows before anybody recalculates.

A hidden cell waits for the entries that it depends on; in a solution nothing is hidden.
"""

from generator.checks.exercise import OPEN
from generator.checks.verdict import GATE, PAUSED, TOLERANCE, WHEN
from generator.engine.trace import Step
from generator.notation.excel import Excel
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.check_columns import ABOUT_ROW
from generator.render.workbook.layout.focus import FOCUS
from generator.render.workbook.layout.formats import MASKED

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
