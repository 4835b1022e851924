"""Marks all that a class handed in: everybody's own questions, slips by their names, remarks.

Also here:

* Compares a file's given cells with the batch: whose numbers are they? A remark, never a mark.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from generator.classroom.desk.reissue import NAMES, names_in
from generator.classroom.files.pool import HERE, Pool, in_order
from generator.classroom.files.work_sheets import WorkPage
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.marking.alike import far_from_own, looked_at
from generator.grading.marking.class_marks import ClassMarks, PupilMarks, best_of, weight
from generator.grading.marking.marks import Marks, marked, questions_of
from generator.grading.marking.question import Question
from generator.grading.marking.rule import How
from generator.grading.marking.scheme import Scheme
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import CSV, WORKBOOK, Collected, Entries, Source
from generator.grading.reading.meant import Number
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue
from generator.processes import Progress
from generator.render.workbook.reading.read_back import to_number
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.maths import Formulas
from generator.sheets.series import SERIES

CHUNK = 8  # pupils that a process marks at a time


class PupilPortion(NamedTuple):
    """Some pupils' entries and by what to mark them; small enough to be sent to a process."""

    folder: Path
    entries: tuple[Entries, ...]
    scheme: Scheme


class MarkedFile(NamedTuple):
    """One file's marks; `others` are the codes whose numbers stand in it, None where its own do."""

    marks: Marks
    others: tuple[str, ...] | None


def mark_class(
    batch: Batch,
    collected: Collected,
    scheme: Scheme,
    catalogue: Catalogue,
    *,
    names: Mapping[str, str] | None = None,
    told: Progress = lambda done, of: None,
    workers: Pool = HERE,
) -> ClassMarks:
    """The marks of everybody in the batch's order; `names` by code where they are wanted.

    Of several files of a pupil for one sheet the one that earns most counts. How many processes
    mark changes nothing that comes out.
    """
    files: dict[str, list[Marks]] = {}
    stray = list(collected.stray)
    # An empty row of the list from paper means that nothing came back.
    came = [one for one in collected.entries if one.typed or one.source.kind != CSV]
    told(0, len(came))
    done = 0
    for portion, marked_files in in_order(workers, _marked, _portions(batch, came, scheme)):
        for one in marked_files:
            files.setdefault(one.marks.source.code or "", []).append(_remarked(one, catalogue))
        done += len(portion.entries)
        told(done, len(came))
    pupils = tuple(
        PupilMarks(
            code,
            record["key"],
            record["language"],
            tuple(best_of(files.get(code, ()), stray)),
            (names or {}).get(code, ""),
        )
        for code, record in batch.records.items()
    )
    copied = any(far_from_own(file) for one in pupils for file in one.files)
    others = _numbers(batch, pupils, scheme, workers) if copied else ()
    pupils = looked_at(pupils, others, catalogue)
    sheets = tuple(SERIES[sheet].name for sheet in batch.lesson.filled)
    stray.sort(key=lambda one: one.file)
    return ClassMarks(pupils, tuple(stray), scheme, sheets, _printed(batch))


def _printed(batch: Batch) -> dict[str, float]:
    """The points of each sheet of an exam, which are the same for all; none in a lesson."""
    worth = batch.worth(next(iter(batch.records))) if batch.records else {}
    return {name: float(one.marks) for name, one in worth.items() if name != WORKBOOK}


def _portions(batch: Batch, came: Iterable[Entries], scheme: Scheme) -> Iterator[PupilPortion]:
    """All of a pupil in one portion, for what was entered may go on to a later sheet; latest last.

    Of two that differ for an earlier sheet the latest goes on.
    """
    by_code: dict[str, list[Entries]] = {}
    for one in sorted(came, key=weight):
        by_code.setdefault(one.source.code or "", []).append(one)
    pupils = [by_code[code] for code in sorted(by_code)]
    for start in range(0, len(pupils), CHUNK):
        some = (one for files in pupils[start : start + CHUNK] for one in files)
        yield PupilPortion(batch.folder, tuple(some), scheme)


