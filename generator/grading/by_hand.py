"""Points that no program gives: those for an exam's answers in words, typed by the teacher."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from generator.classroom import csv_cells
from generator.classroom.reissue import content_of
from generator.errors import UserError, first_of
from generator.grading.class_marks import ClassMarks, PupilMarks
from generator.grading.marks import TaskMarks
from generator.grading.task import Batch
from generator.locales.catalogue import Catalogue
from generator.sheets.series import SERIES

NAME: Final = "words.csv"
_MOST: Final = " / "  # in a heading, before the points that there are

Words = Mapping[tuple[str, str], float]  # points by code and sheet


def empty_words(batch: Batch, catalogue: Catalogue) -> bytes:
    """The list to fill in: one row per pupil, one column per sheet; empty without such answers."""
    codes = list(batch.records)
    worth = batch.worth(codes[0])
    most = {sheet: one.by_hand for sheet, one in worth.items() if one.by_hand}
    if not most:
        return b""
    out = io.StringIO()
    table = csv.writer(
        out, delimiter=csv_cells.delimiter(catalogue.language), lineterminator="\r\n"
    )
    table.writerow(["code", *(f"{sheet}{_MOST}{points}" for sheet, points in most.items())])
    table.writerows([code, *("" for _ in most)] for code in codes)
    return out.getvalue().encode("utf-8-sig")


def read_words(path: Path, batch: Batch) -> Words:
    """The points of a filled list, none without a list; `UserError` with all that cannot be."""
    if not path.exists():
        return {}
    text = content_of(path).decode("utf-8-sig", errors="replace")
    lines = text.splitlines() or [""]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if ";" in lines[0] else ",")
    problems: list[str] = []
    points = dict(_cells(rows, batch, problems))
    if problems:
        raise UserError("\n".join(first_of([f"{NAME}, {problem}" for problem in problems])))
    return points


def _cells(
    rows: Iterable[Mapping[str, str]], batch: Batch, problems: list[str]
) -> Iterator[tuple[tuple[str, str], float]]:
    sheets = {SERIES[sheet].name for sheet in batch.lesson.filled}
    for line, row in enumerate(rows, start=2):
        code = (row.get("code") or "").strip().upper()
        if code not in batch.records:
            problems.append(f"line {line}: found code {code!r}, which the exam has not")
            continue
        for head, typed in row.items():
            sheet, most, _ = (head or "").partition(_MOST)
            if sheet in sheets and most and (typed or "").strip():
                try:
                    yield (code, sheet), _points(typed, batch.worth(code)[sheet].by_hand)
                except ValueError as error:
                    problems.append(f"line {line} ({code}), sheet {sheet}: {error}")


def _points(typed: str, most: int) -> float:
    try:
        value = float(typed.strip().replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise ValueError(f"found {typed.strip()!r}, expected points from 0 to {most}")
    return value


def with_words(pupils: Iterable[PupilMarks], words: Words) -> tuple[PupilMarks, ...]:
    """The marks with the points for answers in words added."""
    return tuple(
        replace(pupil, files=tuple(
            replace(one, tasks=tuple(_added(pupil.code, task, words) for task in one.tasks))
            for one in pupil.files
        ))
        for pupil in pupils
    )  # fmt: skip


def _added(code: str, task: TaskMarks, words: Words) -> TaskMarks:
    return replace(task, by_hand=words.get((code, task.name))) if task.most_by_hand else task


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
