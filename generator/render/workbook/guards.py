"""Data validation: a typed number is a number, and one that a reader can mean."""

import math
from typing import TYPE_CHECKING

import numpy as np
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.render.workbook.layout.layout import Sheet

if TYPE_CHECKING:
    from generator.render.workbook.write.boxes import Writer

TIMES = 10.0


def guard_numbers(writer: "Writer", page: Worksheet, sheet: Sheet) -> None:
    """Each given number of a tab takes only decimals within a bound, with a message otherwise."""
    rules: dict[float, DataValidation] = {}
    for box in (box for band in sheet.bands for box in band.boxes if box.home):
        step = writer.trace[box.step]
        if step.kind == "given" and not step.text:
            limit = bound(step)
            if limit not in rules:
                rules[limit] = number_rule(writer, limit)
                page.add_data_validation(rules[limit])
            rules[limit].add(box.span())


def bound(step: Step) -> float:
    """The largest number that may be typed into a given step, a multiple of ten.

    At least ten times its own largest, rounded up so that the numbers of a class share a bound.
    """
    largest = float(np.abs(step.values).max())
    return max(1, math.ceil(largest)) * TIMES


def number_rule(writer: "Writer", limit: float) -> DataValidation:
    """A rule for a number from −limit to limit that explains the decimal sign when it is broken."""
    rule = DataValidation(type="decimal", operator="between", allow_blank=False)
    rule.formula1, rule.formula2 = f"-{limit:g}", f"{limit:g}"
    rule.showErrorMessage, rule.errorStyle = True, "stop"
    rule.errorTitle = writer.catalogue.t("workbook.number.title")
    rule.error = writer.catalogue.t("workbook.number.error", limit=f"{limit:g}")
    return rule
