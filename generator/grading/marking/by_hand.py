"""What a person decides, read at every run and never written over: credit, and points for words.

Also here:

* The list into which a teacher types the points for an exam's answers in words.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from pydantic import ConfigDict, Field, model_validator

from generator.classroom.desk.reissue import content_of
from generator.classroom.pupils import columns
from generator.engine.step import Cell
from generator.errors import UserError, first_of, message
from generator.grading.marking.marks import ClassMarks, PupilMarks, TaskMarks
from generator.grading.marking.rule import BoxMark
from generator.grading.marking.scheme import TeachersOwn, read_own
from generator.grading.marking.task import Batch
from generator.grading.reading.raw import FileContent
from generator.locales.catalogue import Catalogue
from generator.typed import typed_number

WORDS_LIST: Final = "words.csv"
# A heading: the sheet and the points that there are. Of "6 / 4" alone a spreadsheet makes a date.
_HEAD: Final = re.compile(r"(?:.* )?(\S+) / [0-9]+")
DECISIONS: Final = "decisions.toml"


class Decision(TeachersOwn):
    """Credit for all boxes that fit what it names; a code may be written as a number."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    credit: Annotated[float, Field(ge=0, le=1)]
    code: str = ""
    sheet: str = ""
    cell: str = ""
    cause: str = ""
    because: str = ""

    @model_validator(mode="after")
    def _names_something(self) -> "Decision":
        if not (self.cell or self.cause):
            raise ValueError("it must name a cell or a cause, or both")
        return self

    def fits(self, code: str, task: str, mark: BoxMark) -> bool:
        """Whether a box is meant."""
        return (
            self.code in ("", code)
            and self.sheet in ("", task)
            and self.cell in ("", address(mark.cell))
            and (not self.cause or self.cause in mark.causes or self.cause == mark.how)
        )


class _DecisionsFile(TeachersOwn):
    decision: tuple[Decision, ...] = ()


def address(cell: Cell) -> str:
    """A cell as results call it, counted from 1: `block1.head1.scores[3,2]`."""
    return f"{cell[0]}[{cell[1] + 1},{cell[2] + 1}]"


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions of a file, none where there is no file; `UserError` with all its problems."""
    if not path.exists():
        return ()
    return read_own(path, _DecisionsFile, "decisions").decision


class Problems(list[str]):
    """All that cannot be in a file, said at once."""

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Within it, an error is noted as one of this place."""
        try:
            yield
        except (UserError, ValueError) as error:
            self.append(f"{place}: {error}")

    def require_none(self, *way_out: str) -> None:
        """Raise a `UserError` with all that was noted, and what to do."""
        if self:
            raise UserError("\n".join([*first_of(self), *way_out]))


@dataclass(frozen=True)
class DecidedByHand:
    """What a teacher decides in the folder of a batch's results."""

    batch: Batch
    folder: Path

    @cached_property
    def most(self) -> dict[str, int]:
        """The points for words by sheet; the papers of an exam have the same."""
        worth = self.batch.first.worth
        return {sheet: one.by_hand for sheet, one in worth.items() if one.by_hand}

    def empty_files(self, catalogue: Catalogue) -> Iterator[tuple[str, bytes]]:
        """The files in which to decide, as far as they are needed and not there."""
        if not (self.folder / DECISIONS).exists():
            yield DECISIONS, catalogue.t("grading.decisions").encode()
        if self.most and not (self.folder / WORDS_LIST).exists():
            named = catalogue.t("grading.box.sheet")
            head = ["code", *(f"{named} {sheet} / {points}" for sheet, points in self.most.items())]
            rows = ([code, *("" for _ in self.most)] for code in self.batch.records)
            yield WORDS_LIST, columns.written([head, *rows], columns.delimiter(catalogue.language))

    def applied(self, pupils: Iterable[PupilMarks]) -> tuple[PupilMarks, ...]:
        """The marks with all that was decided; `UserError` for decisions that fit no box."""
        decisions, words, used = self.decisions(), self.words(), set[Decision]()

        def of_task(code: str, task: TaskMarks) -> TaskMarks:
            marks = []
            for mark in task.marks:
                fitting = [one for one in decisions if one.fits(code, task.name, mark)]
                used.update(fitting)
                last = fitting[-1:]
                marks.append(replace(mark, credit=last[0].credit, decided=True) if last else mark)
            by_hand = words.get((code, task.name)) if task.most_by_hand else None
            return replace(task, marks=tuple(marks), by_hand=by_hand)

        changed = tuple(one.changed(of_task) for one in pupils)
        idle = (one.model_dump(exclude_defaults=True) for one in decisions if one not in used)
        problems = Problems(f"{DECISIONS}: no box fits {one}" for one in idle)
        problems.require_none("cells and causes stand in grading.xlsx")
        return changed

    def decisions(self) -> list[Decision]:
        """The decisions on credit with each pupil's code; `UserError` with all that cannot be."""
        decisions, problems = list[Decision](), Problems()
        for one in read_decisions(self.folder / DECISIONS):
            with problems.at(DECISIONS):
                code = self.batch.code(one.code) if one.code else ""
                decisions.append(one.model_copy(update={"code": code}))
        problems.require_none()
        return decisions

    def words(self) -> dict[tuple[str, str], float]:
        """The points for words by code and sheet; `UserError` with all that cannot be."""
        path, points = self.folder / WORDS_LIST, dict[tuple[str, str], float]()
        problems = Problems()
        if not path.exists():
            return points
        try:
            heads, *lines = FileContent(content_of(path)).rows() or [[]]
        except UserError as error:
            raise UserError(f"{WORDS_LIST}: {error}") from None
        # The sheet that each heading names; "" for none, as of a column that a teacher added.
        named = [_HEAD.fullmatch(head.strip()) for head in heads[1:]]
        sheets = [match[1] if match and match[1] in self.most else "" for match in named]
        if missing := [sheet for sheet in self.most if sheet not in sheets]:
            said = f"{WORDS_LIST}, line 1: no column is headed as in 'Sheet {missing[0]} / 4'"
            problems.append(said)
        for number, row in enumerate(lines, start=2):
            line, code = f"{WORDS_LIST}, line {number}", ""
            with problems.at(line):
                code = self.batch.code(columns.text(row[0])) if any(map(str.strip, row)) else ""
            for sheet, typed in zip(sheets, row[1:], strict=False):
                if code and sheet and typed.strip():
                    with problems.at(f"{line} ({code}), sheet {sheet}"):
                        points[code, sheet] = _points(typed, self.most[sheet])
        problems.require_none()
        return points

    def waiting(self, marks: ClassMarks) -> list[str]:
        """Who has no grade yet, as answers in words are not marked: one message, or none."""
        codes = [one.code for one in marks.handed_in if any(task.waits for task in one.tasks)]
        if not codes:
            return []
        some = f"{', '.join(codes[:5])}{' …' if len(codes) > 5 else ''}"
        path = self.folder / WORDS_LIST
        return [message("grade.words", path=path, count=len(codes), some=some)]


def _points(typed: str, most: int) -> float:
    value = typed_number(typed.strip().replace(",", "."))
    if value is None or not 0 <= value <= most:
        raise ValueError(f"found {typed.strip()!r}, expected points from 0 to {most}")
    return value
