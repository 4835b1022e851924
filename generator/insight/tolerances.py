"""By how much a check may miss: half a unit of the last place for every rounding that enters.

A check compares numbers as they are printed with what they should be together. Its tolerance comes
from decimals and from given numbers, never from a cell that pupils fill.
"""

import math
from collections.abc import Iterable
from typing import TypeAlias

from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.trace import Trace
from generator.notation.shown import number, shown_decimals

Rounding: TypeAlias = tuple[float, str]  # how often that of a step enters
VACUOUS = 0.5  # of what is checked: whoever is off by half has not been checked


def half(trace: Trace, step: str) -> float:
    """Half a unit of the last place in which a step is printed."""
    return float(0.5 * 10.0 ** -shown_decimals(trace[step]))


def allowed(trace: Trace, *roundings: Rounding) -> float:
    """What these roundings can add up to."""
    return math.fsum(count * half(trace, step) for count, step in roundings)


def said(trace: Trace, roundings: Iterable[Rounding], language: str) -> str:
    """The same as it is printed, never less; empty where none enters."""
    some = [(count, step) for count, step in roundings if count]
    if not some:
        return ""
    digits = 1 + max(shown_decimals(trace[step]) for _, step in some)
    return upwards(allowed(trace, *some), digits, language)


def upwards(value: float, digits: int, language: str) -> str:
    """A number with so many decimals, never less than it is."""
    units = math.ceil(guarded_number(value * 10.0**digits, GUARD - digits))
    return number(units / 10.0**digits, None, language)


def compared(trace: Trace, count: int) -> int:
    """How often a step enters where a sum of so many is compared with a number as short.

    On paper these miss each other by whole units of the last place, so by no odd half.
    """
    return count + (count % 2 if trace.rounding == "paper" else 1)


def needs(trace: Trace, step: str, *products: tuple[str, ...]) -> bool:
    """Whether sums of products of the named factors have more decimals than the step."""
    most = max(sum(shown_decimals(trace[one]) for one in factors) for factors in products)
    return most > shown_decimals(trace[step])


def coarser(trace: Trace, total: str, exp: str) -> bool:
    """Whether the sum of powers is rounded to fewer decimals than these, and then divided by."""
    fewer = shown_decimals(trace[total]) < shown_decimals(trace[exp])
    return trace.rounding == "paper" and fewer


def cut(trace: Trace, step: str) -> bool:
    """Whether a step is printed with fewer decimals than it is computed with."""
    values = trace[step].values
    return bool((guarded(values, shown_decimals(trace[step])) != guarded(values, GUARD)).any())
