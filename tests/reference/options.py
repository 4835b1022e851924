"""What can vary in a model, and choices of options in which every possible pair occurs.

`OPTIONS` names what can vary, whatever a preset may choose among it; `NEEDS` says when an option
has an effect at all, `CLASHES` which values exclude each other; `covering` then leaves out no
remaining pair of values.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar, get_args

import numpy as np

from generator.engine import choices
from generator.engine.norms import FORMS

T = TypeVar("T")
Value = str | int | float
Options = dict[str, Value]
Pair = tuple[tuple[str, Value], tuple[str, Value]]

CANDIDATES = 24  # drawn for each case; the one with the most new pairs is taken

OPTIONS: dict[str, tuple[Value, ...]] = {
    "start": get_args(choices.Start),
    "parts": ("A", "F", "O", "AR", "AF", "AO", "FR", "FO", "ARF", "ARO", "FRO", "AFO", "ARFO"),
    "tokenizer": ("word", "character"),
    "length": (1, 2, 5),
    "positions": get_args(choices.Positions),
    "blocks": (1, 2, 3),
    "heads": (1, 2, 3),
    "d_head": (1, 2, 3),
    "mask": get_args(choices.Mask),
    "norm": get_args(choices.Norm),
    "form": get_args(choices.NormForm),
    "gain": ("all", "first", "no"),
    "beta": ("all", "first", "no"),
    "final": ("no", "plain", "gain", "beta", "both"),
    "epsilon": (0.0, 1e-5, 0.1),
    "activation": get_args(choices.Activation),
    "base": ("e", 2.0, 3.0),
    "shifted": get_args(choices.Shift),
    "size": ("usual", "huge"),  # huge: powers overflow unless the maximum is taken off
    "w_o": ("yes", "no"),
    "bias_query": ("yes", "no"),
    "bias_key": ("yes", "no"),
    "bias_value": ("yes", "no"),
    "bias_output": ("yes", "no"),
    "bias_hidden": ("yes", "no"),
    "bias_feedforward": ("yes", "no"),
    "output": get_args(choices.Output),
    "bias_logits": ("yes", "no"),
    "output_positions": get_args(choices.OutputPositions),
    "temperatures": ("1", "0.7", "0.5 1 2", "2 0.25"),
    "strategy": get_args(choices.Strategy),
}


def with_part(*letters: str) -> tuple[Value, ...]:
    return tuple(p for p in OPTIONS["parts"] if any(letter in str(p) for letter in letters))


STREAM = ("sentence", "matrix")
STREAMED = {"start": STREAM}
LAYERS = {"start": STREAM, "parts": with_part("A", "F")}
ATTENTION = {"start": STREAM, "parts": with_part("A")}
FEEDFORWARD = {"start": STREAM, "parts": with_part("F")}
GAINED = LAYERS | {"norm": ("post", "pre")}
PREDICTED = {"parts": with_part("O"), "output": ("tied", "own")}

NEEDS: dict[str, dict[str, tuple[Value, ...]]] = {
    "positions": {"start": ("sentence",)},
    **dict.fromkeys(("blocks", "norm"), LAYERS),
    **dict.fromkeys(("gain", "beta"), GAINED),
    **dict.fromkeys(("heads", "d_head", "mask", "w_o"), ATTENTION),
    **dict.fromkeys(("bias_query", "bias_key", "bias_value"), ATTENTION),
    "bias_output": ATTENTION | {"w_o": ("yes",)},
    **dict.fromkeys(("activation", "bias_hidden", "bias_feedforward"), FEEDFORWARD),
    **dict.fromkeys(("length", "final", "form", "epsilon"), STREAMED),
    "output": {"parts": with_part("O")},
    **dict.fromkeys(("bias_logits", "temperatures", "strategy"), PREDICTED),
    "output_positions": PREDICTED | {"start": STREAM},
}
UNSHIFTED = tuple(name for name, form in FORMS.items() if "beta" not in form.learned)
UNSTEADY = tuple(p for p in with_part("A", "F") if "R" not in str(p))
CLASHES: tuple[tuple[str, tuple[Value, ...], str, tuple[Value, ...]], ...] = (
    ("start", ("vector",), "parts", tuple(p for p in OPTIONS["parts"] if p != "O")),
    ("start", ("vector",), "output", ("none",)),
    ("shifted", ("never",), "size", ("huge",)),
    ("form", UNSHIFTED, "beta", ("all", "first")),
    ("form", UNSHIFTED, "final", ("beta", "both")),
    # Without residuals a row can be all zeros (relu, strict mask): no deviation to divide by.
    ("epsilon", (0.0,), "parts", UNSTEADY),
)


class Draws:
    """Numbers from SHA-256 of a key and a counter: the same everywhere and for ever."""

    def __init__(self, key: str) -> None:
        self.key, self.counter = key, 0

    def number(self) -> float:
        """The next number, 0 <= number < 1, of 53 bits."""
        self.counter += 1
        digest = hashlib.sha256(f"{self.key}|{self.counter}".encode()).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53

    def choice(self, values: Sequence[T]) -> T:
        return values[int(self.number() * len(values))]

    def matrix(self, rows: int, columns: int, size: float = 1.0) -> np.ndarray:
        numbers = [size * (2 * self.number() - 1) for _ in range(rows * columns)]
        return np.array(numbers, dtype=np.float64).reshape(rows, columns)


# ---- which options ---------------------------------------------------------------------------


def in_effect(options: Options) -> Options:
    """The options that change something: an activation does not without a feed-forward part."""
    kept = {
        name: value
        for name, value in options.items()
        if all(options[need] in values for need, values in NEEDS.get(name, {}).items())
    }
    if kept.get("norm", "none") == "none" and kept.get("final", "no") == "no":
        for name in ("form", "epsilon"):
            kept.pop(name, None)
    if not {"mask", "strategy"} & kept.keys():  # no softmax anywhere
        for name in ("base", "shifted", "size"):
            kept.pop(name, None)
    return kept


def is_sound(options: Options) -> bool:
    """Whether a model with these options in effect exists and is well-conditioned."""
    if any(options.get(a) in left and options.get(b) in right for a, left, b, right in CLASHES):
        return False
    # Without W_O the heads side by side are as wide as the model; one number has no variance.
    return options.get("w_o") != "no" or width(options) > 1


def width(options: Mapping[str, Value]) -> int:
    return int(options["heads"]) * int(options["d_head"])


def pairs(options: Options) -> set[Pair]:
    return set(combinations(options.items(), 2))


def is_possible(pair: Pair) -> bool:
    """Whether `NEEDS` and `CLASHES` leave room for the two values in one model."""
    (a, x), (b, y) = pair
    for first, _, second, other in ((a, x, b, y), (b, y, a, x)):
        if other not in NEEDS.get(first, {}).get(second, (other,)):
            return False
    if any(
        {(a, x), (b, y)} == {(f, v), (g, w)} for f, vs, g, ws in CLASHES for v in vs for w in ws
    ):
        return False
    return is_reachable(pair)


def is_reachable(pair: Pair) -> bool:
    """What follows from two or more rules together; each line names them."""
    names, values = {name for name, _ in pair}, dict(pair)
    softmax = names & {"base", "shifted", "size"}
    if (
        softmax
        and values.get("parts") in with_part("F", "R", "O")
        and "A" not in str(values["parts"])
    ):
        return "O" in str(values["parts"])  # without attention only the output has a softmax
    return True


def possible_pairs() -> list[Pair]:
    """Every pair of values of two different options that some model can have, in order."""
    return [
        ((a, x), (b, y))
        for a, b in combinations(OPTIONS, 2)
        for x, y in product(OPTIONS[a], OPTIONS[b])
        if is_possible(((a, x), (b, y)))
    ]


def candidate(pair: Pair, draws: Draws) -> Options:
    """Drawn options in effect, sound, the pair among them."""
    choices = dict(OPTIONS)
    for name, value in pair:
        for need, values in NEEDS.get(name, {}).items():
            choices[need] = tuple(v for v in choices[need] if v in values)
        choices[name] = (value,)
    for _ in range(2000):
        options = in_effect({name: draws.choice(values) for name, values in choices.items()})
        if is_sound(options) and pair in pairs(options):
            return options
    raise AssertionError(f"no model has {pair}: a rule in NEEDS or CLASHES is missing")


def covering(round_: int, kept: Sequence[Options] = ()) -> Iterator[Options]:
    """The cases `kept`, then greedily further ones until no pair is missing.

    Each further case holds a missing pair and as many others as the draws found. A value that an
    option gets later thus adds cases and changes none.
    """
    yield from kept
    later = f"/{len(kept)}" if kept else ""
    draws = Draws(f"paperformer/reference/options/{round_}{later}")
    missing = dict.fromkeys(possible_pairs())
    for pair in set().union(*map(pairs, kept)):
        missing.pop(pair, None)
    while missing:
        target = next(iter(missing))
        drawn = [candidate(target, draws) for _ in range(CANDIDATES)]
        best = max(drawn, key=lambda options: len(pairs(options) & missing.keys()))
        for pair in pairs(best):
            missing.pop(pair, None)
        yield best
