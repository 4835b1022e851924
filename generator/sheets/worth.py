"""What each task of a test can give at most, written into its tag: the page draws a box from it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from lxml.html import HtmlElement

from generator.engine.step import Cell
from generator.sheets.page_tree import classes, parsed

MARKS_FOR_WORDS = 2  # for an answer in words; a number is worth one
MARKS_FOR_A_NAME = 1  # of a token that is looked for
MARKS_FOR_LIGHT = 2  # for all that a task has pupils read off, copy or tick
WORTH, LIGHT, CELL = "data-worth", "data-light", "data-cell"
COMPUTED = {"ask", "box"}  # classes of a box for a number


@dataclass
class TaskWorth:
    """What a task asks, by its number on the page: cells to compute, others to read off or tick.

    `of` are the last names of the steps that it says it asks for, `by_hand` the marks that no
    program gives: for words.
    """

    number: int
    of: tuple[str, ...] = ()
    computed: list[Cell] = field(default_factory=list)
    light: list[Cell] = field(default_factory=list)
    by_hand: int = 0

    @property
    def cells(self) -> list[Cell]:
        """All that the task asks but words."""
        return self.computed + self.light

    @property
    def marks(self) -> int:
        """What the task can give."""
        return len(self.computed) + MARKS_FOR_LIGHT * bool(self.light) + self.by_hand


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
    tasks = [task for task, _ in _counted(parsed(html))]
    cells = {cell: 1.0 for task in tasks for cell in task.computed}
    cells |= {cell: MARKS_FOR_LIGHT / len(task.light) for task in tasks for cell in task.light}
    return Worth(tuple(task for task in tasks if task.marks), cells)


def mark_tasks(tree: HtmlElement) -> int:
    """Let each task that gives marks say how many; others have no such attribute. Gives all marks.

    One for each number asked, two for each answer in words. A task may say in `data-of` which steps
    it asks for, by the last part of their names, where several stand before one table.
    """
    counted = _counted(tree)
    for task, element in counted[1:]:
        if task.marks:
            element.set(WORTH, f"/ {task.marks}")
    return sum(task.marks for task, _ in counted)


def mark_light(tree: HtmlElement, asked: frozenset[Cell]) -> None:
    """Let asked cells that are no numbers to compute say so, and count as such."""
    for element in tree.iter("*"):
        cell = element.get(CELL)
        if cell and COMPUTED.isdisjoint(classes(element)) and _place(cell) in asked:
            element.set(LIGHT, "")


def _counted(tree: HtmlElement) -> list[tuple[TaskWorth, HtmlElement]]:
    """The tasks with what they ask, each cell once; the first stands for all before the first one.

    A cell belongs to the last task that says it asks for such a step, else to the last one.
    """
    tasks, known = [(TaskWorth(0), tree)], set()
    for element in tree.iter("*"):
        named, place = classes(element), element.get(CELL, "")
        if "task" in named:
            steps = tuple(element.get("data-of", "").split())
            tasks.append((TaskWorth(len(tasks), steps), element))
        if "lines" in named:
            tasks[-1][0].by_hand += MARKS_FOR_WORDS
        if "named" in named:
            tasks[-1][0].by_hand += MARKS_FOR_A_NAME
        computed = not COMPUTED.isdisjoint(named)
        asked = "carry" not in named if computed else LIGHT in element.attrib
        if place and asked and place not in known:
            known.add(place)
            cell = _place(place)
            name = cell[0].rpartition(".")[2]
            task = next((task for task, _ in reversed(tasks) if name in task.of), tasks[-1][0])
            (task.computed if computed else task.light).append(cell)
    return tasks


def _place(cell: str) -> Cell:
    step, i, j = cell.split("|")
    return step, int(i), int(j)
