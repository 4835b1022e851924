"""Data validation: what is typed is a number that a reader can mean, or the program asks."""

import math

import numpy as np
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.ops.pieces import Spelled
from generator.engine.trace import Step
from generator.locales.catalogue import Catalogue
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.focus import OWN, focusable
from generator.render.workbook.layout.layout import Sheet

TIMES = 10.0
LONGEST_ERROR = 225  # of a message in Excel


def focus(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The focus token is one of the tab's; in an exercise it is chosen on the first tab only."""
    if draft.exercise.asked:
        return
    if tokens := focusable(draft.trace, sheet):
        rule = DataValidation(type="list", allow_blank=True)
        rule.formula1 = '"' + ",".join(str(k + 1) for k in range(len(tokens))) + '"'
        _explain(draft, rule, "focus", last=len(tokens))
        rule.add(OWN)
        page.add_data_validation(rule)


def numbers(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """Each given number of a tab takes only decimals within a bound, with a message otherwise."""
    rules: dict[float, DataValidation] = {}
    for box in (box for band in sheet.bands for box in band.boxes if box.home):
        step = draft.trace[box.step]
        if step.kind == "given" and not step.text:
            limit = bound(step)
            if limit not in rules:
                t = draft.catalogue.t
                reason = t("workbook.number.error", limit=f"{limit:g}")
                rules[limit] = number_rule(
                    draft.catalogue, "decimal", -limit, limit, reason, blank=False
                )
                page.add_data_validation(rules[limit])
            rules[limit].add(box.span())


def bound(step: Step) -> float:
    """The largest number that may be typed into a given step, a multiple of ten.

    At least ten times its own largest, rounded up so that the numbers of a class share a bound.
    """
    largest = float(np.abs(step.values).max())
    return max(1, math.ceil(largest)) * TIMES


def number_rule(
    catalogue: Catalogue, kind: str, least: float, most: float, reason: str, *, blank: bool = True
) -> DataValidation:
    """A rule of the `kind` "decimal" or "whole" that asks, with the reason, about all else.

    It warns: under "stop" LibreOffice refuses each formula, whatever its value, and under any
    style but none it asks about one. What is kept all the same is told by the check beside it.
    """
    rule = DataValidation(type=kind, operator="between", allow_blank=blank, errorStyle="warning")
    rule.formula1, rule.formula2 = f"{least:g}", f"{most:g}"
    formula = catalogue.t("workbook.number.formula")
    rule.error = f"{reason[: LONGEST_ERROR - len(formula) - 1]} {formula}"
    rule.errorTitle, rule.showErrorMessage = catalogue.t("workbook.number.title"), True
    return rule


def new_words(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A word to encode has no more letters than there are cells for."""
    for step in sheet.tab.steps:
        if isinstance(step.op, Spelled):
            rule = DataValidation(type="textLength", operator="between", allow_blank=False)
            rule.formula1, rule.formula2 = "1", str(step.op.most)
            rule.errorStyle = "stop"
            _explain(draft, rule, "bpe.word", most=step.op.most)
            rule.add(draft.layout.home(step.inputs[0]).span())
            page.add_data_validation(rule)


def letters(draft: Draft, step: Step) -> int:
    """The most letters of a word in a given step that is spelled; 0 where it is not."""
    ops = (other.op for other in draft.trace if step.name in other.inputs)
    return next((op.most for op in ops if isinstance(op, Spelled)), 0)


def _explain(draft: Draft, rule: DataValidation, key: str, **names: object) -> None:
    """The message of a rule that is broken."""
    rule.showErrorMessage = True
    rule.errorTitle = draft.catalogue.t(f"workbook.{key}.title")
    rule.error = draft.catalogue.t(f"workbook.{key}.error", **names)
