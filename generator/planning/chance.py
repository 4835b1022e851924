"""The next word as a game: spinner, strip of cards and dice table, all from the same intervals.

Also here:

* The variants: each temperature, and of one of them the likeliest words alone (top-k).
"""

from collections.abc import Iterator
from typing import NamedTuple

from generator.engine.scope import Scope
from generator.engine.trace import Trace
from generator.insight.output_layer import SHARES, WORDS, OutputSteps, WordSlice, word_slices

KEPT = 3  # words of the variant top-k


class DrawVariant(NamedTuple):
    """A way to draw: the temperature, how many words are kept (0: all), the words that can come."""

    temperature: float
    kept: int
    slices: tuple[WordSlice, ...]


def variants(trace: Trace) -> Iterator[DrawVariant]:
    """Every variant; none for a model that predicts no word."""
    if SHARES not in trace or WORDS not in trace:
        return
    temperatures = trace["temperature"].values[:, 0].tolist()
    for row, temperature in enumerate(temperatures):
        yield DrawVariant(temperature, 0, _slices(trace.scratch(), SHARES, row))
    usual = min(range(len(temperatures)), key=lambda row: abs(temperatures[row] - 1))
    if trace[SHARES].shape[1] > KEPT:
        chain = trace.scratch()
        OutputSteps(chain, usual).limits(KEPT, 1.0)
        yield DrawVariant(temperatures[usual], KEPT, _slices(chain, "topk.shared", 0))


def _slices(chain: Scope, shares: str, row: int) -> tuple[WordSlice, ...]:
    return tuple(one for one in word_slices(chain, shares, row) if one.end > one.start)
