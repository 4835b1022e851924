"""The ready experiments: which ones a preset gets, and that each is one the engine computes."""

from dataclasses import replace

import numpy as np
import pytest

from generator.checks.exercise import Exercise
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.plans.experiments import MOST, experiments
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from tests.support.pairs import pairs

EXPECTED = {
    "katze": ["sharper", "swap", "head", "position"],  # the last token sees all: no mask
    "katze-trained": ["sharper", "swap", "head", "scale"],
    "nihao": ["sharper", "swap", "repeat", "flatter"],
    "random": ["sharper", "swap", "head", "position"],
    "brille": ["swap", "scale", "position", "repeat"],
    "ausgabe": ["sharper", "flatter", "strategy", "random"],
    "paris": ["mask", "scale"],  # given vectors: neither words nor temperatures
}
LEAST = 0.02


def played(preset: Preset, **options: object) -> Trace:
    return compute(preset, controls=True, **options)


@pytest.mark.parametrize("name", EXPECTED)
def test_each_preset_gets_what_it_allows_and_each_changes_something_to_be_seen(name: str) -> None:
    preset = load_preset(name)
    delivered = played(preset)
    assert [experiment.key for experiment in experiments(delivered)] == EXPECTED[name]
    seen = "sampling.share" if "sampling.share" in delivered else "block1.head1.weights"
    turned = []
    for experiment in experiments(delivered):
        for t in (load("de").t, load("en").t):
            key = f"workbook.experiment.{experiment.key}"
            assert t(key, **experiment.names)
            question = t(f"{key}.question")
            assert question[-1] in "?."
            assert len(question.split()) <= 15
        trace = played(preset, edits=experiment.edits)
        apart = np.abs(trace[seen].values - delivered[seen].values).max()
        next_token = [str(t["sampling.next"].values) for t in (delivered, trace) if _chooses(t)]
        turned.append(len(set(next_token)) == 2)
        assert turned[-1] or apart >= LEAST, (experiment.key, apart)
    assert any(turned) == _chooses(delivered)  # of every preset with an output one does


def _chooses(trace: Trace) -> bool:
    return "sampling.next" in trace


def test_what_changes_nothing_here_is_not_offered() -> None:
    for name, key in (("katze", "mask"), ("random", "scale"), ("nihao", "head")):
        preset = load_preset(name)
        step = f"switch.{'heads[1,2]' if key == 'head' else key}"
        delivered, trace = played(preset), played(preset, edits={step: 0})
        shares = [t["sampling.share"].values for t in (delivered, trace)]
        assert np.abs(shares[1] - shares[0]).max() < LEAST
        assert key not in [experiment.key for experiment in experiments(delivered)]


def test_the_same_shares_for_other_words_are_a_change() -> None:
    preset = load_preset("subject-verb")
    delivered = played(preset)
    swap = next(one for one in experiments(delivered) if one.key == "swap")
    trace = played(preset, edits=swap.edits)
    shares = [t["block1.head1.weights"].values for t in (delivered, trace)]
    assert np.abs(shares[1] - shares[0]).max() < LEAST
    assert trace.tokens != delivered.tokens


def test_an_exercise_offers_the_same_for_no_hidden_number_is_looked_at() -> None:
    trace = played(load_preset("katze-trained"))
    bare = Exercise(trace, plan(trace, 2).asked).without_numbers()
    assert bare["sampling.share"].values.tolist() != trace["sampling.share"].values.tolist()
    assert experiments(bare) == experiments(trace)


@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.ci)])
def test_every_structure_gets_experiments_that_can_be_computed(count: int) -> None:
    for pair in pairs(count):
        trace = compute(pair.preset, pair.sentence, rounding=pair.rounding, controls=True)
        found = experiments(trace)
        assert len(found) <= MOST
        assert len({experiment.key for experiment in found}) == len(found)
        for experiment in found:
            edits = experiment.edits
            compute(pair.preset, pair.sentence, rounding=pair.rounding, edits=edits, controls=True)


def test_what_was_edited_or_makes_no_difference_is_not_offered(sentence, edits, keys) -> None:
    trace = compute(load_preset("katze"), sentence, controls=True, edits=edits)
    assert [experiment.key for experiment in experiments(trace)] == keys


def test_an_experiment_without_a_result_is_left_out() -> None:
    """Without attention every residual row of equal numbers has σ = 0."""
    katze = load_preset("katze")
    words = dict.fromkeys(katze.words, (0.5, 0.5, 0.5, 0.5))
    preset = replace(katze, words=words, epsilon=0.0)
    keys = [experiment.key for experiment in experiments(played(preset))]
    assert "position" not in keys
