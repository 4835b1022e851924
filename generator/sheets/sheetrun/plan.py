"""Sheet run: a computation whole, with nothing asked."""

from generator.engine.fitness import unmasked
from generator.engine.trace import Trace
from generator.sheets.attending import AT
from generator.sheets.plan import Plan, demand

MOST_TOKENS = 8
WIDEST = {"d_model": 8, "d_head": 4, "d_ff": 12, "heads": 4, "blocks": 3}


def plan(trace: Trace, level: int) -> Plan:
    """The complete run, the same at every level; its example is the token that sheets work through.

    Raises `UserError` for a sentence of more than 8 tokens, and for a model that is too wide or
    too deep for a page to be read.
    """
    demand(len(trace.tokens) <= MOST_TOKENS, "run.tokens", trace, most=MOST_TOKENS)
    for name, most in WIDEST.items():
        size = getattr(trace.preset, name)
        demand(size <= most, "run.wide", trace, name=name, size=size, most=most)
    last = len(trace.tokens) - 1
    worked = last if trace.worked is None else trace.worked
    free = unmasked(trace, AT) if f"{AT}.mask" in trace else ()  # as sheet 4a has them
    return Plan(worked=worked, own=worked, extra=free)
