"""Whether another sheet can be filled from the same computation, so that one may point to it."""

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.claims import Predicate
from generator.sheets.plan import Plan


def fills(sheet: str) -> Predicate:
    """Whether the sheet of that name takes this computation, at the same level."""

    def holds(trace: Trace, plan: Plan) -> bool:
        from generator.sheets.series import SERIES  # it knows all sheets, this one too

        try:
            SERIES[sheet].plan(trace, plan.level)
        except UserError:
            return False
        return True

    return holds
