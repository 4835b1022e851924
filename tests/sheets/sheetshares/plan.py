"""Sheet shares asks the shares of one token; at level 1 the sum stands there."""

from generator.engine.trace import Trace
from generator.sheets.attending import AT, Widest, require_attention, visible_to
from generator.sheets.plan import Plan, minutes, require_level, require_shown, seconds

SHEET = "shares"


def plan(trace: Trace, level: int) -> Plan:
    """The shares of the own token, from level 2 with the sum that they are shares of."""
    require_level(level)
    require_shown(trace)
    require_attention(trace, SHEET, Widest(model=64, head=64), "'katze'")
    own = len(trace.tokens) - 1 if trace.exercise is None else trace.exercise
    asked = {(f"{AT}.weights", own, j) for j in visible_to(trace, own)}
    if level > 1:
        asked.add((f"{AT}.sum", own, 0))
    return Plan(
        sheet=SHEET,
        level=level,
        asked=frozenset(asked),
        minutes=minutes(len(asked) * seconds()["share"], blocks=2),
        own=own,
    )
