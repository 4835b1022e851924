"""A watched Trace notes numbers that are looked at, and only outcomes where a decision is made."""

import numpy as np
import pytest

from generator.engine.model import compute
from generator.engine.trace import Step, Trace
from generator.engine.watched import Notes, NotRepeatable, WatchedTrace, decision, same
from generator.presets.load import load_preset

GIVEN, COMPUTED = "vocabulary.embedding", "block1.head1.query"


def katze(number: float = 0.8) -> Trace:
    return compute(load_preset("katze"), edits={f"{GIVEN}[2,2]": number})


@decision
def positive(step: Step) -> bool:
    return bool((step.values > 0).any())


@decision
def small(trace: Trace) -> bool:
    return float(trace[GIVEN].values.max()) < 1


def watched() -> tuple[WatchedTrace, Notes]:
    notes = Notes()
    return WatchedTrace(katze(), notes), notes


def test_names_shapes_and_expressions_may_be_looked_at_freely() -> None:
    trace, notes = watched()
    for step in trace:
        assert step.shape == trace.plain[step.name].shape
        assert step.text == trace.plain[step.name].text
        assert step.kind == trace.plain[step.name].kind
        if step.kind == "computed":
            assert trace.cell(step.name, 0, 0) == trace.plain.cell(step.name, 0, 0)
    assert notes.seen == frozenset()
    assert notes.hold(katze(0.3))


@pytest.mark.parametrize("look", [
    lambda trace: trace[COMPUTED].values, lambda trace: trace.values(COMPUTED),
    lambda trace: trace.steps[COMPUTED].values[0, 0],
    lambda trace: next(step for step in trace if step.name == COMPUTED).values,
])  # fmt: skip
def test_every_look_at_numbers_makes_them_a_condition(look) -> None:
    trace, notes = watched()
    look(trace)
    assert len(notes.seen) == 1
    assert notes.hold(katze())
    assert not notes.hold(compute(load_preset("katze"), "Die Matte sitzt auf der Katze"))


def test_of_a_decision_only_the_outcome_is_a_condition() -> None:
    trace, notes = watched()
    assert positive(trace[GIVEN]) is True
    assert notes.seen == frozenset()
    assert notes.hold(katze(0.3))
    zeros = trace.plain[GIVEN]._replace(values=np.zeros(trace[GIVEN].shape))
    assert not notes.hold(katze().with_steps([zeros]))


def test_a_decision_over_the_whole_trace() -> None:
    trace, notes = watched()
    outcome = small(trace)
    assert outcome == small(katze())
    assert notes.hold(katze(-0.1))
    assert not notes.hold(katze(7.5))


def test_edits_cannot_be_looked_at() -> None:
    with pytest.raises(NotRepeatable):
        _ = watched()[0].edits


def test_the_same_to_the_last_bit() -> None:
    assert same(np.array([[0.1 + 0.2]]), np.array([[0.30000000000000004]]))
    assert not same(np.array([[0.3]]), np.array([[0.1 + 0.2]]))
    assert not same(np.array([[0.0]]), np.array([[-0.0]]))
    assert not same(np.zeros((1, 2)), np.zeros((2, 1)))
    words = np.array([["auf"]], dtype=object)
    assert same(words, np.array([["".join(("a", "uf"))]], dtype=object))
    assert not same(words, np.array([["Auf"]], dtype=object))
