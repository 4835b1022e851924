"""What the tests of the sheets about learning have in common."""

from typing import Any

import generator
from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions


def planned_steps(sheet: str, level: int = 2, **more: Any) -> tuple[Trace, Any]:
    """A computation with the steps that a sheet has of its own, and what the sheet asks of it."""
    trace = generator.compute(**more)
    plan = planned(sheet, trace, SheetOptions(level=level))
    return trace.with_steps(plan.extra), plan
