"""What is expected of an exam, task by task: each version's numbers, answers in words, marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup, escape

from generator.classroom.work_sheets import Page
from generator.engine.step import Cell
from generator.grading.wording import step_titles
from generator.locales.catalogue import Catalogue
from generator.render.worksheet.worksheet import page as page_of
from generator.render.worksheet.worksheet import planned, worth_of
from generator.sheets.maths import Formulas
from generator.sheets.series import SERIES
from generator.sheets.slots import Filler
from generator.sheets.worth import TaskWorth, Worth

TICK = "✓"
NEXT = " | "  # between numbers of a row; a comma is a decimal sign in some languages
_NUMBER = '<b class="no">'
_ANSWER = re.compile(r'<p class="answer text">(.*?)</p>', re.DOTALL)


@dataclass(frozen=True)
class Paper:
    """One version of one sheet: what its pages were made from."""

    sheet: str
    page: Page

    @cached_property
    def worth(self) -> Worth:
        """What the paper says that each task and cell can give."""
        return worth_of(self.sheet, *self.page.both, self.page.options)

    def shown(self, cells: Sequence[Cell]) -> Markup:
        """The right contents of some cells, as the solution spells them; of ticks, where one is."""
        spelled = [Markup(self._filler.number(*cell)) for cell in cells]
        if {*spelled} <= {TICK, ""}:
            step = self._filler.trace[cells[0][0]]
            spelled = [
                escape(step.columns[j])
                for (_, _, j), one in zip(cells, spelled, strict=True)
                if one
            ]
        return Markup(NEXT).join(spelled)

    @cached_property
    def _filler(self) -> Filler:
        plan = planned(self.sheet, self.page.both.trace, self.page.options)
        steps = self.page.both.trace.with_steps(plan.extra)
        return Filler(steps, plan.asked, self.page.options.language, blank=False)

    @cached_property
    def answers(self) -> dict[int, Markup]:
        """The expected answers in words by the number of their task, as the solution has them."""
        plan = planned(self.sheet, self.page.both.trace, self.page.options)
        html = page_of(plan, *self.page.both, self.page.options, Formulas(), blank=False)
        by_task: dict[int, Markup] = {}
        for part in html.split(_NUMBER)[1:]:
            if answer := _ANSWER.search(part):
                by_task[int(part.partition("<")[0])] = Markup(answer[1].strip())
        return by_task


class Step(NamedTuple):
    """What is expected at one step of a task: its title, the content of each version, its marks.

    `boxes` are those to fill, 0 for words.
    """

    title: str
    versions: tuple[Markup, ...]
    marks: float
    boxes: int = 0


class Task(NamedTuple):
    """One task of a sheet with its steps and the marks that stand beside it."""

    number: int
    marks: int
    steps: tuple[Step, ...]


class Sheet(NamedTuple):
    """One sheet of the exam: its name and title, its tasks, its marks."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    marks: int


def expected(papers: Sequence[Paper], catalogue: Catalogue) -> Sheet:
    """What is expected of one sheet in each of its versions."""
    first = papers[0]
    tasks = tuple(_task(papers, task, catalogue) for task in first.worth.tasks)
    sheet = SERIES[first.sheet]
    return Sheet(sheet.name, catalogue.t(sheet.title), tasks, first.worth.marks)


def _task(papers: Sequence[Paper], task: TaskWorth, catalogue: Catalogue) -> Task:
    steps = [*_steps(papers, task, catalogue)]
    if task.by_hand:
        words = tuple(paper.answers.get(task.number, Markup("")) for paper in papers)
        steps.append(Step(catalogue.t("exam.words"), words, task.by_hand))
    return Task(task.number, task.marks, tuple(steps))


def _steps(papers: Sequence[Paper], task: TaskWorth, catalogue: Catalogue) -> Iterator[Step]:
    by_step: dict[str, list[Cell]] = {}
    for cell in task.cells:
        by_step.setdefault(cell[0], []).append(cell)
    titles = step_titles(catalogue, by_step)
    worth = papers[0].worth.cells
    for name, cells in by_step.items():
        marks = sum(worth[cell] for cell in cells)
        shown = tuple(paper.shown(cells) for paper in papers)
        yield Step(titles[name], shown, marks, len(cells))
