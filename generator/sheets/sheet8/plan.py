"""Sheet 8, the end of the series: how a model has learned, its curve, and its texts on the way."""

from dataclasses import dataclass

from generator.engine.preset import History
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import learned
from generator.sheets.plan import Plan, minutes, seconds

READING = 60.0  # seconds to read a number off the curve, to sort three texts


@dataclass(frozen=True, kw_only=True)
class Plan8(Plan):
    """`history` is shown, `texts` are those of the three points."""

    history: History
    texts: tuple[learned.ModelText, ...]


def plan(trace: Trace, level: int) -> Plan8:
    """What sheet 8 shows and asks at a level; `UserError` where nobody knows how it was learned."""
    history = learned.history_in(trace, "8")
    asked: set[Cell] = {*((learned.CHANCE, k, 0) for k in (1, 2)), (learned.EVEN_LOSS, 0, 0)}
    spent = len(asked) * seconds()["exp"] + 2 * READING
    return Plan8(
        asked=frozenset(asked),
        minutes=minutes(spent, 4),
        extra=learned.learned_steps(trace, history),
        history=history,
        texts=learned.texts(trace.preset),
    )
