"""Sheet 8, the end of the series: how a model has learned, its curve, and its texts on the way."""

from dataclasses import dataclass

from generator.engine.preset import History
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import learned
from generator.sheets.plan import Plan, effort

BLOCKS = 6  # four, the curve twice, to read a number off it, and three texts to sort


@dataclass(frozen=True, kw_only=True)
class Plan8(Plan):
    """`history` is shown, `texts` are those of the three points."""

    history: History
    texts: tuple[learned.ModelText, ...]


def plan(trace: Trace, level: int) -> Plan8:
    """What sheet 8 shows and asks at a level; `UserError` where nobody knows how it was learned."""
    history = learned.history_in(trace, "8")
    asked: set[Cell] = {*((learned.CHANCE, k, 0) for k in (1, 2)), (learned.EVEN_LOSS, 0, 0)}
    return Plan8(
        asked=frozenset(asked),
        minutes=effort(BLOCKS, exp=len(asked)),
        extra=learned.learned_steps(trace, history),
        history=history,
        texts=learned.texts(trace.preset),
    )
