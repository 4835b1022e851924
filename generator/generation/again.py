"""A later round as a computation of its own: of all tokens, or of the new token alone."""

import numpy as np

from generator.engine.arrays import column
from generator.engine.edits import Edits
from generator.engine.predict import drawing_row
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace

VOCABULARY = ("vocabulary.words", "vocabulary.embedding")


def all_again(first: Trace, tokens: tuple[str, ...], random: float) -> Scope:
    """All tokens of a text, to be computed with the vocabulary of its first round.

    `random` is the number that the next token is drawn with.
    """
    return _begun(first, tokens, {"sampling.random": np.array([[random]])})


def new_row(first: Trace, tokens: tuple[str, ...], random: float) -> Scope:
    """The last token of a text alone, at its place: every step has one row, its own."""
    place = len(tokens) - 1
    given = {
        "sampling.random": np.array([[random]]),
        "position.index": np.array([[float(place)]]),
    }
    if first.preset.positions == "learned":
        given["position"] = first.preset.weights["position"][place : place + 1].copy()
    return _begun(first, tokens[-1:], given)


def _begun(first: Trace, tokens: tuple[str, ...], given: dict[str, np.ndarray]) -> Scope:
    preset = first.preset
    edits = {k: v for k, v in first.edits.items() if not k.startswith("tokens")}  # done
    changes = Edits(edits, drawing_row(preset))
    scope = Scope(Run(preset, first.rounding, changes, first.controls, given=given))
    for name in VOCABULARY:
        step = first[name]
        scope.give(name, step.values.copy(), rows=step.rows, columns=step.columns)
    scope.give("tokens", column(tokens), columns=("token",))
    return scope
