"""To how many decimals pupils round is said once, and it is what the solution prints."""

import pytest

from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.notation.shown import shown_decimals
from generator.render.worksheet.worksheet import planned
from generator.sheets.context import places, usual
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from generator.sheets.sheet5.view import ROUNDED as ON_5
from generator.sheets.sheet6.view import ROUNDED as ON_6
from tests.support.filled import PRESETS, reason
from tests.support.sheets import html, traces

ATTENTION = ("query", "scores", "scaled", "exp", "sum", "weights", "output")
SHEETS = {"4a": ATTENTION, "4b": ATTENTION, "5": ON_5, "6": ON_6}
COPIED = {"activation", "masked"}  # h or 0, −∞ or the same
IN_TASKS = {"cumulative", "from", "concat"}  # the task says it
FITTING = {  # all presets that fill a sheet, the first of them always
    "4a": "katze random katze-trained nihao previous-word same-word induction subject-verb "
    "brille mental",
    "4b": "random katze katze-trained nihao previous-word same-word induction subject-verb",
    "5": "katze random katze-trained nihao",
    "6": "katze random katze-trained nihao induction ausgabe",
}
PAIRS = [
    pytest.param(sheet, preset, marks=pytest.mark.ci if k else ())
    for sheet, presets in FITTING.items()
    for k, preset in enumerate(presets.split())
]


@pytest.mark.ci
def test_every_preset_that_fills_a_sheet_is_looked_at() -> None:
    fitting = {(sheet, one) for sheet in SHEETS for one in PRESETS if not reason(sheet, one)}
    assert {one.values for one in PAIRS} == fitting


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sheet", "preset"), PAIRS)
def test_all_that_pupils_compute_has_its_name_and_its_decimals(sheet, preset, level) -> None:
    trace, names = traces(preset, "de")[0], SHEETS[sheet]
    plan = planned(sheet, trace, SheetOptions(level=level))
    whole = trace.with_steps(plan.extra)
    steps = {step for step, _, _ in plan.asked if not whole[step].text}
    kind_of = {step: step.rpartition(".")[2].rstrip("0123456789") for step in steps}
    assert kind_of
    assert set(kind_of.values()) - COPIED - IN_TASKS <= set(names)
    said = places(whole, plan.asked, names)
    assert said
    assert {name for some in said.values() for name in some} <= set(kind_of.values())
    for step, kind in kind_of.items():
        assert kind not in names or kind in said[shown_decimals(whole[step])]
    phrases = {f"sheet{'4a' if names == ATTENTION else sheet}.places.{name}" for name in names}
    assert all(phrases <= set(load(language).phrases) for language in languages())


@pytest.mark.parametrize("sheet", ["4a", "4b"])
def test_it_stands_before_the_first_task(language, sentence, sheet):
    trace, exact = traces("katze-trained", language)
    shown = html(trace, exact, SheetOptions(language=language), blank=True, sheet=sheet)
    work = shown.partition('class="leaf work')[2]
    assert sentence in work.partition('class="task"')[0]
    assert shown.count(sentence) == 1


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
