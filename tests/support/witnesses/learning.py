"""Witnesses of the claims of sheets 7a and 7b: learning worked out once more with plain NumPy."""

from collections.abc import Callable

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


def is_learned_anew(seen: Seen) -> bool:
    """Whether the preset says that it predicts something else after this very sentence."""
    right = seen.trace["output.logits"].columns[seen.plan.right]
    here = {
        word
        for one in seen.trace.preset.behaviour
        if (one.rule, one.sentence) == ("predicts", seen.trace.sentence)
        for word in one.at
    }
    return bool(here) and right not in here and not is_written(seen)


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


def one_loses_most(seen: Seen) -> bool:
    """Whether a single wrong word's printed share falls by more than any other's."""
    old, new = (seen.row(f"{at}output.probabilities", seen.plan.at) for at in ("", "step2."))
    lost = sorted(
        a - b for k, (a, b) in enumerate(zip(old, new, strict=True)) if k != seen.plan.right
    )
    return lost[-1] > max([0, *lost[:-1]])


def elsewhere_worse(seen: Seen) -> bool:
    """Whether a rate of 100 makes the sentence's other words less likely than any other rate."""
    loss = _elsewhere(seen)
    if loss is None:
        return False
    others = [loss(rate) for rate in (0.0, seen.plan.rate / 10, seen.plan.rate)]
    return any(loss(huge) > max(others) for huge in (100.0, 10.0))


def own_rate_hurts(seen: Seen) -> bool:
    """Whether the rate of the sheet, too, makes those words less likely."""
    loss = _elsewhere(seen)
    return loss is not None and loss(seen.plan.rate) > loss(0.0)


def _elsewhere(seen: Seen) -> Callable[[float], float] | None:
    """The mean loss of those words after a step of some rate; None where there are none."""
    tokens, last = seen.trace.tokens, seen.trace["last"]
    words = list(seen.trace["output.logits"].columns)
    if len(tokens) < 2 or not last.inputs or not set(tokens[1:]) <= set(words):
        return None
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
    return loss


def _bias(seen: Seen, name: str) -> np.ndarray | float:
    return seen.trace.values(name) if name in seen.trace else 0.0
