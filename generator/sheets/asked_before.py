"""What pupils have from an earlier sheet: the rows that it asks for, of the same token."""

from types import ModuleType

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.sheets.plan import Plan


def has(sheet: ModuleType, trace: Trace, plan: Plan, steps: tuple[str, ...]) -> bool:
    """Whether the plan of an earlier sheet asks for the whole own row of steps at the same level.

    `sheet` is the module of that plan, `plan` the later sheet's.
    """
    try:
        before = sheet.plan(trace, plan.level)
    except UserError:
        return False
    return all(
        (step, plan.own, j) in before.asked for step in steps for j in range(trace[step].shape[1])
    )
