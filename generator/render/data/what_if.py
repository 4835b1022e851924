"""What would change: each ready experiment of a computation as question and derived answer."""

from dataclasses import dataclass

from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.insight.whatif import Fact, facts
from generator.locales.catalogue import Catalogue
from generator.notation.numbers import number, percent
from generator.notation.shown import shown_decimals
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
        facts_of_it = facts(one.key, before, _again(trace, one))
        if facts_of_it:
            names = {name: _shown(value, catalogue) for name, value in one.names.items()}
            key = f"workbook.experiment.{one.key}"
            answer = " ".join(_phrase(fact, before, catalogue) for fact in facts_of_it)
            question = catalogue.t(f"whatif.question.{one.key}")
            answered.append(WhatIf(catalogue.t(key, **names), question, answer))
    return tuple(answered)


def _again(trace: Trace, one: Experiment | None = None) -> Trace:
    """The computation with its controls, and with an experiment's changes."""
    edits = {**trace.edits, **(one.edits if one else {})}
    return compute(
        trace.preset,
        trace.sentence,
        rounding=trace.rounding,
        edits=edits,
        controls=True,
        worked=trace.worked,
        exercise=trace.exercise,
    )


def _shown(value: float | str, catalogue: Catalogue) -> str:
    return value if isinstance(value, str) else number(value, None, catalogue.language)


def _phrase(fact: Fact, trace: Trace, catalogue: Catalogue) -> str:
    shares = {
        name: percent(value, max(0, shown_decimals(trace[step]) - 2), catalogue.language)
        for name, (step, value) in fact.numbers.items()
    }
    words = {name: _target(word, name, catalogue) for name, word in fact.words.items()}
    return catalogue.t(f"whatif.{fact.key}", **words, **shares)


def _target(word: str, name: str, catalogue: Catalogue) -> str:
    """A word in quotation marks, or "itself"; counts stand as they are."""
    if name in ("count", "was"):
        return word
    return catalogue.t("whatif.word", word=word) if word else catalogue.t("whatif.self")
