"""Learning with PyTorch: its autograd and its Adam, several times as fast as our own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from generator.training.learner import Given, Look, require_finite
from generator.training.network import Network, straight_through


class TorchLearner:
    """Learns by autograd; one thread, float64, no drawn numbers: the same torch, the same bytes."""

    made = f"PyTorch {torch.__version__.partition('+')[0]}"

    def __init__(self, given: Given) -> None:
        preset, prompts, wanted, start, learned, self.training = given
        self.network = Network(preset, prompts)
        self.targets = _targets(wanted)
        self.learned = frozenset(learned)
        self.numbers = {name: torch.tensor(x, dtype=torch.float64) for name, x in start.items()}
        self.free = [self.numbers[name].requires_grad_() for name in start if name in learned]
        self._loss = torch.zeros(())
        self.begin(1, self.training.learning_rate)

    def begin(self, count: int, rate: float) -> None:
        """Begin so many steps of Adam."""
        self._adam = torch.optim.Adam(self.free, lr=rate)
        self._falling = torch.optim.lr_scheduler.CosineAnnealingLR(self._adam, count)

    def look(self, *, short: bool) -> Look:
        """The loss and the logits, with `short` those of rounded numbers."""
        numbers = {name: self._short(name, x) if short else x for name, x in self.numbers.items()}
        with _repeatable():
            self._loss, logits = self._costs(numbers)
        plain = {name: x.detach().numpy() for name, x in numbers.items()}
        return Look(self._loss.item(), logits.detach().numpy(), plain)

    def go(self) -> None:
        """Take a step against the gradients at the last look."""
        with _repeatable():
            self._adam.zero_grad()
            torch.autograd.backward(self._loss)
            self._adam.step()
            self._falling.step()

    def logits_of(self, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """The logits [b, v] after each prompt, with these numbers."""
        return self.network.values(numbers)

    def _short(self, name: str, x: Tensor) -> Tensor:
        if name not in self.learned:
            return x
        return straight_through(x, self.training.decimals_of(name))

    def _costs(self, numbers: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """What is made small, and the logits; large, many and far-reaching numbers cost."""
        training = self.training
        logits, scores = self.network.logits(numbers)
        loss = F.cross_entropy(logits, self.targets, label_smoothing=training.smoothing)
        require_finite(loss.item())
        for x in self.free:
            loss = loss + training.small * x.square().sum() + training.sparse * x.abs().sum()
        if training.largest_score is not None and len(scores):
            loss = loss + F.relu(scores.abs() - training.largest_score).square().mean()
        return loss, logits


def _targets(wanted: np.ndarray) -> Tensor:
    """The ids of the next tokens [b], where each prompt has one only; else their shares [b, v]."""
    single = bool((wanted.max(axis=1) == 1.0).all())
    return torch.tensor(wanted.argmax(axis=1) if single else wanted)


@contextmanager
def _repeatable() -> Iterator[None]:
    """Within it PyTorch computes in one thread and in one order."""
    threads, exact = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(exact)
