"""Numbers that are somebody else's, for a person to look at: no program judges who copied.

Who enters another pupil's numbers goes on with them rightly and so earns nearly everything. Told is
where many entries that are not right for the own numbers are right for another pupil's, or are the
same wrong ones as in another file. Chance gives a few such boxes, so many are needed, and half of
all that is not right; an entry that fits a quarter of the class, or 0, tells nothing. Pupils with
the same numbers have the same right answers and, having made a slip, rightly the same that follow;
of them only the boxes count in which something went wrong: each slip that is known once, however
often it was made, for two may well have the same habit and round alike; of others one a row, or
two, as whoever misunderstands a step does so in each of its boxes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from generator.grading.marking.marks import Marks, PupilMarks, TaskMarks
from generator.grading.marking.scheme import How
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

PlacedBox = tuple[str, int, int]  # step, which of its asked rows, column


class FilledSheet(NamedTuple):
    """One pupil's marks of a task; `file` is None for numbers of somebody who handed in none."""

    who: str
    task: TaskMarks
    file: Marks | None


class Likeness(NamedTuple):
    """What is remarked of a file: so many boxes of so many, and which pupils' numbers they hold."""

    key: str
    boxes: int
    of: int
    rows: np.ndarray


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
    remarks: dict[int, tuple[str, ...]] = {}
    for some in sheets.values():
        for file, said in EntryTable(some).looks(catalogue):
            remarks[id(file)] = (*remarks.get(id(file), file.remarks), said)
    return tuple(
        replace(one, files=tuple(
            replace(file, remarks=remarks.get(id(file), file.remarks)) for file in one.files
        ))
        for one in pupils
    )  # fmt: skip


def far_from_own(marks: Marks) -> bool:
    """Whether half of what was entered is not right, as where the numbers are somebody else's."""
    entered = [mark for task in marks.tasks for mark in task.marks if mark.value is not None]
    others = sum(one.how is not How.ORIGINAL for one in entered)
    return others >= LEAST and others >= HALF * len(entered)


