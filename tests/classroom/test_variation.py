"""Who gets what: from the class's seed and the pupil's id alone."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.classroom.numbers.fairness import Effort, Spread, spread, unfair
from generator.classroom.numbers.task import PupilNumbers
from generator.classroom.numbers.variation import (
    MOST_WISHES,
    Lot,
    alike,
    assign,
    nearly_fit,
    own_tokens,
    parse,
)
from generator.errors import UserError
from tests.support.classes import task

SEED = "9f3c2a7be1d04c55"
FOCUS, NUMBERS = parse("focus"), parse("numbers")
KATZE, BRILLE = task(), task("brille", "4a")
IDS = st.text(st.characters(categories=("L", "N", "Pd", "Zs")), min_size=1, max_size=12)


def test_what_can_be_said_is_said_back():
    for text in ("focus", "numbers", "groups=2", "groups=6"):
        assert str(parse(text)) == text
    assert str(parse(" Groups=3 ")) == "groups=3"


def test_what_cannot_be_said(text, message):
    with pytest.raises(UserError) as caught:
        parse(text)
    assert f"--vary: {message}" in str(caught.value)


FROZEN = {  # own tokens without and under a mask, group, the first numbers that differ
    "01": (0, 0, "A", [("[1,2]", 0.4), ("[2,3]", 0.2), ("[2,4]", 0.3), ("[4,1]", 0.2)]),
    "8b-07": (2, 2, "D", [("[1,1]", 0.6), ("[1,2]", 0.2), ("[1,4]", 0.3), ("[2,3]", 0.2)]),
    "Zoë": (4, 4, "D", [("[1,2]", 0.2), ("[2,2]", 0.6), ("[2,3]", 0.3), ("[3,2]", 0.4)]),
}


@pytest.mark.parametrize("pupil_id", FROZEN)
def test_three_pupils_keep_their_numbers_for_ever(pupil_id):
    focus, exercise, group, edits = FROZEN[pupil_id]
    assert assign(BRILLE, FOCUS, Lot(SEED, pupil_id)).exercise == focus
    assert assign(KATZE, FOCUS, Lot(SEED, pupil_id)).exercise == exercise
    assert parse("groups=4").group(Lot(SEED, pupil_id)) == group
    found = assign(KATZE, NUMBERS, Lot(SEED, pupil_id))
    wanted = [(f"vocabulary.embedding{cell}", number) for cell, number in edits]
    assert list(found.edits.items())[:4] == wanted


@settings(max_examples=30, deadline=None)
@given(st.lists(IDS, unique=True, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_late_joiners_change_nobody(ids, chance):
    shuffled = ids.copy()
    chance.shuffle(shuffled)
    for variation in (FOCUS, parse("groups=3"), NUMBERS):
        early = {one: assign(BRILLE, variation, Lot(SEED, one)) for one in ids[:-1]}
        late = {one: assign(BRILLE, variation, Lot(SEED, one)) for one in shuffled}
        assert all(late[one] == found for one, found in early.items())


def test_neighbours_of_a_numbered_class_take_turns():
    ids = [f"8b-{k}" for k in range(1, 29)]
    groups = Counter(parse("groups=4").group(Lot(SEED, one)) for one in ids)
    assert groups == dict.fromkeys("ABCD", 7)
    tokens = [assign(BRILLE, FOCUS, Lot(SEED, one)).exercise for one in ids]
    assert all(a != b for a, b in pairwise(tokens))


def test_ids_without_numbers_spread_too():
    found = Counter(Lot(SEED, f"{chr(97 + k // 26)}{chr(97 + k % 26)}").turn("group", 4)
                    for k in range(400))  # fmt: skip
    assert set(found) == {0, 1, 2, 3}
    assert min(found.values()) > 70


def test_own_tokens_are_fit_for_all_the_sheets(preset, sheets, tokens):
    given = task(preset, sheets)
    assert own_tokens(given) == tuple(tokens)
    assert assign(given, FOCUS, Lot(SEED, "7")).exercise in tokens


def test_focus_gives_tokens_that_are_as_much_work():
    tokens = own_tokens(BRILLE)
    for one in map(str, range(20)):
        found = assign(BRILLE, FOCUS, Lot(SEED, one))
        assert found.exercise in tokens
        assert not found.edits
        assert found.seconds == 15 * 60


@pytest.mark.parametrize("level", [1, 2, 3])
def test_tokens_take_about_as_long_as_the_classs_own(level: int):
    for preset, sheets in (("katze", "4b"), ("katze", "3,4a,4b,5"), ("same-word", "4b")):
        given = task(preset, sheets, level)
        wanted = sum(plan.minutes for plan in given.base_plans.values())
        for token in own_tokens(given):
            plans = given.plans(given.trace({}, exercise=token))
            found = sum(plan.minutes for plan in plans.values())
            assert 0.65 * wanted <= found <= 1.35 * wanted


def test_where_few_tokens_are_fit_those_are_given_too_that_miss_little():
    """With sheets 4a, 4b and 5 only "sitzt" is fit; a class with one token is no class."""
    every = task(sheets="4a,4b,5")
    assert own_tokens(every) == (2, 3, 4)
    assert list(nearly_fit(every)) == [3, 4]
    assert set(nearly_fit(every).values()) == {"gets only zeros from the feed-forward network"}
    for token in (3, 4):
        assert not every.base["block1.feedforward"].values[token].any()


def test_punctuation_is_nobodys_token():
    found = own_tokens(task("brille", "4a", sentence="Die Katze sitzt , der Hund auch ."))
    assert found == (0, 2, 4, 5, 6)


def test_the_own_token_is_what_the_sheets_ask_for():
    for token in own_tokens(BRILLE):
        trace = BRILLE.trace({}, exercise=token)
        (plan,) = BRILLE.plans(trace).values()
        assert plan.own == trace.exercise == token
        assert f"block1.head1.contribution{token + 1}" in trace
        for step in BRILLE.base:
            if "contribution" not in step.name:  # these are there for worked and own token only
                assert np.array_equal(trace[step.name].values, step.values)


def test_a_token_that_there_is_none_of():
    with pytest.raises(UserError, match="exercise: found 6, expected 0 to 5"):
        BRILLE.trace({}, exercise=6)


def test_sheets_that_are_the_same_for_everybody():
    both = task(sheets="1,4a,6")
    assert alike(both, FOCUS, SEED) == ("1", "6")
    assert alike(both, NUMBERS, SEED) == ("1",)
    assert alike(both, parse("groups=2"), SEED) == ("1",)


def test_a_group_shares_its_numbers():
    groups = parse("groups=3")
    found = [assign(KATZE, groups, Lot(SEED, f"{k:02}")) for k in range(1, 13)]
    assert {one.group for one in found} == set("ABC")
    for one in found:
        assert [x.edits for x in found if x.group == one.group].count(one.edits) == 4
    assert len({str(one.edits) for one in found}) == 3


def test_everybody_has_other_numbers_and_only_the_embeddings_differ():
    found = [assign(KATZE, NUMBERS, Lot(SEED, f"{k:02}")) for k in range(1, 31)]
    assert len({str(one.edits) for one in found}) == 30
    for one in found:
        assert one.exercise is None
        assert all(name.startswith("vocabulary.embedding[") for name in one.edits)
        trace = KATZE.trace(one.edits)
        own, base = (t["vocabulary.embedding"].values for t in (trace, KATZE.base))
        assert ((own == 0) == (base == 0)).all()
        assert (np.abs(own - base) < 0.3 + 1e-9).all()
        assert np.array_equal(own, np.round(own, 1))
        weights = [s for s in KATZE.base if ".weight." in s.name]
        assert all(np.array_equal(trace[s.name].values, s.values) for s in weights)
        assert not unfair(PupilNumbers(KATZE, one.edits))


@pytest.mark.ci
def test_fair_numbers_are_found_fast_enough():
    every = task(sheets="1,2,3,4a,4b,5,6")
    found = [assign(every, NUMBERS, Lot(SEED, f"{k:02}")) for k in range(1, 31)]
    efforts = (Effort(one.seconds, one.draws) for one in found)
    assert spread(efforts).redrawn < 30 * 2 * MOST_WISHES


def test_what_the_class_sets_does_not_vary():
    fixed = task(edits={"vocabulary.embedding[2,2]": 0.5})
    for one in map(str, range(5)):
        edits = assign(fixed, NUMBERS, Lot(SEED, one)).edits
        assert "vocabulary.embedding[2,2]" not in edits
        assert fixed.trace(edits)["vocabulary.embedding"].values[1, 1] == 0.5


def test_what_varies_in_each_kind_of_preset(preset, sheets, step):
    given = task(preset, sheets)
    found = assign(given, NUMBERS, Lot(SEED, "01"))
    assert found.edits
    assert all(name.startswith(f"{step}[") for name in found.edits)
    assert not unfair(PupilNumbers(given, found.edits))


def test_own_sentences_languages_and_budgets_vary_too():
    given = task("katze", "4a", sentence="Der Hund schläft auf der Matte", language="en", budget=23)
    found = assign(given, NUMBERS, Lot(SEED, "01"))
    trace = given.trace(found.edits)
    assert trace.language == "en"
    assert (given.plans(trace)["4a"].level, given.plans(trace)["4a"].in_all) == (1, 21)
    assert found.seconds <= 600


def test_a_sheet_that_cannot_take_the_preset_is_told_at_once():
    with pytest.raises(UserError, match="no output, which sheet 6 is about"):
        assign(task("brille", "6"), NUMBERS, Lot(SEED, "01"))
    with pytest.raises(UserError, match="there is no sheet '7'"):
        task(sheets="7")


def test_the_spread_of_effort():
    one = [Effort(60.0 * k, k % 3) for k in (10, 14, 12, 12)]
    assert spread(one) == Spread(4, 10.0, 12.0, 14.0, 3, 2)
    effort = "effort: 10 to 14 minutes of computing, median 12"
    assert str(spread(one)) == f"{effort}; redraws of numbers: 3, at most 2 for one pupil"
    told = "effort: 12 minutes of computing for everybody; no numbers redrawn"
    assert str(spread(one[2:3] * 2)) == told
    assert spread([]) == Spread(0, 0.0, 0.0, 0.0, 0, 0)
    assert spread([one[0], one[1]]).median == 12.0
