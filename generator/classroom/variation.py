"""Who gets what: an own token, numbers for a group, or own numbers; from seed and id alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.classroom.own_numbers import own_numbers
from generator.classroom.own_tokens import own_tokens
from generator.classroom.task import Task
from generator.classroom.workload import seconds
from generator.engine.draws import draw
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, did_you_mean
from generator.insight.class_step import exercises
from generator.sheets.plan import Plan

GROUPS = range(2, 7)
LETTERS = "ABCDEF"
TOGETHER = "7d"  # the sheet whose sentences groups share
KINDS = ("focus", "groups", "numbers", "sentences")
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

    def group_of(self, listed: str) -> str:
        """The group that a class list gives, "" for none; `UserError` where there is no such."""
        if listed and self.kind == "sentences":
            return listed
        if listed and not self.groups:
            raise UserError(
                f"the list gives a group, which --vary {self} does not use; take --vary groups=2 "
                "to groups=6, or rename the column"
            )
        if listed and listed not in LETTERS[: self.groups]:
            raise UserError(
                f"the list gives group {listed}, --vary {self} has A to {LETTERS[self.groups - 1]}"
            )
        return listed

    def group(self, seed: str, pupil_id: str) -> str:
        """A pupil's group, "A" and on; "" where there are no groups."""
        return LETTERS[turn("group", seed, pupil_id, self.groups)] if self.groups else ""


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
    if name not in KINDS:
        raise UserError(f"--vary: found {text!r}{did_you_mean(name, KINDS)}; {_CHOICES}")
    if name != "groups" and equals:
        raise UserError(f"--vary: found {text!r}, but {name} takes no number; {_CHOICES}")
    if name != "groups":
        return Variation(name)
    if not re.fullmatch("[0-9]{1,3}", count) or int(count) not in GROUPS:
        raise UserError(f"--vary: found {text!r}, expected 2 to 6 groups; {_CHOICES}")
    return Variation("groups", int(count))


def assign(
    task: Task, variation: Variation, seed: str, pupil_id: str, group: str = ""
) -> Assignment:
    """What a pupil gets, from the class's seed and the pupil's id alone, or the list's `group`.

    So a late joiner changes nobody's sheets, and the order of the list does not matter. "focus":
    the class's numbers and one of `own_tokens`, where the sheets have own tokens; "groups=N": the
    numbers of the pupil's group; "numbers": own numbers; "sentences": the part of the pupil's group
    of what the class learns together. Raises `UserError` where a sheet cannot
    take preset and sentence, and where no fair numbers are found.
    """
    if variation.kind == "sentences":
        return _reader(task, seed, pupil_id, group)
    plans = task.base_plans
    if variation.kind == "focus":
        own = focus_token(task, seed, pupil_id)
        if own is not None and own != task.base.exercise:
            plans = task.plans(task.trace({}, exercise=own))
        return Assignment(exercise=own, seconds=seconds(plans.values()))
    group = group or variation.group(seed, pupil_id)
    drawn = own_numbers(task, seed, f"group {group}" if group else pupil_id)
    effort = seconds(drawn.numbers.plans.values())
    return Assignment(drawn.edits, None, group, drawn.redrawn, effort)


def _reader(task: Task, seed: str, pupil_id: str, group: str) -> Assignment:
    """Who learns one of the class's sentences; on sheets without these everybody has the same."""
    if not task.grouped:
        return Assignment(seconds=seconds(task.base_plans.values()))
    letters = LETTERS[: len(exercises(task.base))]
    if group and group not in letters:
        raise UserError(f"the list gives group {group}, but the sentences are A to {letters[-1]}")
    own = letters.index(group) if group else turn("group", seed, pupil_id, len(letters))
    effort = seconds(task.plans(task.trace({}, exercise=own)).values())
    return Assignment(exercise=own, group=letters[own], seconds=effort)


def focus_token(task: Task, seed: str, pupil_id: str) -> int | None:
    """A pupil's own token, one of `own_tokens`; None for the class's own."""
    tokens = own_tokens(task)
    return tokens[turn("focus", seed, pupil_id, len(tokens))]


def alike(task: Task, variation: Variation, seed: str) -> tuple[str, ...]:
    """The sheets that are the same for everybody with this variation.

    Such as sheet 6 with "focus", or sheet 1 with "numbers"; a teacher should know beforehand.
    """
    base = task.base_plans
    if variation.kind == "focus":
        others = [
            task.plans(task.trace({}, exercise=token))
            for token in own_tokens(task)
            if token is not None
        ]
        return tuple(s for s in base if all(plans[s].own == base[s].own for plans in others))
    if variation.kind == "sentences":
        return tuple(sheet for sheet in base if sheet != TOGETHER)
    one = own_numbers(task, seed, "group A" if variation.groups else "1").numbers
    return tuple(
        sheet
        for sheet, plan in base.items()
        if _answers(one.plans[sheet], one.paper) == _answers(plan, task.base)
    )


def turn(purpose: str, seed: str, pupil_id: str, size: int) -> int:
    """A number from 0 to size − 1 for an id: drawn for what comes before the id's last digits.

    These count on from there: "8b-1", "8b-2", "8b-3" get three different ones, so that groups are
    even and neighbours differ; ids without digits at their end are drawn each.
    """
    stem = pupil_id.rstrip("0123456789")
    digits = pupil_id[len(stem) :]
    return (draw(purpose, seed, stem, 0, _FAR) + int(digits or 0)) % size


def _answers(plan: Plan, trace: Trace) -> dict[Cell, object]:
    shown = trace.with_steps(plan.extra)
    return {(name, i, j): shown[name].values[i, j] for name, i, j in plan.asked}


_CHOICES = (
    "choose from: focus (own tokens), groups=2 to groups=6, numbers (own numbers), sentences (for "
    f"sheet {TOGETHER}, a sentence for each group)"
)
