"""Sheet 7b, learning: the prediction again with the new numbers, and how fast one may learn."""

from dataclasses import dataclass

from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.output_layer import LOGITS, SHARES
from generator.insight.output_step import AFTER, LOSS, example_steps, rate_steps, write_again
from generator.sheets.plan import MOST_NUMBERS, dot, minutes, require_level, seconds
from generator.sheets.sheet7a.plan import Plan7, learning, telling

SHEET = "7b"
Z, POWER, TOTAL, SHARE, NEW_LOSS = (
    f"{AFTER}{name}" for name in (LOGITS, "output.exp", "output.sum", SHARES, LOSS)
)
FEW = 2  # words whose new numbers are asked at the first level


@dataclass(frozen=True, kw_only=True)
class Plan7b(Plan7):
    """`words` are those whose new logit, power and P are asked; `bars` those drawn."""

    words: tuple[int, ...]


def plan(trace: Trace, level: int) -> Plan7b:
    """What sheet 7b shows and asks at a level; raises `UserError` as sheet 7a does."""
    require_level(level)
    learned = learning(trace, level, SHEET)
    words = _words(trace, learned.rows, learned.at, level)
    asked: set[Cell] = {(Z, 0, j) for j in words}
    asked |= {(name, learned.at, j) for name in (POWER, SHARE) for j in words}
    asked |= {(TOTAL, learned.at, 0), (NEW_LOSS, 0, 0)}
    v = len(trace[LOGITS].columns)
    return Plan7b(
        sheet=SHEET,
        level=level,
        asked=frozenset(asked),
        minutes=_minutes(len(words), v, trace["last"].shape[1]),
        worked=len(trace.tokens) - 1,
        own=len(trace.tokens) - 1,
        extra=(
            *learned.steps,
            *example_steps(trace),
            *rate_steps(trace, learned.right, learned.rate),
        ),
        right=learned.right,
        at=learned.at,
        rows=learned.rows,
        errors=(),
        rate=learned.rate,
        words=words,
    )


def own_steps(part: Scope, trace: Trace) -> None:
    """Write the prediction with the new numbers, and its loss, into a workbook's part.

    Without sheet 7a the new numbers are given.
    """
    learned = learning(trace, 1, SHEET)
    known = trace.with_steps(learned.steps)
    write_again(part, known, (s for s in learned.steps if s.name.startswith(AFTER)))


def _words(trace: Trace, rows: tuple[int, ...], at: int, level: int) -> tuple[int, ...]:
    """Those whose rows pupils have changed, and then the likeliest, as many as the level takes."""
    order = telling(trace, rows, at)
    most = (MOST_NUMBERS[level] - 2) // 3
    return tuple(sorted(order[: FEW if level == 1 else most]))


def _minutes(asked: int, words: int, width: int) -> int:
    table = seconds()
    spent = asked * (dot(width) + table["exp"] + table["share"]) + words * table["sum"]
    return minutes(spent + table["exp"], 3)
