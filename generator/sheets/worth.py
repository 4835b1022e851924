"""What each task of a test can give at most, written into its tag: the page draws a box from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.engine.step import Cell

MARKS_FOR_WORDS = 2  # for an answer in words; a number is worth one
MARKS_FOR_LIGHT = 2  # for all that a task has pupils read off, copy or tick
WORTH = "data-worth"
LIGHT = "data-light"  # of a cell to read off, copy or tick: it is no number to compute
_TAG = re.compile(r"<[a-z]+\b[^>]*>")
_CLASS = re.compile(r'\bclass="([^"]*)"')
_CELL = re.compile(r'\bdata-cell="([^"]*)"')
_OF = re.compile(r'\bdata-of="([^"]*)"')


@dataclass
class MarkedTask:
    """A task's tag by its end in the HTML, the last names of the steps it asks for, its cells.

    `light` are those to read off or tick, `by_hand` the marks that no program gives: for words.
    """

    end: int
    of: tuple[str, ...] = ()
    cells: list[str] = field(default_factory=list)
    light: list[str] = field(default_factory=list)
    by_hand: int = 0

    @property
    def marks(self) -> int:
        """What the task can give."""
        return len(self.cells) + MARKS_FOR_LIGHT * bool(self.light) + self.by_hand


@dataclass
class Count:
    """The tasks and cells counted so far; the first task stands for all before the first one."""

    tasks: list[MarkedTask] = field(default_factory=lambda: [MarkedTask(0)])
    cells: set[str] = field(default_factory=set)

    def asking(self, name: str) -> MarkedTask:
        """The last task that asks for such a step, else the last task."""
        return next((task for task in reversed(self.tasks) if name in task.of), self.tasks[-1])

    def ask(self, cell: str, *, light: bool = False) -> None:
        """Count a cell that pupils fill, once."""
        if cell not in self.cells:
            self.cells.add(cell)
            task = self.asking(cell.partition("|")[0].rpartition(".")[2])
            (task.light if light else task.cells).append(cell)


class TaskWorth(NamedTuple):
    """The marks of one task, by its number on the page; `by_hand` are those for words."""

    number: int
    marks: int
    by_hand: int
    cells: tuple[Cell, ...]


class Worth(NamedTuple):
    """The marks of a sheet: by task, for those that give some, and by cell."""

    tasks: tuple[TaskWorth, ...]
    cells: dict[Cell, float]

    @property
    def marks(self) -> int:
        """All that the sheet can give."""
        return sum(task.marks for task in self.tasks)

    @property
    def by_hand(self) -> int:
        """The marks for answers in words."""
        return sum(task.by_hand for task in self.tasks)


def worth(html: str) -> Worth:
    """The marks of a sheet by task and by cell."""
    counted = list(enumerate(_counted(html).tasks))
    tasks = (
        TaskWorth(number, task.marks, task.by_hand, tuple(map(_place, task.cells + task.light)))
        for number, task in counted
        if task.marks
    )
    cells = {_place(cell): 1.0 for _, task in counted for cell in task.cells}
    for _, task in counted:
        cells |= {_place(cell): MARKS_FOR_LIGHT / len(task.light) for cell in task.light}
    return Worth(tuple(tasks), cells)


def marks(html: str) -> int:
    """The marks of a sheet: one for each number asked, two for each answer in words."""
    return sum(task.marks for task in _counted(html).tasks)


def with_worth(html: str) -> str:
    """The HTML in which each task that gives marks says how many; others have no such attribute.

    A task may say in `data-of` which steps it asks for, by the last part of their names, where
    several stand before one table.
    """
    pieces, done = [], 0
    for task in _counted(html).tasks[1:]:
        if task.marks:
            pieces += [html[done : task.end - 1], f' {WORTH}="/ {task.marks}"']
            done = task.end - 1
    return "".join([*pieces, html[done:]])


def with_light(html: str, asked: frozenset[Cell]) -> str:
    """The HTML in which asked cells that are no numbers to compute say so, and count as such."""
    pieces, done = [], 0
    for tag, end in _tags(html):
        cell = _CELL.search(tag)
        if cell and not _computed(_classes(tag)) and _place(cell[1]) in asked:
            pieces += [html[done : end - 1], f' {LIGHT}=""']
            done = end - 1
    return "".join([*pieces, html[done:]])


def _counted(html: str) -> Count:
    count = Count()
    for tag, end in _tags(html):
        classes = _classes(tag)
        if "task" in classes:
            of = _OF.search(tag)
            count.tasks.append(MarkedTask(end, tuple(of[1].split()) if of else ()))
        if "lines" in classes:
            count.tasks[-1].by_hand += MARKS_FOR_WORDS
        if cell := _CELL.search(tag):
            if _computed(classes) and "carry" not in classes:
                count.ask(cell[1])
            elif LIGHT in tag:
                count.ask(cell[1], light=True)
    return count


def _classes(tag: str) -> set[str]:
    return set(match[1].split()) if (match := _CLASS.search(tag)) else set()


def _computed(classes: set[str]) -> bool:
    """Whether a tag of these classes is a box for a number."""
    return bool(classes & {"ask", "box"})


def _place(cell: str) -> Cell:
    step, i, j = cell.split("|")
    return step, int(i), int(j)


def _tags(html: str) -> Iterator[tuple[str, int]]:
    return ((match[0], match.end()) for match in _TAG.finditer(html))