class EntryTable:
    """The numbers of a task over the class, a row for each pupil, a column for each box.

    `typed` and `right` are NaN where there is none; `wrong` are entries that nothing excuses. `why`
    numbers the slip that is known for a wrong one; where none is, its row, from `strange` on.
    `part` is what share of a right number each pupil has: half where two have the same there.
    """

    def __init__(self, sheets: Sequence[FilledSheet]) -> None:
        self.sheets = sheets
        boxes: dict[PlacedBox, int] = {}
        places = [[boxes.setdefault(box, len(boxes)) for box in _boxes(one.task)] for one in sheets]
        shape = len(sheets), len(boxes)
        self.typed, self.right = np.full(shape, np.nan), np.full(shape, np.nan)
        self.wrong, self.why = np.zeros(shape, bool), np.zeros(shape, int)
        slips: dict[tuple[str, ...], int] = {}
        rows: dict[tuple[str, int], int] = {}
        row_of = np.array([rows.setdefault(box[:2], len(rows)) for box in boxes], int)
        self.slack = np.zeros(len(boxes))
        for k, (sheet, columns) in enumerate(zip(sheets, places, strict=True)):
            for mark, column in zip(sheet.task.marks, columns, strict=True):
                # Whole numbers are alike by chance too often to tell anything.
                decimals = shown_decimals(sheet.task.step(mark.cell))
                if isinstance(mark.right, float) and decimals:
                    self.slack[column] = sheet.task.scheme.tolerance * 10.0**-decimals + NOISE
                    self.right[k, column] = mark.right
                    if isinstance(mark.value, float):
                        self.typed[k, column] = mark.value
                        self.wrong[k, column] = mark.how is How.WRONG
                        known = slips.setdefault(mark.causes, len(slips)) if mark.causes else -1
                        self.why[k, column] = known
        self.strange = len(slips)
        self.why = np.where(self.why < 0, self.strange + row_of, self.why)
        self.part = np.zeros(shape)
        for column, rights in enumerate(self.right.T):
            _, at, counts = np.unique(rights, return_inverse=True, return_counts=True)
            self.part[:, column] = np.where(np.isnan(rights), 0, 1 / counts[at])

    def looks(self, catalogue: Catalogue) -> Iterator[tuple[Marks, str]]:
        """The files that look like another pupil's, with what to say of them."""
        for k, (_, _, file) in enumerate(self.sheets):
            if file is not None and (look := self.another_ones(k) or self.same_wrong(k)):
                who = [self.sheets[row].who for row in look.rows]
                codes = ", ".join(who[:MOST_NAMED]) + " …" * (len(who) > MOST_NAMED)
                names = {"count": look.boxes, "of": look.of, "codes": codes}
                yield file, catalogue.t(look.key, file=file.source.file, **names)

    def another_ones(self, k: int) -> Likeness | None:
        """Entries of a pupil that are right for another one, who has other numbers."""
        fits = np.abs(self.right - self.typed[k]) <= self.slack  # [pupils, boxes]
        fits &= self._off(k)
        few = (fits * self.part).sum(axis=0) <= np.maximum(
            1, COMMON * self.part.sum(axis=0)
        ) + NOISE
        return self._most("grading.look.other", fits & few, k)

    def same_wrong(self, k: int) -> Likeness | None:
        """Entries of a pupil that stand in another one's file, too, and are right for neither."""
        key, strange = "grading.look.alike", self._off(k)
        same = (np.abs(self.typed - self.typed[k]) <= NOISE) & strange
        same &= ~(np.abs(self.right - self.typed) <= self.slack)
        same[k] = False
        same &= np.count_nonzero(same, axis=0) <= max(1, int(COMMON * len(same)))
        apart = np.abs(self.right - self.right[k]) > self.slack
        if look := self._most(key, same & apart, k):
            return look
        same &= self.wrong & self.wrong[k] & ~apart
        units, mine = self._units(k, same), self.wrong[k] & strange
        best = units.max(initial=0)
        if best < LEAST_WRONG or best < HALF * self._units(k, mine[None])[0]:
            return None
        boxes, of = same[units.argmax()].sum(), mine.sum()
        return Likeness(key, int(boxes), int(of), np.flatnonzero(units == best))

    def _units(self, k: int, boxes: np.ndarray) -> np.ndarray:
        """How much boxes tell, by pupil: each known slip of `k`'s one, other rows one or two."""
        total = np.zeros(len(boxes), int)
        for why in np.unique(self.why[k]):
            here = np.count_nonzero(boxes & (self.why[k] == why), axis=1)
            total += np.minimum(here, 2 if why >= self.strange else 1)
        return total

    def _off(self, k: int) -> np.ndarray:
        """The boxes of a pupil with a number, not 0, which is not right for the own numbers."""
        typed = self.typed[k]
        there = ~np.isnan(typed) & ~np.isnan(self.right[k]) & (np.abs(typed) > self.slack)
        strange: np.ndarray = there & ~(np.abs(self.right[k] - typed) <= self.slack)
        return strange

    def _most(self, key: str, fits: np.ndarray, k: int) -> Likeness | None:
        """The pupils whom most entries of one fit, where these are enough.

        A number that a pupil writes several times, copied along, counts once.
        """
        counts = np.array([len({*self.typed[k, row]}) for row in fits])
        of = len({*self.typed[k, self._off(k)]})
        best = int(counts.max(initial=0))
        if best < LEAST or best < HALF * of:
            return None
        return Likeness(key, best, of, np.flatnonzero(counts == best))


def _boxes(task: TaskMarks) -> Iterator[PlacedBox]:
    """Each box so that it is the same for pupils who compute other rows."""
    rows: dict[str, dict[int, int]] = {}
    for mark in task.marks:
        name, i, j = mark.cell
        of_step = rows.setdefault(name, {})
        yield _TOKEN.sub("", name), of_step.setdefault(i, len(of_step)), j
