"""How much work sheets are: for one pupil and for a class."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from generator.sheets.plan import Plan


class Effort(NamedTuple):
    """One pupil's: estimated seconds of a class median, how often the numbers were redrawn."""

    seconds: float
    draws: int


class Spread(NamedTuple):
    """The effort over a class in minutes, and how often numbers were redrawn."""

    pupils: int
    least: float
    median: float
    most: float
    redrawn: int
    most_redrawn: int

    def __str__(self) -> str:
        effort = f"effort: {self.least:.0f} to {self.most:.0f} minutes, median {self.median:.0f}"
        if self.least == self.most:
            effort = f"effort: {self.least:.0f} minutes for everybody"
        if not self.redrawn:
            return f"{effort}; no numbers redrawn"
        drawn = f"redraws of numbers: {self.redrawn}, at most {self.most_redrawn} for one pupil"
        return f"{effort}; {drawn}"


def spread(efforts: Iterable[Effort]) -> Spread:
    """The spread over a class, in memory that does not grow with it; all 0 for nobody."""
    minutes: Counter[float] = Counter()
    redrawn = most_redrawn = 0
    for one in efforts:
        minutes[one.seconds / 60] += 1
        redrawn += one.draws
        most_redrawn = max(most_redrawn, one.draws)
    if not minutes:
        return Spread(0, 0.0, 0.0, 0.0, 0, 0)
    total = minutes.total()
    middle = (_at(minutes, (total - 1) // 2), _at(minutes, total // 2))
    ends = (min(minutes), statistics.mean(middle), max(minutes))
    return Spread(total, *ends, redrawn, most_redrawn)


def seconds(plans: Iterable[Plan]) -> float:
    """Seconds that a class median needs for sheets, from the minutes that they print."""
    return 60.0 * math.fsum(plan.minutes for plan in plans)


def _at(counts: Counter[float], place: int) -> float:
    """The value at a place, from 0, when all are put in order."""
    for value in sorted(counts):
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError("a place behind the last value")
