"""Who gets what: an own token, numbers for a group, or own numbers; from seed and id alone.

Also here:

* Own numbers: drawn from a class's seed and a name, again and again until they are fair.
* Which tokens pupils may be given as their own: fit for the sheets, and about as much work.
"""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from generator.classroom.numbers.fairness import WISHED, seconds, unfair
from generator.classroom.numbers.task import PupilNumbers, Task
from generator.engine.draws import draw
from generator.engine.fitness import Fitness, fit_tokens
from generator.engine.preset import Preset, Range
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, did_you_mean, message, refused, require
from generator.insight.class_step import exercises
from generator.presets.defaults import OPEN
from generator.presets.load import load_preset
from generator.resources import table
from generator.sheets.plan import Plan
from generator.sheets.series import TOGETHER
from generator.sheets.titles import LETTERS

GROUPS = range(2, len(LETTERS) + 1)
ENDS = {"least": GROUPS[0], "most": GROUPS[-1]}
KINDS = ("focus", "groups", "numbers", "sentences")
CellChoices: TypeAlias = list[tuple[float, ...]]  # the numbers that each cell of a step may have
_FAR = 1 << 40  # a turn of the circle that numbered ids go round


class Variation(NamedTuple):
    """How sheets differ within a class: `kind` is one of `KINDS`; with "groups" how many."""

    kind: str
    groups: int = 0

    def __str__(self) -> str:
        return f"groups={self.groups}" if self.groups else self.kind

    @property
    def alone(self) -> bool:
        """Whether neighbours compute with other numbers, in place of other tokens."""
        return self.kind != "focus"

    @property
    def grouped(self) -> bool:
        """Whether a class list may say who is in which group."""
        return bool(self.groups) or self.kind == "sentences"

    def group_of(self, listed: str) -> str:
        """The group of a class list, "" for none or without groups; `UserError` for another one."""
        if self.kind == "sentences" or not (self.groups and listed):
            return listed if self.grouped else ""
        known = {"variation": self, "last": LETTERS[self.groups - 1]}
        require(listed in LETTERS[: self.groups], "variation.group", listed=listed, **known)
        return listed

    def group(self, lot: "Lot") -> str:
        """A pupil's group, "A" and on; "" where there are no groups."""
        return LETTERS[lot.turn("group", self.groups)] if self.groups else ""


class Lot(NamedTuple):
    """What a pupil's draws come from: the class's seed and the pupil's id, or a group's name."""

    seed: str
    who: str

    def turn(self, purpose: str, size: int) -> int:
        """A number from 0 to size − 1 for an id: drawn for what comes before its last digits.

        These count on from there: "8b-1", "8b-2", "8b-3" get three different ones, so that groups
        are even and neighbours differ; ids without digits at their end are drawn each.
        """
        stem = self.who.rstrip("0123456789")
        digits = self.who[len(stem) :]
        return (draw(purpose, self.seed, stem, 0, _FAR) + int(digits or 0)) % size

    def table(self, name: str, cells: CellChoices) -> list[float]:
        """One of the numbers of each cell of a step."""
        key = f"{self.who}|{name}"
        return [
            cell[draw("pupil", self.seed, key, k, len(cell))] if len(cell) > 1 else cell[0]
            for k, cell in enumerate(cells)
        ]


@dataclass(frozen=True)
class Assignment:
    """What one pupil gets.

    `edits` go to `generator.compute`, `exercise` is the own token where it is not the preset's, by
    its position from 0. `group` is "A" and on, or "". `draws` counts how often the numbers were
    redrawn until they were fair; `seconds` is what a class median needs for the asked sheets.
    """

    edits: Mapping[str, float] = field(default_factory=dict)
    exercise: int | None = None
    group: str = ""
    draws: int = 0
    seconds: float = 0.0


def parse(text: str) -> Variation:
    """The variation that `--vary` names: focus, groups=2 to groups=6, or numbers.

    Raises `UserError` for anything else; it says what there is.
    """
    name, equals, count = text.strip().casefold().partition("=")
    hint, choices, grouped = did_you_mean(name, KINDS), _CHOICES, name == "groups"
    require(name in KINDS, "variation.kind", text=text, hint=hint, choices=choices)
    require(grouped or not equals, "variation.number", text=text, name=name, choices=choices)
    if not grouped:
        return Variation(name)
    fits = re.fullmatch("[0-9]{1,3}", count) and int(count) in GROUPS
    require(fits, "variation.groups", text=text, choices=choices, **ENDS)
    return Variation("groups", int(count))


