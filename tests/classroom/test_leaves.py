"""A class's leaves, stamped or not, are what full rendering makes of the same numbers."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from generator.classroom.files.work_sheets import Pair, WorkLeaf, WorkPage, laid_out
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Lot, assign, parse
from generator.render.worksheet.stamp.template import Template
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import VARIANTS, SheetOptions
from tests.support.classes import FILLED, task
from tests.support.covering import each
from tests.support.filled import filling
from tests.support.sheets import pictures, text
from tests.support.stamped import DPI, VISIBLE, WORK, different_pixels, in_full, structure

NUMBERS = ("2", "3", "4a", "generate")
SHEETS = [*((sheet, "focus") for sheet in FILLED), *((sheet, "numbers") for sheet in NUMBERS)]
EASY = replace(WORK, level=1)


def drawn_page(asked: Task, vary: str, key: str, options: SheetOptions) -> WorkPage:
    """A pupil of the class 9a."""
    drawn = assign(asked, parse(vary), Lot("9a", key))
    trace, exact = (
        asked.trace(drawn.edits, exercise=drawn.exercise, rounding=rounding)
        for rounding in (None, "exact")
    )
    return WorkPage(asked, drawn.exercise, Pair(trace, exact), options)


def assert_as_rendered(sheet: str, page: WorkPage) -> None:
    """Picture, text and structure of both variants are those of full rendering."""
    for variant in VARIANTS:
        made = WorkLeaf(sheet, page, variant=variant).pdf()
        full = in_full(page.of(sheet), variant)
        assert text(made) == text(full)
        assert structure(made) == structure(full)
        assert max(different_pixels(made, full)) == 0


@pytest.mark.parametrize(("sheet", "vary"), each(4, SHEETS))
def test_leaves_of_a_class_are_the_rendered_ones(sheet: str, vary: str) -> None:
    assert_as_rendered(sheet, drawn_page(task(filling(sheet), sheet), vary, "01", WORK))


@pytest.mark.parametrize("number", [12, pytest.param(1234, marks=pytest.mark.ci)])
def test_a_number_of_several_digits_is_stamped_too(number: int) -> None:
    page = drawn_page(task(sheets="1"), "focus", "01", replace(WORK, number=number))
    template = template_of("1", page, "blank")
    assert template is not None
    made = template.stamp(page.of("1"))
    assert f"Nr. {number}" in text(made)
    assert max(different_pixels(made, in_full(page.of("1"), "blank"))) == 0


def test_a_printed_name_is_stamped_on_each_page() -> None:
    named = replace(WORK, pupil="Maximilian Müller-Lüdenscheidt", number=28)
    page = drawn_page(task(sheets="4a"), "focus", "01", named)
    template = template_of("4a", page, "blank")
    assert template is not None
    made = template.stamp(page.of("4a"))
    assert text(made).count(named.pupil) == 2
    assert different_pixels(made, in_full(page.of("4a"), "blank")) == [0, 0]


LONG = "Maximilian-Alexander von Hohenstein-Wittelsbach"


@pytest.mark.parametrize("name", ["Anna Müller", LONG, f"{LONG}-Schwarzenberg-Sondershausen"])
@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.ci)])
def test_a_printed_name_stands_in_its_row_and_moves_nothing(name: str, large: bool) -> None:
    asked, plain = task(sheets="4a"), replace(WORK, number=28, large_print=large)
    without, named = (
        pictures(in_full(drawn_page(asked, "focus", "01", one).of("4a"), "blank"), DPI)[0]
        for one in (plain, replace(plain, pupil=name))
    )
    rows = np.flatnonzero((np.abs(without.astype(int) - named) > VISIBLE).any(axis=(1, 2)))
    assert len(rows)
    assert np.ptp(rows) < 8 * (1.5 if large else 1) * DPI / 25.4


def template_of(sheet: str, page: WorkPage, variant: str) -> Template | None:
    """What a leaf is stamped on."""
    filling = WorkLeaf(sheet, page, variant=variant).filling()
    return None if filling is None else filling.template


def otherwise(sheet: str, most: int) -> Iterator[WorkPage]:
    """Pupils with own numbers who are asked other cells than the class's numbers would ask."""
    asked = task(sheets=sheet, level=1)
    usual = asked.base_plans[sheet].bare
    pages = (drawn_page(asked, "numbers", f"{k:02}", EASY) for k in range(most))
    return (page for page in pages if planned(sheet, page.both.trace, EASY).bare != usual)


@pytest.mark.parametrize("sheet", each(2, ["3", "6"]))
def test_who_is_asked_otherwise_is_stamped_too_and_in_any_order(sheet: str) -> None:
    page, other, *_ = otherwise(sheet, 30)
    assert_as_rendered(sheet, page)
    made = [WorkLeaf(sheet, page, variant=variant).pdf() for variant in VARIANTS]
    laid_out.cache_clear()
    WorkLeaf(sheet, other).pdf()
    for variant, stamped in zip(VARIANTS, made, strict=True):
        found = template_of(sheet, page, variant)
        assert found is not None
        assert found.stamp(page.of(sheet)) == stamped


@pytest.mark.sweep
@pytest.mark.parametrize("sheet", ["3", "6"])
def test_all_who_are_asked_otherwise_get_what_is_rendered(sheet: str) -> None:
    pages = list(otherwise(sheet, 50))
    assert len(pages) > 10
    for page in pages[:: len(pages) // 8][:8]:
        assert all(template_of(sheet, page, variant) is not None for variant in VARIANTS)
        assert_as_rendered(sheet, page)
