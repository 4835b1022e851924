"""Own numbers: drawn from a class's seed and a name, again and again until they are fair."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from generator.classroom.fairness import WISHED, unfair
from generator.classroom.own_computation import Numbers
from generator.classroom.task import Task
from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.engine.vary import Range
from generator.errors import UserError
from generator.presets.defaults import OPEN
from generator.presets.load import load_preset

MOST_DRAWS = 1000
MOST_WISHES = 20  # draws; afterwards numbers will do that meet every condition but the wished one
REACH = 0.3  # how far a number moves, as a part of the largest one
LEAST_STEPS = 3
FINEST = 4  # decimals
PARTS = 100  # a share of zeros is drawn in per cent


class Drawn(NamedTuple):
    """Numbers that are fair, as edits of single cells, how often they were redrawn, all of it."""

    edits: Mapping[str, float]
    redrawn: int
    numbers: Numbers


@lru_cache(maxsize=8)  # the groups of a class; each holds a whole computation
def own_numbers(task: Task, seed: str, who: str) -> Drawn:
    """The first fair numbers that are drawn for a name, which is a pupil's id or a group.

    They depend on task, seed and name alone. The wish of `fairness` is given up after 20 draws.
    Raises `UserError` where 1000 draws were not fair: it says how often each condition was the
    first not to hold.
    """
    chosen = choices(task)
    failed: Counter[str] = Counter()
    nearly: Numbers | None = None
    for attempt in range(MOST_DRAWS):
        numbers = Numbers(task, _tables(task, chosen, seed, f"{who}|{attempt}"))
        why = unfair(numbers)
        nearly = numbers if nearly is None and why == WISHED else nearly
        if not why or (nearly and attempt >= MOST_WISHES):
            taken = nearly if why and nearly else numbers
            return Drawn(_edits(task, taken), attempt, taken)
        failed[why] += 1
    raise _given_up(task, failed)


def choices(task: Task) -> Mapping[str, list[tuple[float, ...]]]:
    """By step, the numbers that each of its cells is drawn from, row by row.

    Of the ranges in the preset's [vary]; without any, the embeddings (or the given input) move by
    up to 0.3 of the largest one, with the decimals and within the limits that they have, and a 0
    stays 0. Raises `UserError` where nothing can change.
    """
    ranges = task.preset.vary or dict.fromkeys([_default(task.preset)])
    for name in ranges:
        if name not in task.base or task.base[name].kind != "given":
            raise UserError(
                f"preset {task.preset.name!r}, [vary] {name!r}: {task.base.sentence!r} has no such "
                "given step"
            )
    by_step = {name: _cells(task.base[name].values, r) for name, r in ranges.items()}
    if all(len(cell) < 2 for cells in by_step.values() for cell in cells):
        raise UserError(
            f"preset {task.preset.name!r}: {', '.join(by_step)} has no number that could be another"
            ' one; write a range into the preset, such as [vary."vocabulary.embedding"] with from, '
            "to and step, or take --vary focus"
        )
    return by_step


def _default(preset: Preset) -> str:
    if preset.start == "matrix":
        return "input"
    tied = preset.output == "tied" and bool(preset.words)
    return "last" if preset.start == "vector" and not tied else "vocabulary.embedding"


def _cells(base: np.ndarray, drawn: Range | None) -> list[tuple[float, ...]]:
    if drawn is None:
        return [_near(value, base) for value in base.ravel().tolist()]
    numbers = drawn.numbers()
    zeros = drawn.zeros
    if zeros is None:
        return [numbers if value else (0.0,) for value in base.ravel().tolist()]
    many = round(zeros * PARTS)
    # As many zeros among equal chances as the share says.
    whole = (0.0,) * (many * len(numbers)) + numbers * (PARTS - many)
    return [whole] * base.size


def _near(value: float, base: np.ndarray) -> tuple[float, ...]:
    if not value:
        return (0.0,)
    least, most = float(base.min()), float(base.max())
    step = 10.0 ** -_decimals(base)
    steps = max(LEAST_STEPS, round(REACH * max(abs(least), abs(most)) / step))
    moved = (round(value + k * step, FINEST) + 0.0 for k in range(-steps, steps + 1))
    return tuple(x for x in moved if x and least <= x <= most)


def _decimals(base: np.ndarray) -> int:
    """How many decimals the numbers [rows, columns] have, at most four."""
    fitting = (d for d in range(FINEST) if np.allclose(base, np.round(base, d), rtol=0, atol=1e-9))
    return next(fitting, FINEST)


def _tables(
    task: Task, chosen: Mapping[str, list[tuple[float, ...]]], seed: str, key: str
) -> Mapping[str, np.ndarray]:
    return {
        name: _table(task.base[name].values, cells, seed, f"{key}|{name}")
        for name, cells in chosen.items()
    }


def _table(base: np.ndarray, cells: list[tuple[float, ...]], seed: str, key: str) -> np.ndarray:
    drawn = [
        cell[draw("pupil", seed, key, k, len(cell))] if len(cell) > 1 else cell[0]
        for k, cell in enumerate(cells)
    ]
    return np.array(drawn).reshape(base.shape)


def _edits(task: Task, numbers: Numbers) -> Mapping[str, float]:
    edits: dict[str, float] = {}
    for name in numbers.edits:
        base, own = task.base[name].values, numbers.paper[name].values
        for i, j in np.argwhere(base != own).tolist():
            edits[f"{name}[{i + 1},{j + 1}]"] = float(own[i, j])
    return edits


def _given_up(task: Task, failed: Counter[str]) -> UserError:
    reasons = "; ".join(f"{why}: {count} times" for why, count in failed.most_common())
    own = unfair(Numbers(task, {}))
    either = " (the preset's own numbers do not meet it either)" * (own in failed)
    return UserError(
        f"preset {task.preset.name!r}, {task.base.sentence!r}, sheets {', '.join(task.sheets)}: no "
        f"fair numbers in {MOST_DRAWS} draws. What was the first not to hold: {reasons}{either}. "
        f"{_way_out(task)}"
    )


@lru_cache(maxsize=8)
def _way_out(task: Task) -> str:
    """What would work instead; the open preset is named only where it does, for one pupil tried."""
    other = replace(task, preset=load_preset(OPEN))
    with suppress(UserError):
        if task.preset.name != OPEN and own_numbers(other, "", "1"):
            return (
                f"--preset {OPEN} has fair numbers for these sheets; with --vary focus everybody "
                "has the preset's own"
            )
    return (
        "A shorter sentence, fewer sheets at once, or another range in the preset's [vary] may "
        "help; with --vary focus everybody has the preset's own"
    )
