"""What pupils have from an earlier sheet: the rows that it asks for, of the same token."""

from types import ModuleType

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.sheets.plan import Plan


def has(sheet: ModuleType, trace: Trace, plan: Plan, steps: tuple[str, ...]) -> bool:
    """Whether the plan of an earlier sheet asks for the whole own row of steps at the same level.

    `sheet` is the module of that plan, `plan` the later sheet's.
    """
    cells = tuple((step, plan.own, j) for step in steps for j in range(trace[step].shape[1]))
    return has_cells(sheet, trace, plan, cells)


def has_cells(sheet: ModuleType, trace: Trace, plan: Plan, cells: tuple[Cell, ...]) -> bool:
    """Whether the plan of an earlier sheet asks for all these cells at the same level."""
    try:
        before = sheet.plan(trace, plan.level)
    except UserError:
        return False
    return all(cell in before.asked for cell in cells)
