"""Sheet run: a computation whole, with nothing asked."""

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.sheets.plan import Plan

MOST_TOKENS = 8
WIDEST = {"d_model": 8, "d_head": 4, "d_ff": 12, "heads": 4, "blocks": 3}


def plan(trace: Trace, level: int) -> Plan:
    """The complete run, the same at every level; its example is the token that sheets work through.

    Raises `UserError` for a sentence of more than 8 tokens, and for a model that is too wide or
    too deep for a page to be read.
    """
    if len(trace.tokens) > MOST_TOKENS:
        raise UserError(
            f"the sentence has {len(trace.tokens)} tokens; the complete run shows at most "
            f"{MOST_TOKENS}: shorten it, or make the workbook with --only xlsx"
        )
    for name, most in WIDEST.items():
        if (size := getattr(trace.preset, name)) > most:
            raise UserError(
                f"preset {trace.preset.name!r} has {name} = {size}; the complete run has room for "
                f"at most {most}: take 'katze', or print the numbers with `paperformer trace`"
            )
    last = len(trace.tokens) - 1
    worked = last if trace.worked is None else trace.worked
    return Plan(worked=worked, own=worked)