def _numbers(
    batch: Batch, pupils: Iterable[PupilMarks], scheme: Scheme, workers: Pool
) -> Iterator[tuple[str, Marks]]:
    """The numbers of those who handed in nothing, by code, as marks of empty sheets."""
    came = {one.code: {file.source.sheets for file in one.files} for one in pupils}
    tasks = sorted(set[tuple[str, ...]]().union(*came.values()))
    blank = [
        Entries(Source("", CSV, code, batch.lesson.batch, sheets, batch.records[code]["level"]), {})
        for code, own in came.items()
        for sheets in tasks
        if sheets not in own
    ]
    for _, files in in_order(workers, _marked, _portions(batch, blank, scheme)):
        yield from ((one.marks.source.code or "", one.marks) for one in files)


def _marked(portion: PupilPortion) -> list[MarkedFile]:
    batch, own = batch_in(portion.folder), dict[str, dict[Cell, Number]]()
    for one in portion.entries:
        own.setdefault(one.source.code or "", {}).update(one.typed)
    return [_one(batch, one, own[one.source.code or ""], portion.scheme) for one in portion.entries]


def _one(batch: Batch, entries: Entries, own: Mapping[Cell, Number], scheme: Scheme) -> MarkedFile:
    """One file's marks; `own` is all that its pupil entered, which may go on to later sheets."""
    code, sheets = entries.source.code or "", entries.source.sheets
    pages = batch.pages(code)
    task = batch.in_workbook(code) if sheets == (WORKBOOK,) else batch.on_paper(code, sheets)
    carries = batch.lesson.worksheet.carry == "own" and sheets != (WORKBOOK,)
    every = questions_of(task.trace, task.plans, scheme, carries=carries)
    questions = [question for question in every if question.name in sheets]
    typed = {**own, **entries.typed} if carries else entries.typed
    answers, listed = replace(entries, typed=typed), _listed(pages, questions)
    marks = marked(questions, answers, scheme, listed, batch.worth(code))
    return MarkedFile(marks, _others(batch, entries, task.trace))


def _listed(
    pages: Mapping[str, WorkPage], questions: Iterable[Question]
) -> dict[str, tuple[Slip, ...]]:
    """The slips that the pages for teachers list, with the pupil's own numbers."""
    wanted = {question.name for question in questions}
    return {
        SERIES[sheet].name: tuple(_slips(sheet, page))
        for sheet, page in pages.items()
        if SERIES[sheet].name in wanted
    }


def _slips(sheet: str, page: WorkPage) -> list[Slip]:
    plan = planned(sheet, page.both.trace, page.options)
    return view(plan, *page.both, page.options, Formulas(), blank=False).slips()


def _others(batch: Batch, entries: Entries, own: Trace) -> tuple[str, ...] | None:
    """The codes whose numbers stand in a file's given cells; None where its own pupil's do."""
    if not entries.given or fits(entries.given, own):
        return None
    code = entries.source.code
    others = (
        (other, task.trace)
        for other in batch.records
        if other != code
        for task in batch.tasks(other)
    )
    return tuple(dict.fromkeys(owners(entries, own, others)))


def _remarked(one: MarkedFile, catalogue: Catalogue) -> Marks:
    """The marks with the remarks that they call for."""
    t, file = catalogue.t, one.marks.source.file
    remarks = []
    if one.others is not None:
        key = "grading.whose.of" if one.others else "grading.whose.nobody"
        remarks.append(t(key, file=file, codes=", ".join(one.others)))
    boxes = [mark.judged.how for task in one.marks.tasks for mark in task.marks]
    if all(how is How.BLANK for how in boxes):
        remarks.append(t("grading.empty", file=file))
    return replace(one.marks, remarks=tuple(remarks))


def names_of(batch: Batch) -> dict[str, str]:
    """Names by code, which only the batch's names.csv holds; `UserError` where it is missing."""
    return names_in(batch.path.parent / NAMES)


NOISE: Final = 1e-6


def fits(given: Mapping[Cell, str | float], trace: Trace) -> bool:
    """Whether the given cells of a file hold the numbers of a computation; false for none."""
    return bool(given) and all(_same(cell, content, trace) for cell, content in given.items())


def owners(entries: Entries, own: Trace, others: Iterable[tuple[str, Trace]]) -> tuple[str, ...]:
    """The codes whose numbers stand in a file's given cells, where these are not its own pupil's.

    Nothing where the file says nothing of its given cells, or where they are as they should be.
    """
    if not entries.given or fits(entries.given, own):
        return ()
    return tuple(code for code, trace in others if fits(entries.given, trace))


def _same(cell: Cell, content: str | float, trace: Trace) -> bool:
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
