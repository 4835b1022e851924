"""Marks all that a class handed in: everybody's own questions, slips by their names, remarks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from generator.classroom.reissue import NAMES, names_in
from generator.classroom.work_sheets import Page
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.class_marks import ClassMarks, PupilMarks
from generator.grading.entries import WORKBOOK, Collected, Entries
from generator.grading.marks import Marks, marked, questions_of
from generator.grading.meant import Number
from generator.grading.question import Question
from generator.grading.scheme import Scheme
from generator.grading.task import Batch
from generator.grading.whose import fits, owners
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.maths import Formulas
from generator.sheets.series import SERIES

CSV = "csv"  # of the list from paper, where an empty row means that nothing came back
Said = Callable[[int, int], None]


def mark_class(
    batch: Batch,
    collected: Collected,
    scheme: Scheme,
    catalogue: Catalogue,
    *,
    names: Mapping[str, str] | None = None,
    told: Said = lambda done, of: None,
) -> ClassMarks:
    """The marks of everybody in the batch's order; `names` by code where they are wanted."""
    files: dict[str, list[Marks]] = {}
    came = [one for one in collected.entries if one.typed or one.source.kind != CSV]
    for done, entries in enumerate(came):
        code = entries.source.code or ""
        told(done, len(came))
        own = {c: v for one in came if one.source.code == code for c, v in one.typed.items()}
        files.setdefault(code, []).append(_one(batch, entries, own, scheme, catalogue))
    pupils = tuple(
        PupilMarks(
            code,
            record["key"],
            record["language"],
            tuple(files.get(code, ())),
            (names or {}).get(code, ""),
        )
        for code, record in batch.records.items()
    )
    sheets = tuple(SERIES[sheet].name for sheet in batch.lesson.filled)
    return ClassMarks(pupils, collected.stray, scheme, sheets)


def _one(
    batch: Batch,
    entries: Entries,
    own: Mapping[Cell, Number],
    scheme: Scheme,
    catalogue: Catalogue,
) -> Marks:
    """One file's marks; `own` is all that its pupil entered, which may go on to later sheets."""
    code, sheets = entries.source.code or "", entries.source.sheets
    pages = batch.pages(code)
    task = batch.in_workbook(code) if sheets == (WORKBOOK,) else batch.on_paper(code, sheets)
    carries = batch.lesson.worksheet.carry == "own" and sheets != (WORKBOOK,)
    every = questions_of(task.trace, task.plans, scheme, carries=carries)
    questions = [question for question in every if question.name in sheets]
    typed = {**own, **entries.typed} if carries else entries.typed
    answers, listed = replace(entries, typed=typed), _listed(pages, questions)
    found = marked(questions, answers, scheme, listed, batch.worth(code))
    return Marks(found.source, found.tasks, _remarks(batch, entries, task.trace, catalogue))


def _listed(
    pages: Mapping[str, Page], questions: Iterable[Question]
) -> dict[str, tuple[Slip, ...]]:
    """The slips that the pages for teachers list, with the pupil's own numbers."""
    wanted = {question.name for question in questions}
    return {
        SERIES[sheet].name: tuple(_slips(sheet, page))
        for sheet, page in pages.items()
        if SERIES[sheet].name in wanted
    }


def _slips(sheet: str, page: Page) -> list[Slip]:
    plan = planned(sheet, page.both.trace, page.options)
    return view(plan, *page.both, page.options, Formulas(), blank=False).slips()


def _remarks(batch: Batch, entries: Entries, own: Trace, catalogue: Catalogue) -> tuple[str, ...]:
    if not entries.given or fits(entries.given, own):
        return ()
    code = entries.source.code
    others = (
        (other, task.trace)
        for other in batch.records
        if other != code
        for task in batch.tasks(other)
    )
    whose = owners(entries, own, others)
    key = "grading.whose.of" if whose else "grading.whose.nobody"
    codes = ", ".join(dict.fromkeys(whose))
    return (catalogue.t(key, file=entries.source.file, codes=codes),)


def names_of(batch: Batch) -> dict[str, str]:
    """Names by code, which only the batch's names.csv holds; `UserError` where it is missing."""
    return names_in(batch.path.parent / NAMES)
