"""What everybody of a class is handed alike: the info leaf of a sheet, or all of a reference."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import own_tokens
from generator.render.worksheet.edition import EditionPage
from generator.render.worksheet.worksheet import in_html, render
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES

MOST_LEAVES = 32  # PDFs that are kept, as the copier's file has them too; each takes some 80 kB


def for_everybody(sheets: Iterable[str]) -> Iterator[str]:
    """Those of the sheets that give pupils something in common, as slides do not."""
    return (sheet for sheet in sheets if SERIES[sheet].kind.in_booklet)


@lru_cache(maxsize=MOST_LEAVES)
def common_leaf(sheet: str, task: Task, options: SheetOptions, kind: str = "pdf") -> bytes:
    """The leaf of a sheet for all who have a task; of a sheet that is one file the whole."""
    one = SERIES[sheet].kind
    return render(
        sheet,
        task.base,
        task.trace({}, rounding="exact"),
        options if one.single else replace(options, part="info"),
        kind=kind,
        variant="blank",
        plan=info_plan(task, sheet) if one.filled else None,
    )


def common_page(sheet: str, task: Task, options: SheetOptions) -> EditionPage:
    """The same leaf for a file of several of the HTML edition."""
    one, both = SERIES[sheet].kind, (task.base, task.trace({}, rounding="exact"))
    chosen = options if one.single else replace(options, part="info")
    return in_html(sheet, both, chosen, "blank", info_plan(task, sheet) if one.filled else None)


def info_plan(task: Task, sheet: str) -> Plan:
    """The sheet's plan with everything that anybody of the class is asked.

    So the one info leaf tells nobody's answers.
    """
    base = task.base_plans[sheet]
    others = [
        task.plans(task.trace({}, exercise=token))[sheet].asked
        for token in own_tokens(task)
        if token is not None
    ]
    return replace(base, asked=base.asked.union(*others))
