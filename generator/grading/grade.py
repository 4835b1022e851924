"""Grades a folder: from what a class handed in to the files below `marks/`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import methodcaller
from pathlib import Path
from typing import Final

from generator import output
from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.files.pool import Pool, in_order, jobs_for, pool, portions
from generator.errors import UserError, require_known
from generator.grading.marking.by_hand import (
    DECISIONS,
    EMPTY,
    WORDS_LIST,
    decided,
    empty_words,
    read_decisions,
    read_words,
    waiting,
    with_codes,
    with_words,
)
from generator.grading.marking.mark_class import Marking, names_of
from generator.grading.marking.marks import ClassMarks
from generator.grading.marking.scheme import SCHEME, USUAL, Scheme, read_scheme, require_printed
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading import typed_list
from generator.grading.reading.collect import RESULTS, Collecting
from generator.grading.reading.entries import WORKBOOK, Collected
from generator.grading.results.class_page import ClassPage, Sections, load_styles
from generator.grading.results.result_pages import FEEDBACK, Feedback, all_sections
from generator.grading.results.tables import ResultWords, Tables, credits, journal, written_before
from generator.processes import Progress, nobody
from generator.sheets.series import SERIES

GRADES, JOURNAL = "grades.csv", "journal.csv"
LATEST, BEST = "latest", "best"
MOST_NAMED: Final = 20  # files, where none can be marked
CHUNK: Final = 8  # pupils' pages that a process lays out at a time


@dataclass
class Graded:
    """What a grading came to: the marks, the files that were written, what to know."""

    marks: ClassMarks
    paths: list[Path]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Grading:
    """A folder that is marked, with its results below `marks/`; see `Marking` for the rule.

    `batch_dir` is the folder that the batch made, by default the folder itself or the one that it
    is in. Of several files of a pupil for one sheet the latest counts, with `prefer` "best" the one
    that earns most.
    """

    folder: Path
    batch_dir: Path | None = None
    scheme: Path | None = None
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

    def template(self) -> list[Path]:
        """Write the empty list into which a teacher types from paper; `UserError` if it exists."""
        if versions := self._batch.lesson.versions:
            raise UserError(
                f"--template: the batch was made with --versions {versions}: several "
                "pupils have one code, so the list would have no row for each; make the batch with "
                "--vary groups=N: N sets of numbers, and everybody has a code"
            )
        return [output.write_new(self.folder / "typed.csv", typed_list.template(self._batch))]

    def grade(self) -> Graded:
        """Mark what the folder holds. The same files, scheme and decisions give the same bytes.

        Raises `UserError` for what the teacher can mend; files that cannot be marked are named and
        stop nothing.
        """
        batch, place = self._batch, self.folder / RESULTS
        rules = self._rules()
        require_known("preference", self.prefer, (LATEST, BEST))
        names = names_of(batch) if self.names else None
        # Before processes are forked, which then have what these two load.
        load_styles()
        sections = all_sections(batch, self._words.language)
        with pool(jobs_for(len(batch.records), self.jobs), None) as workers:
            came = self._came(workers)
            marking = Marking(batch, rules, self._words.catalogue, workers)
            marks = marking.marks(came, names, self.told)
            wishes = with_codes(read_decisions(place / DECISIONS), batch.manifest)
            given = read_words(place / WORDS_LIST, batch)
            marks = replace(marks, pupils=with_words(decided(marks.pupils, wishes), given))
            files = dict(self._lists(marks))
            tasks = list(self._pages(marks, sections))
            ahead = workers._replace(ahead=len(tasks))
            for _, made in in_order(ahead, methodcaller("files"), tasks):
                files |= made
        paths = output.write({place / name: content for name, content in files.items()})
        for path in set((place / FEEDBACK).glob("*.pdf")).difference(paths):
            output.remove(path)  # of a pupil whose files were taken out of the folder
        return Graded(marks, paths, [*map(str, marks.stray), *waiting(marks, place / WORDS_LIST)])

    @cached_property
    def _words(self) -> ResultWords:
        lesson = self._batch.lesson
        return ResultWords(self.language or lesson.teachers.language, lesson.preset.norm_form)

    def _came(self, workers: Pool) -> Collected:
        kept = "all" if self.prefer == BEST else LATEST
        collecting = Collecting(self._batch, prefer=kept, jobs=self.jobs, workers=workers)
        came = collecting.collected(self.folder)
        if not came.entries:
            why = [str(one) for one in came.stray[:MOST_NAMED]]
            raise UserError("\n".join([f"{self.folder}: nothing in it can be marked", *why]))
        return came

    def _lists(self, marks: ClassMarks) -> Iterator[tuple[str, bytes]]:
        """What spreadsheets open; what the teacher types into, where it is not there."""
        place = self.folder / RESULTS
        written = (place / JOURNAL).read_bytes() if (place / JOURNAL).is_file() else b""
        yield GRADES, Tables(marks, self._words).grades(names=self.names)
        yield JOURNAL, journal(written_before(place), credits(marks), written)
        if not (place / DECISIONS).exists():
            yield DECISIONS, EMPTY
        empty = empty_words(self._batch, self._words.catalogue)
        if empty and not (place / WORDS_LIST).exists():
            yield WORDS_LIST, empty

    def _pages(
        self, marks: ClassMarks, sections: Mapping[str, Mapping[str, Sections]]
    ) -> Iterator[Tables | ClassPage | Feedback]:
        """What processes make side by side: the longest part comes first."""
        words, options = self._words, self._batch.lesson.teachers
        yield Tables(marks, ResultWords(words.language))
        yield ClassPage(marks, sections[words.language], options, words)
        for some in portions(marks.handed_in, CHUNK):
            yield Feedback(some, sections, options, words, self.show_answers)

    def _rules(self) -> Scheme:
        """The scheme; `UserError` for points of a task that the batch has not."""
        path, lesson = self.scheme, self._batch.lesson
        if path is None:
            own = self._batch.path.with_name(SCHEME)
            return read_scheme(own) if own.exists() else USUAL
        scheme = read_scheme(path)
        require_printed(scheme, path.name, exam=bool(lesson.worksheet.exam))
        known = (*(SERIES[sheet].name for sheet in lesson.filled), WORKBOOK)
        if unknown := [name for name in scheme.points if name not in known]:
            raise UserError(
                f"{path.name}: points: found {', '.join(unknown)}, which the batch has not; "
                f"expected some of {', '.join(known)}"
            )
        return scheme
