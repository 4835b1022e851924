"""Gnumeric and HyperFormula, to which nothing here was ever tuned, compute what the engine does.

Both are extra test tools: without them these tests are skipped and say how to install them.
"""

import re
from collections.abc import Callable, Mapping

import pytest

from generator.engine.model import compute
from generator.presets.load import load_preset
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Line
from tests.support.engines import (
    differing,
    gnumeric_values,
    hyperformula_values,
    same,
    typed_values,
)
from tests.support.pupil import Typed, desk, entries
from tests.support.recalculate import (
    Value,
    Values,
    cached_values,
    edit_cells,
    ironcalc_values,
    strip_caches,
)
from tests.support.workbook import Book, book, compare, played

pytestmark = pytest.mark.ci

PROGRAMS: Mapping[str, Callable[[bytes], Values]] = {
    "Gnumeric": gnumeric_values,
    "HyperFormula": hyperformula_values,
}
EDITS: tuple[dict[str, object], ...] = (
    {"switch.mask": 0, "switch.heads[1,2]": 0, "temperature": 0.7},
    {"sampling.strategy": "top-p", "sampling.p": 0.4, "sampling.random": 0.99},
    {"tokens[1]": "Matte", "tokens[5]": "auf", "block1.head1.weight.query[1,1]": -0.3},
)
SOME = [("nihao", "de"), ("random", "en"), ("ausgabe", "de")]
CELL_AND_FORMULA = re.compile(r"([A-Z]+\d+): (=.*)")


def proved(made: Book, xlsx: bytes, edit: Mapping[str, object], program: str) -> int:
    """Assert that all formulas give what IronCalc gives, and all steps what the engine does."""
    values, known = PROGRAMS[program](xlsx), ironcalc_values(xlsx)
    wrong = differing(values, known)
    assert not wrong, (program, len(wrong), wrong[:3])
    whole = {sheet: {**cells, **values.get(sheet, {})} for sheet, cells in known.items()}
    preset, rounds = made.trace.preset, made.trace.rounds
    expected = compute(
        *(preset, made.trace.sentence),
        rounding=made.trace.rounding,
        edits=edit,
        controls=True,
        rounds=rounds,
    )
    return compare(made, whole, expected)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("name", "language"), [("nihao", "de"), ("random", "en"), ("ausgabe", "de")]
)
def test_other_programs_compute_the_same(name: str, language: str, program: str) -> None:
    made = played(name, language=language)
    assert proved(made, strip_caches(made.xlsx), {}, program) > 90


@pytest.mark.parametrize("program", PROGRAMS)
def test_rounds_and_exact_arithmetic(program: str) -> None:
    made = book(compute(load_preset("katze"), rounding="exact", controls=True, rounds=2), "en")
    assert proved(made, strip_caches(made.xlsx), {}, program) > 1500


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("edit", EDITS, ids=["switches", "drawing", "words"])
def test_edits_are_live_there_too(edit: dict[str, object], program: str) -> None:
    made = played("katze", "Die Katze sitzt auf der Matte")
    xlsx = edit_cells(made.xlsx, made.typed(edit))  # type: ignore[arg-type]
    assert proved(made, xlsx, edit, program) > 1000


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_exercise_is_judged_alike(program: str) -> None:
    made = desk("katze", 2, "de")
    entered = entries(made.exercise)
    own, cell = made.plan.own, ("block1.head1.scores", made.plan.own, 0)
    entered[cell] = float(str(entered[cell])) + 1
    entered["block1.head1.sum", own, 0] = Typed(f"={entered['block1.head1.sum', own, 0]!r}*1")
    entered["block1.head2.scores", own, 0] = "0.5"
    xlsx = made.filled(entered)
    values, known = PROGRAMS[program](xlsx), ironcalc_values(xlsx)
    verdicts = made.verdicts(known)
    assert sorted(set(verdicts.values())) == [-2, -1, 0, 1]
    assert made.verdicts(values) == verdicts
    wrong = differing(values, known)
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_the_tabs_say_in_functions_can_be_typed_in(language: str) -> None:
    """The grey line "F12: =RUNDEN(…)" typed into that cell of a program in that language."""
    made = played("katze", "Die Katze sitzt auf der Matte", language)
    shown, typed = cached_values(made.xlsx), dict[str, dict[str, Value]]()
    for sheet in made.layout.sheets:
        cells = shown[sheet.tab.title]
        for line in (line for band in sheet.bands for line in band.lines if line.functions):
            found = CELL_AND_FORMULA.fullmatch(said(cells, line))
            assert found, line.step
            typed.setdefault(sheet.tab.title, {})[found[1]] = found[2]
    values = typed_values(shown, typed, language)
    told = [(title, name) for title, cells in values.items() for name in cells]
    assert len(told) >= 50
    for title, name in told:
        wanted = shown[title][name]
        assert same(values[title][name], wanted), (title, name, typed[title][name], wanted)


def said(cells: Mapping[str, Value], line: Line) -> str:
    """The whole text of a formula that may go over several rows."""
    letter = chr(64 + WORDS_COLUMN)
    return "".join(str(cells.get(f"{letter}{row}", "")).strip() for row in line.functions)
