"""What can be read off a training of byte-pair encoding: a word's tree, and usual slips."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.engine.bpe import Pair, encode, joins, letters, pair_of
from generator.engine.ops.linear import Over
from generator.engine.rounding import guarded
from generator.engine.trace import Trace
from generator.insight.slips import Slip


@dataclass(frozen=True)
class Node:
    """A piece of a word, from letter `start` to before `stop`, and the two it was made of.

    `rule` counts from 1 and is 0 for a letter; `level` says how many merges lie below at most.
    """

    text: str
    start: int
    stop: int
    rule: int = 0
    level: int = 0
    parts: tuple["Node", ...] = ()

    def all(self) -> Iterator["Node"]:
        """This piece and all that are in it."""
        yield self
        for part in self.parts:
            yield from part.all()


def forest(word: str, rules: Sequence[Pair]) -> tuple[Node, ...]:
    """The trees of a word's pieces, in order, as the rules make them."""
    nodes = [Node(letter, k, k + 1) for k, letter in enumerate(letters(word))]
    for rule, k in joins(word, rules):
        left, right = nodes[k : k + 2]
        level = 1 + max(left.level, right.level)
        text = left.text + right.text
        nodes[k : k + 2] = [Node(text, left.start, right.stop, rule + 1, level, (left, right))]
    return tuple(nodes)


def rules(trace: Trace, count: int, prefix: str = "") -> list[Pair]:
    """The winners of the first rounds of a training."""
    names = [f"{prefix}bpe.merge{m}.winner" for m in range(1, count + 1)]
    return [pair_of(str(trace[name].values[0, 0])) for name in names]


def winning_row(trace: Trace, m: int) -> int:
    """The row of the winner among the pairs of a round."""
    return trace[f"bpe.merge{m}.pairs"].rows.index(str(trace[f"bpe.merge{m}.winner"].values[0, 0]))


def slips(trace: Trace, rounds: Sequence[int]) -> list[Slip]:
    """The usual slips of the asked rounds, each where it shows first.

    Words counted once whatever their number, only the first word looked at, letters counted that a
    merge has used up, the new length too short or unchanged, the quotient turned over, only the
    first rule used. A slip that changes nothing here is left out.
    """
    m = rounds[0]
    best = winning_row(trace, m)
    pairs, length = f"bpe.merge{m}.pairs", f"bpe.merge{m}.length"
    occurrences = trace[f"bpe.merge{m}.occurrences"].values[best]
    once = float(occurrences.sum())
    before = float(trace[f"bpe.merge{m - 1}.length"].values[0, 0])
    counts = trace["bpe.counts"].values[0]
    first = int(np.flatnonzero(occurrences)[0])
    candidates = [
        Slip("once", pairs, best, 0, once),
        Slip("first", pairs, best, 0, float(counts[first] * occurrences[first])),
        *_used_up(trace, rounds),
        Slip("types", length, 0, 0, before - once),
        Slip("unchanged", length, 0, 0, before),
        *_ratios(trace, rounds),
    ]
    return [slip for slip in candidates if slip.wrong != _right(trace, slip)]


def _right(trace: Trace, slip: Slip) -> float:
    return float(trace[slip.step].values[slip.i, slip.j])


def _used_up(trace: Trace, rounds: Sequence[int]) -> list[Slip]:
    """The first pair that lost some of its places to the last merge, counted as before it."""
    for m in rounds:
        now, before = trace[f"bpe.merge{m}.pairs"], trace[f"bpe.merge{m - 1}.pairs"]
        for i, pair in enumerate(now.rows):
            if pair in before.rows:
                old = float(before.values[before.rows.index(pair), 0])
                if old > now.values[i, 0]:
                    return [Slip("used_up", now.name, i, 0, old)]
    return []


def _ratios(trace: Trace, rounds: Sequence[int]) -> list[Slip]:
    step = trace["bpe.encoding.ratio"]
    word = str(trace["bpe.encoding.word"].values[0, 0])
    tokens, size = trace["bpe.encoding.tokens"].values, trace["bpe.encoding.letters"].values
    early = np.array([[float(len(encode(word, rules(trace, rounds[0] - 1))))]])
    wrong = {"turned": Over().value(tokens, size), "first_rule": Over().value(size, early)}
    return [
        Slip(key, step.name, 0, 0, float(guarded(value, step.decimals or 0)[0, 0]))
        for key, value in wrong.items()
    ]
