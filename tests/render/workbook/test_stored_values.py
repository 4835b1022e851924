"""What is stored beside each formula, number or text, is what every program computes anew.

In English, for a program spells numbers inside texts with its own decimal sign.
"""

from typing import NamedTuple

import pytest

from generator.checks.exercise import Exercise
from generator.engine.model import compute
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.language import in_language
from generator.presets.load import load_preset
from generator.render.workbook import exercise, solution
from tests.support.engines import gnumeric_values
from tests.support.office import Office
from tests.support.recalculate import (
    Value,
    Values,
    cached_values,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)

ENGLISH = load("en")
QUERY = "block1.head1.weight.query"
SPELLED_LONG = 0.54  # Gnumeric joins it to a text as 0.54000000000000000002


class Drawn(NamedTuple):
    preset: str
    rounding: str
    rounds: int
    level: int


DRAWN = (
    Drawn("katze", "paper", 3, 2),
    pytest.param(Drawn("random", "exact", 2, 3), marks=pytest.mark.ci),
    pytest.param(Drawn("nihao", "paper", 2, 1), marks=pytest.mark.ci),
    pytest.param(Drawn("katze-trained", "exact", 3, 3), marks=pytest.mark.ci),
)


def books(drawn: Drawn) -> list[bytes]:
    """Solution and exercise."""
    preset = in_language(load_preset(drawn.preset), "en")
    trace = compute(preset, rounding=drawn.rounding, rounds=drawn.rounds, controls=True)
    return [solution.render(trace, ENGLISH), exercise.render(trace, ENGLISH, drawn.level)]


def same(stored: Value, found: Value) -> bool:
    if isinstance(stored, str) or isinstance(found, str):
        return stored == found
    return abs(stored - found) <= 1e-7 * max(1.0, abs(stored))


def assert_stored(xlsx: bytes, *computed: Values) -> None:
    """An empty text is stored as an empty cell."""
    stored = cached_values(xlsx)
    for program, values in enumerate(computed):
        wrong = [
            (sheet, cell, stored[sheet].get(cell, ""), values[sheet].get(cell, ""))
            for sheet, cells in formula_cells(xlsx).items()
            for cell in cells
            if not same(stored[sheet].get(cell, ""), values[sheet].get(cell, ""))
        ]
        assert not wrong, (program, len(wrong), wrong[:5])


@pytest.mark.parametrize("drawn", DRAWN)
def test_two_programs_compute_what_is_stored(drawn: Drawn, office: Office) -> None:
    files = books(drawn)
    bare = [strip_caches(file) for file in files]
    for file, empty, found in zip(files, bare, libreoffice_values(bare, office), strict=True):
        assert_stored(file, found, ironcalc_values(empty))


def test_words_of_a_later_round_wait_with_their_numbers() -> None:
    trace = compute(load_preset("katze"), rounds=2, controls=True)
    bare = Exercise(trace, plan(trace, 2).asked).without_numbers()
    step = bare["round2.block1.head1.query"]
    assert set(step.rows) == {""}
    assert bare["block1.head1.query"].rows == trace.tokens


@pytest.mark.ci
def test_texts_hold_numbers_as_short_as_they_are_and_round_ties_alike() -> None:
    preset = in_language(load_preset("random"), "en")
    edits = {f"{QUERY}[{i},{j}]": SPELLED_LONG for i in (1, 2, 3, 4) for j in (1, 2)}
    for changes in (None, edits):
        trace = compute(preset, rounding="exact", edits=changes, controls=True)
        xlsx = solution.render(trace, ENGLISH)
        formulas = formula_cells(xlsx)
        texts = {
            (sheet, cell): value
            for sheet, cells in cached_values(xlsx).items()
            for cell, value in cells.items()
            if isinstance(value, str) and cell in formulas[sheet]
        }
        joined = " ".join(texts.values())
        if changes:
            assert "0.54 × " in joined or "× 0.54" in joined
        else:
            assert "0.45 × (−1.10) + (−0.30) × (−1.60) ≈ −0.02" in joined  # −0.015
        for values in (gnumeric_values(xlsx), ironcalc_values(strip_caches(xlsx))):
            wrong = {
                at: (text, values[at[0]][at[1]])
                for at, text in texts.items()
                if values[at[0]].get(at[1]) != text
            }
            assert not wrong, list(wrong.items())[:4]
