"""What if: the answers are what the two computations say, in both languages."""

import math

import pytest

from generator import compute
from generator.locales.catalogue import load
from generator.plans.experiments import possible
from generator.presets.load import load_preset, shipped
from generator.render.data.what_if import ATTENTION, facts, what_if
from generator.sheets.options import SheetOptions
from tests.support.sheets import html, traces


def answers(name: str, language: str) -> dict[str, str]:
    trace = compute(preset=name, language=language)
    return {one.change: one.answer for one in what_if(trace, load(language))}


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", shipped())
def test_every_preset_has_pairs_of_question_and_answer(name, language):
    trace = compute(preset=name, language=language)
    found = what_if(trace, load(language))
    assert len(found) >= 2
    for one in found:
        assert one.question.endswith("?")
        assert len(one.question.split()) <= 15
        assert one.answer.endswith(".")
        assert "{" not in one.answer


def test_the_verb_takes_the_swapped_noun_for_its_subject():
    assert answers("subject-verb", "de")["„Hunde“ und „Katzen“ getauscht"] == (
        "„jagen“ schaute am meisten auf „Hunde“ (99\u202f%); "
        "jetzt schaut „jagen“ am meisten auf „Katzen“ (99\u202f%)."
    )


def test_without_places_the_head_looks_at_all_alike():
    assert answers("previous-word", "en")["Without positional encoding"] == (
        "“on” looked most at “sits” (93%); now “on” looks equally at 4 words (25% each)."
    )


def test_who_looked_at_several_alike_had_no_favourite():
    level = {"block1.head1.weight.query": [[0.0, 0.0]] * 4}
    flat, chosen = (
        compute("die Katze die", preset="katze", language="de", controls=True, edits=edits)
        for edits in (level, {})
    )
    shares = flat["block1.head1.weights"].values[flat.exercise]
    (told, *_) = facts("swap", flat, chosen)
    assert told.key == "most.level"
    assert told.words["was"] == str((shares == shares.max()).sum())
    assert next(one.key for one in facts("swap", flat, flat)) == "most.levels"
    phrase = load("de").t(f"whatif.{told.key}", **told.words, before="33 %", after="40 %")
    assert "gleich stark (je 33 %)" in phrase


def test_without_the_root_powers_of_two_grow():
    """By hand: the scores 4, 0, 0, 2 as exponents give 16 of 16 + 1 + 1 + 4."""
    found = answers("mental", "en")["Not divided by √d_k"]
    share = 2**4 / (2**4 + 1 + 1 + 2**2)
    assert f"50.0% before, {share:.1%} after" in found


def test_a_lower_temperature_by_hand():
    """The probability of "Matte" at T = 0.5, from the logits."""
    trace = compute(preset="katze", rounding="exact", language="en")
    logits = trace["output.logits"].values[0]
    powers = [math.exp(x / 0.5) for x in logits]
    found = {one.change: one.answer for one in what_if(trace, load("en"))}
    assert f"{max(powers) / sum(powers):.1%} after" in found["Temperature 1 → 0.5"]


def test_masked_words_get_their_share_only_without_the_mask():
    trace = compute(preset="katze", controls=True)
    one = next(one for one in possible(trace) if one.key == "mask")
    after = compute(preset="katze", edits=one.edits)
    told = facts("mask", trace, after)
    assert told[0].key == "seen"
    assert told[0].words == {"token": "sitzt", "first": "auf", "last": "Matte"}
    assert told[0].numbers["share"][1] == after["block1.head1.weights"].values[2, 3:].sum()


def test_a_change_without_effect_is_said_to_be_none():
    trace = compute(preset="katze", controls=True)
    told = facts("swap", trace, trace)
    assert [fact.key for fact in told] == ["most.same", "next.same"]
    assert set(ATTENTION) <= {key.split(".")[2] for key in load("de").phrases
                              if key.startswith("workbook.experiment.")}  # fmt: skip


def test_mental_has_its_table_and_says_what_is_simplified():

    for language, words in (
        ("de", "ist die Basis der Potenzen hier 2"),
        ("en", "exponentials here is 2"),
    ):
        trace, exact = traces("mental", language)
        page = html(trace, exact, SheetOptions(language=language), blank=True)
        assert words in page
        assert page.count("<td>16</td>") == 2, "the table on both leaves"
        assert "<i>e</i><sup>" not in page
        assert load_preset("mental").shows[language] in page
    katze = html(*traces("katze", "de"), SheetOptions(language="de"), blank=True)
    assert "<i>e</i><sup>" in katze
    assert "Basis der Potenzen" not in katze


def test_a_strict_mask_is_told_as_such():
    page = html(*traces("same-word", "en"), SheetOptions(language="en"), blank=True, sheet="4b")
    assert "sees only earlier tokens, not even itself" in page
    assert "sees only itself and earlier tokens" not in page