def assign(task: Task, variation: Variation, lot: Lot, group: str = "") -> Assignment:
    """What a pupil gets, from the class's seed and the pupil's id alone, or the list's `group`.

    So a late joiner changes nobody's sheets, and the order of the list does not matter. "focus":
    the class's numbers and one of `own_tokens`, where the sheets have own tokens; "groups=N": the
    numbers of the pupil's group; "numbers": own numbers; "sentences": the part of the pupil's group
    of what the class learns together. Raises `UserError` where a sheet cannot
    take preset and sentence, and where no fair numbers are found.
    """
    if variation.kind == "sentences":
        return _reader(task, lot, group)
    _ = task.base_plans  # what a sheet cannot take is told at once
    if variation.kind == "focus":
        own = focus_token(task, lot)
        return Assignment(exercise=own, seconds=seconds(task.plans_of(own).values()))
    group = group or variation.group(lot)
    drawn = own_numbers(task, lot._replace(who=f"group {group}") if group else lot)
    effort = seconds(drawn.numbers.plans.values())
    return Assignment(drawn.edits, None, group, drawn.redrawn, effort)


def _reader(task: Task, lot: Lot, group: str) -> Assignment:
    """Who learns one of the class's sentences; on sheets without these everybody has the same."""
    if not task.grouped:
        return Assignment(seconds=seconds(task.base_plans.values()))
    letters = LETTERS[: len(exercises(task.base))]
    is_given = not group or group in letters
    require(is_given, "variation.sentence", group=group, last=letters[-1])
    own = letters.index(group) if group else lot.turn("group", len(letters))
    effort = seconds(task.plans(task.trace({}, exercise=own)).values())
    return Assignment(exercise=own, group=letters[own], seconds=effort)


def focus_token(task: Task, lot: Lot) -> int | None:
    """A pupil's own token, one of `own_tokens`; None for the class's own."""
    tokens = own_tokens(task)
    return tokens[lot.turn("focus", len(tokens))]


def alike(task: Task, variation: Variation, seed: str) -> tuple[str, ...]:
    """The sheets that are the same for everybody with this variation.

    Such as sheet 6 with "focus", or sheet 1 with "numbers"; a teacher should know beforehand.
    """
    base = task.base_plans
    if variation.kind == "focus":
        others = [task.plans_of(token) for token in own_tokens(task)]
        return tuple(s for s in base if all(plans[s].own == base[s].own for plans in others))
    if variation.kind == "sentences":
        return tuple(sheet for sheet in base if sheet != TOGETHER)
    one = own_numbers(task, Lot(seed, "group A" if variation.groups else "1")).numbers
    return tuple(
        sheet
        for sheet, plan in base.items()
        if _answers(one.plans[sheet], one.paper) == _answers(plan, task.base)
    )


def _answers(plan: Plan, trace: Trace) -> dict[Cell, object]:
    shown = trace.with_steps(plan.extra)
    return {(name, i, j): shown[name].values[i, j] for name, i, j in plan.asked}


_CHOICES = message("variation.choices", sheet=TOGETHER, **ENDS)


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
    numbers: PupilNumbers


@lru_cache(maxsize=8)  # the groups of a class; each holds a whole computation
def own_numbers(task: Task, lot: Lot) -> Drawn:
    """The first fair numbers that are drawn for a name, which is a pupil's id or a group.

    They depend on task, seed and name alone. The wish of `fairness` is given up after 20 draws.
    Raises `UserError` where 1000 draws were not fair: it says how often each condition was the
    first not to hold.
    """
    chosen = choices(task)
    failed: Counter[str] = Counter()
    nearly: PupilNumbers | None = None
    for attempt in range(MOST_DRAWS):
        numbers = numbers_of(task, chosen, lot, attempt)
        why = unfair(numbers)
        nearly = numbers if nearly is None and why == WISHED else nearly
        if not why or (nearly and attempt >= MOST_WISHES):
            taken = nearly if why and nearly else numbers
            return Drawn(_edits(task, taken), attempt, taken)
        failed[why] += 1
    raise _given_up(task, failed)


def choices(task: Task) -> Mapping[str, CellChoices]:
    """By step, the numbers that each of its cells is drawn from, row by row.

    Of the ranges in the preset's [vary]; without any, the embeddings (or the given input) move by
    up to 0.3 of the largest one, with the decimals and within the limits that they have, and a 0
    stays 0. Raises `UserError` where nothing can change.
    """
    ranges = task.preset.vary or dict.fromkeys([_default(task.preset)])
    for name in ranges:
        given = name in task.base and task.base[name].kind == "given"
        require(given, "variation.step", task=task, name=name)
    by_step = {name: _cells(task.base[name].values, r) for name, r in ranges.items()}
    free = any(len(cell) > 1 for cells in by_step.values() for cell in cells)
    require(free, "variation.fixed", preset=task.preset, steps=", ".join(by_step))
    return by_step


def _default(preset: Preset) -> str:
    if preset.start == "matrix":
        return "input"
    tied = preset.output == "tied" and bool(preset.words)
    return "last" if preset.start == "vector" and not tied else "vocabulary.embedding"


