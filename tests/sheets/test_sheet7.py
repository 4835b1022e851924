"""Sheets 7a and 7b: one step of learning, against plain NumPy, PyTorch and numbers by hand."""

import re

import numpy as np
import pytest

import generator
from generator.errors import UserError
from generator.notation.shown import number
from generator.render.worksheet.worksheet import planned
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from tests.support.covering import first
from tests.support.learning import planned_steps as seen
from tests.support.sheets import html
from tests.support.views import view
from tests.support.witnesses.seen import softmax

PRESETS = ["katze", "katze-trained", "nihao", "random", "ausgabe"]


def stepped(preset: str):
    """Sheet 7b without rounding; by plain NumPy: the last vector, the rows, the bias, the error."""
    trace, plan = seen("7b", rounding="exact", preset=preset)
    y, table = trace.values("last")[0], trace.values("output.matrix")
    bias = trace.values("output.bias")[0] if "output.bias" in trace else np.zeros(len(table))
    error = softmax(table @ y + bias) - np.eye(len(table))[plan.right]
    return trace, plan, y, table, bias, error


@pytest.mark.parametrize("preset", first(2, PRESETS))
def test_the_step_is_that_of_plain_numpy(preset: str) -> None:
    trace, plan, y, table, bias, error = stepped(preset)
    assert trace.values("grad.output.tempered")[0] == pytest.approx(error, abs=1e-12)
    new = table - plan.rate * np.outer(error, y)
    assert trace.values("update.output.matrix") == pytest.approx(new, abs=1e-12)
    after = softmax(new @ y + bias - plan.rate * error * ("output.bias" in trace))
    assert trace.values("step2.output.probabilities")[plan.at] == pytest.approx(after, abs=1e-12)
    (loss,) = trace.values("step2.loss.cross_entropy")[0]
    assert loss == pytest.approx(-np.log(after[plan.right]), abs=1e-12)


@pytest.mark.reference
@pytest.mark.parametrize("preset", PRESETS)
def test_the_step_is_that_of_torch(preset: str) -> None:
    torch = pytest.importorskip("torch")
    trace, plan = seen("7b", rounding="exact", preset=preset)
    y = torch.tensor(trace.values("last"))
    weights = [torch.tensor(trace.values("output.matrix"), requires_grad=True)]
    if "output.bias" in trace:
        weights.append(torch.tensor(trace.values("output.bias"), requires_grad=True))

    def loss():
        logits = y @ weights[0].T + (weights[1] if len(weights) > 1 else 0)
        return torch.nn.functional.cross_entropy(logits, torch.tensor([plan.right]))

    before = loss()
    before.backward()
    assert weights[0].grad.numpy() == pytest.approx(trace.values("grad.output.matrix"), abs=1e-12)
    torch.optim.SGD(weights, lr=plan.rate).step()
    assert trace.values("update.output.matrix") == pytest.approx(weights[0].detach().numpy())
    assert before.item() == pytest.approx(trace.values("loss.cross_entropy")[0, 0], abs=1e-12)
    assert loss().item() == pytest.approx(trace.values("step2.loss.cross_entropy")[0, 0], abs=1e-12)


def test_numbers_by_hand() -> None:
    """P of "Katze" is 0.341 and y₁ is −1.47; the rest is a pocket calculator's."""
    trace, plan = seen("7a", preset="katze")
    assert trace.values("loss.cross_entropy")[0, 0] == 1.08  # −ln 0.341
    assert trace.values("grad.output.tempered")[0, plan.right] == -0.659  # 0.341 − 1
    assert trace.values("grad.output.matrix")[plan.right, 0] == 0.969  # −0.659 · (−1.47)
    assert trace.values("update.output.matrix")[plan.right, 0] == -0.48  # 0 − 0.5 · 0.969


def test_a_wrong_row_and_an_old_one_by_hand() -> None:
    """The row of "und" begins with −4.0, that of "." with −1.8; the gradient is 1.115."""
    found = {}
    for sheet in ("7a", "7b"):
        trace, plan = seen(sheet, preset="katze-trained")
        context = view(plan, trace, trace, SheetOptions(), Formulas(), blank=False)
        found |= {slip.key: round(slip.wrong, 2) for slip in context.slips()}
    assert found["other_row"] == -2.36  # −1.8 − 0.5 · 1.115
    assert found["old_row"] == 6.25  # −1.63 · (−4) + 0.11 · (−0.2) + 1.06 · 0.2 + 0.46 · (−1)


