"""How the numbers of a step are shown: format, width, and the words beside them."""

import math
from typing import NamedTuple

import numpy as np

from generator.engine.ops.pieces import PairCounts
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.notation.shown import shown_decimals
from generator.steps import kind_of, letter_of
from generator.steps.variant import variant

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


def in_words(trace: Trace, step: Step, catalogue: Catalogue, turned: bool = False) -> str:
    """The formula of a step in words, as the preset computes it and, if `turned`, as it stands."""
    if step.kind == "given" and _is_carried(trace, step):
        return catalogue.t("formula.carried")
    base, epsilon = trace.preset.softmax_base, trace.preset.epsilon
    way = ".turned" * (turned and step.place.kind in BY_ROW)
    way += ".exact" * (trace.rounding == "exact" and step.place.kind in COMPARED)
    return catalogue.t(
        f"formula.{step.place.kind}{variant(step)}{way}",
        base=f"{base:g}" if base else "e",
        epsilon=f"{epsilon:g}",
        x=letter_of(step.inputs[0], trace).plain if step.place.kind in READERS else "",
    )


def _is_carried(trace: Trace, step: Step) -> bool:
    """Whether a given step is one that the whole model computes, see `parts`."""
    source = kind_of(step.name).source
    begins = source in ("matrix", "vector") and source != trace.preset.start
    return source == "computed" or begins
