"""Grades a folder: from what a class handed in to the files below `marks/`.

Also here:

* Marks all that a class handed in: everybody's own questions, slips by their names, remarks.
* Compares a file's given cells with the batch: whose numbers are they? A remark, never a mark.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, starmap
from operator import methodcaller, truediv
from pathlib import Path
from typing import Final, get_args

from generator import output
from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.files.pool import HERE, Pool, in_order, jobs_for, pool, portions
from generator.classroom.pupils import columns
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, first_of, message, refused, require, require_known
from generator.grading.marking.alike import far_from_own, looked_at
from generator.grading.marking.by_hand import DecidedByHand
from generator.grading.marking.marks import (
    ClassMarks,
    Marks,
    PupilMarks,
    TaskMarks,
    best_of,
    task_marks,
    weight,
)
from generator.grading.marking.scheme import SCHEME, USUAL, How, Scheme, Unrounded, read_scheme
from generator.grading.marking.task import AskedSeat, Batch, PupilTask, batch_in
from generator.grading.reading.collect import RESULTS, Collecting
from generator.grading.reading.entries import (
    CSV,
    WORKBOOK,
    Collected,
    Entries,
    Number,
    Source,
    Stray,
    by_reason,
)
from generator.grading.reading.raw import Reason
from generator.grading.reading.whose import TYPED, list_rows, template
from generator.grading.results.pages import (
    FEEDBACK,
    ClassPage,
    Feedback,
    PageMaker,
    all_sections,
    load_styles,
    to_teach,
)
from generator.grading.results.tables import ResultWords, Tables, credits, journal, written_before
from generator.locales.catalogue import load
from generator.locales.folders import ENGLISH
from generator.processes import Progress, nobody
from generator.render.workbook.reading.read_back import to_number
from generator.sheets.series import SERIES

GRADES, JOURNAL, NOT_MARKED = "grades.csv", "journal.csv", "not-marked.csv"
LATEST, BEST = "latest", "best"
NEAR, MOST_LEAST = 0.005, 3  # of a mean share as it is printed; pupils to look at first
CHUNK: Final = 8  # pupils that a process marks at a time, or whose pages it lays out
NOISE: Final = 1e-6


@dataclass
class Graded:
    """What a grading came to: the marks, the files, what to know, and the class at a glance."""

    marks: ClassMarks
    paths: list[Path]
    waiting: list[str] = field(default_factory=list)
    glance: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """What to know, in English."""
        return self.notes_in(ENGLISH)

    def notes_in(self, language: str) -> list[str]:
        """What to know, with the reasons of files that are not marked in a language."""
        return [*_not_marked(self.marks.stray, language), *self.waiting]

    @property
    def lost(self) -> int:
        """How many files were not marked, with no other one of their pupil in their place."""
        return sum(one.lost for one in self.marks.stray)

    @property
    def summary(self) -> str:
        """What came of it, in one line."""
        some = self.marks.handed_in
        marks = (mark for pupil in some for task in pupil.tasks for mark in task.marks)
        unread = sum(mark.how is How.UNREADABLE and not mark.decided for mark in marks)
        names = {"came": len(some), "of": len(self.marks.pupils), "lost": self.lost}
        looks = unread + sum(len(pupil.remarks) for pupil in some)
        return message("grade.done", **names, looks=looks)


@dataclass(frozen=True)
class Grading:
    """A folder that is marked, with its results below `marks/`; see `Marking` for the rule.

    `batch_dir` is the folder that the batch made, by default the folder itself or the one that it
    is in. `unrounded`, "ok" or "as-printed", goes before the scheme's. Of several files of a pupil
    for one sheet the latest counts, with `prefer` "best" the one that earns most.
    """

    folder: Path
    batch_dir: Path | None = None
    scheme: Path | None = None
    unrounded: str | None = None
    prefer: str = LATEST
    names: bool = False
    show_answers: bool = False
    language: str | None = None
    jobs: int | None = None
    told: Progress = nobody

    @cached_property
    def _batch(self) -> Batch:
        here = self.folder.resolve()
        around = (one for one in (here, here.parent) if (one / MANIFEST).exists())
        return batch_in(self.batch_dir or next(around, self.folder))

    @cached_property
    def _words(self) -> ResultWords:
        lesson = self._batch.lesson
        return ResultWords(self.language or lesson.teachers.language, lesson.preset.norm_form)

    @property
    def _names(self) -> Mapping[str, str]:
        return self._batch.names if self.names else {}

    def template(self) -> list[Path]:
        """Write the empty list into which a teacher types from paper; `UserError` if it exists."""
        versions = self._batch.lesson.versions
        require(not versions, "grade.template", versions=versions)
        rows, language = list_rows(self._batch, self._names), self._batch.lesson.teachers.language
        return [output.write_new(self.folder / TYPED, template(rows, language))]

    def grade(self) -> Graded:
        """Mark what the folder holds. The same files, scheme and decisions give the same bytes.

        Raises `UserError` for what the teacher can mend; files that cannot be marked are named and
        stop nothing.
        """
        batch, place, words = self._batch, self.folder / RESULTS, self._words
        rules = self._rules()
        require_known("preference", self.prefer, (LATEST, BEST))
        # Before processes are forked, which then have what these two load.
        load_styles()
        maker = PageMaker(batch.lesson.teachers, words, all_sections(batch, words.language))
        by_hand = DecidedByHand(batch, place)
        with pool(jobs_for(len(batch.records), self.jobs), None) as workers:
            came = self._came(workers)
            marks = Marking(batch, rules, words, workers).marks(came, self._names, self.told)
            marks = replace(marks, pupils=by_hand.applied(marks.pupils))
            files = dict(self._lists(Tables(marks, words)))
            files |= by_hand.empty_files(words.catalogue)
            # What processes make side by side: the longest part comes first.
            chunks = portions(marks.handed_in, CHUNK)
            page = ClassPage(marks, maker)
            parts: list[Tables | ClassPage | Feedback] = [
                Tables(marks, ResultWords(words.language)),
                page,
                *(Feedback(some, maker, self.show_answers) for some in chunks),
            ]
            ahead = workers._replace(ahead=len(parts))
            for _, made in in_order(ahead, methodcaller("files"), parts):
                files |= made
        paths = output.write({place / name: content for name, content in files.items()})
        for path in set((place / FEEDBACK).glob("*.pdf")).difference(paths):
            output.remove(path)  # of a pupil whose files were taken out of the folder
        return Graded(marks, paths, by_hand.waiting(marks), glance(page))

    def _came(self, workers: Pool) -> Collected:
        collecting = Collecting(self._batch, self.prefer == BEST, jobs=self.jobs, workers=workers)
        came = collecting.collected(self.folder)
        if not any(one.came_back for one in came.entries):
            lists = {one.source.file: Reason("untyped") for one in came.entries}
            raise NothingMarked(self.folder, [*came.stray, *starmap(Stray, lists.items())])
        return came

    def _lists(self, tables: Tables) -> Iterator[tuple[str, bytes]]:
        """What is short, and adds to what the run before has written."""
        place = self.folder / RESULTS
        written = (place / JOURNAL).read_bytes() if (place / JOURNAL).is_file() else b""
        yield GRADES, tables.grades(names=self.names)
        words, rows = self._words, [(one.file, one.reason) for one in tables.marks.stray]
        said = [(file, why.said(words.catalogue)) for file, why in rows]
        heads = words.t("grading.csv.file"), words.t("grading.box.how")
        yield NOT_MARKED, columns.written([heads, *said], columns.delimiter(words.language))
        yield JOURNAL, journal(written_before(place), credits(tables.marks), written, words)

    def _rules(self) -> Scheme:
        """The scheme; `UserError` for points of a task that the batch has not."""
        if self.unrounded is None:
            return self._scheme()
        require_known("rule for unrounded numbers", self.unrounded, get_args(Unrounded))
        return self._scheme().model_copy(update={"unrounded": self.unrounded})

    def _scheme(self) -> Scheme:
        path, lesson = self.scheme, self._batch.lesson
        if path is None:
            own = self._batch.path.with_name(SCHEME)
            return read_scheme(own) if own.exists() else USUAL
        scheme = read_scheme(path, exam=bool(lesson.worksheet.exam))
        known = (*(SERIES[sheet].name for sheet in lesson.filled), WORKBOOK)
        if unknown := [name for name in scheme.points if name not in known]:
            names = {"unknown": ", ".join(unknown), "known": ", ".join(known)}
            raise refused("grade.points", path=path, **names)
        return scheme


def glance(page: ClassPage) -> list[str]:
    """What a teacher asks first: how many came, the mean, who has least, what to explain."""
    t, facts, came = page.maker.words.t, page.facts(), page.marks.handed_in
    scored = sorted((truediv(*page.marks.total(one)), one.shown) for one in came)
    mean = sum(share for share, _ in scored) / len(scored)
    least = [f"{who} ({page.share(share)})" for share, who in scored if mean - share > NEAR]
    again = ", ".join(dict.fromkeys(one.title for one in to_teach(page.columns)))
    told = [t(f"grading.glance.{key}", **facts) for key in ("came", "mean")]
    told += [t("grading.glance.least", who=", ".join(least[:MOST_LEAST]))] if least else []
    return [*told, f"{t('grading.class.again')}: {again}"] if again else told


def _not_marked(stray: Iterable[Stray], language: str) -> list[str]:
    told = by_reason(stray, load(language))
    return [message("grade.lost", files=files, why=why) for files, why in told]


class NothingMarked(UserError):
    """Nothing of what came back can be marked; in English, as all messages, or in a language."""

    def __init__(self, folder: Path, stray: Iterable[Stray], language: str = ENGLISH) -> None:
        self.folder, self.stray = folder, tuple(stray)
        lines = "\n".join(first_of(_not_marked(self.stray, language)))
        super().__init__(message("grade.nothing", folder=folder, lines=lines))


@dataclass(frozen=True)
class Marking:
    """How a class's files are marked: by a scheme, in a language, by so many processes.

    How many there are changes nothing that comes out.
    """

    batch: Batch
    scheme: Scheme
    words: ResultWords
    workers: Pool = HERE

    def marks(
        self, collected: Collected, names: Mapping[str, str], told: Progress = nobody
    ) -> ClassMarks:
        """The marks of everybody in the batch's order; `names` by code where they are wanted.

        Of several files of a pupil for one sheet the one that earns most counts.
        """
        files: dict[str, list[Marks]] = {}
        stray = [one.named(names) for one in collected.stray]
        came = [one for one in collected.entries if one.came_back]
        done = 0
        told(done, len(came))
        for some in self._marked(came):
            for one in some:
                files.setdefault(one.source.code, []).append(one)
            done += len(some)
            told(done, len(came))
        kept = {code: tuple(best_of(files.get(code, ()), stray)) for code in self.batch.records}
        pupils: tuple[PupilMarks, ...] = tuple(
            PupilMarks(code, record.key, record.language, kept[code], names.get(code, ""))
            for code, record in self.batch.records.items()
        )
        copied = any(far_from_own(file) for one in pupils for file in one.files)
        others = self._numbers(pupils) if copied else ()
        pupils = looked_at(pupils, others, self.words.catalogue)
        sheets = tuple(SERIES[sheet].name for sheet in self.batch.lesson.filled)
        stray.sort(key=lambda one: one.file)
        return ClassMarks(pupils, tuple(stray), self.scheme, sheets, self._printed())

    def _printed(self) -> dict[str, float]:
        """The points of each sheet of an exam, which are the same for all; none in a lesson."""
        worth = self.batch.first.worth if self.batch.records else {}
        return {name: float(one.marks) for name, one in worth.items() if name != WORKBOOK}

    def _marked(self, came: Iterable[Entries]) -> Iterator[list[Marks]]:
        """All of a pupil by one process, for entries may go on to a later sheet; latest last.

        Of two that differ for an earlier sheet the latest goes on.
        """
        by_code: dict[str, list[Entries]] = {}
        for one in sorted(came, key=weight):
            by_code.setdefault(one.source.code, []).append(one)
        pupils = portions([by_code[code] for code in sorted(by_code)], CHUNK)
        return (marks for _, marks in in_order(self.workers, self._portion, pupils))

    def _portion(self, pupils: Iterable[Iterable[Entries]]) -> list[Marks]:
        """The marks of some pupils' files; all that a pupil entered may go on to later sheets."""
        marks = list[Marks]()
        for files in pupils:
            own: dict[Cell, Number] = {}
            for one in files:
                own.update(one.typed)
            marks += [PupilFile(self, one).marked(own) for one in files]
        return marks

    def _numbers(self, pupils: Iterable[PupilMarks]) -> Iterator[tuple[str, Marks]]:
        """The numbers of those who handed in nothing, by code, as marks of empty sheets."""
        came = {one.code: {file.source.sheets for file in one.files} for one in pupils}
        tasks = sorted(set[tuple[str, ...]]().union(*came.values()))
        blank = [
            Entries(Source("", CSV, code, sheets), {})
            for code, own in came.items()
            for sheets in tasks
            if sheets not in own
        ]
        for one in chain.from_iterable(self._marked(blank)):
            yield one.source.code, one


