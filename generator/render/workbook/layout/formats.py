"""How the numbers of a step are shown: format, width, and the words beside them."""

import math
from typing import NamedTuple

import numpy as np

from generator.engine.ops import (
    Activation,
    Append,
    Copy,
    Deviation,
    GainShift,
    Kept,
    Mask,
    MatMul,
    MatMulT,
    Power,
    Winner,
)
from generator.engine.ops.pieces import PairCounts
from generator.engine.trace import Step, Trace
from generator.notation.shown import shown_decimals
from generator.notation.words import power_ending
from generator.text.catalogue import Catalogue, step_place

MASKED = "−∞"
MOST_DECIMALS = 4
LARGE = 1e6
COUNTS = "#,##0"


class Look(NamedTuple):
    """A number format and how many characters the longest number takes."""

    number: str
    characters: int


def look(step: Step) -> Look:
    """The number format of a step's cells; decimals that are given are never cut."""
    if step.text:
        return Look("@" if step.kind == "given" else "General", 0)
    numbers = step.values[np.isfinite(step.values)]
    largest = float(np.abs(numbers).max()) if numbers.size else 0.0
    if step.name.startswith("count."):
        return Look(COUNTS, len(f"{largest:,.0f}"))
    if largest >= LARGE:
        return Look("0.00E+00", 8 + bool((numbers < 0).any()))
    decimals = min(shown_decimals(step), MOST_DECIMALS)
    digits = int(math.log10(largest)) + 1 if largest >= 1 else 1
    characters = digits + decimals + (decimals > 0) + bool((numbers < 0).any())
    if isinstance(step.op, PairCounts):
        return Look("0;;;@", characters)  # nothing where there is no pair
    if decimals == 0:
        return Look("General", characters)
    more = "#" * (10 - decimals) if step.kind == "given" else ""
    return Look("0." + "0" * decimals + more, characters)


def in_words(trace: Trace, step: Step, catalogue: Catalogue) -> str:
    """The formula of a step in words, as the preset computes it."""
    rest = step_place(step.name)[2]
    if step.kind == "given" and not rest.startswith("bpe.") and _is_carried(trace, rest):
        return catalogue.t("formula.carried")
    if rest.startswith("bpe."):
        return catalogue.of("formula", rest)
    stem = rest.removeprefix("final.") if rest.startswith("final.") else rest.rstrip("12")
    key = f"formula.{stem}"
    if stem.startswith("contribution"):
        return catalogue.t("formula.contribution")
    temperature = trace["sampling.share"].rows[0] if "sampling.share" in trace else ""
    base, epsilon = trace.preset.softmax_base, trace.preset.epsilon
    return catalogue.t(
        key + _variant(trace, step),
        base=f"{base:g}" if base else "e",
        epsilon=f"{epsilon:g}",
        temperature=temperature,
        x="LN(X)" if trace.preset.norm == "pre" else "X",
    )


def _is_carried(trace: Trace, rest: str) -> bool:
    """Whether a given step is one that the whole model computes, see `parts`."""
    start = {"input": "matrix", "last": "vector"}
    if rest in start:
        return trace.preset.start != start[rest]
    return not (rest in _GIVEN or rest.startswith(_GIVEN_KINDS))


_GIVEN = ("tokens", "temperature", "position", "count.size")
_GIVEN_KINDS = (
    *(
        "vocabulary.",
        "position.",
        "switch.",
        "sampling.",
        "loss.",
        "weight.",
        "bias.",
        "gain",
        "beta",
    ),
    *("output.matrix", "output.bias", "final.gain", "final.beta"),
)


def _variant(trace: Trace, step: Step) -> str:
    if step.kind == "given":
        named = step_place(step.name)[2] in ("position", "input", "last")
        return ".given" if named else ""
    match step.op:
        case MatMul() | MatMulT() if len(step.inputs) == 3:
            return ".bias"
        case Copy():
            return ".copied"
        case Append():
            return ".appended"
        case Mask(strict=True):
            return ".strict"
        case Power() as power:
            return power_ending(power, step.name)
        case Activation(kind=kind):
            return f".{kind}"
        case Deviation(epsilon=epsilon) if epsilon:
            return ".epsilon"
        case GainShift(gain=gain, shift=shift) if not (gain and shift):
            return ".gain" if gain else ".shift"
        case Kept(strategy=strategy):
            return f".{strategy}"
        case _:
            drawn = step_place(step.name)[2] == "sampling.next" and not isinstance(step.op, Winner)
            return ".drawn" if drawn else ""
