"""To how many decimals pupils round is said once, and it is what the solution prints."""

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.notation.shown import shown_decimals
from generator.render.worksheet.worksheet import planned
from generator.sheets.context import places, usual
from generator.sheets.options import SheetOptions
from generator.sheets.sheet5.view import ROUNDED as ON_5
from generator.sheets.sheet6.view import ROUNDED as ON_6
from tests.support.covering import covering, each
from tests.support.filled import PRESETS
from tests.support.sheets import html, traces

NAMES = ("query", "scores", "scaled", "exp", "sum", "weights", "output")


@pytest.mark.parametrize(
    ("preset", "sheet", "level"),
    covering(("katze", "katze-trained", "random", "brille"), ("4a", "4b"), (1, 2, 3)),
)
def test_each_asked_step_has_its_decimals(preset, sheet, level):
    trace, _ = traces(preset, "de")
    if preset == "brille" and sheet == "4b":
        sheet = "4a"  # it has no mask
    plan = planned(sheet, trace, SheetOptions(level=level))
    trace = trace.with_steps(plan.extra)
    said = places(trace, plan.asked, NAMES)
    assert said
    for step, _, _ in plan.asked:
        if (name := step.rpartition(".")[2]) in NAMES:
            assert name in said[shown_decimals(trace[step])]
    assert {name for names in said.values() for name in names} <= {
        step.rpartition(".")[2] for step, _, _ in plan.asked
    }


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Nachkommastellen: 3 für Anteil, 4 für Potenz und Summe Σ, sonst 2."),
        ("en", "Decimal places: 3 for weight, 4 for power and sum Σ, 2 for the rest."),
    ],
)
@pytest.mark.parametrize("sheet", ["4a", "4b"])
def test_it_stands_before_the_first_task(language, sentence, sheet):
    trace, exact = traces("katze-trained", language)
    shown = html(trace, exact, SheetOptions(language=language), blank=True, sheet=sheet)
    work = shown.partition('class="leaf work')[2]
    assert sentence in work.partition('class="task"')[0]
    assert shown.count(sentence) == 1


COPIED = {"activation"}  # h or 0
IN_TASKS = {"cumulative", "from"}  # the task says it
SHEETS = {"5": ON_5, "6": ON_6}


def test_the_usual_number_stands_for_the_rest():
    trace, exact = traces("katze", "de")
    plan = planned("5", trace, SheetOptions())
    whole = trace.with_steps(plan.extra)
    found = places(whole, plan.asked, ON_5)
    assert usual(found) == 2
    assert (found[3], found[4]) == (["variance"], ["squares"])
    assert usual(places(whole, plan.asked, ("variance", "squares"))) is None
    page = html(trace, exact, SheetOptions(), blank=True, sheet="5")
    assert "Nachkommastellen: 3 für σ², 4 für Quadrate, sonst 2." in page


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
