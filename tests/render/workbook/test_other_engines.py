"""Gnumeric and HyperFormula, to which nothing here was ever tuned, compute what the engine does.

Both are extra test tools: without them these tests are skipped and say how to install them.
"""

import re
from collections.abc import Callable, Mapping

import pytest

from generator.checks.verdict import NO_NUMBER
from generator.locales.catalogue import load
from generator.notation.excel import Functions
from generator.render.workbook.layout.layout import WORDS_COLUMN, HeadingLine
from tests.support.engines import (
    differing,
    gnumeric_values,
    hyperformula_values,
    live,
    same,
    typed_values,
)
from tests.support.pupil import Typed, desk, entries
from tests.support.recalculate import (
    Value,
    Values,
    cached_values,
    ironcalc_values,
)
from tests.support.workbook import played

pytestmark = pytest.mark.ci

PROGRAMS: Mapping[str, Callable[[bytes], Values]] = {
    "Gnumeric": gnumeric_values,
    "HyperFormula": hyperformula_values,
}
CELL_AND_FORMULA = re.compile(r"([A-Z]+\d+): (=.*)")


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


def test_a_pupil_types_in_a_german_program() -> None:
    """Numbers with a comma and formulas with German functions count; a point makes a text."""
    made = desk("katze", 2, "de")
    trace, entered = made.trace, entries(made.exercise)
    typed = {cell: german(value) for cell, value in entered.items()}
    formulas = [c for c in entered if c[0].startswith("block1.head1.")]
    for cell in formulas:
        address = made.draft.layout.addresses(made.draft.layout.home(cell[0]))
        typed[cell] = Functions(address, "de").formula(trace.cell(*cell))
    assert len([x for x in typed.values() if "RUNDEN" in x or "SUMME" in x]) >= 4
    point, wrong = [cell for cell in entered if cell[0] == "block1.head2.query"]
    entered[point] = typed[point] = "0.5"
    entered[wrong] = float(str(entered[wrong])) + 1
    typed[wrong] = german(entered[wrong])
    once = made.draft.layout.setting_inputs["judge"], f"'{load('de').t('workbook.judge.once')}"
    session = {made.entry(cell): text for cell, text in typed.items()} | dict([once])
    (values,) = live(made.xlsx, [session], "de")
    verdicts = made.verdicts(values)
    assert verdicts[point] == NO_NUMBER
    assert verdicts == made.expected(entered)


def german(value: object) -> str:
    """A number or a word as somebody types it in a German program."""
    return value if isinstance(value, str) else f"{value:g}".replace(".", ",")


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


def said(cells: Mapping[str, Value], line: HeadingLine) -> str:
    """The whole text of a formula that may go over several rows."""
    letter = chr(64 + WORDS_COLUMN)
    return "".join(str(cells.get(f"{letter}{row}", "")).strip() for row in line.functions)
