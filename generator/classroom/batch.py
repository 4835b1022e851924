"""A whole class: every pupil's own set, and what the teacher needs for it.

Also here:

* What a teacher should know of a batch beside its problems: a sentence each.
"""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from generator.classroom.desk import teacher
from generator.classroom.desk.manifest import (
    MANIFEST,
    STARTED,
    BatchBeginning,
    Journal,
    opened,
    versions_for,
)
from generator.classroom.files import pupil_files
from generator.classroom.files.pool import Pool, in_order, pool
from generator.classroom.files.pupil_files import PupilFiles, Work
from generator.classroom.files.store import Store
from generator.classroom.files.work_sheets import Taken, taken
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Variation, alike, nearly_fit, own_tokens
from generator.classroom.pupils.class_list import Roll, Rows
from generator.classroom.pupils.seats import FORMAT, Seat, SeatRecord, tasks_of, usual_seat
from generator.errors import UserError, first_of
from generator.presets.defaults import LEARNED
from generator.processes import Progress, ctrl_c_later

CHUNK = 8  # pupils a task: few, so that a stopped batch has lost little
SEED_BYTES = 8
FOLDERS = ("hand-out", "teacher")


@dataclass
class Outcome:
    """What a batch came to: how many sets were made now and before, what failed, what to know.

    `finished` is false where not even the teacher's papers could be tried; `resume` goes on then.
    """

    made: int = 0
    kept: int = 0
    effort: str = ""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    finished: bool = False

    def __str__(self) -> str:
        sets = self.made + self.kept
        kept = f" ({self.kept} of them there already)" if self.kept else ""
        parts = [f"{sets} {'set' if sets == 1 else 'sets'}{kept}", self.effort]
        if self.problems:
            parts.insert(1, f"{len(self.problems)} problem{'s' if len(self.problems) > 1 else ''}")
        return "; ".join([one for one in parts if one] + [GO_ON] * (not self.finished))


GO_ON = "go on with the same command and --resume"


class Stopped(UserError):
    """Ctrl-C: what was finished is in place."""

    exit_code = 130


def seed_for(place: Store, asked: str | None, resume: bool) -> str:
    """The seed that is asked for, else that of the batch to resume, else a new one.

    A new one comes from the operating system, so that nobody can draw a class's numbers again.
    """
    return asked or (seed_of(place) if resume else None) or secrets.token_hex(SEED_BYTES)


def seed_of(place: Store) -> str | None:
    """The seed of the batch in a folder, finished or stopped; None where there is none."""
    head = _head(place)
    return None if head is None else str(head["seed"])


def run(
    lesson: Lesson,
    rows: Rows,
    place: Store,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    resume: bool = False,
    told: Progress = lambda done, of: None,
) -> Outcome:
    """Make the lesson's files for each pupil and the teacher's, below `place`.

    `rows` gives the class list's lines anew at each call. A pupil whose files cannot be made is
    named in the outcome's `problems`, the others get theirs. With `resume` what an earlier run of
    the same choices finished is kept. The same lesson, list and versions give the same bytes,
    however often the run was stopped and whoever computed.

    Raises `UserError` where the place holds another batch, where nobody gets anything, and
    `Stopped` on Ctrl-C.
    """
    outcome, roll, total = Outcome(), Roll(lesson, rows), 0
    try:
        total = roll.size()
        journal = _take_place(lesson, place, resume, outcome)
        try:
            with pool(jobs, cluster) as workers:
                _hand_outs(roll, journal, workers, outcome, lambda n: told(min(n, total), total))
                if outcome.made + outcome.kept:
                    _finish(roll, journal, workers, outcome)
        except UserError as error:  # where it has to end before, that is one more problem
            outcome.problems.append(str(error))
        if not outcome.made + outcome.kept:
            journal.give_up()
            raise UserError(_some(outcome.problems))
    except KeyboardInterrupt as error:
        ready = f"{outcome.made + outcome.kept} of {total} sets are complete"
        raise Stopped(f"stopped; {ready}: {GO_ON}") from error
    return outcome


