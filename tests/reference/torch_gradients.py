"""Gradients of the second reading, by PyTorch's autograd: loss of next words, by weight."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from generator.engine.decimals import decimals_for
from generator.engine.preset import Preset
from generator.engine.rounding import guarded
from tests.reference.torch_model import Model

TABLE = "vocabulary.embedding"


def leaves_of(preset: Preset) -> dict[str, Tensor]:
    """All weights of a preset as tensors that gradients are asked for."""
    arrays = {TABLE: np.array(list(preset.words.values())), **preset.weights}
    return {
        name: torch.tensor(np.atleast_2d(array), dtype=torch.float64, requires_grad=True)
        for name, array in arrays.items()
    }


def loss_of(
    preset: Preset, tokens: Sequence[str], leaves: Mapping[str, Tensor], word: str, *, every: bool
) -> Tensor:
    """The cross-entropy of the word after the tokens; of `every` position's next word the mean."""
    run = Learning(preset, tokens, leaves)
    run.run()
    words = list(preset.words)
    targets = torch.tensor([words.index(token) for token in (*tokens[1:], word)])
    x, right = (run.stream_end, targets) if every else (run.stream_end[-1:], targets[-1:])
    drawn = 1.0 if 1.0 in preset.temperatures else preset.temperatures[0]
    natural = run.logits(x) / drawn * math.log(preset.softmax_base or math.e)
    return F.cross_entropy(natural, right)


def gradients_of(
    preset: Preset, tokens: Sequence[str], word: str, *, every: bool
) -> dict[str, np.ndarray]:
    """The gradient of the loss by each weight that it depends on."""
    leaves = leaves_of(preset)
    loss = loss_of(preset, tokens, leaves, word, every=every)
    found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    return {
        name: gradient.numpy()
        for name, gradient in zip(leaves, found, strict=True)
        if gradient is not None
    }


class Learning(Model):
    """The same model over leaves; `stream_end` is what the output reads, [tokens, d_model]."""

    def __init__(self, preset: Preset, tokens: Sequence[str], leaves: Mapping[str, Tensor]) -> None:
        super().__init__(preset, tokens)
        self.leaves = leaves
        self.table = leaves[TABLE]

    def put(self, name: str, x: Tensor) -> Tensor:
        self.steps[name] = x.detach().to(torch.float64).numpy()
        return x

    def weight(self, name: str) -> Tensor | None:
        return self.leaves.get(name)

    def focus(self, n: int) -> list[int]:
        return []

    def stream(self) -> Tensor:
        x = super().stream()
        decimals = self.preset.input_decimals
        return x if decimals is None else straight_through(x, decimals)

    def positions(self, n: int) -> Tensor:
        x = super().positions(n)
        if self.preset.input_decimals is None or self.preset.positions != "sinusoidal":
            return x
        return straight_through(x, decimals_for(self.preset.decimals, "position"))

    def softmax(self, x: Tensor, at: str, shares: str) -> Tensor:
        natural = x * math.log(self.preset.softmax_base or math.e)
        empty = natural.isinf().all(1, keepdim=True)  # softmax over nothing is nan in torch
        return F.softmax(natural.masked_fill(empty, 0.0), 1).masked_fill(empty, 0.0)

    def predict(self, last: Tensor) -> None:
        self.stream_end = last if self.preset.start == "vector" else self.stream_end

    def predict_all(self, x: Tensor) -> None:
        self.stream_end = x

    def run(self) -> dict[str, np.ndarray]:
        self.stream_end = torch.zeros(0)
        return super().run()


def straight_through(x: Tensor, decimals: int) -> Tensor:
    """`x` rounded by the one rounding rule; its gradient is that of `x` (Bengio et al. 2013)."""
    rounded: np.ndarray = guarded(x.detach().numpy(), decimals)
    return x + (torch.from_numpy(rounded) - x).detach()
