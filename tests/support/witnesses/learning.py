"""Witnesses of the claims of sheets 7a and 7b: learning worked out once more with plain NumPy."""

from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from tests.support.witnesses.seen import Seen, alone, softmax


def one_gets_most(seen: Seen) -> bool:
    """Whether one of the wrong words alone has the largest probability, as printed."""
    shares = seen.row("output.probabilities", seen.plan.at)
    shares.pop(seen.plan.right)
    return alone(shares)


def is_written(seen: Seen) -> bool:
    """Whether a text that the model has learned begins with the sentence and the right word."""
    right = seen.trace["output.logits"].columns[seen.plan.right]
    texts = [text for one in seen.trace.preset.behaviour if one.rule == "writes" for text in one.at]
    start = "".join((*seen.trace.tokens, right))
    return any("".join(text.split()).startswith(start) for text in texts)


def gained(seen: Seen) -> bool:
    """Whether the right word is likelier with the new numbers that stand on the sheet."""
    bias = _bias(seen, "update.output.bias")
    shares = softmax(
        seen.trace.values("last") @ seen.trace.values("update.output.matrix").T + bias
    )[0]
    before = seen.number("output.probabilities", seen.plan.at, seen.plan.right)
    return round(float(shares[seen.plan.right]), 2) > float(before)


def others_lose_the_same(seen: Seen) -> bool:
    """Whether the changes of all printed shares add up to nothing."""
    old, new = (seen.row(f"{at}output.probabilities", seen.plan.at) for at in ("", "step2."))
    return sum(b - a for a, b in zip(old, new, strict=True)) == 0


def begins_elsewhere(seen: Seen) -> bool:
    """Whether the table of rates and the sheet print other numbers before learning."""
    own = seen.number("loss.probability", 0, 0), seen.number("loss.cross_entropy", 0, 0)
    table = seen.number("rates.chance", 0, 0), seen.number("rates.loss", 0, 0)
    cent = Decimal("0.01")
    return any(
        a.quantize(cent, ROUND_HALF_UP) != b.quantize(cent) for a, b in zip(own, table, strict=True)
    )


def elsewhere_worse(seen: Seen) -> bool:
    """Whether a rate of 100 makes the sentence's other words less likely than any other rate."""
    tokens, last = seen.trace.tokens, seen.trace["last"]
    words = list(seen.trace["output.logits"].columns)
    if len(tokens) < 2 or not last.inputs or not set(tokens[1:]) <= set(words):
        return False
    states = seen.trace.values(last.inputs[0])[:-1]
    ids = [words.index(token) for token in tokens[1:]]
    table, bias = seen.trace.values("output.matrix"), _bias(seen, "output.bias")
    error = softmax(last.values @ table.T + bias)
    error[0, seen.plan.right] -= 1

    def loss(rate: float) -> float:
        shares = states @ (table - rate * error.T @ last.values).T + bias - rate * error * any_bias
        shifted = shares - shares.max(axis=1, keepdims=True)
        each = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return round(float(-each[range(len(ids)), ids].mean()), 2)

    any_bias = float("output.bias" in seen.trace)
    others = [loss(rate) for rate in (0.0, seen.plan.rate / 10, seen.plan.rate)]
    return any(loss(huge) > max(others) for huge in (100.0, 10.0))


def _bias(seen: Seen, name: str) -> np.ndarray | float:
    return seen.trace.values(name) if name in seen.trace else 0.0
