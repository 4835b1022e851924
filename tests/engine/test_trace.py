"""The Trace: written once, read-only, found by name or alias; and models without a result."""

import dataclasses

import numpy as np
import pytest

from generator.engine.model import compute
from generator.engine.ops.copying import Copy
from generator.engine.place import Place
from generator.engine.scope import Run, Scope
from generator.errors import UserError
from tests.engine.models import small, with_weights, with_words


def empty_scope() -> Scope:
    return Scope(Run(small(), "exact"))


def refused(preset, sentence=None, **options) -> str:
    with pytest.raises(UserError) as caught:
        compute(preset, sentence, **options)
    return str(caught.value)


def test_a_name_is_written_once():
    scope = empty_scope()
    scope.give("x", np.ones((1, 1)))
    for write in (lambda: scope.give("x", np.ones((1, 1))), lambda: scope.apply("x", Copy(), "x")):
        with pytest.raises(KeyError, match="already written"):
            write()
    scope.alias("y", "x")
    for again in (lambda: scope.alias("y", "x"), lambda: scope.give("y", np.ones((1, 1)))):
        with pytest.raises(KeyError, match="already written"):
            again()


def test_a_step_is_named_by_the_place_where_it_is_written():
    scope = empty_scope()
    scope.give("x", np.ones((1, 1)))
    head = scope.block(2).head(1)
    assert head.apply("query", Copy(), "x") == "block2.head1.query"
    assert scope["block2.head1.query"].place == Place(1, 2, 1, "query")
    assert scope.within("final").alias("norm", "x") == "x"
    assert "final.norm" in scope


def test_a_later_round_has_names_of_its_own_and_shares_what_is_given():
    trace = compute(small(), rounds=2)
    assert len(trace["round2.tokens"].values) == len(trace.tokens) + 1
    query = trace["round2.block1.head1.query"]
    assert query.inputs == ("round2.input", "block1.head1.weight.query")
    assert trace.aliases["round2.block1.output"] == "round2.block1.normalised2"


def test_what_is_computed_besides_leaves_the_trace_as_it_is():
    trace = compute(small())
    before = dict(trace.steps)
    scratch = trace.scratch()
    scratch.apply("input", Copy(), "input", decimals=0)
    assert [step.name for step in scratch.new] == ["input"]
    assert scratch["input"].decimals == 0
    assert dict(trace.steps) == before
    with pytest.raises(KeyError, match="already written"):
        scratch.give("input", np.ones((1, 1)))


