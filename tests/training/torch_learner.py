"""Learning with PyTorch, its autograd and its Adam: what our own learner is held to.

Its model is the reference's, which is held to the engine's logits.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import Tensor

from generator.training.learner import StepLook
from generator.training.task import TrainingTask
from tests.reference.torch_gradients import Learning, straight_through


class TorchLearner:
    """Learns by autograd; one thread, float64, no drawn numbers: the same torch, the same bytes."""

    def __init__(self, task: TrainingTask) -> None:
        self.task, self.training, start = task, task.spec.training, task.numbers
        self.numbers = {name: torch.tensor(x, dtype=torch.float64) for name, x in start.items()}
        self.free = [self.numbers[name].requires_grad_() for name in task.learned]
        self._loss = torch.zeros(())
        self.begin(1, self.training.learning_rate)

    def begin(self, count: int, rate: float) -> None:
        """Begin so many steps of Adam."""
        self._adam = torch.optim.Adam(self.free, lr=rate)
        self._falling = torch.optim.lr_scheduler.CosineAnnealingLR(self._adam, count)

    def look(self, *, short: bool) -> StepLook:
        """The loss and the logits, with `short` those of rounded numbers."""
        numbers = {name: self._short(name, x) if short else x for name, x in self.numbers.items()}
        with _repeatable():
            self._loss, logits = self._costs(numbers)
        plain = {name: x.detach().numpy() for name, x in numbers.items()}
        return StepLook(self._loss.item(), logits.detach().numpy(), plain)

    def go(self) -> None:
        """Take a step against the gradients at the last look."""
        with _repeatable():
            self._adam.zero_grad()
            torch.autograd.backward(self._loss)
            self._adam.step()
            self._falling.step()

    def _short(self, name: str, x: Tensor) -> Tensor:
        if name not in self.task.learned:
            return x
        return straight_through(x, self.training.decimals_of(name))

    def _costs(self, numbers: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """What is made small, and the logits; large, many and far-reaching numbers cost."""
        training = self.training
        networks = [Network(self.task, prompt, numbers) for prompt in self.task.prompts]
        logits = torch.cat([one.after for one in networks])
        wanted = torch.tensor(self.task.wanted)
        loss = F.cross_entropy(logits, wanted, label_smoothing=training.smoothing)
        assert math.isfinite(loss.item())
        for x in self.free:
            loss = loss + training.small * x.square().sum() + training.sparse * x.abs().sum()
        scores = torch.cat([row for one in networks for row in one.scores])
        if training.largest_score is not None and len(scores):
            loss = loss + F.relu(scores.abs() - training.largest_score).square().mean()
        return loss, logits


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


class Network(Learning):
    """A preset's model for one prompt, padded to the longest, which padding sees; `scores`: all."""

    def __init__(self, task: TrainingTask, prompt: list[int], leaves: Mapping[str, Tensor]) -> None:
        words, longest = task.spec.words, max(map(len, task.prompts))
        padded = [*prompt, *[0] * (longest - len(prompt))]
        super().__init__(task.blank, [words[number] for number in padded], leaves)
        self.last, self.scores = len(prompt) - 1, [torch.zeros(0, dtype=torch.float64)]
        self.run()
        self.after = self.logits(self.stream_end[[self.last]])  # [1, v]

    def masked(self, scaled: Tensor, at: str) -> Tensor:
        place = torch.arange(len(scaled))
        hidden = (place > self.last).expand_as(scaled)
        if self.preset.mask == "causal":
            hidden = hidden | (place[None, :] > place[:, None])
        self.scores.append(scaled[~hidden])
        return scaled.masked_fill(hidden, -math.inf)
