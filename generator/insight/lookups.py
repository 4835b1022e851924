"""Tokens looked up in the vocabulary and back, by the engine's operations; what slips give."""

import numpy as np

from generator.engine.arrays import column
from generator.engine.ops.copying import Gather, Ids, OneHot
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip

VOCABULARY = "vocabulary.words"
ABSENT = "–"  # what stands for the ID of a token that is not in the vocabulary


class Lookups:
    """Steps of further sentences over the words `known`, each under its own prefix.

    `known` are a Trace's vocabulary and what stands after it, as a column; `name` is its step.
    """

    def __init__(self, trace: Trace, name: str, known: np.ndarray) -> None:
        self.chain = trace.scratch()
        self.known = self.chain.give(name, known, columns=("word",))
        self.words = tuple(known[:, 0].tolist())

    def encode(self, prefix: str, tokens: tuple[str, ...]) -> None:
        """Write tokens, onehot and ids; a token outside the vocabulary has a onehot row of 0."""
        self.chain.give(f"{prefix}.tokens", column(tokens), columns=("token",))
        onehot = self.chain.apply(
            f"{prefix}.onehot", OneHot(), f"{prefix}.tokens", self.known, columns=self.words
        )
        self.chain.apply(f"{prefix}.ids", Ids(), onehot, rows=tokens, columns=("id",))

    def decode(self, prefix: str) -> None:
        """Write the words that the ids stand for."""
        self.chain.apply(
            f"{prefix}.words", Gather(), f"{prefix}.ids", self.known, columns=("word",)
        )

    def enter(self, prefix: str) -> None:
        """Write what pupils enter for each token: its ID, a dash outside the vocabulary."""
        onehot = self.chain[f"{prefix}.onehot"].values
        ids = self.chain[f"{prefix}.ids"].values
        entries = [str(int(ids[k, 0])) if onehot[k].any() else ABSENT for k in range(len(ids))]
        self.chain.give(f"{prefix}.entries", column(entries), columns=("id",))

    def steps(self) -> tuple[Step, ...]:
        """The steps written."""
        return self.chain.new


def slips(trace: Trace, encoded: str, prefix: str) -> list[Slip]:
    """The usual slips: counted from 1, place instead of ID, capital and small taken for one.

    The first shows in the sentence under `encoded`, the last two in that under `prefix`, where the
    Trace has it. A slip that changes nothing here is left out.
    """
    ids = f"{encoded}.ids"
    last = len(trace[ids].values) - 1
    candidates = [Slip("from_one", ids, last, 0, float(trace[ids].values[last, 0]) + 1)]
    entries = f"{prefix}.entries"
    if entries in trace:
        tokens = trace[f"{prefix}.tokens"].values[:, 0].tolist()
        place = max(k for k, token in enumerate(tokens) if token in tokens[:k])
        candidates.append(Slip("place", entries, place, 0, float(place)))
        twin = next((k for k, w in enumerate(tokens[1:], 1) if same_letters(w, tokens[0])), None)
        if twin is not None:
            wrong = float(trace[f"{prefix}.ids"].values[0, 0])
            candidates.append(Slip("case", entries, twin, 0, wrong))
    return [slip for slip in candidates if _shown(trace, slip) != str(int(slip.wrong))]


def same_letters(word: str, other: str) -> bool:
    """Whether two different words differ in capital and small letters only."""
    return word != other and word.lower() == other.lower()


def _shown(trace: Trace, slip: Slip) -> str:
    cell = trace[slip.step].values[slip.i, slip.j]
    return cell if isinstance(cell, str) else str(int(cell))
