"""Sheet formulas: every formula on one page, without numbers. Nothing to fill."""

from generator.engine.trace import Trace
from generator.sheets.plan import Plan, nothing_asked

SHEET = "formulas"


def plan(trace: Trace, level: int) -> Plan:
    """The formula sheet; it is the same at every level and asks for nothing."""
    return nothing_asked(SHEET, level)
