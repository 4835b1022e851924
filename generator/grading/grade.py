"""Grades a folder: from what a class handed in to the files below `marks/`.

Also here:

* `grading.xlsx`: every box of everybody as a line of a table; what a run before it said there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

from generator import output
from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.files.pool import Pool, in_order, jobs_for, pool
from generator.classroom.numbers.lesson import teachers
from generator.errors import UserError, require_known
from generator.grading.marking.by_hand import NAME as WORDS
from generator.grading.marking.by_hand import empty_words, read_words, waiting, with_words
from generator.grading.marking.class_marks import ClassMarks, Sections
from generator.grading.marking.decisions import EMPTY, decided, read_decisions, with_codes
from generator.grading.marking.decisions import NAME as DECISIONS
from generator.grading.marking.mark_class import mark_class, names_of
from generator.grading.marking.scheme import SCHEME, USUAL, Scheme, read_scheme, require_printed
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading import typed_list
from generator.grading.reading.collect import RESULTS, collected
from generator.grading.reading.entries import WORKBOOK
from generator.grading.results import print_styles
from generator.grading.results.result_pages import FEEDBACK, Results, all_sections, pages
from generator.grading.results.tables import BOX_COLUMNS, Credits, boxes, credits, grades, journal
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import of_norm
from generator.processes import Progress
from generator.render.workbook.plain_table import Column, Figure, Line
from generator.render.workbook.plain_table import render as table
from generator.render.workbook.reading.read_back import BROKEN, lines_of
from generator.sheets.series import SERIES

GRADES, JOURNAL = "grades.csv", "journal.csv"
LATEST, BEST = "latest", "best"
MOST_NAMED: Final = 20  # files, where none can be marked


class ResultChoice(NamedTuple):
    """Names in the results, right numbers on the feedback, and who computes."""

    names: bool
    show_answers: bool
    workers: Pool
    sections: Mapping[str, Mapping[str, Sections]]


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
    told: Progress = lambda done, of: None,
) -> Graded:
    """Mark what a folder holds and write `marks/` in it; see `mark_class` for the rule.

    `batch_dir` is the folder that the batch made, by default the folder itself or the one that it
    is in. Of several files of a pupil for one sheet the latest counts, with `prefer` "best" the one
    that earns most. The same files, scheme and decisions give the same bytes. Raises `UserError`
    for what the teacher can mend; files that cannot be marked are named and stop nothing.
    """
    batch = batch_in(_batch_dir(folder, batch_dir))
    rules = _scheme(scheme, batch)
    words = load(language or teachers(batch.lesson).language)
    catalogue = of_norm(words, batch.lesson.preset.norm_form)
    require_known("preference", prefer, (LATEST, BEST))
    kept = "all" if prefer == BEST else LATEST
    place, who = folder / RESULTS, names_of(batch) if names else None
    # Before processes are forked, which then have what these two load.
    print_styles.load()
    sections = all_sections(batch, catalogue)
    with pool(jobs_for(len(batch.records), jobs), None) as workers:
        came = collected(folder, batch.folder, prefer=kept, jobs=jobs, workers=workers)
        if not came.entries:
            why = [str(one) for one in came.stray[:MOST_NAMED]]
            raise UserError("\n".join([f"{folder}: nothing in it can be marked", *why]))
        marks = mark_class(batch, came, rules, catalogue, names=who, told=told, workers=workers)
        wishes = with_codes(read_decisions(place / DECISIONS), batch.manifest)
        pupils = with_words(decided(marks.pupils, wishes), read_words(place / WORDS, batch))
        marks = replace(marks, pupils=pupils)
        chosen = ResultChoice(names, show_answers, workers, sections)
        files = dict(_files(batch, marks, catalogue, place, chosen))
    paths = output.write({place / name: content for name, content in files.items()})
    for path in set((place / FEEDBACK).glob("*.pdf")).difference(paths):
        output.remove(path)  # of a pupil whose files were taken out of the folder
    return Graded(marks, paths, [*map(str, marks.stray), *waiting(marks, place / WORDS)])


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


def _files(
    batch: Batch, marks: ClassMarks, catalogue: Catalogue, place: Path, chosen: ResultChoice
) -> Iterator[tuple[str, bytes]]:
    """The results by name; the decisions only where there are none, so that none is lost."""
    after = credits(marks)
    yield GRADES, grades(marks, catalogue, names=chosen.names)
    yield JOURNAL, journal(before(place), after, _content(place / JOURNAL))
    if not (place / DECISIONS).exists():
        yield DECISIONS, EMPTY
    if not (place / WORDS).exists() and (words := empty_words(batch, catalogue)):
        yield WORDS, words
    tasks = [
        BoxTable(marks, catalogue.language),
        *pages(batch, marks, catalogue, chosen.sections, show_answers=chosen.show_answers),
    ]
    for _, made in in_order(chosen.workers._replace(ahead=len(tasks)), _made, tasks):
        yield from made


def _made(task: Results) -> list[tuple[str, bytes]]:
    return task.files()


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


BOXES: Final = "grading.xlsx"
WIDTHS: Final = (12, 10, 34, 16, 12, 12, 12, 16, 9, 44, 44, 34, 30)


class BoxTable(NamedTuple):
    """The table of a class's marks in a language, to be made by whichever process is free."""

    marks: ClassMarks
    language: str

    def files(self) -> list[tuple[str, bytes]]:
        """Its name and content."""
        catalogue = load(self.language)
        t = catalogue.t
        heads = [t(f"grading.box.{name}") for name in BOX_COLUMNS]
        columns = [Column(head, width) for head, width in zip(heads, WIDTHS, strict=True)]

        def tab(number: int) -> str:
            return t("grading.tab", number=number)

        lines: Iterator[Line] = (
            [entry if isinstance(entry, str) else Figure(entry) for entry in line]
            for line in boxes(self.marks, catalogue)
        )
        return [(BOXES, table(t("grading.title"), tab, columns, lines, self.language))]


def before(place: Path) -> Credits | None:
    """What each box earned in the run before; None for no run, `UserError` for a damaged file."""
    path = place / BOXES
    content = path.read_bytes() if path.is_file() else b""
    if not content:
        return None
    code, sheet, credit, address = (
        BOX_COLUMNS.index(n) for n in ("code", "sheet", "credit", "address")
    )
    try:
        return {
            (str(line[code]), str(line[sheet]), str(line[address])): float(str(line[credit]))
            for line in lines_of(content)
        }
    except BROKEN as error:  # a teacher may have edited or damaged it
        raise UserError(
            f"{path}: cannot be read ({type(error).__name__}: {error}), so that the "
            "journal could not say what changed; move it elsewhere and grade again"
        ) from error
