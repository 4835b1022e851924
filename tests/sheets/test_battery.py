"""What must hold of every worksheet, of shipped ones and of an author's own; a new one is found."""

import pytest

from generator.locales.catalogue import load
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.sheets.test_own_folder import EXAMPLE
from tests.support import battery
from tests.support.filled import filling
from tests.support.sheets import pdf, traces

ALL = [*SHEETS, str(EXAMPLE)]
FILLED = [name for name in SHEETS if SERIES[name].kind.filled] + [str(EXAMPLE)]
OPTIONS = SheetOptions(level=2)
each = pytest.mark.parametrize("sheet", ALL, ids=lambda name: name.rpartition("/")[2])
each_filled = pytest.mark.parametrize("sheet", FILLED, ids=lambda name: name.rpartition("/")[2])


@each
def test_every_cell_shows_its_number(sheet: str):
    battery.cells_are_the_traces(sheet, *traces(filling(sheet), "de"), OPTIONS, least=0)


@each_filled
def test_the_blank_has_the_boxes_of_its_plan_and_does_not_depend_on_answers(sheet: str):
    both = traces(filling(sheet), "de")
    assert battery.boxes(sheet, *both, OPTIONS) > 0
    battery.blank_does_not_hang_on_answers(sheet, *both, OPTIONS)


@pytest.mark.ci
@pytest.mark.parametrize("level", [1, 3])
@each_filled
def test_the_blank_has_the_boxes_of_its_plan_at_the_other_levels(sheet: str, level: int):
    assert battery.boxes(sheet, *traces(filling(sheet), "de"), SheetOptions(level=level)) > 0


@each_filled
def test_the_blank_is_the_solution_without_answers(sheet: str):
    battery.blank_is_solution_without_answers(
        sheet, *traces(filling(sheet), "de"), OPTIONS, least=100
    )


@each
def test_nothing_is_off_the_page(sheet: str):
    if not SERIES[sheet].kind.screen:
        made = pdf(*traces(filling(sheet), "de"), OPTIONS, "solution", sheet)
        assert battery.stays_on_the_page(made) > 0


@each
def test_it_has_a_name_and_a_title_in_every_language(sheet: str):
    key = SERIES[sheet].title
    for language in ("de", "en"):
        assert {key, key.replace(".title", ".name")} <= set(load(language).phrases)
