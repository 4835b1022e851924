"""Sheet math, the reference: the whole model at a glance. Nothing to fill, no limit of tokens."""

from generator.engine.trace import Trace
from generator.plans.plan import Plan, require_level

SHEET = "math"
FORMULAS = "formulas"


def plan(trace: Trace, level: int) -> Plan:
    """The reference sheet; it is the same at every level and asks for nothing."""
    return _nothing_asked(SHEET, level)


def plan_formulas(trace: Trace, level: int) -> Plan:
    """The formula sheet without numbers, one page."""
    return _nothing_asked(FORMULAS, level)


def _nothing_asked(sheet: str, level: int) -> Plan:
    require_level(level)
    return Plan(sheet=sheet, level=level, asked=frozenset(), minutes=0)
