"""What each task of a test can give at most, written into its tag: the page draws a box from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MARKS_FOR_WORDS = 2  # for an answer in words; a number is worth one
WORTH = "data-worth"
_TAG = re.compile(r"<[a-z]+\b[^>]*>")
_CLASS = re.compile(r'\bclass="([^"]*)"')
_CELL = re.compile(r'\bdata-cell="([^"]*)"')
_OF = re.compile(r'\bdata-of="([^"]*)"')


@dataclass
class Task:
    """A task's tag by its end in the HTML, the last names of the steps it asks for, its marks."""

    end: int
    of: tuple[str, ...]
    marks: int = 0


@dataclass
class Count:
    """The tasks met so far and the cells that have been counted."""

    tasks: list[Task] = field(default_factory=list)
    cells: set[str] = field(default_factory=set)
    total: int = 0

    def give(self, marks: int, name: str = "") -> None:
        """Marks to the last task that asks for such a step, else to the last task."""
        self.total += marks
        if self.tasks:
            asking = (task for task in reversed(self.tasks) if name in task.of)
            next(asking, self.tasks[-1]).marks += marks

    def ask(self, cell: str) -> None:
        """A mark for a number, where it has not been counted."""
        if cell not in self.cells:
            self.cells.add(cell)
            self.give(1, cell.partition("|")[0].rpartition(".")[2])


def marks(html: str) -> int:
    """The marks of a sheet: one for each number asked, two for each answer in words."""
    return _counted(html).total


def with_worth(html: str) -> str:
    """The HTML in which each task that gives marks says how many; others have no such attribute.

    A task may say in `data-of` which steps it asks for, by the last part of their names, where
    several stand before one table.
    """
    found, done = [], 0
    for task in _counted(html).tasks:
        if task.marks:
            found += [html[done : task.end - 1], f' {WORTH}="/ {task.marks}"']
            done = task.end - 1
    return "".join([*found, html[done:]])


def _counted(html: str) -> Count:
    count = Count()
    for tag, end in _tags(html):
        classes = set(found[1].split()) if (found := _CLASS.search(tag)) else set()
        if "task" in classes:
            of = _OF.search(tag)
            count.tasks.append(Task(end, tuple(of[1].split()) if of else ()))
        if "lines" in classes:
            count.give(MARKS_FOR_WORDS)
        if classes & {"ask", "box"} and "carry" not in classes and (cell := _CELL.search(tag)):
            count.ask(cell[1])
    return count


def _tags(html: str) -> Iterator[tuple[str, int]]:
    return ((found[0], found.end()) for found in _TAG.finditer(html))
