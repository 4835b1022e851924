"""The verdict in Python: right, wrong, no number, not yet, against the pupil's own entries."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from generator.checks.exercise import Exercise, gathered, later
from generator.checks.verdict import unit
from generator.engine.model import compute
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.plans.workbook import WorkbookPlan, plan
from generator.presets.load import load_preset
from tests.reference.options import Draws
from tests.support.judge import judge
from tests.support.pairs import pairs
from tests.support.pupil import entries, first_number

SHIPPED = ("katze", "brille", "paris", "ausgabe", "random")
RIGHT, WRONG, NO_NUMBER, NOT_YET = 1, -1, -2, 0


def trace_of(name: str, rounding: str = "paper", rounds: int = 1) -> Trace:
    return compute(load_preset(name), rounding=rounding, controls=True, rounds=rounds)


def katze() -> tuple[Trace, WorkbookPlan, Exercise]:
    trace = trace_of("katze")
    wanted = plan(trace, 2)
    return trace, wanted, Exercise(trace, wanted.asked)


@pytest.mark.parametrize("rounding", ["paper", "exact"])
@pytest.mark.parametrize("name", SHIPPED)
def test_the_engines_numbers_are_right_and_those_of_a_pupil_without_slips(name, rounding) -> None:
    trace = trace_of(name, rounding)
    for level in (1, 2, 3):
        wanted = plan(trace, level)
        truth = {(s, i, j): trace[s].values[i, j] for s, i, j in wanted.asked}
        filled = entries(Exercise(trace, wanted.asked))
        assert filled.keys() == wanted.asked
        for entered in (truth, filled):
            assert set(judge(trace, wanted, entered).values()) == {RIGHT}


def test_waiting_cells_come_out_as_computed() -> None:
    trace = trace_of("katze", rounds=2)
    exercise = Exercise(trace, plan(trace, 2).asked)
    arrays = exercise.filled({(s, i, j): trace[s].values[i, j] for s, i, j in exercise.asked})
    assert len(exercise.waiting) > 1_900
    # All of a later round waits for everything.
    computed = [step for step in trace if later(step.name) and step.kind == "computed"]
    assert len(computed) > 40
    for step in computed:
        assert all(exercise.hides(step.name, i, j) for i, j in np.ndindex(step.shape))
    for name, i, j in exercise.waiting:
        found, wanted = arrays[name][i, j], trace[name].values[i, j]
        assert found == wanted or found == pytest.approx(wanted, abs=1e-9), (name, i, j)


@pytest.mark.parametrize("name", SHIPPED)
def test_one_early_slip_is_one_wrong_cell(name: str) -> None:
    trace = trace_of(name)
    for level in (1, 2, 3):
        wanted = plan(trace, level)
        exercise = Exercise(trace, wanted.asked)
        slip = first_number(exercise)
        entered = entries(exercise, {slip: trace[slip[0]].values[slip[1:]] + 0.3})
        verdicts = judge(trace, wanted, entered)
        assert [cell for cell, v in verdicts.items() if v != RIGHT] == [slip]
        assert verdicts[slip] == WRONG


def test_random_slips_are_the_only_wrong_cells() -> None:
    draws = Draws("paperformer/slips")
    for pair in pairs(8):
        trace = compute(pair.preset, pair.sentence, rounding=pair.rounding, controls=True)
        wanted = plan(trace, 1 + int(draws.number() * 3))
        exercise = Exercise(trace, wanted.asked)
        chosen = [c for c in sorted(wanted.asked) if unit(trace[c[0]]) and draws.number() < 0.15]
        slips = {c: round(trace[c[0]].values[c[1:]] + draws.choice((-0.3, 0.5)), 3) for c in chosen}
        verdicts = judge(trace, wanted, entries(exercise, slips))
        wrong = {cell for cell, v in verdicts.items() if v == WRONG}
        assert wrong <= slips.keys()
        assert set(verdicts.values()) <= {RIGHT, WRONG, NOT_YET}


def test_one_unit_of_the_last_decimal_is_right_two_are_not() -> None:
    trace, wanted, exercise = katze()
    cell = first_number(exercise)
    one, true = unit(trace[cell[0]]), trace[cell[0]].values[cell[1:]]
    for units, tolerance in product((-2, -1, 0, 1, 2), (0, 1, 2)):
        entered = entries(exercise, {cell: round(true + units * one, 6)})
        verdict = RIGHT if abs(units) <= tolerance else WRONG
        assert judge(trace, wanted, entered, tolerance=tolerance)[cell] == verdict


def test_texts_blanks_and_what_waits_for_them() -> None:
    trace, wanted, exercise = katze()
    power, word = ("block1.head1.exp", wanted.own, 0), ("sampling.next", 0, 0)
    entered = entries(exercise)
    for value, verdict in (("0,86", NO_NUMBER), ("abc", NO_NUMBER), (True, NO_NUMBER), ("", 0)):
        verdicts = judge(trace, wanted, {**entered, power: value})
        assert verdicts[power] == verdict
        assert verdicts["block1.head1.sum", wanted.own, 0] == NOT_YET
        assert verdicts["block1.head1.exp", wanted.own, 1] == RIGHT
        assert verdicts["block1.head2.sum", wanted.own, 0] == RIGHT
    assert set(judge(trace, wanted, {}).values()) == {NOT_YET}
    # The next word is compared exactly.
    right = entered[word]
    for value, verdict in ((right, RIGHT), (right.upper(), WRONG), ("?", WRONG), ("", NOT_YET)):
        assert judge(trace, wanted, {**entered, word: value})[word] == verdict


def test_when_to_judge() -> None:
    trace, wanted, exercise = katze()
    at = ("block1.head1.scores", "block1.head1.exp")
    block = {cell for cell in wanted.asked if cell[0] in at}
    entered = entries(exercise)
    left = {**entered, (at[1], wanted.own, 0): ""}
    assert set(judge(trace, wanted, entered, when="off").values()) == {NOT_YET}
    assert set(judge(trace, wanted, entered, when="block", blocks=[block]).values()) == {RIGHT}
    verdicts = judge(trace, wanted, left, when="block", blocks=[block])
    assert {verdicts[cell] for cell in block} == {NOT_YET}
    assert verdicts[at[0], wanted.own, 0] == NOT_YET
    assert judge(trace, wanted, left)[at[0], wanted.own, 0] == RIGHT


def test_hidden_numbers_play_no_part() -> None:
    trace = trace_of("katze", rounds=2)
    wanted = plan(trace, 2)
    exercise = Exercise(trace, wanted.asked)
    entered = entries(exercise)
    bare = exercise.without_numbers()
    assert judge(bare, wanted, entered) == judge(trace, wanted, entered)
    assert plan(bare, 2) == wanted
    assert Exercise(bare, wanted.asked).waiting == exercise.waiting
    assert set(bare["round2.input"].rows) == {""}
    assert bare["sampling.next"].values[0, 0] == ""
    for name, i, j in exercise.hidden:
        assert bare[name].values[i, j] in ("", -10.0)
    for step in trace:
        for i, j in np.ndindex(step.shape):
            if not exercise.hides(step.name, i, j):
                assert bare[step.name].values[i, j] == step.values[i, j]


def test_what_is_the_same_number_by_structure_does_not_tell_it() -> None:
    _, wanted, exercise = katze()
    assert ("similarity", wanted.own, 0) in wanted.asked
    assert ("similarity", 0, wanted.own) in exercise.waiting
    every = compute(replace(load_preset("katze"), output_positions="all"), controls=True)
    asked = plan(every, 1).asked
    last = len(every.tokens) - 1
    assert ("output.logits", 0, 0) in asked
    assert ("output.all.logits", last, 0) in Exercise(every, asked).waiting


def test_areas_hold_exactly_the_cells() -> None:
    draws = Draws("paperformer/areas")
    for _ in range(50):
        names = ("a", "b")
        cells: set[Cell] = {
            (draws.choice(names), int(draws.number() * 4), int(draws.number() * 5))
            for _ in range(int(draws.number() * 15))
        }
        areas = gathered(cells)
        found = [(c.step, c.i, c.j) for area in areas for c in area.cells()]
        assert len(found) == len(set(found))
        assert set(found) == cells
    assert len(gathered({("a", i, j) for i in range(3) for j in range(4)})) == 1
