"""What must hold for every model and every sentence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Step, Trace
from tests.engine.models import LETTERS, computed, heads, small

SENTENCES = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=7).map(" ".join)
SEEDS = st.integers(1, 10**6)
MASKS = st.sampled_from(["causal", "none", "strict"])
NORMS = st.sampled_from(["post", "pre", "none"])
BASES = st.sampled_from([None, 2.0, 3.0])
SHIFTS = st.sampled_from(["never", "always", "auto"])
few = settings(derandomize=True, max_examples=40, deadline=None)


def is_row_by_row(step: Step, trace: Trace) -> bool:
    """Whether row i of the step is about token i (contributions are about another one)."""
    own = step.name.startswith("block") and step.rows == trace.tokens
    return own and ".contribution" not in step.name


@few
@given(SENTENCES, SEEDS, MASKS, BASES, SHIFTS)
def test_shares_sum_to_one(sentence, seed, mask, base, shifted):
    trace = compute(small(seed, mask=mask, softmax_base=base, shifted=shifted), sentence)
    steps = [*heads(trace, "weights"), trace["output.probabilities"]]
    assert len(steps) == 5
    for step in steps:
        sums = step.values.sum(axis=1)
        if mask == "strict" and step.name != "output.probabilities":
            assert sums[0] == 0  # the first token sees nothing
            sums = sums[1:]
        assert sums == pytest.approx(1, abs=1e-12)
        assert (step.values >= 0).all()


@few
@given(SENTENCES, SEEDS, st.sampled_from(["post", "pre"]), st.booleans())
def test_rows_of_a_layer_norm_have_mean_0_and_variance_1(sentence, seed, norm, final):
    trace = compute(small(seed, norm=norm, epsilon=1e-12, final_norm=final), sentence)
    steps = [s for s in trace if s.name.rsplit(".", 1)[-1].startswith("normalised")]
    assert len(steps) == 4 + final
    for step in steps:
        assert step.values.mean(axis=1) == pytest.approx(0, abs=1e-9)
        assert step.values.var(axis=1) == pytest.approx(1, abs=1e-6)


@few
@given(SENTENCES, st.sampled_from(LETTERS), SEEDS, st.sampled_from(["causal", "strict"]), NORMS)
def test_a_later_word_changes_no_earlier_row(sentence, word, seed, mask, norm):
    preset = small(seed, mask=mask, norm=norm, positions="sinusoidal")
    short, long = compute(preset, sentence), compute(preset, f"{sentence} {word}")
    n, compared = len(short.tokens), 0
    for step in computed(short):
        if is_row_by_row(step, short):
            later = long[step.name].values[:n, : step.shape[1]]
            np.testing.assert_allclose(later, step.values, rtol=1e-12, atol=1e-12)
            compared += 1
    assert compared > 40


@few
@given(SENTENCES, st.sampled_from(LETTERS), SEEDS, NORMS)
def test_equal_words_without_positions_get_equal_rows(sentence, word, seed, norm):
    trace = compute(small(seed, mask="none", norm=norm), f"{word} {sentence} {word}")
    for step in computed(trace):
        if is_row_by_row(step, trace):
            np.testing.assert_allclose(step.values[0], step.values[-1], rtol=1e-12, atol=1e-12)


@few
@given(SENTENCES, SEEDS)
def test_positions_tell_equal_words_apart(sentence, seed):
    trace = compute(small(seed, mask="none", positions="sinusoidal"), f"a {sentence} a")
    assert np.abs(trace["input"].values[0] - trace["input"].values[-1]).max() > 1e-3


def eight_decimals(seed: int, norm: str) -> Preset:
    """Well conditioned: an epsilon keeps each norm from magnifying the rounding."""
    return small(seed, norm=norm, epsilon=0.5, decimals={"default": 8})


@few
@given(SENTENCES, SEEDS, st.sampled_from(["post", "pre"]), MASKS)
def test_paper_at_eight_decimals_is_near_exact(sentence, seed, norm, mask):
    preset = eight_decimals(seed, norm)
    paper = compute(preset, sentence, rounding="paper")
    exact = compute(preset, sentence, rounding="exact")
    assert list(paper.steps) == list(exact.steps)
    for step in paper:
        if not step.text:
            np.testing.assert_allclose(step.values, exact[step.name].values, rtol=1e-6, atol=1e-6)


@few
@given(SENTENCES, SEEDS, st.integers(0, 8))
def test_paper_numbers_have_no_more_decimals_than_they_show(sentence, seed, decimals):
    trace = compute(small(seed, decimals={"default": decimals}, epsilon=1.0, shifted="auto"),
                    sentence, rounding="paper")  # fmt: skip
    for step in computed(trace):
        if step.rounded and step.decimals is not None:
            finite = step.values[np.isfinite(step.values)]
            assert np.array_equal(np.round(finite, step.decimals), finite)


@few
@given(
    SENTENCES, SEEDS, st.integers(1, 3), st.floats(0, 0.999), st.sampled_from(["top-k", "top-p"])
)
def test_a_drawn_word_is_one_that_was_kept(sentence, seed, k, random, strategy):
    trace = compute(small(seed, strategy=strategy, k=k, p=0.6, random=random), sentence)
    words = trace["vocabulary.words"].values[:, 0].tolist()
    kept = trace["sampling.kept"].values[0]
    share, even = trace["sampling.share"].values[0], trace["sampling.renormalised"].values[0]
    assert kept[words.index(trace["sampling.next"].values[0, 0])] == 1
    assert even.sum() == pytest.approx(1)
    assert trace["sampling.cumulative"].values[0, -1] == 1
    if strategy == "top-k":
        assert kept.sum() == min(k, len(words))
    else:
        smallest = share[kept == 1].min()
        assert share[kept == 1].sum() >= 0.6 > share[kept == 1].sum() - smallest
    assert share[kept == 1].min() >= max(share[kept == 0], default=0)


@few
@given(SENTENCES, SEEDS)
def test_the_greedy_word_has_the_largest_share(sentence, seed):
    trace = compute(small(seed), sentence)
    share = trace["sampling.share"].values[0].tolist()
    words = trace["vocabulary.words"].values[:, 0].tolist()
    assert trace["sampling.next"].values[0, 0] == words[share.index(max(share))]
