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

    `typed` and `right` are NaN where there is none; `wrong` are entries that nothing excuses,
    `unexplained` those of them for which no slip is known. `row_of` numbers the rows of steps in
    which the boxes stand. `own` says which pupils have the same numbers: these have the same there.
    """

    def __init__(self, sheets: Sequence[FilledSheet]) -> None:
        self.sheets = sheets
        boxes: dict[PlacedBox, int] = {}
        places = [[boxes.setdefault(box, len(boxes)) for box in _boxes(one.task)] for one in sheets]
        shape = len(sheets), len(boxes)
        self.typed, self.right = np.full(shape, np.nan), np.full(shape, np.nan)
        self.wrong, self.unexplained = np.zeros(shape, bool), np.zeros(shape, bool)
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
                        self.unexplained[k, column] = mark.how is How.WRONG and not mark.causes
        rows: dict[tuple[str, int], int] = {}
        self.row_of = np.array([rows.setdefault(box[:2], len(rows)) for box in boxes], int)
        sets: dict[bytes, int] = {}
        self.own = np.array([sets.setdefault(one.tobytes(), len(sets)) for one in self.right])

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
        fits &= self._strange(k) & (self.own != self.own[k])[:, None]
        return self._most("grading.look.other", fits & self._rare(fits, self.own), k)

    def same_wrong(self, k: int) -> Likeness | None:
        """Entries of a pupil that stand in another one's file, too, and are right for neither."""
        key, strange = "grading.look.alike", self._strange(k)
        same = (np.abs(self.typed - self.typed[k]) <= NOISE) & strange
        same &= ~(np.abs(self.right - self.typed) <= self.slack)
        same[k] = False
        same &= self._rare(same, np.arange(len(same)))
        apart = self.own != self.own[k]
        if look := self._most(key, same & apart[:, None], k):
            return look
        same &= self.wrong & self.wrong[k] & ~apart[:, None]
        units, mine = self._units(k, same), self.wrong[k] & strange
        best = units.max(initial=0)
        if best < LEAST_WRONG or best < HALF * self._units(k, mine[None])[0]:
            return None
        boxes, of = same[units.argmax()].sum(), mine.sum()
        return Likeness(key, int(boxes), int(of), np.flatnonzero(units == best))

    def _units(self, k: int, boxes: np.ndarray) -> np.ndarray:
        """How much boxes tell, by pupil: of a row one, two where no known slip explains two."""
        total = np.zeros(len(boxes), int)
        for row in range(int(self.row_of.max(initial=-1)) + 1):
            here = self.row_of == row
            strangest = np.count_nonzero((boxes & self.unexplained[k])[:, here], axis=1)
            total += np.maximum(boxes[:, here].any(axis=1), np.minimum(strangest, 2))
        return total

    def _strange(self, k: int) -> np.ndarray:
        """The boxes of a pupil with a number, not 0, which is not right for the own numbers."""
        typed = self.typed[k]
        there = ~np.isnan(typed) & ~np.isnan(self.right[k]) & (np.abs(typed) > self.slack)
        strange: np.ndarray = there & ~(np.abs(self.right[k] - typed) <= self.slack)
        return strange

    def _rare(self, fits: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The boxes whose entry fits few of the class; who has the same numbers counts once."""
        firsts = np.unique(own, return_index=True)[1]
        most = max(1, int(COMMON * len(firsts)))
        rare: np.ndarray = np.count_nonzero(fits[firsts], axis=0) <= most
        return rare

    def _most(self, key: str, fits: np.ndarray, k: int) -> Likeness | None:
        """The pupils whom most entries of one fit, where these are enough."""
        counts, of = fits.sum(axis=1), int(self._strange(k).sum())
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
