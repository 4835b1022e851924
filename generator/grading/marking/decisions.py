"""A teacher's own decisions on credit: read at every run, never written over."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from generator.classroom.desk.manifest import entry
from generator.engine.step import Cell
from generator.errors import UserError, first_of
from generator.grading.marking.class_marks import PupilMarks
from generator.grading.marking.marks import BoxMark, TaskMarks
from generator.grading.marking.scheme import read_own

NAME: Final = "decisions.toml"
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


def with_codes(decisions: Iterable[Decision], manifest: Mapping[str, Any]) -> tuple[Decision, ...]:
    """The decisions with each pupil's code, who may be named by id or number as everywhere.

    Raises `UserError` for all that there are none of.
    """
    named, problems = list[Decision](), list[str]()
    for one in decisions:
        try:
            code = entry(manifest, one.code)["code"] if one.code else ""
            named.append(one.model_copy(update={"code": code}))
        except UserError as error:
            problems.append(f"{NAME}: {error}")
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
        problems = [f"{NAME}: no box fits {one.model_dump(exclude_defaults=True)}" for one in idle]
        raise UserError("\n".join([*first_of(problems), "cells and causes stand in grading.xlsx"]))
    return changed
