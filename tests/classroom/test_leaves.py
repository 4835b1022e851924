"""A class's leaves, stamped or not, are what full rendering makes of the same numbers."""

import pytest

from generator.classroom.leaves import Page, Pair, leaf
from generator.classroom.variation import assign, parse
from generator.render.worksheet.options import VARIANTS
from generator.render.worksheet.stamp.template import Seat
from tests.support.classes import FILLED, task
from tests.support.sheets import text
from tests.support.stamped import WORK, different_pixels, in_full

NUMBERS = ("2", "3", "4a", "generate")
SHEETS = [*((sheet, "focus") for sheet in FILLED), *((sheet, "numbers") for sheet in NUMBERS)]


@pytest.mark.parametrize(("sheet", "vary"), SHEETS)
def test_leaves_of_a_class_are_the_rendered_ones(sheet: str, vary: str) -> None:
    asked = task(sheets=sheet)
    drawn = assign(asked, parse(vary), "9a", "01")
    trace, exact = (
        asked.trace(drawn.edits, exercise=drawn.exercise, rounding=rounding)
        for rounding in (None, "exact")
    )
    page = Page(asked, drawn.exercise, Pair(trace, exact), WORK)
    for variant in VARIANTS:
        made = leaf(sheet, page, variant)
        full = in_full(sheet, Seat(*page.seat()), WORK, variant)
        assert text(made) == text(full)
        assert max(different_pixels(made, full)) == 0
