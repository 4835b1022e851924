"""Sheet 3, position: sines and cosines of a word's place, added to its embedding."""

from dataclasses import dataclass
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from generator.engine.trace import Labels, Step, Trace
from generator.notation.shown import shown_decimals, shown_values
from generator.sheets.plan import Plan, both_tokens, demand, effort, practised, require_shown

MOST_MODEL = 6
NEARLY_ROUND = 44  # steps: 44 radians are 7 turns and a fiftieth


class WordAt(NamedTuple):
    """A word at a position: its row in the steps whose names begin with `prefix`.

    `kind` is "own", "again" (the same word once more) or "far" (seven turns of the fast pair on).
    """

    kind: str
    prefix: str
    row: int
    position: float

    def printed(self, trace: Trace, name: str) -> np.ndarray:
        """The word's numbers in a step as printed, [m]."""
        row: np.ndarray = shown_values(trace[self.prefix + name])[self.row]
        return row


@dataclass(frozen=True, kw_only=True)
class Plan3(Plan):
    """`places` are the positions asked, `equal` two tokens of the sentence with one embedding.

    `angles` says whether pos ÷ divisor is printed as a number, not only as a division, `unseen`
    whether the slowest sine is rounded away from all inputs that are asked.
    """

    places: tuple[WordAt, ...]
    equal: tuple[int, int] | None
    angles: bool
    unseen: bool


def plan(trace: Trace, level: int) -> Plan3:
    """What sheet 3 shows and asks at a level, for this Trace's sentence.

    One, two or three places: the own word, the same word once more, the same word seven turns on.
    Raises `UserError` where the preset has no sinusoidal positions or is too wide for paper, where
    the sentence has more than 12 tokens or fewer than two.
    """
    _require_fit(trace)
    worked, own = both_tokens(trace, "3.tokens")
    width = trace.preset.d_model
    places = _places(trace, own, worked)[:level]
    count = width * len(places)
    divisors = trace["position.divisor"].values[0].tolist()
    evenly = all(d.is_integer() and str(int(d)).strip("0") == "1" for d in divisors)
    extra = tuple(chain.from_iterable(stamped(trace, own, p) for p in places if p.prefix))
    whole, slow = trace.with_steps(extra), 2 * len(divisors) - 2
    rows = [[p.printed(whole, name)[slow] for name in ("embedding", "input")] for p in places]
    names = [(place, place.prefix + name) for place in places for name in ("position", "input")]
    return Plan3(
        worked=worked,
        own=own,
        places=places,
        equal=equal_words(trace),
        angles=level == 1 or not evenly,  # a power of ten: the division shows the whole angle
        unseen=all(embedding == x for embedding, x in rows),
        extra=extra,
        asked=frozenset((name, p.row, j) for p, name in names for j in range(width)),
        minutes=effort(2 * len(places) + 1, exp=count, add=count),  # drawing is a block, too
        beside=practised(square=width, compare=width // 2, draw=count),
    )


def _require_fit(trace: Trace) -> None:
    kind = "learned" if "position" in trace else "no"
    demand("position.angle" in trace, "3.waves", trace, kind=kind)
    demand(2 <= trace.preset.d_model <= MOST_MODEL, "3.wide", trace, most=MOST_MODEL)
    switch = "switch.position"
    demand(switch not in trace or trace[switch].values[0, 0], "3.off", trace)
    require_shown(trace)


def _places(trace: Trace, own: int, worked: int) -> tuple[WordAt, ...]:
    """The own word, the same word elsewhere in the sentence or behind it, the same word far on."""
    index = trace["position.index"].values[:, 0]
    elsewhere = (
        WordAt("again", "", k, float(index[k]))
        for k, token in enumerate(trace.tokens)
        if token == trace.tokens[own] and k not in (own, worked) and index[k] != index[own]
    )
    again = next(elsewhere, WordAt("again", "task2.", 0, float(index.max()) + 1))
    far = WordAt("far", "task3.", 0, float(index[own]) + NEARLY_ROUND)
    return WordAt("own", "", own, float(index[own])), again, far


def stamped(trace: Trace, row: int, place: WordAt) -> tuple[Step, ...]:
    """The steps of one more word: the embedding of `row` at another place, by the same rules.

    Their names are those of the trace behind the place's prefix; every step has one row.
    """
    chain, prefix, embedding = trace.scratch(), place.prefix, trace["embedding"]
    word = (trace.tokens[row],)
    chain.give(f"{prefix}position.index", np.array([[place.position]]), rows=word, columns=("pos",))
    values, decimals = embedding.values[row : row + 1].copy(), shown_decimals(embedding)
    labels = Labels(rows=word, columns=embedding.columns)
    chain.give(f"{prefix}embedding", values, **labels, decimals=decimals)
    for like in (trace[name] for name in ("position.angle", "position", "input")):
        inputs = (prefix + one if prefix + one in chain else one for one in like.inputs)
        labels = Labels(rows=word, columns=like.columns)
        digits = like.decimals if like.rounded else None
        chain.apply(prefix + like.name, like.op, *inputs, **labels, decimals=digits)
    return chain.new


def equal_words(trace: Trace) -> tuple[int, int] | None:
    """The first two tokens with the same embedding, equal words before others; None for none."""
    pairs, embedding = combinations(range(len(trace.tokens)), 2), trace["embedding"].values
    alike = [(i, j) for i, j in pairs if (embedding[i] == embedding[j]).all()]
    return min(alike, key=lambda p: trace.tokens[p[0]] != trace.tokens[p[1]], default=None)
