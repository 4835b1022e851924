"""Our own gradients and PyTorch's train alike: the specs' own optimiser, step by step."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from generator import load_preset
from generator.presets.load import FOLDER
from generator.training.learner import Learner
from generator.training.spec import Prediction, read_spec
from generator.training.task import TrainingTask, task_of

STEPS = 20
BOTH = ["katze-trained", "nihao"]
SHIPPED = ["katze-trained", pytest.param("nihao", marks=pytest.mark.ci)]
FROZEN = json.loads(Path(__file__).with_name("frozen_steps.json").read_text("utf-8"))
RMS = ("causal", 'norm = { kind = "pre", form = "rms", epsilon = 0.01, final = true }')
LAYER = ("none", 'norm = { kind = "post", epsilon = 0.01 }')
OTHER = Path(__file__).with_name("other.toml").read_text("utf-8")


def other(folder: Path, mask: str, norm: str, heads: int) -> TrainingTask:
    path = folder / "spec.toml"
    text = OTHER.replace("heads = 1", f"heads = {heads}").replace('"causal"', f'"{mask}"')
    path.write_text(text.replace(RMS[1], norm), encoding="utf-8")
    return task_of(read_spec(path), folder)


def shipped(name: str) -> TrainingTask:
    return task_of(read_spec(FOLDER / "specs" / f"{name}.toml"), FOLDER / "specs")


def steps(task: TrainingTask, learner: Learner) -> Iterator[tuple[float, np.ndarray]]:
    """The loss and the logits of twenty free steps and of twenty with rounded numbers."""
    for short in (False, True):
        learner.begin(STEPS, task.spec.training.learning_rate)
        for _ in range(STEPS):
            seen = learner.look(short=short)
            yield seen.loss, seen.logits.copy()
            learner.go()


def assert_alike(task: TrainingTask) -> None:
    from tests.training.torch_learner import TorchLearner  # torch is an extra

    learners = [kind(task) for kind in (Learner, TorchLearner)]
    pairs = zip(*(steps(task, one) for one in learners), strict=True)
    losses = []
    for (own, logits), (theirs, others) in pairs:
        assert own == pytest.approx(theirs, rel=0, abs=1e-10)
        np.testing.assert_allclose(logits, others, rtol=0, atol=1e-8)
        losses.append(own)
    assert losses[STEPS - 1] < losses[0], "it has learned"
    mine, its = (one.look(short=False).numbers for one in learners)
    assert mine.keys() == its.keys()
    for name, x in mine.items():
        np.testing.assert_allclose(x, its[name], rtol=0, atol=1e-10, err_msg=name)


@pytest.mark.reference
@pytest.mark.parametrize("name", BOTH)
def test_both_go_the_same_steps(name):
    assert_alike(shipped(name))


@pytest.mark.reference
@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize(("mask", "norm"), [RMS, LAYER])
def test_both_go_the_same_steps_with_other_options(tmp_path, mask, norm, heads):
    assert_alike(other(tmp_path, mask, norm, heads))


@pytest.mark.parametrize("name", SHIPPED)
def test_our_own_steps_are_those_that_pytorch_went(name):
    """Frozen by `python -m tests.training.freeze_steps`, which needs PyTorch."""
    task = shipped(name)
    found = [loss for loss, _ in steps(task, Learner(task))]
    np.testing.assert_allclose(found, FROZEN[name], rtol=0, atol=1e-10)
    assert len(found) == 2 * STEPS


@pytest.mark.parametrize(
    ("name", "whole"),
    [("katze-trained", False), *(pytest.param(one, True, marks=pytest.mark.ci) for one in BOTH)],
)
def test_the_kept_history_is_what_training_gives(name, whole):
    """Its first losses and numbers; as a whole, those up to the step in the middle."""
    task, history = shipped(name), load_preset(name).history
    learner = Learner(task)
    learner.begin(task.spec.training.steps, task.spec.training.learning_rate)
    kept = dict(history.losses)
    first, middle = history.states
    assert first.step == 1
    for step in range(1, (middle.step if whole else STEPS) + 1):
        seen = learner.look(short=False)
        if step in kept:
            loss = Prediction(seen.logits, task.wanted).cross_entropy
            assert loss == pytest.approx(kept[step], rel=0, abs=1e-9)
        if step in (1, middle.step):
            state = first if step == 1 else middle
            for number, x in state.numbers.items():
                np.testing.assert_allclose(seen.numbers[number], x, rtol=0, atol=1e-8)
        learner.go()
    assert [step for step, _ in history.losses][:20] == [*range(1, 21)]
