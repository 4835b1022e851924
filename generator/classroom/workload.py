"""How much work sheets are: for one pupil, for tokens that are as much work, for a class."""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from generator.classroom.task import Task
from generator.engine.fitness import fit_tokens
from generator.errors import UserError
from generator.sheets.plan import Plan

TOLERANCE = 0.35  # of what the class's own token takes


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
        told = f"effort: {self.least:.0f} to {self.most:.0f} minutes, median {self.median:.0f}"
        if self.least == self.most:
            told = f"effort: {self.least:.0f} minutes for everybody"
        if not self.redrawn:
            return f"{told}; no numbers redrawn"
        drawn = f"redraws of numbers: {self.redrawn}, at most {self.most_redrawn} for one pupil"
        return f"{told}; {drawn}"


def spread(efforts: Iterable[Effort]) -> Spread:
    """The spread over a class, in memory that does not grow with it; all 0 for nobody."""
    found: Counter[float] = Counter()
    redrawn = most_redrawn = 0
    for one in efforts:
        found[one.seconds / 60] += 1
        redrawn += one.draws
        most_redrawn = max(most_redrawn, one.draws)
    if not found:
        return Spread(0, 0.0, 0.0, 0.0, 0, 0)
    total = found.total()
    middle = (_at(found, (total - 1) // 2), _at(found, total // 2))
    ends = (min(found), statistics.mean(middle), max(found))
    return Spread(total, *ends, redrawn, most_redrawn)


def seconds(plans: Iterable[Plan]) -> float:
    """Seconds that a class median needs for sheets, from the minutes that they print."""
    return 60.0 * sum(plan.minutes for plan in plans)


@lru_cache(maxsize=16)  # sentences; each holds a whole computation
def own_tokens(task: Task) -> tuple[int | None, ...]:
    """The tokens that pupils may be given as their own, by position from 0, in order.

    The sheets that differ by them take, all together, as many minutes as with the class's own
    token, ±35 %; each is fit for the sheets, see `engine.fitness`. Tokens that lead to the same
    tokens on all sheets count once. (None,), which is the class's own token, where there is no
    choice: sheets 1, bpe and 6 ask everybody for the same, math and formulas for nothing.
    """
    own = task.base.exercise
    chosen: dict[tuple[int, ...], int] = {}
    for token in _in_turn(task, own):
        plans = task.base_plans if token == own else _plans(task, token)
        if plans and _as_much(plans, task.base_plans):
            chosen.setdefault(tuple(plan.own for plan in plans.values()), token)
    return tuple(sorted(chosen.values())) if len(chosen) > 1 else (None,)


def _in_turn(task: Task, own: int | None) -> list[int]:
    """The class's own token first, so that it stands for those that lead to the same."""
    if own is None or not task.base_plans:
        return []
    return [own, *(k for k in fit_tokens(task.base, task.sheets) if k != own)]


def _plans(task: Task, token: int) -> Mapping[str, Plan]:
    """What the sheets ask for of a token; nothing where one cannot ask for it."""
    try:
        plans = task.plans(task.trace({}, exercise=token))
    except UserError:
        return {}
    base = task.base_plans
    if any(p.own == p.worked and base[name].own != base[name].worked for name, p in plans.items()):
        return {}
    return plans


def _as_much(plans: Mapping[str, Plan], base: Mapping[str, Plan]) -> bool:
    """Whether the sheets that differ by the token are as much work; all others count for none."""
    differ = [name for name, plan in plans.items() if plan.own != base[name].own]
    found, wanted = (seconds(some[name] for name in differ) for some in (plans, base))
    return _near(found, wanted)


def _near(found: float, wanted: float) -> bool:
    return abs(found - wanted) <= TOLERANCE * wanted


def _at(found: Counter[float], place: int) -> float:
    """The value at a place, from 0, when all are put in order."""
    for value in sorted(found):
        place -= found[value]
        if place < 0:
            return value
    raise IndexError("a place behind the last value")
