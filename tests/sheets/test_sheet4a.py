"""Sheet 4a: its sentences on √d_k, on query and key and on the reason follow from the numbers."""

import re

import pytest

from generator.engine.model import compute
from generator.insight.attention import Contrast, two_digits
from generator.presets.load import load_preset, shipped
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from tests.support.battery import blank_does_not_hang_on_answers
from tests.support.sheets import TWELVE_WORDS, Paper, paper, solved
from tests.support.words import words


def test_what_the_division_by_the_root_does_is_computed(preset, scaled, plain):
    one = paper("4a", preset, level=3)
    assert "Vergleiche die größte und die kleinste Potenz, mit √dk und ohne." in words(one.blank)
    blank, solved = (re.findall(r'(?s)<table class="contrast">.*?</table>', html)[0]
                     for html in (one.blank, one.solution))  # fmt: skip
    filled = re.findall(r'class="answer">(.*?)<', solved)
    assert filled == f"{scaled} {plain}".split()
    assert blank.count('class="jot"></td>') == 6


def test_a_ratio_has_two_digits_and_is_asked_where_powers_differ():
    assert [two_digits(x) for x in (2.0136, 24.04, 9.96, 0.0345, 124_999.0, 2.25)] == [
        2.0, 24.0, 10.0, 0.035, 120_000.0, 2.3]  # fmt: skip
    assert Contrast(2.4843, 0.2618).differs
    assert not Contrast(1.0, 0.0).differs
    assert not Contrast(1.0, 1.0).differs


@pytest.mark.parametrize("count", range(2, 13))
@pytest.mark.parametrize("level", LEVELS)
def test_a_lesson_has_time_to_compare_after_it_however_long_the_sentence(count, level):
    said = " ".join(TWELVE_WORDS.split()[:count])
    plan = paper("4a", "katze-trained", sentence=said, level=level).plan
    assert 45 - plan.in_all >= (9 if level < 3 else 6)
    assert plan.outputs == (1 if level < 3 or count > 7 else 2)


@pytest.mark.parametrize("preset", ["induction", "previous-word", "subject-verb"])
def test_where_a_power_is_0_or_too_long_nobody_divides(preset):
    one = paper("4a", preset, level=3)
    assert not one.plan.compares
    assert "Erkläre: Was würde sich ohne das Teilen" in words(one.blank)
    assert 'class="contrast"' not in one.solution


def test_the_largest_part_of_an_output_is_said_as_per_cent_where_all_parts_add_to_it():
    """Source 001: 0.513 of 1.38 are 37 %; in o₁ some products are negative."""
    said = "Zu o₂ trägt „Matte“ am meisten bei: 0,5149 : 1,37 ≈ 37,6 %."
    assert said in words(paper("4a").blank)
    assert "am meisten bei" not in paper("4a", "katze-trained").blank


def test_without_a_key_for_e_to_the_x_a_power_of_its_first_digits_is_near_enough():
    """2.71828^1.94 is 6.9587, by the key 6.9588; of larger exponents it is further off."""
    assert "Fehlt die Taste eˣ, rechne 2,71828 hoch x." in words(paper("4a").blank)
    assert "2,71828" not in paper("4a", "mental").blank
    far = compute(load_preset("katze"), edits={"block1.head1.weight.query[2,2]": 4.0})
    assert far["block1.head1.scaled"].values.max() > 4
    assert "2,71828" not in Paper("4a", far, far, SheetOptions()).blank


def test_a_query_with_a_negative_number_is_warned_of():
    assert "Ein negatives q senkt den Score bei großem k." in words(paper("4a").blank)
    assert "Ein negatives q" not in words(paper("4a", "mental").blank)


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
    assert one.view.why().endswith("Kein anderer Key passt besser zu dieser Query.")
    assert leader(paper("4a")) == (True, True)


@pytest.mark.parametrize("preset", [one for one in shipped() if one not in ("paris", "ausgabe")])
def test_the_example_and_the_own_token_take_something_from_others(preset):
    """Of `subject-verb` “Hunde” took 0.00, 0.02 and 0.00: what a noun looks at has a value now."""
    one = paper("4a", preset)
    values = [float(v) for v in one.view.trace["block1.head1.value"].values.ravel()]
    for token in (one.plan.worked, one.plan.own):
        output = one.view.trace[one.view.at("output")].values[token]
        assert max(map(abs, output)) >= max(map(abs, values)) / 20


@pytest.mark.parametrize("preset", ["katze-trained", "mental", "induction"])
def test_a_blank_does_not_hang_on_answers(preset):
    blank_does_not_hang_on_answers(*paper("4a", preset).given)


@pytest.mark.parametrize(("preset", "told"), [("mental", False), ("katze", True)])
def test_a_slip_whose_number_only_rounding_makes_is_left_out(preset, told):
    """Half a score is 1 in whole numbers, so division by d_k would give what nobody can know."""
    assert ("wrong_scale" in {one.key for one in solved("4a", preset, 2).slips()}) is told


@pytest.mark.parametrize(
    ("language", "told"),
    [("de", "4 Tokens (je 1 von 4 Zeilen)"), ("en", "4 tokens (each in 1 of 4 rows)")],
)
def test_tokens_that_lead_equally_often_are_told_with_the_rows_of_each(language, told):
    """In "mental" each token has the largest share of one row."""
    assert paper("4a", "mental", language).view.most_attended() == told


def test_a_row_of_equals_looks_at_nobody_most():
    """In two rows of "subject-verb" all have 0.20; in two others, two tokens have 0.48."""
    told = paper("4a", "subject-verb", "en").view.most_attended()
    assert told == "“The” and “small” (each in 2 of 5 rows)"


def test_the_box_of_a_check_ends_its_line():
    """No words stand after it, which would be torn from their sentence."""
    checks = re.findall(r'(?s)<p class="probe">.*?</p>', paper("4a", level=1).blank)
    boxed = [re.sub(r"\s", "", one) for one in checks if "checkbox" in one]
    assert boxed
    assert all(one.endswith("</span></span></p>") for one in boxed)
