"""The proof that an operation's two meanings agree: `evaluate(cell) == value`, everywhere."""

import dataclasses
import importlib
import pkgutil
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from generator.engine import ops
from generator.engine.choices import STRATEGIES
from generator.engine.masks import MASKS
from generator.engine.model import compute
from generator.engine.ops.attention import Mask, MinusRow, Power, RowShare
from generator.engine.ops.feedforward import Activation
from generator.engine.ops.linear import Product
from generator.engine.ops.sampling import Kept
from generator.engine.trace import Step, Trace
from generator.presets.load import load_preset, shipped
from tests.engine.models import cells, computed, small, trained
from tests.reference.cases import Case, cases_of_round

OPERATIONS = {  # every class of the folder with `value` and `cell`; pieces: see test_bpe.py
    name
    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}.")
    if not module.name.endswith(".pieces")
    for name, found in vars(importlib.import_module(module.name)).items()
    if isinstance(found, type) and hasattr(found, "value") and hasattr(found, "cell")
} - {"Op", "Copying", "Given"}
ROUNDINGS = ("exact", "paper")
PAPER = {"default": 6, "exp": 8, "variance": 8, "deviation": 8}
FEW_DIGITS = 1e5  # larger numbers have no place for 10 decimals, so their last bits are not cut
SOME = (("katze", "brille"), 3, 30_000)  # presets played with, one of so many drawn, cells
ALL = (shipped(), 1, 100_000)
LONG = "the cat that ate the mouse that ate the cheese"


def drawn_traces(every: int) -> list[Trace]:
    """Models in which every pair of options occurs, exact and paper; of them one of so many."""
    cases = cases_of_round(1)
    assert len(cases) > 50
    return [one(*chosen) for chosen in list(product(cases, ROUNDINGS))[::every]]


def one(case: Case, rounding: str) -> Trace:
    preset = dataclasses.replace(case.preset, decimals=PAPER)
    return compute(preset, case.sentence, rounding=rounding)


@pytest.fixture(scope="module", params=[SOME, pytest.param(ALL, marks=pytest.mark.ci)])
def traces(request: pytest.FixtureRequest) -> list[Trace]:
    """All kinds of computations; in every run fewer presets are played with and fewer drawn."""
    played, every, _ = request.param
    own = [
        compute(load_preset(name), rounding=rounding)
        for name in shipped()
        for rounding in ROUNDINGS
    ]
    many = [compute(small(unknown="draw"), LONG, rounding=rounding) for rounding in ROUNDINGS]
    learned = [trace for rounding in ROUNDINGS[every > 1 :] for trace in trained(rounding)]
    return [*own, *many, *multiplied(), *learned, *played_with(played), *drawn_traces(every)]


def multiplied() -> list[Trace]:
    """Three single numbers multiplied, as sheet generate does with the chances of its rounds."""
    found = []
    for trace in [compute(load_preset("katze"), rounding=rounding) for rounding in ROUNDINGS]:
        scratch = trace.scratch()
        scratch.apply("product", Product(), "scale", "scale", "scale", decimals=3)
        found.append(trace.with_steps(scratch.new))
    return found


def played_with(names: Sequence[str]) -> list[Trace]:
    """Shipped models with controls, each strategy and each switch both ways, in three rounds."""
    found = []
    for name, rounding in product(names, ROUNDINGS):
        preset = load_preset(name)
        delivered = compute(preset, rounding=rounding, controls=True)
        rounds = 3 if "sampling.next" in delivered and preset.start == "sentence" else 1
        learned = preset.weights.get("position")
        if learned is not None:
            rounds = min(rounds, 1 + len(learned) - len(delivered.tokens))
        edits: list[dict[str, object]] = [
            {},
            *({f"{s.name}[1,{s.shape[1]}]": 0} for s in delivered if s.name.startswith("switch.")),
            *({"sampling.strategy": s} for s in STRATEGIES if "sampling.next" in delivered),
            *({"loss.target": x} for x in likely(delivered)),
        ]
        found += [
            compute(preset, rounding=rounding, edits=e, controls=True, rounds=rounds) for e in edits
        ]
    return found


def likely(trace: Trace) -> list[str]:
    """The word that a trace predicts, where it does."""
    return trace["sampling.next"].values[:, 0].tolist() if "sampling.next" in trace else []


def check(trace: Trace, step: Step) -> int:
    count = 0
    numbers = np.abs([v for v in step.values.ravel() if not isinstance(v, str) and np.isfinite(v)])
    room = 1e-13 * max(1.0, numbers.max(initial=0.0))
    for found, expected in cells(trace, step):
        count += 1
        where = f"{trace.preset.name}, {trace.rounding}, {step.name}"
        if isinstance(expected, str) or (step.rounded and abs(expected) < FEW_DIGITS):
            assert found == expected, where
        else:
            assert found == pytest.approx(expected, rel=1e-13, abs=room), where
    return count


def test_every_cell_of_every_step_equals_its_expression(traces, request):
    *_, least = request.node.callspec.params["traces"]
    assert sum(check(trace, step) for trace in traces for step in computed(trace)) > least


def test_every_operation_was_among_them(traces):
    assert len(OPERATIONS) > 60
    assert {type(step.op).__name__ for trace in traces for step in computed(trace)} == OPERATIONS


def test_every_option_of_an_operation_was_among_them(traces):
    ops = {step.op for trace in traces for step in computed(trace)}
    assert {Activation(kind) for kind in ("relu", "gelu", "gelu_tanh")} <= ops
    assert {Power(base, m) for base in (None, 2.0, 3.0) for m in (True, False)} <= ops
    assert {Kept(strategy) for strategy in ("sample", "top-k", "top-p")} <= ops
    assert {RowShare(True), RowShare(False), MinusRow(True), MinusRow(False)} <= ops
    assert {op.kind for op in ops if isinstance(op, Mask)} == MASKS.keys()


def test_cells_of_the_parameter_count_are_among_them(traces):
    names = {step.name for trace in traces for step in computed(trace)}
    assert {"count.embedding", "count.block", "count.blocks", "count.total"} <= names


def test_words_are_text_cells(traces):
    text = [step for trace in traces for step in computed(trace) if step.text]
    names = {step.name for step in text if step.place.round == 1}
    assert names == {
        *("sampling.next", "sampling.digits", "output.all.next"),
        *("loss.all.target", "step2.sampling.next", "step2.sampling.digits"),
        "step2.output.all.next",
    }


def test_a_given_step_has_no_expression():
    with pytest.raises(TypeError, match="no formula"):
        compute(small()).cell("tokens", 0, 0)
