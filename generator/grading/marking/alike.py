"""Numbers that are somebody else's, for a person to look at: no program judges who copied.

Who enters another pupil's numbers goes on with them rightly and so earns nearly everything. Told is
where many entries that are not right for the own numbers are right for another pupil's, or are the
same wrong ones as in another file. Chance gives a few such boxes, so many are needed, and half of
all that is not right; an entry that fits a quarter of the class, or 0, tells nothing. Pupils with
the same numbers have the same right answers and, having made a slip, rightly the same that follow;
of them only the boxes count in which something went wrong, and of these one a row (two that no
known slip explains), as whoever misunderstands a step does so in each of its boxes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from generator.grading.marking.class_marks import PupilMarks
from generator.grading.marking.marks import Marks, TaskMarks
from generator.grading.marking.rule import How
from generator.locales.catalogue import Catalogue
from generator.notation.shown import shown_decimals

# Of honest simulated pupils none had as many, nor half of what was not right (tests/grading).
LEAST: Final = 7  # boxes
LEAST_WRONG: Final = 4  # of pupils with the same numbers, see `_units`
HALF: Final = 0.5  # of the entries that are not right
COMMON: Final = 0.25  # of the class; an entry that fits more of it tells nothing
MOST_NAMED: Final = 3
NOISE: Final = 1e-9
_TOKEN: Final = re.compile(r"(?<=token)\d+|(?<=contribution)\d+")

Box = tuple[str, int, int]  # step, which of its asked rows, column


class FilledSheet(NamedTuple):
    """One pupil's marks of a task; `file` is None for numbers of somebody who handed in none."""

    who: str
    task: TaskMarks
    file: Marks | None


class Likeness(NamedTuple):
    """What is remarked of a file: so many boxes of so many, and whose numbers they hold."""

    key: str
    boxes: int
    of: int
    who: tuple[str, ...]


@dataclass(frozen=True)
class EntryTable:
    """The numbers of a task over the class, a row for each pupil, a column for each box.

    `typed` and `right` are NaN where there is none; `wrong` are entries that nothing excuses,
    `unexplained` those of them for which no slip is known. `row_of` numbers the rows of steps in
    which the boxes stand. `own` says which pupils have the same numbers: these have the same there.
    """

    typed: np.ndarray
    right: np.ndarray
    slack: np.ndarray
    wrong: np.ndarray
    unexplained: np.ndarray
    row_of: np.ndarray
    own: np.ndarray


def looked_at(
    pupils: Sequence[PupilMarks], others: Iterable[tuple[str, Marks]], catalogue: Catalogue
) -> tuple[PupilMarks, ...]:
    """The pupils' marks with a remark on each file that looks like another pupil's.

    `others` are the numbers, by who has them, of those who handed nothing in.
    """
    sheets: dict[str, list[FilledSheet]] = {}
    handed_in = [(one.shown, file, file) for one in pupils for file in one.files]
    for who, marks, file in [*handed_in, *((who, marks, None) for who, marks in others)]:
        for task in marks.tasks:
            sheets.setdefault(task.name, []).append(FilledSheet(who, task, file))
    remarks: dict[int, list[str]] = {}
    for some in sheets.values():
        for sheet, look in _looks(some):
            remarks.setdefault(id(sheet.file), []).append(_words(sheet, look, catalogue))
    return tuple(
        replace(one, files=tuple(
            replace(file, remarks=(*file.remarks, *remarks.get(id(file), ()))) for file in one.files
        ))
        for one in pupils
    )  # fmt: skip


def far_from_own(marks: Marks) -> bool:
    """Whether half of what was entered is not right, as where the numbers are somebody else's."""
    entered = [m.judged for task in marks.tasks for m in task.marks if m.judged.value is not None]
    others = sum(one.how is not How.ORIGINAL for one in entered)
    return others >= LEAST and others >= HALF * len(entered)


def _words(sheet: FilledSheet, look: Likeness, catalogue: Catalogue) -> str:
    assert sheet.file is not None
    named = ", ".join(look.who[:MOST_NAMED]) + " …" * (len(look.who) > MOST_NAMED)
    file = sheet.file.source.file
    return catalogue.t(look.key, file=file, count=look.boxes, of=look.of, codes=named)


def _looks(sheets: Sequence[FilledSheet]) -> Iterator[tuple[FilledSheet, Likeness]]:
    table = _table(sheets)
    for k, sheet in enumerate(sheets):
        if sheet.file is not None and (look := _another_ones(table, k) or _same_wrong(table, k)):
            key, count, of, rows = look
            yield sheet, Likeness(key, count, of, tuple(sheets[n].who for n in rows))


Found = tuple[str, int, int, list[int]]


