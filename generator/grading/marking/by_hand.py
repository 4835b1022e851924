"""Points that no program gives: those for an exam's answers in words, typed by the teacher."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from generator.classroom.desk.manifest import entry
from generator.classroom.desk.reissue import content_of
from generator.classroom.pupils import columns
from generator.errors import UserError, first_of
from generator.grading.marking.class_marks import ClassMarks, PupilMarks
from generator.grading.marking.marks import TaskMarks
from generator.grading.marking.task import Batch
from generator.grading.reading.raw import rows_of
from generator.locales.catalogue import Catalogue
from generator.typed import typed_number

NAME: Final = "words.csv"
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
    worth = batch.worth(next(iter(batch.records)))
    return {sheet: one.by_hand for sheet, one in worth.items() if one.by_hand}


def read_words(path: Path, batch: Batch) -> Words:
    """The points of a filled list, none without a list; `UserError` with all that cannot be."""
    if not path.exists():
        return {}
    problems: list[str] = []
    try:
        points = dict(_cells(rows_of(content_of(path)), batch, problems))
    except UserError as error:
        raise UserError(f"{NAME}: {error}") from None
    if problems:
        raise UserError("\n".join(first_of([f"{NAME}, {problem}" for problem in problems])))
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
            code = entry(batch.manifest, columns.text(row[0]))["code"]
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
