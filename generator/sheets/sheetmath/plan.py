"""Sheet math, the reference: the whole model at a glance. Nothing to fill, no limit of tokens."""

from generator.engine.trace import Trace
from generator.sheets.plan import Plan, nothing_asked

SHEET = "math"


def plan(trace: Trace, level: int) -> Plan:
    """The reference sheet; it is the same at every level and asks for nothing."""
    return nothing_asked(SHEET, level)
