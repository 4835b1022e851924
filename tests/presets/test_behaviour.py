"""Every shipped preset does what it states, in exact and in paper arithmetic."""

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from generator import compute
from generator.engine.preset import Promise
from generator.insight.behaviour import RULES, broken, holds, kinds, looks, predicted
from generator.presets.language import in_language
from generator.presets.load import load_preset, shipped
from tests.presets.sentences import COUNT, MAKERS, sentences

HEADS = tuple(MAKERS)
NAMES = shipped()


@pytest.mark.parametrize("name", NAMES)
def test_each_states_something_and_keeps_it(name):
    assert load_preset(name).behaviour
    for language, rounding in product(("de", "en"), ("paper", "exact")):
        preset = in_language(load_preset(name), language)
        for promise in preset.behaviour:
            trace = compute(promise.sentence or None, preset=preset, rounding=rounding)
            assert holds(trace, promise), (language, rounding, promise)


@pytest.mark.parametrize("rounding", ["paper", "exact"])
@pytest.mark.parametrize("name", HEADS)
def test_heads_with_a_meaning_keep_it_on_fifty_sentences(name, rounding):
    preset = load_preset(name)
    drawn = sentences(preset)
    cases = Counter()
    for sentence in drawn:
        trace = compute(sentence, preset=preset, rounding=rounding)
        for k, promise in enumerate(preset.behaviour):
            if promise.tokens and len(trace.tokens) > promise.tokens:
                continue
            if promise.rule not in RULES or looks(trace, promise):
                cases[k] += 1
                assert holds(trace, promise), (sentence, promise)
    assert len(set(drawn)) == COUNT
    assert all(cases[k] >= 30 for k in range(len(preset.behaviour))), cases


def test_random_chooses_a_word_of_any_sentence():
    for k in range(COUNT):
        trace = compute(" ".join(f"w{k * j % 7}" for j in range(1, 6)), preset="random")
        assert holds(trace, load_preset("random").behaviour[0])


@pytest.mark.parametrize("name", HEADS)
def test_what_is_meaningful_says_in_both_languages_what_to_see(name):
    preset = load_preset(name)
    assert preset.meaningful
    assert set(preset.shows) == {"de", "en"}
    assert len(preset.dimensions) == preset.d_model <= 8
    assert preset.d_head <= 4
    numbers = [*preset.words.values(), *(w.ravel() for w in preset.weights.values())]
    assert all(round(float(x), 1) == x for row in numbers for x in row), "one decimal at most"


@pytest.mark.parametrize("name", HEADS)
def test_without_its_query_a_head_has_no_meaning(name):
    preset = load_preset(name)
    weights = {k: w * 0 if k.endswith("query") else w for k, w in preset.weights.items()}
    broken = replace(preset, weights=weights)
    kept = [holds(compute(preset=broken), promise) for promise in broken.behaviour]
    assert not all(kept)
    assert not kept[0]


def test_previous_word_turns_the_query_back_by_one_place():
    """By hand for the fourth of six words: places as printed, scores, shares."""
    places = [(0.0, 1.0), (0.8, 0.5), (0.9, -0.4), (0.1, -1.0)]
    s, c = places[3]
    query = (5.4 * s - 8.4 * c, 8.4 * s + 5.4 * c)
    scores = [(query[0] * a + query[1] * b) / math.sqrt(2) for a, b in places]
    powers = [math.exp(x) for x in scores]
    trace = compute(preset="previous-word", rounding="exact")
    promise = trace.preset.behaviour[0]
    assert looks(trace, promise)[2].share == pytest.approx(powers[2] / sum(powers), abs=1e-12)


def test_mental_needs_no_calculator():
    """Powers of 2 whose sum is 8 in every row, and whole numbers everywhere but in the shares."""
    expected = [[1, 4, 2, 1], [4, 1, 1, 2], [2, 1, 1, 4], [1, 2, 4, 1]]
    for rounding in ("paper", "exact"):
        trace = compute(preset="mental", rounding=rounding)
        assert trace["scale"].values.tolist() == [[2]]
        assert trace["block1.head1.exp"].values.tolist() == expected
        assert trace["block1.head1.weights"].values.tolist() == (np.array(expected) / 8).tolist()
        for step in trace:
            whole = (
                step.text or step.name.endswith(("weights", "mask")) or ".contribution" in step.name
            )
            assert whole or (step.values == step.values.round()).all(), step.name


