"""A stop token: where it comes, a text is at its end, however it is made."""

import json
from dataclasses import replace

import pytest

import generator
from generator import compute
from generator.engine.vocabulary import readable
from generator.errors import UserError
from generator.generation.generate import render
from generator.generation.text_so_far import begin
from generator.insight.behaviour import writing
from generator.presets.language import in_language
from generator.presets.load import load_preset
from generator.sheets.sheetgenerate.plan import greedy_tokens, rounds_by_hand

KATZE = load_preset("katze")  # greedy: Die Katze Katze Die Die Matte Matte …
START = "Die Katze"
ENDING = replace(KATZE, stop="Matte")


def test_generation_ends_with_the_stop_token():
    free = generator.generate(START, preset=KATZE, tokens=9)
    made = generator.generate(START, preset=ENDING, tokens=9)
    assert len(free.tokens) == 9
    assert made.tokens == ("Katze", "Die", "Die", "Matte") == free.tokens[:4]
    assert made.ended
    assert not free.ended
    assert "ended by the stop token 'Matte'\n" in render(made, "text")
    assert "stop token" not in render(free, "text")
    told = json.loads(render(made, "json"))
    assert (told["stop"], told["ended"]) == ("Matte", True)


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_nothing_is_counted_after_the_stop_token(rounding):
    made, anew = (
        generator.generate(START, preset=ENDING, tokens=9, rounding=rounding, cache=cache)
        for cache in (True, False)
    )
    free = generator.generate(START, preset=KATZE, tokens=4, rounding=rounding)
    assert made.tokens == anew.tokens == free.tokens
    assert (made.multiplications, made.without_cache) == (free.multiplications, free.without_cache)
    assert anew.multiplications == made.without_cache > made.multiplications


def test_rounds_end_with_the_stop_token_and_say_so():
    trace = generator.compute(START, preset=ENDING, rounds=6)
    assert trace.rounds == 4
    assert trace["round4.sampling.next"].values[0, 0] == "Matte"
    assert "round5.tokens" not in trace
    (notice,) = trace.notices
    assert notice.startswith("the text ends in round 4 of 6 with the stop token 'Matte', after wh")
    assert generator.compute(START, preset=KATZE, rounds=6).rounds == 6
    assert generator.compute(START, preset=ENDING, rounds=4).notices == ()


@pytest.mark.parametrize(("edited", "rounds"), [("auf", 4), ("Katze", 2)])
def test_edits_keep_the_number_of_rounds(edited, rounds):
    """A workbook's structure is that of the sentence, whatever is typed into it."""
    edits = {"tokens[2]": edited}
    assert compute(START, preset=ENDING, rounds=rounds).rounds == rounds
    assert compute(START, preset=ENDING, rounds=6, edits=edits).rounds == 4
    assert compute(START, preset=ENDING, rounds=rounds, edits=edits).rounds == rounds


def test_after_the_stop_token_nothing_is_generated():
    with pytest.raises(UserError, match="ends with 'Matte', the stop token of preset 'katze'"):
        generator.generate(preset=ENDING)


def test_the_stop_token_speaks_the_language():
    assert in_language(ENDING, "en").stop == "mat"
    made = generator.generate("The cat", preset=ENDING, tokens=9, language="en")
    assert made.tokens[-1] == "mat"
    assert len(made.tokens) == 4


def test_a_text_is_printed_as_one_writes():
    tokens = ("Halt", ",", "ruft", "…", "sie", "!", ".x", "z", ".")
    assert readable(tokens, "word") == "Halt, ruft… sie! .x z."
    assert readable(("a", "␣", "."), "character") == "a ."


def test_rounds_by_hand_go_on_to_the_last():
    free = rounds_by_hand(
        compute(START, preset=KATZE), by_number=False, follows=False, powers=False
    )
    stops = set(free.tokens[:-1])
    assert stops
    for word in KATZE.words:
        trace = compute(START, preset=replace(KATZE, stop=word))
        made = rounds_by_hand(trace, by_number=False, follows=False, powers=False)
        assert word not in made.tokens[:-1], word
        assert (made.seed == free.seed) == (word not in stops)
    assert greedy_tokens(compute(START, preset=replace(KATZE, stop="Die"))) == ("Katze", "Die")


def test_a_sentence_that_only_ends_has_no_rounds_by_hand():
    cold = replace(KATZE, stop="Katze", temperatures=(0.02,))
    trace = compute(START, preset=cold, rounding="exact")
    assert trace["sampling.share"].values.max() > 0.99
    with pytest.raises(UserError, match="begin the sentence with other words"):
        rounds_by_hand(trace, by_number=False, follows=False, powers=False)


def test_writing_walks_all_beginnings_and_multiplies_their_shares():
    trace = compute(START, preset=ENDING)
    found = writing(trace, ["Die Katze Matte", "Die Katze sitzt Matte"])
    step, then = trace["sampling.share"], begin(trace).then("sitzt").trace["sampling.share"]
    first, second = (dict(zip(s.columns, s.values[0], strict=True)) for s in (step, then))
    assert found.probability == pytest.approx(first["Matte"] + first["sitzt"] * second["Matte"])
    beginnings = [(one.tokens, one.allowed, one.greedy) for one in found.beginnings]
    assert beginnings == [
        (("Die", "Katze"), ("Matte", "sitzt"), "Katze"),
        (("Die", "Katze", "sitzt"), ("Matte",), "sitzt"),
    ]
    assert not any(one.greedy in one.allowed for one in found.beginnings)
    assert writing(trace, ["Die Matte sitzt"]) is None
    assert writing(trace, ["Die Katze"]) is None
