"""To how many decimals pupils round is said once, and it is what the solution prints."""

import pytest

from generator.notation.shown import shown_decimals
from generator.render.worksheet.worksheet import planned
from generator.sheets.decimals import places
from generator.sheets.options import SheetOptions
from tests.support.covering import covering
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
        ("de", "2 für Score, skaliert und Output; 4 für Potenz und Summe Σ; 3 für Anteil."),
        ("en", "2 for score, scaled and output; 4 for power and sum Σ; 3 for weight."),
    ],
)
@pytest.mark.parametrize("sheet", ["4a", "4b"])
def test_it_stands_before_the_first_task(language, sentence, sheet):
    trace, exact = traces("katze-trained", language)
    shown = html(trace, exact, SheetOptions(language=language), blank=True, sheet=sheet)
    work = shown.partition('class="leaf work')[2]
    assert sentence in work.partition('class="task"')[0]
    assert shown.count(sentence) == 1