def test_induction_continues_what_it_has_seen_once():
    for sentence, word in (
        ("Anna Berg trifft Max Kolb . Max", "Kolb"),
        ("Max Anna trifft Berg Max", "Anna"),
        ("Kolb . Kolb", "."),
    ):
        trace = compute(sentence, preset="induction")
        assert predicted(trace, trace.preset.behaviour[2]) == ((word,), word)


def test_a_verb_takes_the_noun_before_it_for_its_subject():
    promise = load_preset("subject-verb").behaviour[0]
    for sentence, subject in (
        ("Die Katzen jagen Hunde", "Katzen"),
        ("Zwei alte Autos in Gärten suchen Kinder", ""),
        ("Viele Frauen sehen Bälle", "Frauen"),
    ):
        trace = compute(sentence, preset="subject-verb")
        found = [trace.tokens[j] for one in looks(trace, promise) for j in one.at]
        assert found == ([subject] if subject else [])


def test_a_kind_is_the_largest_named_dimension():
    trace = compute("Affen hören Lieder in Städten", preset="subject-verb")
    assert kinds(trace) == ["animal", "action", "thing", "link", "place"]


def test_a_promise_without_a_case_is_not_kept():
    trace = compute("Tag um Jahr", preset="same-word")
    promise = trace.preset.behaviour[0]
    assert looks(trace, promise) == ()
    assert not holds(trace, promise)


def test_a_share_on_one_copy_is_no_share_on_all():
    """Looking at itself only would not do: each copy has to get as much."""
    trace = compute("Tag um Tag um Tag", preset="same-word")
    promise = Promise("same", "block1.head1", (), (), "", 0.9, 0)
    shares = trace["block1.head1.weights"].values[4]
    assert shares[0] == shares[2]
    assert looks(trace, promise)[-1].share == pytest.approx(2 * shares[0])


def test_statements_leave_the_content_hash_alone(tmp_path):
    text = load_text("katze")
    (tmp_path / "katze.toml").write_text(text.replace('at = ["Matte"]', 'at = ["Katze"]'), "utf-8")
    assert load_preset(tmp_path / "katze.toml").sha256 == load_preset("katze").sha256


def load_text(name: str) -> str:
    from generator.presets.load import FOLDER

    return (FOLDER / f"{name}.toml").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_check_finds_no_broken_promise_in_a_shipped_preset(name):
    assert list(broken(load_preset(name))) == []


def test_the_check_names_a_promise_that_is_not_kept():
    writes, promise, _ = load_preset("katze-trained").behaviour
    wrong = replace(load_preset("katze-trained"), behaviour=(replace(promise, at=("Maus",)),))
    first, *others = broken(wrong)
    assert first.key == "behaviour.1"
    assert first.found.startswith("'Matte' as next token in 'Die Katze sitzt auf der' (de, ")
    assert first.expected == "'Maus'"
    assert len(others) == 3  # exact and paper, both languages
    fewer = replace(writes, at=writes.at[:1], least=0.99)
    found = list(broken(replace(wrong, behaviour=(fewer,))))
    assert [one.found.partition(" in ")[0] for one in found if "(en, paper)" in one.found] == [
        "a probability of 0.192 that sampling writes one of the texts"
    ]
    assert {one.expected for one in found} == {"0.99 or more"}
    mouse = replace(writes, at=writes.at[6:7])
    assert "'cat' as next token of 'The'" in "".join(p.found for p in broken(
        replace(wrong, behaviour=(mouse,))))  # fmt: skip
    strict = load_preset("previous-word")
    strict = replace(strict, behaviour=(replace(strict.behaviour[0], least=0.9),))
    assert "a share of 0.89" in next(broken(strict)).found
    assert "from 'sitzt' to Katze" in next(broken(strict)).found
