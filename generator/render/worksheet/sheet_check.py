"""An author's own sheet tried on every shipped preset: `paperformer sheets check`.

What `make` finds out of one computation is found out of all of them, and what only a proof sees:
that a blank does not depend on what is asked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from generator.engine.step import Cell, Step
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.folders import languages
from generator.presets.computed import computed
from generator.presets.load import load_preset, shipped
from generator.render.worksheet.worksheet import PrintedSheet, planned
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import classes, parsed
from generator.sheets.plan import MARKS, Plan
from generator.sheets.worth import COMPUTED

CHANGED = 0.37  # by so much other numbers differ in the boxes of a page that must stay as it is


@dataclass
class SheetCheck:
    """How many pairs of blank and solution were made, what was left out and why, what is wrong."""

    made: int = 0
    left_out: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def checked(folder: str) -> SheetCheck:
    """Make the sheet of a folder for each shipped preset, in its languages, at each level.

    A preset that the plan refuses is left out with the plan's reason. Raises `UserError` for a
    folder that is no sheet.
    """
    found = SheetCheck()
    for name in shipped():
        for language in load_preset(name).sentences:
            if language not in languages():
                continue
            trace = computed(preset=name, language=language, rounding="paper")
            exact = computed(preset=name, language=language, rounding="exact")
            for level, mark in MARKS.items():
                options, where = SheetOptions(language=language, level=level), f"{name}, {language}"
                try:
                    plan = planned(folder, trace, options)
                except UserError as error:
                    found.left_out[f"{where}, {mark}"] = str(error)
                    continue
                try:
                    own = PrintedSheet(folder, trace, exact, options, plan)
                    problems = list(_problems(own))
                except UserError as error:
                    problems = [str(error)]
                found.made += not problems
                found.problems += [f"{where}, {mark}: {problem}" for problem in problems]
    return found


def _problems(own: PrintedSheet) -> Iterator[str]:
    """What is wrong with the pages of one computation; `UserError` where one cannot be made."""
    plan = own.plan
    own = replace(own, trace=own.trace.with_steps(plan.extra))
    trace = tampered(own.trace, plan, CHANGED)
    extra = tuple(trace[step.name] for step in plan.extra)
    other = replace(own, trace=trace, chosen=replace(plan, extra=extra))
    blank, solution = (own.page(blank=one) for one in (True, False))
    if other.page(blank=True) != blank:
        yield "the blank changes with what pupils are to find out: the view prints an answer"
    if plan.asked and other.page(blank=False) == solution:
        yield "the solution does not show what is asked"
    shown = _boxes(blank)
    if strange := sorted(shown.keys() - plan.asked):
        yield f"a box for {strange[0]}, which plan.py does not ask"
    if told := sorted(cell for cell in plan.asked if shown.get(cell)):
        yield f"the blank shows {shown[told[0]]!r} in the box of {told[0]}"


def _boxes(html: str) -> Mapping[Cell, str]:
    """By its cell the text of each box to write a number in."""
    found: dict[Cell, str] = {}
    for element in parsed(html).iter("*"):
        if element.get("data-cell") and not COMPUTED.isdisjoint(classes(element)):
            step, i, j = element.get("data-cell").split("|")
            found[step, int(i), int(j)] = element.text_content().strip()
    return found


def tampered(trace: Trace, plan: Plan, by: float, turn: int = 1) -> Trace:
    """The same Trace with other numbers, or words, in all asked cells; -1 turns their order."""
    steps: dict[str, Step] = {}
    for name, i, j in plan.asked:
        step = steps.get(name, trace[name])
        values = step.values.copy()
        values[i, j] = "Quark" if step.text else turn * values[i, j] + by
        steps[name] = step._replace(values=values)
    return trace.with_steps(steps.values())
