"""A whole class: every pupil's own set, and what the teacher needs for it.

Also here:

* What a teacher should know of a batch beside its problems: a sentence each.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from generator.classroom.desk.manifest import (
    MANIFEST,
    STARTED,
    BatchBeginning,
    Journal,
    Manifest,
    beginning_of,
)
from generator.classroom.desk.teacher import TeacherPapers
from generator.classroom.files import pupil_files
from generator.classroom.files.pool import in_order, jobs_for, pool, portions
from generator.classroom.files.pupil_files import PupilFiles, Work
from generator.classroom.files.store import Store
from generator.classroom.files.work_sheets import taken
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Variation, alike, nearly_fit, own_tokens
from generator.classroom.pupils.roster import Pupil
from generator.classroom.pupils.seats import Roll, Rows, Seat, SeatRecord, printed_name, usual_seat
from generator.errors import UserError, at, message, require, together
from generator.presets.defaults import LEARNED
from generator.processes import Progress, ctrl_c_later, nobody
from generator.sheets.routes import route_of
from generator.sheets.series import SERIES

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
    head = _head(place) if resume and not asked else None
    return asked or (head.seed if head else secrets.token_hex(SEED_BYTES))


@dataclass
class BatchRun:
    """Makes the lesson's files for each pupil and the teacher's, below `place`.

    `rows` gives the class list's lines anew at each call. With `resume` what an earlier run of the
    same choices finished is kept. The same lesson, list and versions give the same bytes, however
    often the run was stopped and whoever computed: `jobs` processes, by default as many as are
    worth it, or a `cluster`.
    """

    lesson: Lesson
    rows: Rows
    place: Store
    jobs: int | None = None
    cluster: str | None = None
    resume: bool = False
    told: Progress = nobody
    outcome: Outcome = field(default_factory=Outcome)

    def __post_init__(self) -> None:
        self.roll, self.journal = Roll(self.lesson, self.rows), Journal(self.place)
        self.total = 0

    def run(self) -> Outcome:
        """What came of it; a pupil whose files cannot be made is named in its `problems`.

        Raises `UserError` where the place holds another batch, where nobody gets anything, and
        `Stopped` on Ctrl-C.
        """
        with self._stoppable():
            self.total = self.roll.size()
            jobs = jobs_for(self.total, self.jobs)
            if name := self.lesson.worksheet.route:
                route_of(name).plans(usual_seat(self.lesson).task.base)
            self._take_place()
            with self._ending(), pool(jobs, self.cluster) as workers:
                for _, made in in_order(workers, pupil_files.make, self._work()):
                    self._note(made)
                if self.sets:  # the teacher's papers, and what is said of the whole batch
                    papers, outcome = TeacherPapers(self.roll, self.journal, workers), self.outcome
                    outcome.problems += papers.finish()
                    outcome.effort = str(papers.effort)
                    outcome.notes += notes(self.roll, self.journal)
                    self.journal.finish()
                    outcome.finished = True
        return self.outcome

    @property
    def sets(self) -> int:
        """How many are in place."""
        return self.outcome.made + self.outcome.kept

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt as error:
            ready = f"{self.sets} of {self.total} sets are complete"
            raise Stopped(f"stopped; {ready}: {GO_ON}") from error

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Within it, what ends the run before its time is one more problem."""
        try:
            yield
        except UserError as error:
            self.outcome.problems.append(error.message)
        if not self.sets:
            self.journal.give_up()
            raise UserError(*together(self.outcome.problems))

    def _work(self) -> Iterator[Work]:
        """The seats that are still open, some at a time."""
        rows = taken(self.roll.seats())
        return (Work(some, rows) for some in portions(self._open_seats(), CHUNK))

    def _open_seats(self) -> Iterator[Seat]:
        for seat in self.roll.seats(self.outcome.problems):
            if self.journal.whole(seat):
                self.outcome.kept += 1
            else:
                yield seat

    def _note(self, made: Iterable[PupilFiles]) -> None:
        """Write some pupils' files and note them."""
        kept, outcome = [one for files in made if (one := self._kept(files))], self.outcome
        try:
            with ctrl_c_later():  # so that what is noted is counted too
                self.journal.add(kept)
                outcome.made += len(kept)
        except UserError as error:
            outcome.problems.append(f"{len(kept)} finished sets could not be noted: {error}")
        self.told(min(self.sets + len(outcome.problems), self.total), self.total)

    def _kept(self, made: PupilFiles) -> SeatRecord | None:
        """The record of a seat whose files are now in place; None where there was a problem."""
        problem, seat = made.problem, made.seat
        if not problem:
            try:
                self.place.write(made.files)
            except UserError as error:
                problem = error.message
        if not problem:
            return made.record
        where = f"{seat.line or seat.key} ({seat.code})"
        other = message("batch.place", place=where, why=problem)
        self.outcome.problems.append(at(where, problem) if seat.line else other)
        return None

    def _take_place(self) -> None:
        """Begin, or go on, with what is finished; `UserError` where something else is there."""
        journal, place, head = self.journal, self.place, _head(self.place)
        mine = beginning_of(self.lesson)
        if head is not None:
            self._require_same(head, mine)
        for folder in FOLDERS:
            place.sweep(folder)
            names = place.names(folder) if head is None else []
            require(not names, "batch.foreign", place=place, folder=folder, names=names)
        if head is not None:
            self.outcome.notes += journal.take_up()
            journal.take_over(head.pupils)
        journal.start(mine)

    def _require_same(self, head: BatchBeginning, mine: BatchBeginning) -> None:
        require(self.resume, "batch.begun", place=self.place)
        there, here = _choices(head), _choices(mine)
        changed = [
            f"{name} was {there.get(name)!r}, is {value!r}"
            for name, value in here.items()
            if there.get(name) != value
        ]
        require(not changed, "batch.choices", place=self.place, changed="; ".join(changed))


