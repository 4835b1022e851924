"""Marks all that a class handed in: everybody's own questions, slips by their names, remarks.

Also here:

* Compares a file's given cells with the batch: whose numbers are they? A remark, never a mark.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from generator.classroom.desk.reissue import NAMES, names_in
from generator.classroom.files.pool import HERE, Pool, in_order, portions
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.marking.alike import far_from_own, looked_at
from generator.grading.marking.marks import (
    ClassMarks,
    Marks,
    PupilMarks,
    best_of,
    marked,
    questions_of,
    weight,
)
from generator.grading.marking.rule import How
from generator.grading.marking.scheme import Scheme
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import CSV, WORKBOOK, Collected, Entries, Source
from generator.grading.reading.meant import Number
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue
from generator.processes import Progress, nobody
from generator.render.workbook.reading.read_back import to_number
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.series import SERIES

CHUNK = 8  # pupils that a process marks at a time


class MarkedFile(NamedTuple):
    """One file's marks; `others` are the codes whose numbers stand in it, None where its own do."""

    marks: Marks
    others: tuple[str, ...] | None

    def remarked(self, catalogue: Catalogue) -> Marks:
        """The marks with the remarks that they call for."""
        t, file = catalogue.t, self.marks.source.file
        remarks = []
        if self.others is not None:
            key = "grading.whose.of" if self.others else "grading.whose.nobody"
            remarks.append(t(key, file=file, codes=", ".join(self.others)))
        boxes = [mark.judged.how for task in self.marks.tasks for mark in task.marks]
        if all(how is How.BLANK for how in boxes):
            remarks.append(t("grading.empty", file=file))
        return replace(self.marks, remarks=tuple(remarks))


@dataclass(frozen=True)
class Marking:
    """How a class's files are marked: by a scheme, in a language, by so many processes.

    How many there are changes nothing that comes out.
    """

    batch: Batch
    scheme: Scheme
    catalogue: Catalogue
    workers: Pool = HERE

    def marks(
        self,
        collected: Collected,
        names: Mapping[str, str] | None = None,
        told: Progress = nobody,
    ) -> ClassMarks:
        """The marks of everybody in the batch's order; `names` by code where they are wanted.

        Of several files of a pupil for one sheet the one that earns most counts.
        """
        files: dict[str, list[Marks]] = {}
        stray = list(collected.stray)
        # An empty row of the list from paper means that nothing came back.
        came = [one for one in collected.entries if one.typed or one.source.kind != CSV]
        done = 0
        told(done, len(came))
        for some in self._marked(came):
            for one in some:
                files.setdefault(one.marks.source.code, []).append(one.remarked(self.catalogue))
            done += len(some)
            told(done, len(came))
        pupils = tuple(
            PupilMarks(
                code,
                record.key,
                record.language,
                tuple(best_of(files.get(code, ()), stray)),
                (names or {}).get(code, ""),
            )
            for code, record in self.batch.records.items()
        )
        copied = any(far_from_own(file) for one in pupils for file in one.files)
        pupils = looked_at(pupils, self._numbers(pupils) if copied else (), self.catalogue)
        sheets = tuple(SERIES[sheet].name for sheet in self.batch.lesson.filled)
        stray.sort(key=lambda one: one.file)
        return ClassMarks(pupils, tuple(stray), self.scheme, sheets, self._printed())

    def _printed(self) -> dict[str, float]:
        """The points of each sheet of an exam, which are the same for all; none in a lesson."""
        records = self.batch.records
        worth = self.batch.seat(next(iter(records))).worth if records else {}
        return {name: float(one.marks) for name, one in worth.items() if name != WORKBOOK}

    def _marked(self, came: Iterable[Entries]) -> Iterator[list[MarkedFile]]:
        """All of a pupil by one process, for entries may go on to a later sheet; latest last.

        Of two that differ for an earlier sheet the latest goes on.
        """
        by_code: dict[str, list[Entries]] = {}
        for one in sorted(came, key=weight):
            by_code.setdefault(one.source.code, []).append(one)
        pupils = [by_code[code] for code in sorted(by_code)]
        mark = partial(_marked, self.batch.folder, self.scheme)
        return (files for _, files in in_order(self.workers, mark, portions(pupils, CHUNK)))

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
            yield one.marks.source.code, one.marks


def _marked(folder: Path, scheme: Scheme, pupils: Iterable[Iterable[Entries]]) -> list[MarkedFile]:
    """The marks of some pupils' files; all that a pupil entered may go on to later sheets."""
    found, batch = list[MarkedFile](), batch_in(folder)
    for files in pupils:
        own: dict[Cell, Number] = {}
        for one in files:
            own.update(one.typed)
        found += [PupilFile(batch, scheme, one).marked(own) for one in files]
    return found


class PupilFile(NamedTuple):
    """One file of a batch as it is marked."""

    batch: Batch
    scheme: Scheme
    entries: Entries

    def marked(self, own: Mapping[Cell, Number]) -> MarkedFile:
        """Its marks; `own` is all that its pupil entered."""
        sheets, seat = self.entries.source.sheets, self.batch.seat(self.entries.source.code)
        in_workbook = sheets == (WORKBOOK,)
        task = seat.in_workbook if in_workbook else seat.on_paper(sheets)
        carries = self.batch.lesson.worksheet.carry == "own" and not in_workbook
        every = questions_of(task.trace, task.plans, self.scheme, carries=carries)
        questions = [question for question in every if question.name in sheets]
        typed = {**own, **self.entries.typed} if carries else self.entries.typed
        answers, worth = replace(self.entries, typed=typed), seat.worth
        marks = marked(questions, answers, self.scheme, self._listed(), worth)
        return MarkedFile(marks, self._others(task.trace))

    def _listed(self) -> dict[str, list[Slip]]:
        """The slips that the pages for teachers list, with the pupil's own numbers."""
        slips: dict[str, list[Slip]] = {}
        for sheet, page in self.batch.seat(self.entries.source.code).pages.items():
            if SERIES[sheet].name in self.entries.source.sheets:
                own = PrintedSheet.of(sheet, *page.both, page.options)
                slips[SERIES[sheet].name] = own.view(blank=False).slips()
        return slips

    def _others(self, own: Trace) -> tuple[str, ...] | None:
        """The codes whose numbers stand in its given cells; None where its own pupil's do."""
        given, code = self.entries.given, self.entries.source.code
        if not given or fits(given, own):
            return None
        others = (other for other in self.batch.records if other != code)
        return tuple(
            other
            for other in others
            if any(fits(given, task.trace) for task in self.batch.seat(other).tasks)
        )


def names_of(batch: Batch) -> dict[str, str]:
    """Names by code, which only the batch's names.csv holds; `UserError` where it is missing."""
    return names_in(batch.path.parent / NAMES)


NOISE: Final = 1e-6


def fits(given: Mapping[Cell, str | float], trace: Trace) -> bool:
    """Whether the given cells of a file hold the numbers of a computation; false for none."""
    return bool(given) and all(_same(cell, content, trace) for cell, content in given.items())


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
