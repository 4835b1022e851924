"""Sheet 4a: its sentences on √d_k, on query and key and on the reason follow from the numbers."""

import pytest

from generator.presets.load import shipped
from tests.support.battery import blank_does_not_hang_on_answers
from tests.support.sheets import Paper, paper
from tests.support.words import words


@pytest.mark.parametrize(
    ("preset", "scaled", "plain"),
    [
        ("katze", "1,4333 : 0,7118 ≈ 2,01", "1,6653 : 0,6188 ≈ 2,69"),  # e^0.36, e^0.51 …
        ("katze-trained", "2,4843 : 0,2618 ≈ 9,49", "3,6328 : 0,1511 ≈ 24,04"),
        ("mental", "4 : 1 = 4", "16 : 1 = 16"),  # powers of 2
    ],
)
def test_what_the_division_by_the_root_does_is_computed(preset, scaled, plain):
    one = paper("4a", preset)
    assert "Berechne größte durch kleinste Potenz, dann ohne √dk" in words(one.blank)
    assert f"Mit √dk: {scaled}; ohne: {plain}." in words(one.solution)
    assert plain not in words(one.blank)


@pytest.mark.parametrize("preset", ["induction", "previous-word", "subject-verb"])
def test_where_a_power_is_0_or_too_long_nobody_divides(preset):
    one = paper("4a", preset)
    assert not one.plan.compares
    assert "Erkläre: Was würde sich ohne das Teilen" in words(one.blank)
    assert "Mit √dk:" not in words(one.solution)


def test_query_and_key_are_told_apart_by_exchanging_them():
    """By hand: 0.9 · 0.1 − 0.3 · 1.2 = −0.27; the other way 0.8 · 0.9 + 1.4 · 1.0 = 2.12."""
    asked = "Warum ist der Score von „sitzt“ mit „Katze“ (−0,27) ein anderer als umgekehrt (2,12)?"
    assert asked in words(paper("4a").solution)
    assert "Warum teilt man durch √dk?" not in words(paper("4a").solution)
    assert "Warum teilt man durch √dk?" in words(paper("4a", "mental").solution)  # both are 0


def leader(one: Paper) -> tuple[bool, bool]:
    """Whether a reason is called the most important one, and whether one product decides.

    It does if it alone makes its token lead, or if that one does not lead without it.
    """
    view, plan = one.view, one.plan
    trace = view.trace
    query = trace[f"{plan.at}.query"].values[plan.own]
    products = [(query * trace[f"{plan.at}.key"].values[j]).round(9) for j in plan.visible]
    shares = [trace[view.at("weights")].values[plan.own, j] for j in plan.visible]
    best = max(range(len(shares)), key=lambda k: shares[k])
    others = [k for k in range(len(shares)) if k != best]
    mean = sum(products) / len(products)
    column = max(range(len(query)), key=lambda c: round(products[best][c] - mean[c], 9))
    rest = [round(float(one.sum() - one[column]), 9) for one in products]
    decides = all(products[k][column] < products[best][column] for k in others)
    decides |= any(rest[k] >= rest[best] for k in others)
    return "Der wichtigste Grund ist" in view.why(), decides


@pytest.mark.parametrize("preset", [one for one in shipped() if one not in ("paris", "ausgabe")])
def test_a_reason_is_the_most_important_one_only_if_it_decides(preset):
    said, decides = leader(paper("4a", preset))
    assert decides or not said


def test_a_product_that_others_beat_and_nobody_needs_is_no_reason():
    """−1.8 · 0.76 is above the average; −1.8 · 0.7 is larger, without it “sitzt” leads too."""
    one = paper("4a", "katze-trained", sentence="Matte sitzt der")
    assert one.view.own == "sitzt"
    assert leader(one) == (False, False)
    assert "Sein Score ist am größten: Mehrere Produkte" in one.view.why()
    assert leader(paper("4a")) == (True, True)


@pytest.mark.parametrize("preset", ["katze-trained", "mental", "induction"])
def test_a_blank_does_not_hang_on_answers(preset):
    blank_does_not_hang_on_answers(*paper("4a", preset).given)
