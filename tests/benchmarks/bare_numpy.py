"""The yardstick of the engine: the same model in bare NumPy, with nothing named or kept."""

import math

import numpy as np

from generator.engine.preset import Preset
from generator.engine.vocabulary import vocabulary


class Bare:
    """One model's weights, ready: what the pass below needs and the timing must not count."""

    def __init__(self, preset: Preset, tokens: tuple[str, ...]) -> None:
        words, self.embeddings = vocabulary(preset, tokens)
        self.ids = {word: k for k, word in enumerate(words)}
        self.weights = preset.weights
        self.preset = preset
        self.temperatures = np.array(preset.temperatures)[:, None]

    def probabilities(self, tokens: tuple[str, ...]) -> np.ndarray:
        """[temperatures, words]: a plain forward pass in float64 that loops over the heads."""
        preset, n = self.preset, len(tokens)
        x = self.embeddings[[self.ids[token] for token in tokens]]  # [n, d]
        x = x + positions(n, preset.d_model)
        hidden = np.triu(np.ones((n, n), dtype=bool), 1)
        for b in range(1, preset.blocks + 1):
            x = self._block(x, f"block{b}", hidden)
        logits = x[-1:] @ self.embeddings.T  # [1, v]
        return softmax(logits / self.temperatures)

    def _block(self, x: np.ndarray, at: str, hidden: np.ndarray) -> np.ndarray:
        w, heads = self.weights, []
        for h in range(1, self.preset.heads + 1):
            q = x @ w[f"{at}.head{h}.weight.query"]
            k = x @ w[f"{at}.head{h}.weight.key"]
            v = x @ w[f"{at}.head{h}.weight.value"]
            scores = q @ k.T / math.sqrt(self.preset.d_head)
            heads.append(softmax(np.where(hidden, -np.inf, scores)) @ v)
        x = norm(x + np.concatenate(heads, axis=1) @ w[f"{at}.weight.output"])
        active = np.maximum(x @ w[f"{at}.weight.hidden"], 0.0)
        return norm(x + active @ w[f"{at}.weight.feedforward"])


def positions(n: int, d: int) -> np.ndarray:
    """Vaswani et al. 2017: [n, d]."""
    angle = np.arange(n)[:, None] / 10000.0 ** (2 * np.arange(d // 2) / d)
    table = np.empty((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


def softmax(x: np.ndarray) -> np.ndarray:
    """Shares of each row."""
    powers = np.exp(x)
    return powers / powers.sum(axis=1, keepdims=True)


def norm(x: np.ndarray) -> np.ndarray:
    """Layer norm without gain and shift."""
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)
