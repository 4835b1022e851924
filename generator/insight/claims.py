"""Sentences about the result at hand: each is printed only where its predicate holds.

A phrase of the catalogue is a *claim* if its truth depends on the computation at hand: on its
numbers ("every visible share grows"), its words ("the numbers are learned"), the make-up of its
model ("GPT-2 computes in the same way") or on other sheets of the same model ("on sheet 5 …").
Registered here, or in `claims.py` of a sheet's folder, it is said only where it holds; in its
place stands another sentence that is true then, or none.

No claim is what is true of every computation (definitions, rules, other models as such), what asks
or tells pupils to do something, a label, or a sentence whose every fact is filled in by the code
("… gets 0.42"). Where a general sentence says as much, take it: it needs no predicate.

Also here:

* The claims that sheets, walk and workbook have in common, each with its predicate.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from generator.engine.trace import Trace
from generator.insight.behaviour import drawn_words, meant, to_see
from generator.locales.catalogue import Catalogue
from generator.locales.locale import of_norm

Predicate: TypeAlias = Callable[[Trace, Any], bool]


@dataclass(frozen=True)
class Claim:
    """What must be true for a phrase to be said, and which phrase is said where it is not.

    `holds` takes the computation, with the sheet's own steps, and the sheet's plan (None outside
    of a sheet). On a blank it must not ask for a cell that pupils fill. `otherwise` is the key of
    another phrase, which may be a claim too; "" for none.
    """

    holds: Predicate
    otherwise: str = ""


Claims: TypeAlias = Mapping[str, Claim]


def in_turn(chains: Mapping[str, Mapping[str, Predicate]]) -> dict[str, Claim]:
    """Claims, by beginning and end of their keys: each is said where those before it are not."""
    claims: dict[str, Claim] = {}
    for beginning, chain in chains.items():
        keys = [beginning + end for end in chain]
        claims |= zip(keys, map(Claim, chain.values(), [*keys[1:], ""]), strict=True)
    return claims


class CheckedCatalogue(Catalogue):
    """A catalogue for one computation: it gives a claim's phrase only where the claim holds.

    `said` are the claims that it has let through, for whoever looks at what was printed.
    """

    def __init__(self, catalogue: Catalogue, claims: Claims, trace: Trace, plan: object) -> None:
        super().__init__(catalogue.language, catalogue.phrases)
        self.claims = claims
        self.said: set[str] = set()
        self._subject = trace, plan
        self._known: dict[str, bool] = {}

    def t(self, key: str, /, **names: object) -> str:
        """The phrase; of a claim that does not hold the one in its place, "" for none."""
        claim = self.claims.get(key)
        if claim is None:
            return super().t(key, **names)
        if self.only(key, "true"):
            return super().t(key, **names)
        return self.t(claim.otherwise, **names) if claim.otherwise else ""

    def only(self, key: str, text: str) -> str:
        """A text that claims what the key stands for; "" where that does not hold."""
        if not text or not self.holds(key):
            return ""
        self.said.add(key)
        return text

    def holds(self, key: str) -> bool:
        """Whether a claim holds; KeyError for a phrase that is none."""
        if key not in self._known:
            self._known[key] = self.claims[key].holds(*self._subject)
        return self._known[key]


SHOWS = "preset.shows"  # the preset's own statement; it stands in its file, not in the catalogue


def checked_catalogue(catalogue: Catalogue, trace: Trace) -> CheckedCatalogue:
    """The catalogue for walk and workbooks, its claims checked against this computation.

    One that is checked already stays as it is: an exercise asks it about numbers that it hides.
    """
    if isinstance(catalogue, CheckedCatalogue):
        return catalogue
    return CheckedCatalogue(of_norm(catalogue, trace.preset.norm_form), GENERAL, trace, None)


def of_trace(holds: Callable[[Trace], bool], otherwise: str = "") -> Claim:
    """A claim that the computation alone decides."""
    return Claim(lambda trace, plan: holds(trace), otherwise)


def or_plain(holds: Predicate, *keys: str) -> dict[str, Claim]:
    """Claims of one predicate; where it does not hold, the phrase of the same key with ".plain"."""
    return {key: Claim(holds, f"{key}.plain") for key in keys}


def _chosen(trace: Trace) -> bool:
    """Whether the preset says that its numbers are made up."""
    return not trace.preset.meaningful


def mixes(trace: Trace, plan: object) -> bool:
    """Whether W_O adds numbers of two heads together, in every block."""
    names = [f"block{k + 1}.weight.output" for k in range(trace.preset.blocks)]
    return all(name in trace and _joins(trace[name].values, trace.preset.heads) for name in names)


def _joins(weight: np.ndarray, heads: int) -> bool:
    """Whether a column of W_O [heads · d_head, d_model] has numbers in rows of several heads."""
    each = weight.reshape(heads, -1, weight.shape[1])  # [heads, d_head, d_model]
    return bool((each != 0).any(axis=1).sum(axis=0).max() > 1)


def widens(trace: Trace, plan: object) -> bool:
    """Whether the feed-forward network has more columns inside than outside."""
    return trace.preset.d_ff > trace.preset.d_model


def _paper(trace: Trace) -> bool:
    return trace.rounding == "paper"


def _all_drawn(trace: Trace) -> bool:
    """Whether no word of the vocabulary has numbers that somebody chose."""
    drawn = drawn_words(trace)
    return bool(drawn) and len(drawn) == len(trace["vocabulary.words"].values)


def _some_drawn(trace: Trace) -> bool:
    """Whether a word has drawn numbers, and others that its preset leaves to something else."""
    return bool(trace.preset.reserved and drawn_words(trace))


GENERAL: dict[str, Claim] = {
    SHOWS: of_trace(to_see),
    "sheet.chosen": of_trace(_chosen, "sheet.unmeant"),
    "sheet.unmeant": of_trace(lambda trace: not meant(trace)),
    "sheet.drawn.some": of_trace(_some_drawn, "sheet.drawn.all"),
    "sheet.drawn.all": of_trace(_all_drawn, "sheet.drawn"),
    "sheet.drawn": of_trace(lambda trace: bool(drawn_words(trace))),
    "sheet.rounding.text": of_trace(_paper, "sheet.rounding.exact"),
    "walk.chosen": of_trace(_chosen),
    "walk.say.weight.output": Claim(mixes, "walk.say.weight.output.plain"),
    "walk.say.weight.hidden": Claim(widens, "walk.say.weight.hidden.plain"),
    "walk.say.hidden": Claim(widens, "walk.say.hidden.plain"),
    "walk.paper": of_trace(_paper, "walk.exact"),
    "workbook.start.chosen": of_trace(_chosen),
}