def _cells(base: np.ndarray, drawn: Range | None) -> CellChoices:
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


def numbers_of(
    task: Task, chosen: Mapping[str, CellChoices], lot: Lot, attempt: int
) -> PupilNumbers:
    """The numbers that are drawn so many times after the first ones."""
    again = lot._replace(who=f"{lot.who}|{attempt}")
    drawn = {
        name: np.array(again.table(name, cells)).reshape(task.base[name].shape)
        for name, cells in chosen.items()
    }
    return PupilNumbers(task, drawn)


def _edits(task: Task, numbers: PupilNumbers) -> Mapping[str, float]:
    edits: dict[str, float] = {}
    for name in numbers.edits:
        base, own = task.base[name].values, numbers.paper[name].values
        for i, j in np.argwhere(base != own).tolist():
            edits[f"{name}[{i + 1},{j + 1}]"] = float(own[i, j])
    return edits


def _given_up(task: Task, failed: Counter[str]) -> UserError:
    reasons = "; ".join(f"{why}: {count} times" for why, count in failed.most_common())
    own = unfair(PupilNumbers(task, {}))
    either = " (the preset's own numbers do not meet it either)" * (own in failed)
    names = {"sheets": ", ".join(task.sheets), "most": MOST_DRAWS, "way_out": _way_out(task)}
    return refused("variation.unfair", task=task, reasons=f"{reasons}{either}", **names)


@lru_cache(maxsize=8)
def _way_out(task: Task) -> str:
    """What would work instead; the open preset is named only where it does, for one pupil tried."""
    other = replace(task, preset=load_preset(OPEN))
    with suppress(UserError):
        if task.preset.name != OPEN and own_numbers(other, Lot("", "1")):
            return message("variation.open", name=OPEN)
    return message("variation.way_out")


TOLERANCE = 0.35  # of what the class's own token takes
FEWEST = 3  # tokens, so that neighbours differ
# Conditions of `engine.fitness` that are given up one token at a time where fewer are fit: the
# tasks can be done, but one of them shows little.
SPARED: Mapping[str, str] = table("sheets/left_out.toml")["spared"]


@lru_cache(maxsize=16)  # sentences; each holds a whole computation
def own_tokens(task: Task) -> tuple[int | None, ...]:
    """The tokens that pupils may be given as their own, by position from 0, in order.

    Each is fit for the sheets, see `engine.fitness`, or where these are fewer than three nearly so.
    The sheets that differ by them take, all together, as many minutes as with the class's own
    token, ±35 %. Tokens that lead to the same tokens on all sheets count once. (None,), which is
    the class's own token, where there is no choice: sheets 1, bpe and 6 ask everybody for the
    same, math and formulas for nothing.
    """
    tokens = _leading(task, fit_tokens(task.base, task.sheets))
    if len(tokens) < FEWEST:
        tokens = _leading(task, (*tokens, *nearly_fit(task)))
    return tuple(sorted(tokens)) if len(tokens) > 1 else (None,)


def nearly_fit(task: Task) -> Mapping[int, str]:
    """The tokens that miss one condition that may be given up, and what each of them does."""
    fitness, worked = Fitness(task.base), task.base.worked
    spared: dict[int, str] = {}
    for token in range(len(task.base.tokens)):
        missed = fitness.unmet(token, task.sheets)
        example = worked is not None and (token == worked or fitness.copies(token, worked))
        if len(missed) == 1 and missed[0] in SPARED and not example:
            spared[token] = SPARED[missed[0]]
    return spared


def _leading(task: Task, tokens: tuple[int, ...]) -> tuple[int, ...]:
    """Of tokens and the class's own one those that lead to different sheets of equal work."""
    own = task.base.exercise
    if own is None or not task.base_plans:
        return ()
    chosen: dict[tuple[int, ...], int] = {}
    for token in dict.fromkeys([own, *tokens]):  # its own one stands for those that do the same
        plans = _plans(task, token)
        if plans and _as_much(plans, task.base_plans):
            chosen.setdefault(tuple(plan.own for plan in plans.values()), token)
    return tuple(chosen.values())


def _plans(task: Task, token: int) -> Mapping[str, Plan]:
    """What the sheets ask for of a token; nothing where one cannot ask for it."""
    try:
        plans = task.plans_of(token)
    except UserError:
        return {}
    base = task.base_plans
    if any(p.own == p.worked and base[name].own != base[name].worked for name, p in plans.items()):
        return {}
    return plans


def _as_much(plans: Mapping[str, Plan], base: Mapping[str, Plan]) -> bool:
    """Whether the sheets that differ by the token are as much work; all others count for none."""
    differ = [name for name, plan in plans.items() if plan.own != base[name].own]
    needed, wanted = (seconds(some[name] for name in differ) for some in (plans, base))
    return abs(needed - wanted) <= TOLERANCE * wanted
