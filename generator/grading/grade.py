"""Grades a folder: from what a class handed in to the files below `marks/`."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import methodcaller
from pathlib import Path
from typing import Final

from generator import output
from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.files.pool import in_order, jobs_for, pool, portions
from generator.classroom.numbers.lesson import teachers
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
from generator.grading.reading.collect import RESULTS, collected
from generator.grading.reading.entries import WORKBOOK
from generator.grading.results.class_page import ClassPage, load_styles
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


def grade(
    folder: Path,
    batch_dir: Path | None = None,
    *,
    scheme: Path | None = None,
    prefer: str = LATEST,
    names: bool = False,
    show_answers: bool = False,
    language: str | None = None,
    jobs: int | None = None,
    told: Progress = nobody,
) -> Graded:
    """Mark what a folder holds and write `marks/` in it; see `mark_class` for the rule.

    `batch_dir` is the folder that the batch made, by default the folder itself or the one that it
    is in. Of several files of a pupil for one sheet the latest counts, with `prefer` "best" the one
    that earns most. The same files, scheme and decisions give the same bytes. Raises `UserError`
    for what the teacher can mend; files that cannot be marked are named and stop nothing.
    """
    batch = batch_in(_batch_dir(folder, batch_dir))
    rules = _scheme(scheme, batch)
    words = ResultWords(language or teachers(batch.lesson).language, batch.lesson.preset.norm_form)
    catalogue = words.catalogue
    require_known("preference", prefer, (LATEST, BEST))
    kept = "all" if prefer == BEST else LATEST
    place, who = folder / RESULTS, names_of(batch) if names else None
    # Before processes are forked, which then have what these two load.
    load_styles()
    sections = all_sections(batch, words.language)
    with pool(jobs_for(len(batch.records), jobs), None) as workers:
        came = collected(folder, batch.folder, prefer=kept, jobs=jobs, workers=workers)
        if not came.entries:
            why = [str(one) for one in came.stray[:MOST_NAMED]]
            raise UserError("\n".join([f"{folder}: nothing in it can be marked", *why]))
        marks = Marking(batch, rules, catalogue, workers).marks(came, who, told)
        wishes = with_codes(read_decisions(place / DECISIONS), batch.manifest)
        pupils = with_words(decided(marks.pupils, wishes), read_words(place / WORDS_LIST, batch))
        marks = replace(marks, pupils=pupils)
        tables, options = Tables(marks, words), teachers(batch.lesson)
        tasks = [
            Tables(marks, ResultWords(words.language)),
            ClassPage(marks, sections[words.language], options, words),
            *(
                Feedback(some, sections, options, words, show_answers)
                for some in portions(marks.handed_in, CHUNK)
            ),
        ]
        files = {
            GRADES: tables.grades(names=names),
            JOURNAL: journal(written_before(place), credits(marks), _content(place / JOURNAL)),
            **dict(_to_fill_in(place, batch, words)),
        }
        for _, made in in_order(workers._replace(ahead=len(tasks)), methodcaller("files"), tasks):
            files |= made
    paths = output.write({place / name: content for name, content in files.items()})
    for path in set((place / FEEDBACK).glob("*.pdf")).difference(paths):
        output.remove(path)  # of a pupil whose files were taken out of the folder
    return Graded(marks, paths, [*map(str, marks.stray), *waiting(marks, place / WORDS_LIST)])


def _scheme(path: Path | None, batch: Batch) -> Scheme:
    """The scheme; `UserError` for points of a task that the batch has not."""
    if path is None:
        own = batch.path.with_name(SCHEME)
        return read_scheme(own) if own.exists() else USUAL
    scheme = read_scheme(path)
    require_printed(scheme, path.name, exam=bool(batch.lesson.worksheet.exam))
    known = (*(SERIES[sheet].name for sheet in batch.lesson.filled), WORKBOOK)
    if unknown := [name for name in scheme.points if name not in known]:
        raise UserError(
            f"{path.name}: points: found {', '.join(unknown)}, which the batch has not; "
            f"expected some of {', '.join(known)}"
        )
    return scheme


def template(folder: Path, batch_dir: Path | None = None) -> list[Path]:
    """Write the empty list into which a teacher types from paper; `UserError` where it exists."""
    batch = batch_in(_batch_dir(folder, batch_dir))
    if batch.lesson.versions:
        raise UserError(
            f"--template: the batch was made with --versions {batch.lesson.versions}: several "
            "pupils have one code, so the list would have no row for each; make the batch with "
            "--vary groups=N: N sets of numbers, and everybody has a code"
        )
    return [output.write_new(folder / "typed.csv", typed_list.template(batch))]


def _batch_dir(folder: Path, batch_dir: Path | None) -> Path:
    if batch_dir is not None:
        return batch_dir
    here = folder.resolve()
    return next((one for one in (here, here.parent) if (one / MANIFEST).exists()), folder)


def _to_fill_in(place: Path, batch: Batch, words: ResultWords) -> Iterator[tuple[str, bytes]]:
    """What the teacher types into: only where it is not there, so that nothing is lost."""
    if not (place / DECISIONS).exists():
        yield DECISIONS, EMPTY
    if not (place / WORDS_LIST).exists() and (empty := empty_words(batch, words.catalogue)):
        yield WORDS_LIST, empty


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
