"""Sheet code: a head whose program fits on the page."""

from generator.engine.masks import MASKS
from generator.engine.trace import Trace
from generator.sheets.attending import AT, Widest, require_attention
from generator.sheets.plan import Plan, demand, minutes, require_shown

WIDEST = Widest(model=8, head=4)
BLOCKS = 3  # to read: the program twice, for its lines are looked for; answers count apart


def plan(trace: Trace, level: int) -> Plan:
    """Why, the program and questions about it: words to write, no numbers.

    Raises `UserError` without attention, for a head that is too wide, for more than 12 tokens, and
    where a token may look at nobody, which is no number in NumPy.
    """
    require_attention(trace, "code", WIDEST, "'katze' or 'brille'")
    require_shown(trace)
    demand(f"{AT}.weight.query" in trace, "code.matrices", trace)
    mask = MASKS.get(trace.preset.mask)
    demand(not (mask and mask.empty), "code.nobody", trace)
    return Plan(minutes=minutes(0, BLOCKS))
