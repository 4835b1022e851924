"""Learning with PyTorch, its autograd and its Adam: what our own learner is held to.

Also here:

* The model once more, in PyTorch: only to get gradients; its logits are held to the engine's.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import assert_never

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from generator.engine.decimals import decimals_for
from generator.engine.preset import Preset
from generator.engine.rounding import guarded
from generator.training.learner import StepLook
from generator.training.task import TrainingTask
from tests.reference.torch_model import ACTIVE


class TorchLearner:
    """Learns by autograd; one thread, float64, no drawn numbers: the same torch, the same bytes."""

    def __init__(self, task: TrainingTask) -> None:
        start, self.learned, self.training = task.numbers, task.learned, task.spec.training
        self.network = Network(task.blank, task.prompts)
        self.targets = _targets(task.wanted)
        self.numbers = {name: torch.tensor(x, dtype=torch.float64) for name, x in start.items()}
        self.free = [self.numbers[name].requires_grad_() for name in self.learned]
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
        assert math.isfinite(loss.item())
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


Numbers = Mapping[str, Tensor]
EMBEDDING = "vocabulary.embedding"


class Network:
    """A preset's model for many prompts at once; its numbers are handed in with each run.

    b prompts, padded to the n tokens of the longest; d d_model, k d_head, v words.
    """

    def __init__(self, preset: Preset, prompts: Sequence[Sequence[int]]) -> None:
        self.preset = preset
        self.longest = max(map(len, prompts))
        self.ids = torch.tensor([[*p, *[0] * (self.longest - len(p))] for p in prompts])  # [b, n]
        self.last = torch.tensor([len(p) - 1 for p in prompts])  # [b]
        place = torch.arange(self.longest)
        visible = place[None, None, :] <= self.last[:, None, None]  # [b, 1, n]
        if preset.mask == "causal":
            visible = visible & (place[None, None, :] <= place[None, :, None])
        self.hidden = ~visible.expand(-1, self.longest, -1)  # [b, n, n]

    def logits(self, numbers: Numbers) -> tuple[Tensor, Tensor]:
        """The logits [b, v] after each prompt, and all visible scaled scores in one row."""
        preset, scores = self.preset, [torch.zeros(0, dtype=torch.float64)]
        x = self.stream(numbers)  # [b, n, d]
        for block in range(1, preset.blocks + 1):
            at = f"block{block}"
            if "attention" in preset.parts:
                y, visible_scores = self.attention(self.before(numbers, x, at, "1"), numbers, at)
                x = self.after(numbers, x, y, at, "1")
                scores += visible_scores
            if "feedforward" in preset.parts:
                y = self.feedforward(self.before(numbers, x, at, "2"), numbers, at)
                x = self.after(numbers, x, y, at, "2")
        if preset.final_norm:
            x = self.norm(numbers, x, "final", "")
        last = x[torch.arange(len(x)), self.last]  # [b, d]
        matrix = numbers[EMBEDDING if preset.output == "tied" else "output.matrix"]  # [v, d]
        return F.linear(last, matrix, row(numbers, "output.bias")), torch.cat(scores)

    def values(self, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """The logits [b, v] for plain arrays."""
        with torch.no_grad():
            tensors = {name: torch.from_numpy(array) for name, array in numbers.items()}
            values: np.ndarray = self.logits(tensors)[0].numpy()
        return values

    def stream(self, numbers: Numbers) -> Tensor:
        """Embedding plus position, rounded where the model itself rounds its input: [b, n, d]."""
        x = F.embedding(self.ids, numbers[EMBEDDING])
        if self.preset.positions == "learned":
            x = x + numbers["position"][: self.longest]
        elif self.preset.positions == "sinusoidal":
            x = x + self.waves()
        if self.preset.input_decimals is None:
            return x
        return straight_through(x, self.preset.input_decimals)

    def waves(self) -> Tensor:
        """The sinusoidal positions [n, d], as printed where the model rounds its input."""
        d = self.preset.d_model
        place = torch.arange(self.longest, dtype=torch.float64)[:, None]
        angle = place / torch.pow(10000.0, torch.arange(0, d, 2, dtype=torch.float64) / d)
        wave = torch.stack([angle.sin(), angle.cos()], 2).reshape(self.longest, -1)[:, :d]
        if self.preset.input_decimals is None:
            return wave
        return straight_through(wave, decimals_for(self.preset.decimals, "position"))

    def before(self, numbers: Numbers, x: Tensor, at: str, number: str) -> Tensor:
        """What a sublayer reads: the stream, under pre-norm its norm."""
        return self.norm(numbers, x, at, number) if self.preset.norm == "pre" else x

    def after(self, numbers: Numbers, x: Tensor, y: Tensor, at: str, number: str) -> Tensor:
        """The stream after a sublayer: old + new, under post-norm their norm."""
        y = x + y if "residual" in self.preset.parts else y
        return self.norm(numbers, y, at, number) if self.preset.norm == "post" else y

    def norm(self, numbers: Numbers, x: Tensor, at: str, number: str) -> Tensor:
        """Each row normalised, with gain and shift where there are such."""
        gain, shift = (row(numbers, f"{at}.{name}{number}") for name in ("gain", "beta"))
        match self.preset.norm_form:
            case "layer":
                return F.layer_norm(x, x.shape[-1:], gain, shift, self.preset.epsilon)
            case "rms":
                return F.rms_norm(x, x.shape[-1:], gain, self.preset.epsilon)
            case other:
                assert_never(other)

    def attention(self, x: Tensor, numbers: Numbers, at: str) -> tuple[Tensor, list[Tensor]]:
        """All heads side by side, times W_O where there is one: [b, n, d]; the scaled scores."""
        outputs, scores = [], []
        for head in range(1, self.preset.heads + 1):
            query, key, value = (
                linear(x, numbers, f"{at}.head{head}", name) for name in ("query", "key", "value")
            )  # 3 × [b, n, k]
            scaled = query @ key.transpose(1, 2) / math.sqrt(self.preset.d_head)  # [b, n, n]
            scores.append(scaled[~self.hidden])
            power = scaled * math.log(self.preset.softmax_base or math.e)
            outputs.append(power.masked_fill(self.hidden, -math.inf).softmax(2) @ value)
        together = torch.cat(outputs, 2)
        if f"{at}.weight.output" not in numbers:
            return together, scores
        return linear(together, numbers, at, "output"), scores

    def feedforward(self, x: Tensor, numbers: Numbers, at: str) -> Tensor:
        """activation(x · W₁ + b₁) · W₂ + b₂: [b, n, d]."""
        hidden = linear(x, numbers, at, "hidden")
        return linear(ACTIVE[self.preset.activation](hidden), numbers, at, "feedforward")


def linear(x: Tensor, numbers: Numbers, at: str, name: str) -> Tensor:
    """X · W + b for row vectors; torch keeps W transposed."""
    return F.linear(x, numbers[f"{at}.weight.{name}"].T, row(numbers, f"{at}.bias.{name}"))


def row(numbers: Numbers, name: str) -> Tensor | None:
    """A bias, gain or shift as a plain row; None where the model has none."""
    return numbers[name][0] if name in numbers else None


def straight_through(x: Tensor, decimals: int) -> Tensor:
    """`x` rounded by the one rounding rule; its gradient is that of `x` (Bengio et al. 2013)."""
    rounded: np.ndarray = guarded(x.detach().numpy(), decimals)
    return x + (torch.from_numpy(rounded) - x).detach()
