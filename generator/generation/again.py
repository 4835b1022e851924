"""A later round as a Trace of its own: of all tokens, or of the new token alone."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from generator.engine.edits import Edits
from generator.engine.ops import Append, Mask, Op
from generator.engine.tokenizers import joined
from generator.engine.trace import Trace

STORED = re.compile(r"block\d+\.head\d+\.(key|value)")  # what a KV cache is named after
VOCABULARY = ("vocabulary.words", "vocabulary.embedding")


class Again(Trace):
    """All tokens of a text, to be computed with the vocabulary of its first round.

    `random` is the number that the next token is drawn with.
    """

    def __init__(self, first: Trace, tokens: tuple[str, ...], random: float) -> None:
        edits = {k: v for k, v in first.edits.items() if not k.startswith("tokens")}  # done
        super().__init__(first.preset, first.sentence, first.rounding, Edits(edits))
        self.sentence = joined(tokens, first.preset.tokenizer)
        self.controls = first.controls
        self.random = random
        for name in VOCABULARY:
            step = first[name]
            super().give(name, step.values.copy(), step.rows, step.columns)
        column = np.empty((len(tokens), 1), dtype=object)
        column[:, 0] = tokens
        super().give("tokens", column, columns=("token",))

    def _own(self, name: str, values: np.ndarray) -> np.ndarray:
        """A given step's numbers; the random number is that of this round."""
        return np.array([[self.random]]) if name == "sampling.random" else values


class NewRow(Again):
    """The last token of a text alone: every step has one row, its own.

    Attention needs the keys and values of the earlier tokens too: they are `stored`, by step
    name, [earlier tokens, d_head] each. Afterwards `kept` holds those of all tokens.
    """

    def __init__(
        self,
        first: Trace,
        tokens: tuple[str, ...],
        random: float,
        stored: Mapping[str, np.ndarray],
    ) -> None:
        super().__init__(first, tokens[-1:], random)
        self.sentence = joined(tokens, first.preset.tokenizer)
        self.place = len(tokens) - 1  # of the new token, from 0
        self.stored = stored
        self.kept: dict[str, np.ndarray] = {}

    def _own(self, name: str, values: np.ndarray) -> np.ndarray:
        """A given step's numbers; of the positions that of the new token."""
        if name == "position":
            return self.preset.weights[name][self.place : self.place + 1].copy()
        if name == "position.index":
            return np.array([[float(self.place)]])
        return super()._own(name, values)

    def apply(
        self,
        name: str,
        op: Op,
        *inputs: str,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        decimals: int | None = None,
    ) -> str:
        """Compute a row; scores meet the keys of all tokens, shares their values."""
        if isinstance(op, Mask):
            whole = Mask(self.place + 1, op.strict).value()
            return super().give(name, whole[-1:].copy(), rows)
        *before, last = inputs or ("",)
        if STORED.fullmatch(last):
            inputs = (*before, self._all(last))
        return super().apply(name, op, *inputs, rows=rows, columns=columns, decimals=decimals)

    def _all(self, name: str) -> str:
        """The stored rows of a step and, below them, the new one: [tokens, d_head]."""
        earlier = super().give(f"{name}.stored", self.stored[name])
        whole = super().apply(f"{name}.all", Append(), earlier, name)
        self.kept[name] = self[whole].values
        return whole
