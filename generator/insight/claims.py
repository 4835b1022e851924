"""Sentences about the result at hand: each is printed only where its predicate holds.

A phrase of the catalogue is a *claim* if its truth depends on the computation at hand: on its
numbers ("every visible share grows"), its words ("the numbers are learned"), the make-up of its
model ("GPT-2 computes in the same way") or on other sheets of the same model ("on sheet 5 …").
Registered here, or in `claims.py` of a sheet's folder, it is said only where it holds; in its
place stands another sentence that is true then, or none.

No claim is what is true of every computation (definitions, rules, other models as such), what asks
or tells pupils to do something, a label, or a sentence whose every fact is filled in by the code
("… gets 0.42"). Where a general sentence says as much, take it: it needs no predicate.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue

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