def test_rows_that_learn_begin_a_page_where_the_errors_fill_one() -> None:
    for level, turns in ((1, False), (2, True), (3, True)):
        trace, exact = (generator.compute(preset="katze", rounding=r) for r in ("paper", "exact"))
        page = html(trace, exact, SheetOptions(level=level, part="work"), blank=True, sheet="7a")
        before, _, after = page.partition('<div class="newpage">')
        assert bool(after) == turns
        assert not turns or ("Zeile von" in after and "Zeile von" not in before)


@pytest.mark.parametrize("preset", first(2, PRESETS))
def test_the_table_of_rates_begins_before_learning_and_follows_plain_numpy(preset: str) -> None:
    trace, plan, y, table, bias, error = stepped(preset)
    rates = trace.values("rates.rate")[:, 0]
    assert rates[:3].tolist() == pytest.approx([0, plan.rate / 10, plan.rate])
    assert len(rates) == 4
    for rate, share, loss in zip(
        rates, trace.values("rates.chance")[:, 0], trace.values("rates.loss")[:, 0], strict=True
    ):
        new = (table - rate * np.outer(error, y)) @ y + bias - rate * error * any(bias)
        right = softmax(new)[plan.right]
        assert share == pytest.approx(right, abs=0.004)  # of logits rounded to two decimals
        assert loss == pytest.approx(-np.log(right), abs=0.02)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_own_rate_stands_among_the_rates_with_what_pupils_found(preset: str) -> None:
    """P and loss of the own rate are what was asked, so they are boxes; a solution fills them."""
    trace, exact = (generator.compute(preset=preset, rounding=r) for r in ("paper", "exact"))
    rows = {}
    for blank in (True, False):
        page = html(trace, exact, SheetOptions(level=2), blank=blank, sheet="7b")
        (table,) = re.findall(r'(?s)<table class="output strips rates".*?</table>', page)
        rows[blank] = re.findall(r"(?s)<tr>.*?</tr>", table)
    whole, plan = seen("7b", 2, preset=preset)
    assert len(rows[True]) == 4
    differing = [(a, b) for a, b in zip(rows[True], rows[False], strict=True) if a != b]
    ((blank_row, own),) = differing
    assert f"{number(plan.rate, None, 'de')} (deine)" in blank_row
    chance, loss = whole["step2.output.probabilities"], whole["step2.loss.cross_entropy"]
    found = re.findall(r'class="answer">([^<]+)<', own)
    shown = chance.values[plan.at, plan.right], loss.values[0, 0]
    assert found == [
        number(x, s.decimals, "de") for x, s in zip(shown, (chance, loss), strict=True)
    ]
    assert not any(one in blank_row for one in found)


def test_a_step_makes_the_right_word_visibly_likelier_on_paper_too() -> None:
    for preset in PRESETS:
        trace, plan = seen("7b", preset=preset)
        before, after = (
            trace.values(f"{at}output.probabilities")[plan.at, plan.right] for at in ("", "step2.")
        )
        assert after >= before + 0.05
        assert trace.values("step2.loss.cross_entropy") < trace.values("loss.cross_entropy")


def test_the_word_that_comes_next_can_be_named() -> None:
    trace, plan = seen("7a", preset="katze", edits={"loss.target": "sitzt"})
    assert trace["output.logits"].columns[plan.right] == "sitzt"


def test_pupils_bring_the_rows_that_they_were_asked_for_and_no_other() -> None:
    trace, exact = (generator.compute(preset="katze", rounding=r) for r in ("paper", "exact"))
    options = SheetOptions(carry="own")
    rows = planned("7a", trace, options).rows
    page = html(trace, exact, options, blank=True, sheet="7b")
    brought = page.count('class="ask carry')
    assert brought == len(rows) * trace["last"].shape[1] == 8


def test_a_word_that_never_comes_is_refused() -> None:
    with pytest.raises(UserError, match="name another word with --next-word"):
        seen("7a", preset="katze-trained", edits={"loss.target": "sitzt"})
