"""The trained presets in a workbook: recalculated by another program, all is as computed."""

import pytest

from generator import compute
from tests.support.recalculate import ironcalc_values, strip_caches
from tests.support.workbook import book, compare


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", ["katze-trained", "nihao"])
def test_the_workbook_recalculates_to_the_trace(name, language):
    made = book(compute(preset=name, language=language, controls=True), language)
    assert compare(made, ironcalc_values(strip_caches(made.xlsx))) > 500
