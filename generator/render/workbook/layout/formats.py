"""How the numbers of a step are shown: format and width."""

import math
from typing import NamedTuple

import numpy as np

from generator.engine.ops.pieces import PairCounts
from generator.engine.trace import Step
from generator.notation.shown import shown_decimals
from generator.steps import kind_of

MASKED = "−∞"
MOST_DECIMALS = 4
LARGE = 1e6
COUNTS = "#,##0"
READERS = ("query", "key", "value", "hidden")  # their phrases name what they are computed from
# Their phrases name a row, which is a column where they, or what they read, stand turned.
BY_ROW = (
    *("ids", "output.max", "output.shifted", "output.sum", "output.probabilities"),
    "output.all.next",
)
COMPARED = ("output.all.compared", "sampling.share")  # on paper they are rounded already


class NumberLook(NamedTuple):
    """A number format and how many characters the longest number takes."""

    number: str
    characters: int


def look(step: Step) -> NumberLook:
    """The number format of a step's cells; decimals that are given are never cut."""
    if step.text:
        return NumberLook("@" if step.kind == "given" else "General", 0)
    numbers = step.values[np.isfinite(step.values)]
    largest = float(np.abs(numbers).max()) if numbers.size else 0.0
    if kind_of(step.name).tab == "count":
        return NumberLook(COUNTS, len(f"{largest:,.0f}"))
    if largest >= LARGE:
        return NumberLook("0.00E+00", 8 + bool((numbers < 0).any()))
    decimals = min(shown_decimals(step), MOST_DECIMALS)
    digits = int(math.log10(largest)) + 1 if largest >= 1 else 1
    characters = digits + decimals + (decimals > 0) + bool((numbers < 0).any())
    if isinstance(step.op, PairCounts):
        return NumberLook("0;;;@", characters)  # nothing where there is no pair
    if decimals == 0:
        return NumberLook("General", characters)
    more = "#" * (10 - decimals) if step.kind == "given" else ""
    return NumberLook("0." + "0" * decimals + more, characters)
