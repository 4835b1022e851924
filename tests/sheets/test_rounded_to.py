"""Pupils are told to how many decimals to round, for all that they compute."""

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.rounded_to import rounded_to
from generator.sheets.sheet5.view import ROUNDED as ON_5
from generator.sheets.sheet6.view import ROUNDED as ON_6
from tests.support.covering import each
from tests.support.filled import PRESETS
from tests.support.sheets import html, traces

COPIED = {"activation"}  # h or 0
IN_TASKS = {"cumulative", "from"}  # the task says it
SHEETS = {"5": ON_5, "6": ON_6}


def test_the_usual_number_and_what_differs() -> None:
    trace = traces("katze", "de")[0]
    plan = planned("5", trace, SheetOptions())
    found = rounded_to(trace.with_steps(plan.extra), plan.asked, ON_5)
    assert found == (2, {3: ["variance"], 4: ["squares"]})
    page = html(*traces("katze", "de"), SheetOptions(), blank=True, sheet="5")
    assert "Nachkommastellen: 3 für σ², 4 für Quadrate, sonst 2." in page


def test_without_a_usual_number_all_are_listed() -> None:
    trace = traces("katze", "de")[0]
    plan = planned("5", trace, SheetOptions())
    found = rounded_to(trace.with_steps(plan.extra), plan.asked, ("variance", "squares"))
    assert found == (None, {3: ["variance"], 4: ["squares"]})


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("preset", each(2, PRESETS))
def test_everything_that_pupils_compute_has_its_name(sheet: str, preset: str) -> None:
    trace = traces(preset, "de")[0]
    try:
        plan = planned(sheet, trace, SheetOptions(level=3))
    except UserError:
        return  # the sheet does not take this preset
    whole = trace.with_steps(plan.extra)
    asked = {step for step, _, _ in plan.asked if not whole[step].text}
    kinds = {step.rpartition(".")[2].rstrip("0123456789") for step in asked}
    assert kinds
    assert kinds - COPIED - IN_TASKS <= set(SHEETS[sheet])
    for language in languages():
        named = {f"sheet{sheet}.places.{kind}" for kind in SHEETS[sheet]}
        assert named <= set(load(language).phrases)
