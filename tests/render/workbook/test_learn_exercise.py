"""Sheets 7a and 7b as tabs: the paper's step, filled by a simulated pupil, errors carried on."""

from functools import cache

import numpy as np
import pytest

import generator
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.output_step import AFTER, ERROR, GRADIENT, LOSS, NEW
from generator.locales.catalogue import load
from generator.render.workbook.exercise import render
from generator.render.workbook.sheet_tabs import cut, played
from generator.sheets.sheet7a.plan import plan as plan_a
from generator.sheets.sheet7b.plan import plan as plan_b
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import Desk, entries, no_error
from tests.support.recalculate import (
    cached_values,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import book, compare

BOTH = ("7a", "7b")
RIGHT, WRONG = 1, -1


@cache
def whole(preset: str = "katze") -> Trace:
    return generator.compute(preset=preset, controls=True)


@cache
def desk(level: int = 2, sheets: tuple[str, ...] = BOTH, preset: str = "katze") -> Desk:
    return Desk(cut(whole(preset), sheets), level, "de")


def test_the_tabs_have_the_step_of_the_sheets() -> None:
    part = cut(whole(), BOTH)
    for plan in (plan_a, plan_b):
        paper = {step.name: step for step in plan(whole(), 2).extra}
        asked = {name for name, _, _ in plan(whole(), 2).asked}
        assert asked <= set(part.steps)
        for name in asked:
            np.testing.assert_array_equal(part[name].values, paper[name].values)
            assert part[name].decimals == paper[name].decimals
    one = book(part, "en")
    titles = [sheet.tab.title for sheet in one.layout.sheets]
    assert titles == ["Output", "Way back", "Learn", "Pass 2"]
    assert compare(one, ironcalc_values(strip_caches(one.xlsx))) > 100


@pytest.mark.parametrize(("level", "rows"), each(3, [(2, 2), (1, 1), (3, 3)]))
def test_what_is_asked_is_the_same_whatever_the_model_says(level: int, rows: int) -> None:
    asked = desk(level).plan.asked
    right = cut(whole(), BOTH)["loss.onehot"].values[0].tolist().index(1.0)
    assert {i for name, i, _ in asked if name == NEW} == {(right + k) % 6 for k in range(rows)}
    assert {name for name, _, _ in asked} == {
        *(LOSS, ERROR, GRADIENT, NEW, f"{AFTER}output.logits", f"{AFTER}{LOSS}"),
        *(f"{AFTER}output.{name}" for name in ("exp", "sum", "probabilities")),
    }
    first = {name for name, _, _ in desk(level, ("7a",)).plan.asked}
    assert first == {LOSS, ERROR, GRADIENT, NEW}
    alone = desk(level, ("7b",))
    assert {name for name, _, _ in alone.plan.asked} == {name for name, _, _ in asked} - first
    assert [tab.title for tab in alone.draft.checks.values()] == ["Durchgang 2"]
    assert alone.trace[NEW].kind == "given"


@pytest.mark.parametrize("level", each(3, (2, 1, 3)))
def test_an_early_slip_is_one_red_cell_and_the_rest_follows_from_it(level: int) -> None:
    made = desk(level)
    right = cut(whole(), BOTH)["loss.onehot"].values[0].tolist().index(1.0)
    slip: Cell = (ERROR, 0, right)
    wrong = -made.trace[ERROR].values[0, right]  # y − P
    for slips in ({}, {slip: wrong}):
        entered = entries(made.exercise, slips)
        values = ironcalc_values(made.filled(entered))
        no_error(values)
        verdicts = made.verdicts(values)
        assert verdicts == made.expected(entered)
        assert {cell for cell, v in verdicts.items() if v != RIGHT} == slips.keys()
    assert entered[NEW, right, 0] != round(float(made.trace[NEW].values[right, 0]), 2)


@pytest.mark.ci
@pytest.mark.parametrize("preset", ["katze", "random", "ausgabe"])
def test_libreoffice_judges_as_the_evaluator_does(preset: str, office: Office) -> None:
    made = desk(3, BOTH, preset)
    slip = min(cell for cell in made.plan.asked if cell[0] == NEW)
    entered = entries(made.exercise, {slip: 5.0})
    (values,) = libreoffice_values([made.filled(entered)], office)
    no_error(values)
    assert made.verdicts(values) == made.expected(entered)


def test_no_answer_is_in_the_file() -> None:
    made = desk()
    numbers = (made.trace[name] for name in made.exercise.steps if not made.trace[name].text)
    hidden = [s._replace(values=np.where(_mask(made, s.name), 7.77, s.values)) for s in numbers]
    assert len(hidden) > 8
    other = render(made.trace.with_steps(hidden), load("de"), 2)
    assert cached_values(other) == cached_values(made.xlsx)
    assert other == made.xlsx


def _mask(made: Desk, name: str) -> np.ndarray:
    found = np.zeros(made.trace[name].shape, bool)
    for step, i, j in made.exercise.hidden:
        if step == name:
            found[i, j] = True
    return found


@pytest.mark.ci
def test_every_weight_learns_in_an_exercise_too() -> None:
    trace = generator.compute(preset="katze", next_word="Matte", train=1)
    made = Desk(played(trace, None), 1, "de")
    asked = {name for name, _, _ in made.plan.asked}
    assert {LOSS, ERROR, "update.vocabulary.embedding", f"{AFTER}{LOSS}"} <= asked
    assert "grad.vocabulary.embedding" not in asked
    values = ironcalc_values(made.filled(entries(made.exercise)))
    assert set(made.verdicts(values).values()) == {RIGHT}


def test_a_chosen_training_and_the_sheets_of_paper_are_told_apart() -> None:
    trace = generator.compute(preset="katze", next_word="Matte", train=1)
    with pytest.raises(UserError, match=r"--sheets 7a leaves.*leave out --sheets, or --train"):
        played(trace, ("7a",))
