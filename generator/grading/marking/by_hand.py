"""What a person decides, read at every run and never written over: credit, and points for words.

Also here:

* The list into which a teacher types the points for an exam's answers in words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from generator.classroom.desk.manifest import Manifest
from generator.classroom.desk.reissue import content_of
from generator.classroom.pupils import columns
from generator.engine.step import Cell
from generator.errors import UserError, first_of
from generator.grading.marking.marks import BoxMark, ClassMarks, PupilMarks, TaskMarks
from generator.grading.marking.scheme import read_own
from generator.grading.marking.task import Batch
from generator.grading.reading.raw import FileContent
from generator.locales.catalogue import Catalogue
from generator.typed import typed_number

WORDS_LIST: Final = "words.csv"
# A heading: the sheet and the points that there are. Of "6 / 4" alone a spreadsheet makes a date.
_HEAD: Final = re.compile(r"(?:.* )?(\S+) / [0-9]+")

Words = Mapping[tuple[str, str], float]  # points by code and sheet


def empty_words(batch: Batch, catalogue: Catalogue) -> bytes:
    """The list to fill in: one row per pupil, one column per sheet; empty without such answers."""
    most = _most(batch)
    if not most:
        return b""
    named = catalogue.t("grading.box.sheet")
    head = ["code", *(f"{named} {sheet} / {points}" for sheet, points in most.items())]
    rows = ([code, *("" for _ in most)] for code in batch.records)
    return columns.written([head, *rows], columns.delimiter(catalogue.language))


def _most(batch: Batch) -> dict[str, int]:
    """The points for words by sheet; the papers of an exam have the same."""
    worth = batch.seat(next(iter(batch.records))).worth
    return {sheet: one.by_hand for sheet, one in worth.items() if one.by_hand}


def read_words(path: Path, batch: Batch) -> Words:
    """The points of a filled list, none without a list; `UserError` with all that cannot be."""
    if not path.exists():
        return {}
    problems: list[str] = []
    try:
        points = dict(_cells(FileContent(content_of(path)).rows(), batch, problems))
    except UserError as error:
        raise UserError(f"{WORDS_LIST}: {error}") from None
    if problems:
        raise UserError("\n".join(first_of([f"{WORDS_LIST}, {problem}" for problem in problems])))
    return points


def _cells(
    rows: Sequence[Sequence[str]], batch: Batch, problems: list[str]
) -> Iterator[tuple[tuple[str, str], float]]:
    most = _most(batch)
    # The sheet that each heading names; "" for none, as of a column that a teacher added.
    named = [_HEAD.fullmatch(head.strip()) for head in rows[0][1:]] if rows else []
    heads = [match[1] if match and match[1] in most else "" for match in named]
    if missing := [sheet for sheet in most if sheet not in heads]:
        problems.append(f"line 1: no column is headed as in 'Sheet {missing[0]} / 4'")
    for line, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            code = batch.manifest.entry(columns.text(row[0])).code
        except UserError as error:
            problems.append(f"line {line}: {error}")
            continue
        for sheet, typed in zip(heads, row[1:], strict=False):
            if sheet and typed.strip():
                try:
                    yield (code, sheet), _points(typed, most[sheet])
                except ValueError as error:
                    problems.append(f"line {line} ({code}), sheet {sheet}: {error}")


def _points(typed: str, most: int) -> float:
    value = typed_number(typed.strip().replace(",", "."))
    if value is None or not 0 <= value <= most:
        raise ValueError(f"found {typed.strip()!r}, expected points from 0 to {most}")
    return value


def with_words(pupils: Iterable[PupilMarks], words: Words) -> tuple[PupilMarks, ...]:
    """The marks with the points for answers in words added."""

    def added(code: str, task: TaskMarks) -> TaskMarks:
        return replace(task, by_hand=words.get((code, task.name))) if task.most_by_hand else task

    return tuple(one.changed(added) for one in pupils)


def waiting(marks: ClassMarks, path: Path) -> list[str]:
    """Who has no grade yet, as answers in words are not marked: one message, or none."""
    codes = [one.code for one in marks.handed_in if any(task.waits for task in one.tasks)]
    if not codes:
        return []
    some = f"{', '.join(codes[:5])}{' …' if len(codes) > 5 else ''}"
    return [
        f"{path}: {len(codes)} without points for their answers in words ({some}): type them there "
        "and run the same command again; until then there is no grade"
    ]


DECISIONS: Final = "decisions.toml"
EMPTY: Final = b"""\
# Your decisions on credit. They are applied at every run; this file is never written over.
# It holds for all boxes that fit what it names: code, sheet, cell, cause. The last one wins.
# Cells and causes are called as in grading.xlsx; code may be an id or a number of the list, too.
# credit is 0 to 1, a share of the box.
#
# [[decision]]
# sheet = "4a"
# cause = "not_divided"
# credit = 0.5
# because = "The sheet's second line was smudged in every copy."
#
# [[decision]]
# code = "B7KQ"
# cell = "block1.head1.scores[3,2]"
# credit = 1
# because = "Shown at the board."
"""


class Decision(BaseModel):
    """Credit for all boxes that fit what it names."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

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
            and (not self.cause or self.cause in mark.causes or self.cause == mark.judged.how)
        )


class _DecisionsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    decision: tuple[Decision, ...] = ()


def address(cell: Cell) -> str:
    """A cell as results call it, counted from 1: `block1.head1.scores[3,2]`."""
    return f"{cell[0]}[{cell[1] + 1},{cell[2] + 1}]"


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions of a file, none where there is no file; `UserError` with all its problems."""
    if not path.exists():
        return ()
    return read_own(path, _DecisionsFile, "decisions").decision


def with_codes(decisions: Iterable[Decision], manifest: Manifest) -> tuple[Decision, ...]:
    """The decisions with each pupil's code, who may be named by id or number as everywhere.

    Raises `UserError` for all that there are none of.
    """
    named, problems = list[Decision](), list[str]()
    for one in decisions:
        try:
            code = manifest.entry(one.code).code if one.code else ""
            named.append(one.model_copy(update={"code": code}))
        except UserError as error:
            problems.append(f"{DECISIONS}: {error}")
    if problems:
        raise UserError("\n".join(first_of(problems)))
    return tuple(named)


def decided(
    pupils: Iterable[PupilMarks], decisions: tuple[Decision, ...]
) -> tuple[PupilMarks, ...]:
    """The marks with the decisions applied; `UserError` for decisions that fit no box."""
    used: set[Decision] = set()

    def of_task(code: str, task: TaskMarks) -> TaskMarks:
        marks = []
        for mark in task.marks:
            fitting = [one for one in decisions if one.fits(code, task.name, mark)]
            used.update(fitting)
            last = fitting[-1:]
            marks.append(replace(mark, credit=last[0].credit, decided=True) if last else mark)
        return replace(task, marks=tuple(marks))

    changed = tuple(one.changed(of_task) for one in pupils)
    if idle := [one for one in decisions if one not in used]:
        problems = [
            f"{DECISIONS}: no box fits {one.model_dump(exclude_defaults=True)}" for one in idle
        ]
        raise UserError("\n".join([*first_of(problems), "cells and causes stand in grading.xlsx"]))
    return changed
