"""Sheet 7b, learning: the prediction again with the new numbers, and how fast one may learn."""

from dataclasses import replace

from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import message
from generator.insight.output_layer import LOGITS, SHARES
from generator.insight.output_step import AFTER, LOSS, example_steps, rate_steps, write_again
from generator.sheets.plan import LEVELS, MOST_NUMBERS, effort, practised
from generator.sheets.sheet7a.plan import Plan7, learning, telling

SHEET = "7b"
Z, POWER, TOTAL, SHARE, NEW_LOSS = (
    f"{AFTER}{name}" for name in (LOGITS, "output.exp", "output.sum", SHARES, LOSS)
)
SPREAD = ("loss.perplexity", f"{AFTER}loss.perplexity")
BEFORE = "7a"
FEW = 2  # words whose new numbers are asked at the first level


def plan(trace: Trace, level: int) -> Plan7:
    """What sheet 7b shows and asks at a level; raises `UserError` as sheet 7a does.

    It asks for the words whose rows pupils have changed, and then for the likeliest, as many as
    the level takes; at the last level for the perplexity, too.
    """
    learned = learning(trace, level, SHEET)
    most = FEW if level == 1 else (MOST_NUMBERS[level] - 2) // 3
    words = tuple(sorted(telling(trace, learned)[:most]))
    asked: set[Cell] = {(TOTAL, learned.at, 0), (NEW_LOSS, 0, 0)} | {(Z, 0, j) for j in words}
    asked |= {(name, learned.at, j) for name in (POWER, SHARE) for j in words}
    spread = SPREAD if level == LEVELS[-1] else ()
    n, added, dots = len(words), len(trace[LOGITS].columns), [trace["last"].shape[1]] * len(words)
    tried = rate_steps(trace, learned.right, learned.rate)
    return replace(
        learned,
        asked=frozenset(asked | {(name, 0, 0) for name in spread}),
        minutes=effort(3, dots, exp=n + 1 + len(spread), share=n, sum=added),
        beside=practised(sum=added, compare=1, draw=added),
        extra=(*learned.extra, *example_steps(trace), *tried),
        words=words,
    )


def own_steps(part: Scope, trace: Trace) -> None:
    """Write the prediction with the new numbers, and its loss, into a workbook's part.

    Without sheet 7a the new numbers are given.
    """
    steps = learning(trace, 1, SHEET).extra
    write_again(part, trace.with_steps(steps), (s for s in steps if s.name.startswith(AFTER)))


def notes(trace: Trace) -> list[str]:
    """That the sheet gives away what the one before asks for."""
    return [message("sheet.later", sheet=SHEET, before=BEFORE)]