def _finish(roll: Roll, journal: Journal, workers: Pool, outcome: Outcome) -> None:
    """The teacher's papers, and what is said of the whole batch."""
    outcome.problems += teacher.finish(roll, journal, workers)
    outcome.effort = teacher.effort(roll, journal)
    outcome.notes += notes(roll, journal)
    journal.finish()
    outcome.finished = True


def _hand_outs(
    roll: Roll,
    journal: Journal,
    workers: Pool,
    outcome: Outcome,
    told: Callable[[int], None],
) -> None:
    """Everybody's own files, written and noted as they come."""
    rows = taken(roll.lesson, roll.seats([]))
    tasks = _tasks(roll.lesson, rows, _open_seats(roll, journal, outcome))
    for _, made in in_order(workers, pupil_files.make, tasks):
        kept = [record for one in made if (record := _kept(one, journal, outcome))]
        try:
            with ctrl_c_later():  # so that what is noted is counted too
                journal.add(kept)
                outcome.made += len(kept)
        except UserError as error:
            outcome.problems.append(f"{len(kept)} finished sets could not be noted: {error}")
        told(outcome.made + outcome.kept + len(outcome.problems))


def _kept(made: PupilFiles, journal: Journal, outcome: Outcome) -> SeatRecord | None:
    """The record of a seat whose files are now in place; None where there was a problem."""
    problem = made.problem
    if not problem:
        try:
            journal.store.write(made.files)
        except UserError as error:
            problem = str(error)
    if problem or made.record is None:
        outcome.problems.append(f"{_where(made.seat)}: {problem}")
        return None
    return made.record


def _where(seat: Seat) -> str:
    return f"line {seat.line} ({seat.code})" if seat.line else f"{seat.key} ({seat.code})"


def _open_seats(roll: Roll, journal: Journal, outcome: Outcome) -> Iterator[Seat]:
    for seat in roll.seats(outcome.problems):
        if journal.whole(seat):
            outcome.kept += 1
        else:
            yield seat


def _tasks(lesson: Lesson, rows: Taken, seats: Iterator[Seat]) -> Iterator[Work]:
    while some := tuple(islice(seats, CHUNK)):
        yield Work(lesson, some, rows)


def _some(problems: Sequence[str]) -> str:
    """The first problems, a line each; what several have in common is told once."""
    reasons: dict[str, list[str]] = {}
    for problem in problems:
        where, _, reason = problem.partition(": ")
        reasons.setdefault(reason or problem, []).append(where if reason else "")
    lines = [_shared(reason, places) for reason, places in reasons.items()]
    return "\n".join(first_of(lines))


def _shared(reason: str, places: Sequence[str]) -> str:
    first, others = places[0], len(places) - 1
    where = f"{first} and {others} more" if others else first
    return f"{where}: {reason}" if first else reason


def _head(place: Store) -> dict[str, Any] | None:
    """Seed and settings of the batch in a place, stopped or finished; None for no batch."""
    content = place.read(STARTED)
    if content is not None:
        return opened(content, f"{place}/{STARTED}", BatchBeginning)
    content = place.read(MANIFEST)
    return None if content is None else opened(content, f"{place}/{MANIFEST}")


def _take_place(lesson: Lesson, place: Store, resume: bool, outcome: Outcome) -> Journal:
    """Begin, or go on, with what is finished; `UserError` where the place holds something else."""
    journal, head = Journal(place), _head(place)
    mine = {
        "format": FORMAT,
        "made_with": versions_for(lesson),
        "seed": lesson.seed,
        "settings": dict(lesson.settings()),
    }
    if head is not None:
        _require_same(head, mine, place, resume)
    for folder in FOLDERS:
        place.sweep(folder)
    if head is None:
        _require_empty(place)
    else:
        outcome.notes += journal.take_up()
        journal.take_over(head.get("pupils", ()))
    journal.start(mine)
    return journal


