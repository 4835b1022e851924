"""The tab "Warm-up": three small calculations, each judged at once from the entries before."""

import math
from collections.abc import Mapping
from io import BytesIO

import pytest
from openpyxl import load_workbook

from generator.checks.judging import Judging
from generator.engine.evaluate import evaluate
from generator.locales.catalogue import load
from generator.render.workbook.exercise import render
from generator.render.workbook.warm_up_tab import COUNT_ROW, GIVEN, SIGN, SPOTS, warmed
from tests.support.engines import gnumeric_values, hyperformula_values
from tests.support.office import Office
from tests.support.pupil import desk
from tests.support.recalculate import Values, formula_cells, libreoffice_values
from tests.support.workbook import Book, played

TITLE = "Warm-up"
Typed = Mapping[tuple[str, int, int], object]
RIGHT = {  # by hand: 2·4 − 1·5 + 3·1; row by column; e² ≈ 7.39, e ≈ 2.72, 1, together 11.11
    ("dot", 0, 0): 6,
    ("product", 0, 0): 4,
    ("product", 0, 1): 8,
    ("product", 1, 0): 5,
    ("product", 1, 1): -4,
    ("exp", 0, 0): 7.39,
    ("exp", 0, 1): 2.72,
    ("exp", 0, 2): 1,
    ("sum", 0, 0): 11.11,
    ("shares", 0, 0): 0.67,
    ("shares", 0, 1): 0.24,
    ("shares", 0, 2): 0.09,
}


def at(name: str, i: int, j: int, shift: int = 0) -> str:
    row, column = SPOTS[f"warmup.{name}"]
    return f"{chr(64 + column + j + shift)}{row + i}"


def places(typed: Typed) -> dict[tuple[str, str], object]:
    return {(TITLE, at(*cell)): value for cell, value in typed.items()}


def signs(values: Values) -> dict[tuple[str, int, int], object]:
    """What stands beside each entry."""
    return {cell: values[TITLE].get(at(*cell, shift=SIGN), "") for cell in RIGHT}


def one() -> Book:
    return played("katze", language="en")


def test_numbers_by_hand_are_those_of_the_engine() -> None:
    trace = warmed(one().trace)
    assert {name.removeprefix("warmup.") for name in SPOTS} >= {name for name, _, _ in RIGHT}
    for (name, i, j), value in RIGHT.items():
        step = trace[f"warmup.{name}"]
        assert math.isclose(step.values[i, j], value)
        cell = trace.cell(step.name, i, j)
        assert math.isclose(float(evaluate(cell, lambda x: trace[x].values)), value)


def test_what_is_right_wrong_or_no_number_is_said_at_once() -> None:
    empty = one().values()
    assert set(signs(empty).values()) == {""}
    assert empty[TITLE][f"A{COUNT_ROW}"] == "0 of 12 are right."
    right = one().values(places(RIGHT))
    assert set(signs(right).values()) == {"✓"}
    assert right[TITLE][f"A{COUNT_ROW}"] == "12 of 12 are right."
    slips: dict[tuple[str, int, int], object] = {("dot", 0, 0): 16, ("exp", 0, 1): "e"}
    found = signs(one().values(places({**RIGHT, **slips})))
    assert (found["dot", 0, 0], found["exp", 0, 1]) == ("✗", "?")
    assert found["sum", 0, 0] == ""  # waits for what it is added up from


def test_an_early_slip_is_carried_forward_and_other_numbers_are_judged_anew() -> None:
    slip = {**RIGHT, ("sum", 0, 0): 12, ("shares", 0, 0): 0.62}
    found = signs(one().values(places(slip)))
    assert (found["sum", 0, 0], found["shares", 0, 0]) == ("✗", "✓")
    other = signs(one().values({**places(RIGHT), (TITLE, at("a", 0, 0)): 3}))
    assert other["dot", 0, 0] == "✗"
    changed = {**places({**RIGHT, ("dot", 0, 0): 10}), (TITLE, at("a", 0, 0)): 3}
    assert signs(one().values(changed))["dot", 0, 0] == "✓"


@pytest.mark.ci
def test_other_programs_judge_alike(office: Office) -> None:
    wrong = one().edited(places({**RIGHT, ("product", 1, 1): 4}))
    (known,) = libreoffice_values([wrong], office)
    for values in (known, gnumeric_values(wrong), hyperformula_values(wrong)):
        found = signs(values)
        assert found.pop(("product", 1, 1)) == "✗"
        assert set(found.values()) == {"✓"}


def test_an_exercise_has_it_and_no_answer_and_an_exam_judges_nothing() -> None:
    made = desk("katze", 2, "en")
    page = made.pages[TITLE]
    for cell in RIGHT:
        assert page[at(*cell)].value is None
        assert not page[at(*cell)].protection.locked
    assert all(not page[at(name.removeprefix("warmup."), 0, 0)].protection.locked for name in GIVEN)
    assert TITLE not in [sheet.tab.title for sheet in made.layout.sheets]
    assert played("ausgabe", language="en").layout.warm_up == ""
    lenient = render(made.trace, load("en"), 2, judging=Judging(tolerance=3))
    for one, sign in ((lenient, "✓"), (made.xlsx, "✗")):
        values = Book(made.trace, one, made.layout).values(places({("exp", 0, 0): 7.42}))
        assert signs(values)["exp", 0, 0] == sign
    unjudged = render(made.trace, load("en"), 2, judging=Judging(check="off"))
    heads = (page["A2"].value, load_workbook(BytesIO(unjudged))[TITLE]["A2"].value)
    assert ["see at once" in str(head) for head in heads] == [True, False]
    assert not [f for f in formula_cells(unjudged)[TITLE].values() if "ROUND" in f or "✓" in f]