@dataclass(frozen=True)
class PupilFile:
    """One file of a batch as it is marked."""

    marking: Marking
    entries: Entries

    @cached_property
    def _seat(self) -> AskedSeat:
        return self.marking.batch.seat(self.entries.source.code)

    @cached_property
    def _task(self) -> PupilTask:
        sheets = self.entries.source.sheets
        return self._seat.in_workbook if sheets == (WORKBOOK,) else self._seat.on_paper(sheets)

    def marked(self, own: Mapping[Cell, Number]) -> Marks:
        """Its marks; `own` is all that its pupil entered."""
        source, batch = self.entries.source, self.marking.batch
        carries = batch.lesson.worksheet.carry == "own" and source.sheets != (WORKBOOK,)
        typed = {**own, **self.entries.typed} if carries else self.entries.typed
        # The slips that the pages for teachers list, with the pupil's own numbers.
        listed = {
            SERIES[sheet].name: printed.view(blank=False).slips()
            for sheet, printed in self._seat.printed.items()
            if SERIES[sheet].name in source.sheets
        }
        tasks = tuple(
            task_marks(one, typed, listed.get(one.name, ()), self._seat.worth.get(one.name))
            for one in self._task.questions(self.marking.scheme, carries=carries)
            if one.name in source.sheets
        )
        return Marks(source, tasks, tuple(self._remarks(tasks)))

    def _remarks(self, tasks: Iterable[TaskMarks]) -> Iterator[str]:
        """What a person should know of it."""
        t, file, others = self.marking.words.t, self.entries.source.file, self.others()
        if others is not None:
            key = "grading.whose.of" if others else "grading.whose.nobody"
            yield t(key, file=file, codes=", ".join(others))
        if all(mark.how is How.BLANK for task in tasks for mark in task.marks):
            yield t("grading.empty", file=file)

    def others(self) -> tuple[str, ...] | None:
        """The codes whose numbers stand in its given cells; None where its own pupil's do."""
        given, batch = self.entries.given, self.marking.batch
        if not given or fits(given, self._task.trace):
            return None
        others = (other for other in batch.records if other != self._seat.code)
        return tuple(
            other
            for other in others
            if any(fits(given, task.trace) for task in batch.seat(other).tasks)
        )


def fits(given: Mapping[Cell, Number], trace: Trace) -> bool:
    """Whether the given cells of a file hold the numbers of a computation; false for none."""
    return bool(given) and all(_same(cell, content, trace) for cell, content in given.items())


def _same(cell: Cell, content: Number, trace: Trace) -> bool:
    name, i, j = cell
    if name not in trace:
        return False
    step = trace[name]
    if not (i < step.shape[0] and j < step.shape[1]):
        return False
    if step.text:
        return str(content) == str(step.values[i, j])
    number = to_number(content)
    right = float(step.values[i, j])
    return number is not None and (number == right or abs(number - right) <= NOISE)
