"""What would change: each ready experiment of a computation as question and derived answer.

Also here:

* What an experiment changed: facts from the two computations, before and after.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from generator.engine.model import recomputed
from generator.engine.predict import drawing_row
from generator.engine.trace import Trace
from generator.insight.behaviour import NEXT
from generator.locales.catalogue import Catalogue
from generator.notation.shown import percent, shown_decimals
from generator.plans.experiments import Experiment, possible


@dataclass(frozen=True)
class WhatIf:
    """One thing changed: what, the question about it, the answer that the engine found."""

    change: str
    question: str
    answer: str


def what_if(trace: Trace, catalogue: Catalogue) -> tuple[WhatIf, ...]:
    """The first experiments that this computation allows, each with its answer.

    Facts come from the two computations, before and after; those about which there is nothing to
    tell in words are left out.
    """
    before = _again(trace)
    answered = []
    for one in possible(before):
        if facts_of_it := facts(one.key, before, _again(trace, one)):
            answer = " ".join(_phrase(fact, before, catalogue) for fact in facts_of_it)
            question = catalogue.t(f"whatif.question.{one.key}")
            answered.append(WhatIf(one.title(catalogue), question, answer))
    return tuple(answered)


def _again(trace: Trace, one: Experiment | None = None) -> Trace:
    """The computation with its controls, and with an experiment's changes."""
    return recomputed(trace, edits={**trace.edits, **(one.edits if one else {})}, controls=True)


@dataclass(frozen=True)
class Fact:
    """One thing to say: its key in the catalogue, words, and numbers with the step they are of."""

    key: str
    words: Mapping[str, str]
    numbers: Mapping[str, tuple[str, float]]


def _phrase(fact: Fact, trace: Trace, catalogue: Catalogue) -> str:
    shares = {
        name: percent(value, max(0, shown_decimals(trace[step]) - 2), catalogue.language)
        for name, (step, value) in fact.numbers.items()
    }
    words = dict(fact.words)
    for name in words.keys() - {"count", "was"}:  # words in quotation marks, or "itself"
        word = words[name]
        words[name] = catalogue.t("whatif.word", word=word) if word else catalogue.t("whatif.self")
    return catalogue.t(f"whatif.{fact.key}", **words, **shares)


SHARES = "block1.head1.weights"
PROBABILITIES = "output.probabilities"
SELF = ""  # in place of a word: the token itself


def facts(key: str, before: Trace, after: Trace) -> tuple[Fact, ...]:
    """What the experiment of that key did: to the asked token's attention, to the next word.

    Both computations are of the same preset, `after` with the experiment's edits. Empty where
    there is nothing that it could have done.
    """
    changes = []
    if SHARES in before and key in ATTENTION:
        changes += ATTENTION[key](before, after)
    if NEXT in before:
        changes.append(_next(before, after))
    return tuple(changes)


def _next(before: Trace, after: Trace) -> Fact:
    """The next word and its probability at the temperature that it is drawn with."""
    old, new = (str(trace[NEXT].values[0, 0]) for trace in (before, after))
    row = drawing_row(before.preset)
    column = before[PROBABILITIES].columns.index
    was = float(before[PROBABILITIES].values[row, column(old)])
    then = float(after[PROBABILITIES].values[row, column(new)])
    share = {"before": (PROBABILITIES, was), "after": (PROBABILITIES, then)}
    if old == new:
        return Fact("next.same", {"word": old}, share)
    return Fact("next.other", {"old": old, "new": new}, share)


def _favourite(before: Trace, after: Trace) -> list[Fact]:
    """To which token the asked one gives most, before and after."""
    row = _row(before)
    (old, *level), (new, *more) = (_best(trace, row) for trace in (before, after))
    was, then = (float(t[SHARES].values[row, j]) for t, j in ((before, old), (after, new)))
    words = {
        "token": before.tokens[row],
        "now": after.tokens[row],
        "old": SELF if old == row else before.tokens[old],
        "new": SELF if new == row else after.tokens[new],
        "count": str(1 + len(more)),
        "was": str(1 + len(level)),
    }
    same = (words["token"], words["old"]) == (words["now"], words["new"])
    if level:
        key = "most.levels" if more else "most.level"
    else:
        key = "most.even" if more else "most.same" if same else "most.other"
    share = {"before": (SHARES, was), "after": (SHARES, then)}
    return [Fact(key, words, share)]


def _uncovered(before: Trace, after: Trace) -> list[Fact]:
    """What the tokens get together that were masked before."""
    row = _row(before)
    hidden = before[SHARES.replace("weights", "mask")].values[row] != 0.0
    tokens = [token for token, masked in zip(before.tokens, hidden, strict=True) if masked]
    if not tokens:
        return []
    share = float(after[SHARES].values[row, hidden].sum())
    words = {"token": before.tokens[row], "first": tokens[0], "last": tokens[-1]}
    key = "seen.one" if len(tokens) == 1 else "seen"
    return [Fact(key, words, {"share": (SHARES, share)}), *_favourite(before, after)]


def _row(trace: Trace) -> int:
    """The token that the worksheets ask for."""
    return trace.exercise if trace.exercise is not None else len(trace.tokens) - 1


def _best(trace: Trace, row: int) -> list[int]:
    """The tokens that get most, several where they get the same."""
    shares = np.round(trace[SHARES].values[row], 10)
    best: list[int] = np.flatnonzero(shares == shares.max()).tolist()
    return best


FactsOf = Callable[[Trace, Trace], list[Fact]]
# Experiments that change what a token looks at; the others change only the choice of a word.
ATTENTION: Mapping[str, FactsOf] = {
    "mask": _uncovered,
    "swap": _favourite,
    "scale": _favourite,
    "position": _favourite,
    "repeat": _favourite,
}
