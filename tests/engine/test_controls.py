"""Switches, sampling settings and further rounds: what each changes, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest

import generator
from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import load_preset
from tests.engine.models import small

CONTROLS = {"switch.mask", "switch.scale", "switch.position", "switch.heads", "sampling.strategy"}


def test_controls_exist_only_where_they_are_asked_for() -> None:
    katze = load_preset("katze")
    assert not CONTROLS & set(compute(katze).steps)
    assert set(compute(katze, controls=True).steps) >= CONTROLS
    assert compute(katze, edits={"switch.scale": 1}).controls


@pytest.mark.parametrize("name", ["katze", "brille", "ausgabe", "paris", "random"])
@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_untouched_controls_change_no_number(name: str, rounding: str) -> None:
    preset = load_preset(name)
    plain, played = (compute(preset, rounding=rounding, controls=c) for c in (False, True))
    for step in plain:
        if step.name != "sampling.rank":
            assert np.array_equal(step.values, played[step.name].values), step.name
            assert step.decimals == played[step.name].decimals, step.name


def test_each_switch_turns_its_part_off() -> None:
    katze = load_preset("katze")
    plain = compute(katze)
    unmasked = compute(katze, edits={"switch.mask": 0})
    assert (unmasked["block1.head1.weights"].values > 0).all()
    unmasked_model = compute(replace(katze, mask="none"))
    same(unmasked["sampling.share"].values, unmasked_model["sampling.share"].values)
    unscaled = compute(katze, edits={"switch.scale": 0})
    same(unscaled["block1.head1.scaled"].values, plain["block1.head1.scores"].values)
    placeless = compute(katze, edits={"switch.position": 0})
    same(placeless["input"].values, np.round(plain["embedding"].values, 1))
    headless = compute(katze, edits={"switch.heads[1,2]": 0})
    assert not headless["block1.concat"].values[:, 2:].any()
    same(headless["block1.concat"].values[:, :2], plain["block1.head1.output"].values)


def same(one: np.ndarray, other: np.ndarray) -> None:
    assert np.array_equal(one, other)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_in_a_cell_chooses_as_the_presets_own(strategy: str) -> None:
    preset = replace(load_preset("katze"), k=2, p=0.6, random=0.37)
    own = compute(replace(preset, strategy=strategy))
    live = compute(preset, edits={"sampling.strategy": strategy})
    assert own["sampling.next"].values == live["sampling.next"].values
    if strategy != "greedy":
        same(own["sampling.cumulative"].values, live["sampling.cumulative"].values)


def test_two_digit_draws_are_covered_exactly_once() -> None:
    preset = replace(load_preset("random"), random=0.5)
    for strategy in STRATEGIES:
        trace = compute(preset, edits={"sampling.strategy": strategy})
        words = trace["vocabulary.words"].values[:, 0]
        owners = [owner(trace, draw) for draw in range(100)]
        assert all(len(found) == 1 for found in owners)
        for draw in range(0, 100, 7):
            edits = {"sampling.strategy": strategy, "sampling.random": draw / 100}
            assert compute(preset, edits=edits)["sampling.next"].values == words[owners[draw][0]]


def owner(trace: generator.engine.trace.Trace, draw: int) -> list[int]:
    found = []
    for j, text in enumerate(trace["sampling.digits"].values[0]):
        if text != "–":
            first, _, last = text.partition("–")
            if int(first) <= draw <= int(last or first):
                found.append(j)
    return found


def test_equal_shares_end_where_the_draw_looks() -> None:
    words = {f"w{k}": (0.1 * k, 0.2, 0.3, 0.9) for k in range(10)}
    preset = replace(small(), words=words, strategy="sample", random=0.3)
    weights = {**preset.weights, "output.matrix": np.zeros((10, 4))}
    even = replace(preset, weights=weights, output="own", sentences={"en": "w1 w2 w3"})
    trace = compute(replace(even, language="en"), rounding="exact", controls=True)
    assert trace["sampling.digits"].values[0].tolist()[3] == "30–39"
    assert trace["sampling.next"].values == "w3"


def test_rounds_append_the_chosen_token_and_compute_all_again() -> None:
    katze = load_preset("katze")
    trace = compute(katze, rounds=3, controls=True)
    longer = " ".join(trace["round3.tokens"].values[:, 0])
    assert longer.startswith(trace.sentence + " ")
    alone = compute(katze, longer, controls=True)
    for step in trace:
        if step.name.startswith("round3.") and not step.name.endswith(".new"):
            rest = step.name.removeprefix("round3.")
            if rest != "sampling.random":
                assert np.array_equal(step.values, alone[rest].values), step.name
    assert trace["round3.block1.output"].name == "round3." + alone["block1.output"].name


def test_an_edit_runs_through_all_rounds() -> None:
    katze = load_preset("katze")
    edits: dict[str, object] = {"switch.mask": 0, "block1.head1.weight.query[1,1]": 0.3}
    trace = compute(katze, rounds=2, edits=edits)
    alone = compute(katze, " ".join(trace["round2.tokens"].values[:, 0]), edits=edits)
    assert np.array_equal(trace["round2.output.logits"].values, alone["output.logits"].values)


def test_rounds_with_learned_positions_take_the_next_row() -> None:
    table = np.round(np.linspace(-0.5, 0.5, 32).reshape(8, 4), 1)
    preset = small()
    learned = replace(preset, positions="learned", weights={**preset.weights, "position": table})
    trace = compute(learned, rounds=3)
    n = len(trace.tokens)
    assert np.array_equal(trace["round3.position"].values, table[: n + 2])
    with pytest.raises(UserError, match="learned 8 positions; the sentence has 9 tokens"):
        compute(learned, rounds=8 - n + 2)


def test_each_round_has_its_own_random_number() -> None:
    preset = replace(load_preset("katze"), strategy="sample", random=0.37)
    trace = compute(preset, rounds=3)
    drawn = [trace[f"{r}sampling.random"].values[0, 0] for r in ("", "round2.", "round3.")]
    assert drawn[0] == 0.37
    assert len(set(drawn)) == 3
    edited = compute(preset, rounds=3, edits={"round2.sampling.random": 0.99})
    assert edited["round2.sampling.next"].values != trace["round2.sampling.next"].values


def test_wrong_edits_of_controls(edits: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        compute(load_preset("katze"), edits=edits)


def test_rounds_that_cannot_be(name: str, rounds: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        compute(load_preset(name), rounds=rounds)
