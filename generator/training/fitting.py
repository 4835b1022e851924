"""Gradient descent: first free, then with every number rounded in each forward run."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from generator.engine.decimals import decimals_for
from generator.engine.draws import draw
from generator.training.curve import Told, untold
from generator.training.network import Network, straight_through
from generator.training.spec import Spec, Training

UNITS = 1_000_000  # steps of the uniform draw that start values come from


@dataclass
class Best:
    """The rounded numbers that were ahead so far; `margin` and `outside` in percentage points."""

    margin: float
    outside: float
    loss: float
    numbers: dict[str, np.ndarray]

    def behind(self, other: "Best", training: Training) -> bool:
        """Whether other numbers are better: by margin and outside as far as wanted, then loss."""
        mine, theirs = (
            (min(one.margin, training.margin), -max(one.outside, training.outside), -one.loss)
            for one in (self, other)
        )
        return theirs > mine


def fitted(
    network: Network,
    targets: Tensor,
    start: Mapping[str, np.ndarray],
    learned: frozenset[str],
    training: Training,
    told: Told = untold,
) -> Best:
    """The best rounded numbers on the way; those that are not `learned` stay as they are.

    `targets` are the ids of the next tokens [b], or the share of each token [b, v]; `told` hears
    the loss of every step. One thread,
    float64, no drawn numbers: the same
    torch gives the same result. Raises `FloatingPointError` where the loss is no number any more.
    """
    threads, exact = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        return _descended(network, targets, start, learned, training, told)
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(exact)


def shares_wanted(spec: Spec) -> Tensor:
    """The id of each prompt's next token [b]; where it has several, the share of each [b, v]."""
    ids = {word: number for number, word in enumerate(spec.words)}
    if all(len(after) == 1 for after in spec.counts.values()):
        return torch.tensor([ids[word] for word in spec.prompts.values()])
    shares = torch.zeros(len(spec.counts), len(ids), dtype=torch.float64)
    for row, after in zip(shares, spec.counts.values(), strict=True):
        for word, count in after.items():
            row[ids[word]] = count / sum(after.values())
    return shares


def start_values(
    shapes: Mapping[str, tuple[int, int]], training: Training
) -> dict[str, np.ndarray]:
    """Start values, drawn uniformly from the seed; gains begin at 1, shifts and biases at 0."""
    return {name: _start(name, shape, training) for name, shape in shapes.items()}


def _start(name: str, shape: tuple[int, int], training: Training) -> np.ndarray:
    last = name.rpartition(".")[2].rstrip("0123456789")
    if last in ("gain", "beta") or ".bias." in f".{name}.":
        return np.full(shape, float(last == "gain"))
    cells = range(shape[0] * shape[1])
    drawn = [draw("training", training.seed, name, cell, UNITS) for cell in cells]
    spread = 2.0 * math.sqrt(3.0) * training.start  # of a uniform draw with that deviation
    return ((np.array(drawn) + 0.5) / UNITS - 0.5).reshape(shape) * spread


def _descended(
    network: Network,
    targets: Tensor,
    start: Mapping[str, np.ndarray],
    learned: frozenset[str],
    training: Training,
    told: Told,
) -> Best:
    all_steps = training.steps + training.rounding_steps
    numbers = {name: torch.tensor(array, dtype=torch.float64) for name, array in start.items()}
    free = [numbers[name].requires_grad_() for name in start if name in learned]
    best = Best(-math.inf, math.inf, math.inf, {})
    for step in _steps(free, training.steps, training.learning_rate):
        loss = _loss(network, targets, numbers, free, training)[0]
        told(step + 1, all_steps, loss.item())
        torch.autograd.backward(loss)
    for step in _steps(free, training.rounding_steps, training.learning_rate / 2):
        short = {name: _short(name, x, learned, training) for name, x in numbers.items()}
        loss, logits = _loss(network, targets, short, free, training)
        found = Best(_margin(logits, targets), _outside(logits, targets), loss.item(), {})
        if best.behind(found, training):
            found.numbers = {name: x.detach().numpy().copy() + 0.0 for name, x in short.items()}
            best = found
        told(training.steps + step + 1, all_steps, loss.item())
        torch.autograd.backward(loss)
    return best


def _steps(free: list[Tensor], count: int, rate: float) -> Iterator[int]:
    """So many steps of Adam with a falling rate; the body of the loop leaves the gradients."""
    adam = torch.optim.Adam(free, lr=rate)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(adam, count)
    for step in range(count):
        adam.zero_grad()
        yield step
        adam.step()
        falling.step()


def _short(name: str, x: Tensor, learned: frozenset[str], training: Training) -> Tensor:
    if name not in learned:
        return x
    return straight_through(x, decimals_for({"default": 1} | training.decimals, name))


def _loss(
    network: Network,
    targets: Tensor,
    numbers: Mapping[str, Tensor],
    free: list[Tensor],
    training: Training,
) -> tuple[Tensor, Tensor]:
    """What is made small, and the logits; large, many and far-reaching numbers cost something."""
    logits, scores = network.logits(numbers)
    loss = F.cross_entropy(logits, targets, label_smoothing=training.smoothing)
    if not torch.isfinite(loss):
        raise FloatingPointError("the loss is no number any more")
    for x in free:
        loss = loss + training.small * x.square().sum() + training.sparse * x.abs().sum()
    if training.largest_score is not None and len(scores):
        loss = loss + F.relu(scores.abs() - training.largest_score).square().mean()
    return loss, logits


def _margin(logits: Tensor, targets: Tensor) -> float:
    """By how many percentage points the right token is ahead, in the worst prompt."""
    shares = logits.detach().softmax(1)
    leaders = targets if targets.ndim == 1 else targets.argmax(1)
    right = shares.gather(1, leaders[:, None])
    others = shares.scatter(1, leaders[:, None], -1.0).amax(1, keepdim=True)
    return 100.0 * float((right - others).min())


def _outside(logits: Tensor, targets: Tensor) -> float:
    """How many percentage points the tokens get that never follow, in the worst prompt."""
    shares = logits.detach().softmax(1)
    if targets.ndim == 1:
        return 100.0 * float(1 - shares.gather(1, targets[:, None]).min())
    return 100.0 * float((shares * (targets == 0)).sum(1).max())
