"""Whether another sheet can be filled from the same computation, so that one may point to it."""

from functools import lru_cache

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.claims import Predicate


def fills(sheet: str) -> Predicate:
    """Whether the sheet of that name takes this computation, at the same level."""
    return lambda trace, plan: _takes(sheet, trace, plan.level)


@lru_cache(maxsize=16)
def _takes(sheet: str, trace: Trace, level: int) -> bool:
    """Kept for the rest of a page, which asks the same of a sheet up to four times."""
    from generator.sheets.series import SERIES  # it knows all sheets, the one that asks too

    try:
        SERIES[sheet].plan(trace, level)
    except UserError:
        return False
    return True