def test_nothing_of_a_trace_is_reassigned():
    trace = compute(small())
    for name in ("sentence", "steps", "worked", "exercise", "notices"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(trace, name, None)
    assert dataclasses.replace(trace, exercise=0)["input"] is trace["input"]


def test_every_step_has_two_dimensions():
    with pytest.raises(ValueError, match="x has 1 dimensions, expected 2"):
        empty_scope().give("x", np.ones(3))


def test_numbers_and_steps_are_read_only():
    trace = compute(small())
    for step in trace:
        with pytest.raises(ValueError, match="read-only"):
            step.values[0, 0] = 1
    with pytest.raises(TypeError):
        trace.steps["x"] = trace["input"]
    with pytest.raises(TypeError):
        trace.aliases["x"] = "input"


def test_labels_fit_the_numbers():
    for step in compute(small(strategy="top-p", p=0.5, random=0.5, output_positions="all")):
        assert step.shape == (len(step.rows), len(step.columns)), step.name


def test_inputs_come_before_what_is_computed_from_them():
    seen: set[str] = set()
    for step in compute(small()):
        assert seen.issuperset(step.inputs)
        seen.add(step.name)


def test_an_alias_finds_the_step():
    trace = compute(small())
    assert trace.aliases["block1.output"] == "block1.normalised2"
    assert trace["block1.output"] is trace["block1.normalised2"]
    assert "block1.output" in trace
    assert "block1.output" not in trace.steps


def test_one_head_without_w_o_is_its_own_attention():
    preset = small(heads=1, d_head=4, blocks=1)
    keep = {k: v for k, v in preset.weights.items() if "head1" not in k and "block1" in k}
    del keep["block1.weight.output"]
    square = {f"block1.head1.weight.{w}": np.eye(4) for w in ("query", "key", "value")}
    trace = compute(dataclasses.replace(preset, weights={**keep, **square}))
    assert trace.aliases["block1.concat"] == "block1.head1.output"
    assert trace.aliases["block1.attention"] == "block1.head1.output"


def test_an_unknown_step_names_the_nearest():
    with pytest.raises(UserError, match=r"'small' has no step 'block1.head1.score'.*head1.scores'"):
        compute(small())["block1.head1.score"]
    with pytest.raises(UserError, match=r"has no step 'xyzzy'$"):
        compute(small())["xyzzy"]


def test_an_unknown_rounding_names_the_known_ones():
    message = refused(small(), rounding="papper")
    assert message == "there is no rounding 'papper'; did you mean 'paper'?; known: paper, exact"


FLAT = dict.fromkeys("abc", (0.5, 0.5, 0.5, 0.5))


@pytest.mark.parametrize("rounding", ["exact", "paper"])
def test_a_deviation_of_zero_names_step_and_row(rounding):
    words = {**FLAT, "a": (0.1, 0.9, 0.0, 0.0)}
    preset = with_words(small(norm="pre", epsilon=0.0), words)
    message = refused(preset, "a b c", rounding=rounding)
    assert "step block1.normalised1, row 2 (b): the standard deviation σ is 0" in message
    assert "[norm] epsilon" in message


def test_an_epsilon_mends_it():
    trace = compute(with_words(small(norm="pre", epsilon=0.01), FLAT))
    assert trace["block1.normalised1"].values.tolist() == [[0.0] * 4] * 3


LOW = {
    "block1__head1__weight__query": np.eye(4, 2) * 30,
    "block1__head1__weight__key": -np.eye(4, 2),
}


def test_an_empty_sum_names_step_and_row():
    ones = with_words(small(shifted="never"), dict.fromkeys("abc", (1.0, 1.0, 0.0, 0.5)))
    message = refused(with_weights(ones, **LOW), rounding="paper")
    assert "step block1.head1.weights, row 1 (a): the sum of the exponentials is 0" in message
    assert '[softmax] shifted = "auto"' in message


def test_an_automatic_shift_mends_it():
    ones = with_words(small(shifted="auto"), dict.fromkeys("abc", (1.0, 1.0, 0.0, 0.5)))
    trace = compute(with_weights(ones, **LOW), rounding="paper")
    assert "block1.head1.max" in trace
    assert "block1.head2.max" not in trace  # each softmax decides for itself


def test_a_too_large_exponent_names_step_and_row():
    ones = with_words(small(shifted="never"), dict.fromkeys("abc", (1.0, 1.0, 0.0, 0.5)))
    high = {name: 40 * np.abs(matrix) for name, matrix in LOW.items()}
    message = refused(with_weights(ones, **high))
    assert "step block1.head1.exp, row 1 (a)" in message
    assert "too large an exponent" in message


def test_the_strict_mask_leaves_the_first_row_empty():
    for rounding in ("exact", "paper"):
        trace = compute(small(mask="strict"), rounding=rounding)
        for name in ("exp", "sum", "weights", "output"):
            assert not trace[f"block1.head1.{name}"].values[0].any()
        assert (trace["block1.head1.masked"].values[0] == -np.inf).all()


@pytest.mark.parametrize("temperature", [0.0, -0.5])
def test_a_temperature_must_be_above_zero(temperature):
    message = refused(small(temperatures=(1.0, temperature)))
    assert f"temperature: found {temperature:g}, expected a number above 0" in message


def test_too_few_learned_positions():
    preset = with_weights(small(positions="learned"), position=np.ones((2, 4)))
    assert compute(preset, "a b")["position"].values.shape == (2, 4)
    message = refused(preset, "a b c")
    assert "has learned 2 positions; the sentence has 3 tokens: shorten it to 2" in message


def test_unknown_words_where_they_cannot_be():
    own = with_weights(small(output="own"), output__matrix=np.eye(3, 4))
    biased = with_weights(small(), output__bias=[[0.1, 0.2, 0.3]])
    closed = small(unknown="error")
    for preset, reason in ((own, "own output matrix"), (biased, "output bias"), (closed, "error")):
        assert "sampling.next" in compute(preset, "c b a")
        message = refused(preset, "a B")
        assert "does not know the word 'B'" in message
        assert reason in message
        assert "did you mean 'b'?" in message
        assert "known words: a, b, c" in message


def test_given_numbers_hold_for_their_own_sentence_only():
    matrix = small(start="matrix", start_value=np.ones((3, 4)) * [[1], [2], [3]], norm="none")
    assert "gives the numbers of its own sentence only" in refused(matrix, "a b a")
    assert compute(matrix, "a b c")["input"].values[2, 0] == 3
    vector = small(start="vector", start_value=np.array([[0.1, 0.2, 0.3, 0.4]]))
    assert "vector in the preset" in refused(vector, "c")
    assert "block1.head1.query" not in compute(vector)


@pytest.mark.parametrize("missing", ["k", "p", "random"])
def test_sampling_names_what_it_lacks(missing):
    values = {"k": 2, "p": 0.5, "random": 0.5} | {missing: None}
    strategy = "top-p" if missing == "p" else "top-k"
    message = refused(small(strategy=strategy, **values))
    assert strategy in message
    assert missing in message


def test_a_tie_goes_to_the_earlier_word():
    preset = with_words(small(strategy="top-k", k=1, random=0.9), FLAT)
    trace = compute(preset, "c b a")
    assert trace["sampling.rank"].values.tolist() == [[1.0, 2.0, 3.0]]
    assert trace["sampling.next"].values[0, 0] == "a"