def _require_empty(place: Store) -> None:
    for folder in FOLDERS:
        if names := place.names(folder):
            raise UserError(
                f"{place}/{folder} holds files that no batch made ({names[0]}, …); take another "
                "folder (--out), or move them away"
            )


def _require_same(head: dict[str, Any], mine: dict[str, Any], place: Store, resume: bool) -> None:
    if not resume:
        raise UserError(
            f"{place} holds a batch already; go on with it, or add pupils to it, with --resume; "
            "for another class take another folder (--out)"
        )
    there, here = _choices(head), _choices(json.loads(json.dumps(mine)))
    changed = [
        f"{name} was {there.get(name)!r}, is {value!r}"
        for name, value in here.items()
        if there.get(name) != value
    ]
    if changed:
        raise UserError(
            f"{place} holds a batch of other choices: {'; '.join(changed)}; repeat its command, "
            "or take another folder (--out)"
        )


def _choices(head: Mapping[str, Any]) -> dict[str, Any]:
    """All that two runs must have in common, each choice by its name.

    The language is the lesson's; that of the worksheet options is set for each pupil.
    """
    settings = dict(head["settings"])
    worksheet = settings.pop("worksheet")
    return {**worksheet, **settings, "seed": head["seed"], **head["made_with"]}


CHOICES = ("sentence", "preset", "level", "language", "group")  # of single pupils


def notes(roll: Roll, journal: Journal) -> Iterator[str]:
    """What a teacher should know: sheets that do not differ, sets that nobody on the list has."""
    lesson, gone = roll.lesson, journal.codes()
    if lesson.versions and (unused := _own_choices(roll)):
        yield (
            f"with --versions nobody has an own {' or '.join(unused)}: what the list says of it is "
            "left out"
        )
    if (first := next(roll.pupils(), None)) and first.counted:
        yield (
            "the list has no column of ids, so its lines are numbered: keep their order, a late "
            "joiner comes last"
        )
    gone.difference_update(seat.code for seat in roll.seats([]))
    if gone:
        yield (
            f"the list has left out {len(gone)} whose sets are still there: "
            f"{', '.join(sorted(gone)[:5])}{' …' if len(gone) > 5 else ''}"
        )
    try:
        tasks = dict.fromkeys(tasks_of(lesson, usual_seat(lesson, "", "")).values())
        asked = [task for task in tasks if task.sheets]
        same = [sheet for task in asked for sheet in alike(task, lesson.variation, lesson.seed)]
    except UserError:  # nobody has the lesson's own sentence, which does not suit the sheets
        return
    for task in asked:
        if spared := _nearly_fit(task, lesson.variation):
            yield (
                f"few tokens of {task.base.sentence!r} are fit for all these sheets: {spared}"
                f"{_way_out(task)}"
            )
    if same:
        sheets = f"sheet{'s' * (len(same) > 1)} {', '.join(same)}"
        yield f"the same for everybody{_whose(lesson)}: {sheets}"


def _whose(lesson: Lesson) -> str:
    """By which option sheets are the same: an exam calls its groups versions."""
    if lesson.worksheet.exam and lesson.variation.groups:
        return ", whatever the version"
    return f" with --vary {lesson.variation}"


def _way_out(task: Task) -> str:
    """What to take instead: the learned preset, where this is another one."""
    other = "" if task.preset.name == LEARNED else f" or preset ({LEARNED!r})"
    return f"; to give everybody a fit one try another sentence{other}"


def _nearly_fit(task: Task, variation: Variation) -> str:
    """The tokens that pupils have though they are not quite fit, each with why."""
    given = nearly_fit(task) if variation.kind == "focus" else {}
    reasons = {k: why for k, why in given.items() if k in own_tokens(task)}
    return "; ".join(f"{task.base.tokens[k]!r} {why}" for k, why in reasons.items())


def _own_choices(roll: Roll) -> list[str]:
    """What the list decides for single pupils."""
    asked = {name for one in roll.pupils() for name in CHOICES if getattr(one, name) is not None}
    return [name for name in CHOICES if name in asked]