def _head(place: Store) -> BatchBeginning | None:
    """Seed and settings of the batch in a place, stopped or finished; None for no batch."""
    for path, form in ((STARTED, BatchBeginning), (MANIFEST, Manifest)):
        if (content := place.read(path)) is not None:
            return form.opened(content, f"{place}/{path}")
    return None


def _choices(head: BatchBeginning) -> dict[str, Any]:
    """All that two runs must have in common, each choice by its name.

    The language is the lesson's; that of the worksheet options is set for each pupil.
    """
    settings = head.settings.model_dump(mode="json")
    worksheet = settings.pop("worksheet")
    return {**worksheet, **settings, "seed": head.seed, **head.made_with}


CHOICES = ("sentence", "preset", "level", "language", "group")  # of single pupils


def unused(pupils: Iterable[Pupil], choices: Iterable[str], how: str) -> Iterator[str]:
    """That nobody has one of these choices of their own, where the list gives somebody one."""
    said = {name for one in pupils for name in choices if getattr(one, name) is not None}
    if told := [name for name in choices if name in said]:
        yield message("batch.unused", how=how, unused=" or ".join(told))


def notes(roll: Roll, journal: Journal) -> Iterator[str]:
    """What a teacher should know: sheets that do not differ, sets that nobody on the list has."""
    lesson, gone = roll.lesson, journal.codes()
    how = "--versions" if lesson.versions else f"--vary {lesson.variation}"
    left_out = CHOICES if lesson.versions else ("group",) * (not lesson.variation.grouped)
    yield from unused(roll.pupils(), left_out, how)
    yield from together(at(one.line, text) for one in roll.pupils() for text in one.unread)
    if lesson.print_names:
        unprinted = (one.line for one in roll.pupils() if not printed_name(one.name) and one.name)
        yield from together(at(line, message("list.unprinted")) for line in unprinted)
    if (first := next(roll.pupils(), None)) and first.counted:
        yield message("batch.numbered")
    gone.difference_update(seat.code for seat in roll.seats())
    if gone:
        some = f"{', '.join(sorted(gone)[:5])}{' …' if len(gone) > 5 else ''}"
        yield message("batch.gone", count=len(gone), some=some)
    try:
        tasks = dict.fromkeys(usual_seat(lesson).tasks.values())
        asked = [task for task in tasks if task.sheets]
        same = [sheet for task in asked for sheet in alike(task, lesson.variation, lesson.seed)]
    except UserError:  # nobody has the lesson's own sentence, which does not suit the sheets
        return
    for task in asked:
        yield from (note for sheet in task.sheets for note in SERIES[sheet].notes(task.base))
        if spared := _nearly_fit(task, lesson.variation):
            learned = "" if task.preset.name == LEARNED else f" or preset ({LEARNED!r})"
            yield message("batch.spared", trace=task.base, spared=spared, learned=learned)
    if same:
        sheets, several = ", ".join(same), "s" * (len(same) > 1)
        # An exam calls its groups versions.
        as_version = lesson.worksheet.exam and lesson.variation.groups
        whose = ", whatever the version" if as_version else f" with --vary {lesson.variation}"
        yield message("batch.alike", whose=whose, several=several, sheets=sheets)


def _nearly_fit(task: Task, variation: Variation) -> str:
    """The tokens that pupils have though they are not quite fit, each with why."""
    given = nearly_fit(task) if variation.kind == "focus" else {}
    reasons = {k: why for k, why in given.items() if k in own_tokens(task)}
    return "; ".join(f"{task.base.tokens[k]!r} {why}" for k, why in reasons.items())
