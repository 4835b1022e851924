"""What each task of a test can give at most, written into its tag: the page draws a box from it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from lxml.html import HtmlElement

from generator.engine.step import Cell
from generator.sheets.page_tree import classes, parsed

MARKS_FOR_WORDS = 2  # for an answer in words; a number is worth one
MARKS_FOR_LIGHT = 2  # for all that a task has pupils read off, copy or tick
WORTH, LIGHT, CELL = "data-worth", "data-light", "data-cell"
COMPUTED = {"ask", "box"}  # classes of a box for a number


@dataclass
class MarkedTask:
    """A task's element, the last names of the steps that it asks for, its cells.

    `light` are those to read off or tick, `by_hand` the marks that no program gives: for words.
    """

    element: HtmlElement
    of: tuple[str, ...] = ()
    cells: list[str] = field(default_factory=list)
    light: list[str] = field(default_factory=list)
    by_hand: int = 0

    @property
    def marks(self) -> int:
        """What the task can give."""
        return len(self.cells) + MARKS_FOR_LIGHT * bool(self.light) + self.by_hand


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
    counted = list(enumerate(_counted(parsed(html))))
    tasks = (
        TaskWorth(number, task.marks, task.by_hand, tuple(map(_place, task.cells + task.light)))
        for number, task in counted
        if task.marks
    )
    cells = {_place(cell): 1.0 for _, task in counted for cell in task.cells}
    for _, task in counted:
        cells |= {_place(cell): MARKS_FOR_LIGHT / len(task.light) for cell in task.light}
    return Worth(tuple(tasks), cells)


def mark_tasks(tree: HtmlElement) -> int:
    """Let each task that gives marks say how many; others have no such attribute. Gives all marks.

    One for each number asked, two for each answer in words. A task may say in `data-of` which steps
    it asks for, by the last part of their names, where several stand before one table.
    """
    first, *tasks = _counted(tree)
    for task in tasks:
        if task.marks:
            task.element.set(WORTH, f"/ {task.marks}")
    return sum(task.marks for task in (first, *tasks))


def mark_light(tree: HtmlElement, asked: frozenset[Cell]) -> None:
    """Let asked cells that are no numbers to compute say so, and count as such."""
    for element in tree.iter("*"):
        cell = element.get(CELL)
        if cell and COMPUTED.isdisjoint(classes(element)) and _place(cell) in asked:
            element.set(LIGHT, "")


def _counted(tree: HtmlElement) -> list[MarkedTask]:
    """The tasks with what they ask, each cell once; the first stands for all before the first one.

    A cell belongs to the last task that says it asks for such a step, else to the last one.
    """
    tasks, counted = [MarkedTask(tree)], set()
    for element in tree.iter("*"):
        named, cell = classes(element), element.get(CELL, "")
        if "task" in named:
            tasks.append(MarkedTask(element, tuple(element.get("data-of", "").split())))
        if "lines" in named:
            tasks[-1].by_hand += MARKS_FOR_WORDS
        computed = not COMPUTED.isdisjoint(named)
        asked = "carry" not in named if computed else LIGHT in element.attrib
        if cell and asked and cell not in counted:
            counted.add(cell)
            name = cell.partition("|")[0].rpartition(".")[2]
            task = next((task for task in reversed(tasks) if name in task.of), tasks[-1])
            (task.cells if computed else task.light).append(cell)
    return tasks


def _place(cell: str) -> Cell:
    step, i, j = cell.split("|")
    return step, int(i), int(j)
