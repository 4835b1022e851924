"""Which shares the next tokens should have, which they have, and how far these are apart."""

import numpy as np

from generator.engine.ops import MinusRow, Power, RowMax, RowShare, RowSum
from generator.training.spec import Spec

POINTS = 100.0


def wanted_shares(spec: Spec) -> np.ndarray:
    """The share of each token after each prompt [b, v], as often as the texts have it."""
    places = {word: number for number, word in enumerate(spec.words)}
    shares = np.zeros((len(spec.counts), len(places)))
    for row, after in zip(shares, spec.counts.values(), strict=True):
        for word, count in after.items():
            row[places[word]] = count / sum(after.values())
    return shares


def smoothed(wanted: np.ndarray, smoothing: float) -> np.ndarray:
    """The shares [b, v] of which so much goes to all tokens alike (Szegedy et al. 2016)."""
    mixed: np.ndarray = (1.0 - smoothing) * wanted + smoothing / wanted.shape[1]
    return mixed


def shares_of(logits: np.ndarray) -> np.ndarray:
    """Softmax of each row [b, v], by the operations of the model."""
    power = Power(None, masked=False).value(_below_zero(logits))
    return RowShare().value(power, RowSum().value(power))


def cross_entropy(logits: np.ndarray, wanted: np.ndarray) -> float:
    """The mean of −Σ wanted · ln P over all rows [b, v]."""
    below = _below_zero(logits)
    power = Power(None, masked=False).value(below)
    logs = below - np.log(RowSum().value(power))
    return float(-(wanted * logs).sum() / len(wanted))


def margin(logits: np.ndarray, wanted: np.ndarray) -> float:
    """By how many percentage points the most frequent token leads in the worst row of [b, v]."""
    shares, leaders = shares_of(logits), wanted.argmax(axis=1)[:, None]
    right = np.take_along_axis(shares, leaders, axis=1)
    np.put_along_axis(shares, leaders, -1.0, axis=1)
    return POINTS * float((right - shares.max(axis=1, keepdims=True)).min())


def outside(logits: np.ndarray, wanted: np.ndarray) -> float:
    """How many percentage points the tokens get that never follow, in the worst row of [b, v]."""
    return POINTS * float((shares_of(logits) * (wanted == 0.0)).sum(axis=1).max())


def _below_zero(logits: np.ndarray) -> np.ndarray:
    """The logits [b, v] minus the largest of their row, which changes no share."""
    return MinusRow(masked=False).value(logits, RowMax().value(logits))