def _another_ones(table: EntryTable, k: int) -> Found | None:
    """Entries of a pupil that are right for another one, who has other numbers."""
    strange = _strange(table, k)
    fits = np.abs(table.right - table.typed[k]) <= table.slack  # [pupils, boxes]
    fits &= strange & (table.own != table.own[k])[:, None]
    return _most("grading.look.other", fits & _rare(fits, table.own), strange, LEAST)


def _same_wrong(table: EntryTable, k: int) -> Found | None:
    """Entries of a pupil that stand in another one's file, too, and are right for neither."""
    strange = _strange(table, k)
    same = (np.abs(table.typed - table.typed[k]) <= NOISE) & strange
    same &= ~(np.abs(table.right - table.typed) <= table.slack)
    same[k] = False
    same &= _rare(same, np.arange(len(same)))
    apart = table.own != table.own[k]
    if found := _most("grading.look.alike", same & apart[:, None], strange, LEAST):
        return found
    same &= table.wrong & table.wrong[k] & ~apart[:, None]
    units = _units(table, k, same)
    best = int(units.max(initial=0))
    mine = table.wrong[k] & strange
    if best < LEAST_WRONG or best < HALF * int(_units(table, k, mine[None])[0]):
        return None
    boxes = int(np.count_nonzero(same[int(units.argmax())]))
    return (
        "grading.look.alike",
        boxes,
        int(np.count_nonzero(mine)),
        np.flatnonzero(units == best).tolist(),
    )


def _units(table: EntryTable, k: int, boxes: np.ndarray) -> np.ndarray:
    """How much boxes tell, by pupil: those of a row one, two where no known slip explains two."""
    total = np.zeros(len(boxes), int)
    for row in range(int(table.row_of.max(initial=-1)) + 1):
        here = table.row_of == row
        strangest = np.count_nonzero((boxes & table.unexplained[k])[:, here], axis=1)
        total += np.maximum(boxes[:, here].any(axis=1), np.minimum(strangest, 2))
    return total


def _strange(table: EntryTable, k: int) -> np.ndarray:
    """The boxes of a pupil that hold a number, not 0, which is not right for the own numbers."""
    typed = table.typed[k]
    there = ~np.isnan(typed) & ~np.isnan(table.right[k]) & (np.abs(typed) > table.slack)
    strange: np.ndarray = there & ~(np.abs(table.right[k] - typed) <= table.slack)
    return strange


def _rare(fits: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The boxes whose entry fits few of the class; who has the same numbers counts once."""
    firsts = np.unique(own, return_index=True)[1]
    rare: np.ndarray = np.count_nonzero(fits[firsts], axis=0) <= max(1, int(COMMON * len(firsts)))
    return rare


def _most(key: str, fits: np.ndarray, strange: np.ndarray, least: int) -> Found | None:
    """The pupils whom most entries fit, where these are enough."""
    counts = np.count_nonzero(fits, axis=1)
    best, of = int(counts.max(initial=0)), int(np.count_nonzero(strange))
    if best < least or best < HALF * of:
        return None
    return key, best, of, np.flatnonzero(counts == best).tolist()


# The table ---------------------------------------------------------------------------------------


def _table(sheets: Sequence[FilledSheet]) -> EntryTable:
    boxes: dict[Box, int] = {}
    places = [[boxes.setdefault(box, len(boxes)) for box in _boxes(one.task)] for one in sheets]
    shape = len(sheets), len(boxes)
    typed, right = np.full(shape, np.nan), np.full(shape, np.nan)
    wrong, unexplained = np.zeros(shape, bool), np.zeros(shape, bool)
    slack = np.zeros(len(boxes))
    for k, (sheet, columns) in enumerate(zip(sheets, places, strict=True)):
        for mark, column in zip(sheet.task.marks, columns, strict=True):
            step, one = sheet.task.step(mark.cell), mark.judged
            # Whole numbers are alike by chance too often to tell anything.
            if isinstance(one.right, float) and (decimals := shown_decimals(step)):
                slack[column] = sheet.task.scheme.tolerance * 10.0**-decimals + NOISE
                right[k, column] = one.right
                if isinstance(one.value, float):
                    typed[k, column] = one.value
                    wrong[k, column] = one.how is How.WRONG
                    unexplained[k, column] = one.how is How.WRONG and not mark.causes
    rows: dict[tuple[str, int], int] = {}
    row_of = np.array([rows.setdefault(box[:2], len(rows)) for box in boxes], int)
    sets: dict[bytes, int] = {}
    own = np.array([sets.setdefault(one.tobytes(), len(sets)) for one in right])
    return EntryTable(typed, right, slack, wrong, unexplained, row_of, own)


def _boxes(task: TaskMarks) -> Iterator[Box]:
    """Each box so that it is the same for pupils who compute other rows."""
    rows: dict[str, dict[int, int]] = {}
    for mark in task.marks:
        name, i, j = mark.cell
        of_step = rows.setdefault(name, {})
        yield _TOKEN.sub("", name), of_step.setdefault(i, len(of_step)), j
