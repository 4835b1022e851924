"""What goes wrong on a tab is named on Start and at the head of each tab; no error is seen."""

import io
from collections.abc import Mapping

import pytest
from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries

from generator.engine.model import compute
from generator.presets.load import load_preset
from generator.render.workbook.frames import bound
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.start_layout import NOTHING_NEXT
from generator.render.workbook.layout.tabs import FOCUS_ROW as MESSAGE_ROW
from generator.render.workbook.styles import REFUSED
from tests.support.covering import first
from tests.support.office import ERROR, Office
from tests.support.recalculate import (
    NOT_AVAILABLE,
    Value,
    Values,
    edit_cells,
    ironcalc_values,
    libreoffice_values,
)
from tests.support.workbook import Book, book, played

SHIPPED = ("katze", "random", "paris", "ausgabe", "brille")
QUERY, KEY = "block1.head1.weight.query", "block1.head1.weight.key"
CASES = ("text", "empty", "huge", "two", "no word", "twice", "sum", "deviation", "large", "nothing")
Typed = Mapping[tuple[str, str], Value | None]


def whole(made: Book, step: str, value: Value) -> Typed:
    """The same value typed into every cell of a given step."""
    height, width = made.trace[step].shape
    return {made.input(step, i, j): value for i in range(height) for j in range(width)}


def sentence(made: Book, values: Values) -> str:
    """What Start says, and every tab after it."""
    start, cell = made.layout.warning
    said, place = values[start][cell], at(MESSAGE_ROW, WORDS_COLUMN)
    for sheet in made.layout.sheets:
        assert values[sheet.tab.title][place] == said
    return str(said)


def errors(values: Values) -> set[tuple[str, str]]:
    return {(s, a) for s, cells in values.items() for a, v in cells.items() if v == ERROR}


def next_token(made: Book, values: Values) -> Value:
    """The word on Start, once at the top and once beside the choice of an experiment."""
    start = values[made.layout.start.sheet]
    assert start["M2"] == start[f"J{made.layout.start.experiments_row + 1}"]
    return start["M2"]


def cases(made: Book) -> dict[str, tuple[Typed, str, bool]]:
    """By what happens: what is typed, what must be said, whether a next token is left."""
    last = made.input(QUERY, 3, 1)
    word = made.input("vocabulary.words", 1, 0)
    belongs = f"Head 1, cell {last[1]}: a number from −10 to 10 belongs here (empty counts as 0)."
    belongs += " Originally: 0"
    missing = f"Tokens, cell {word[1]}: a word is missing here. Originally: cat"
    return {
        "text": ({last: "0,86"}, belongs, False),
        "empty": ({last: None}, belongs, True),
        "huge": ({last: 1e6}, belongs, False),
        "two": ({**whole(made, KEY, "x"), last: "?"}, belongs, False),
        "no word": ({word: None}, missing, True),
        "twice": ({word: "The"}, "Tokens: A word of the sentence is in the", True),
        "sum": (
            {**whole(made, QUERY, -10.0), **whole(made, KEY, 10.0)},
            "Head 1, row “The”: The sum is 0",
            False,
        ),
        "deviation": (
            {**whole(made, "vocabulary.embedding", 0.0), made.input("switch.position", 0, 0): 0},
            "Attention, row “The”: σ is 0",
            False,
        ),
        "large": (
            {**whole(made, QUERY, 10.0), **whole(made, KEY, 10.0)},
            "Head 1: One e^x is too large",
            True,  # in other rows than the last one
        ),
        "nothing": ({}, "", True),
    }


def proved(made: Book, values: Values, said: str, left: bool) -> None:
    found = sentence(made, values)
    assert said in found if said else found == ""
    broken, start = errors(values), made.layout.start.sheet
    assert not [where for where in broken if where[0] == start]
    assert (next_token(made, values) != NOTHING_NEXT) is left
    assert broken or left
    blank = hidden(made)
    assert all(inside(blank[sheet], cell) for sheet, cell in broken)


def hidden(made: Book) -> dict[str, str]:
    """The area of each tab in which an error is shown as a grey cell, before any other rule."""
    areas = {}
    for page in load_workbook(io.BytesIO(made.xlsx)).worksheets:
        known = next(iter(page.conditional_formatting))
        (rule,) = known.rules
        assert rule.formula == ["ISERROR(A1)"]
        assert rule.priority == 1
        assert rule.dxf.font.color.rgb == rule.dxf.fill.bgColor.rgb
        areas[page.title] = str(known.sqref)
    return areas


def inside(area: str, cell: str) -> bool:
    left, top, right, bottom = range_boundaries(area)
    column, row, _, _ = range_boundaries(cell)
    return left <= column <= right and top <= row <= bottom


@pytest.mark.parametrize("case", CASES)
def test_the_reason_is_named_and_no_error_is_seen(case: str) -> None:
    made = played("katze", "", "en")
    typed, said, left = cases(made)[case]
    proved(made, ironcalc_values(edit_cells(made.xlsx, typed)), said, left)


@pytest.mark.ci
def test_libreoffice_names_alike(office: Office) -> None:
    made = played("katze", "", "en")
    known = cases(made)
    assert tuple(known) == CASES
    files = [edit_cells(made.xlsx, typed) for typed, _, _ in known.values()]
    computed = libreoffice_values(files, office)
    for xlsx, values, (_, said, left) in zip(files, computed, known.values(), strict=True):
        proved(made, values, said, left)
        assert sentence(made, values) == sentence(made, ironcalc_values(xlsx))
        assert errors(values) == errors(ironcalc_values(xlsx))


@pytest.mark.ci
def test_a_pasted_error_value_is_named_with_its_cell(office: Office) -> None:
    made = played("katze", "", "en")
    cell = made.input(QUERY, 2, 1)
    (values,) = libreoffice_values([edit_cells(made.xlsx, {cell: NOT_AVAILABLE})], office)
    said = f"Head 1, cell {cell[1]}: a number from −10 to 10 belongs here (empty counts as 0)"
    proved(made, values, f"{said}. Originally: 0", False)


@pytest.mark.parametrize("name", first(1, SHIPPED[::-1]))
def test_every_given_table_names_its_cell(name: str) -> None:
    made = played(name, "", "de")
    tables = [
        step
        for step in made.trace
        if step.kind == "given" and (step.name, 0, 0) not in made.layout.start.by_cell
    ]
    assert len(tables) >= 3
    for step in tables:
        where = made.input(step.name, step.shape[0] - 1, step.shape[1] - 1)
        wrong = None if step.text else 2 * bound(step)
        values = ironcalc_values(edit_cells(made.xlsx, {where: wrong}))
        said, delivered = sentence(made, values), step.values[-1, -1]
        assert f"{where[0]}, Zelle {where[1]}: " in said, step.name
        shown = said.rpartition(": ")[2]
        assert shown == delivered if step.text else float(shown) == delivered, (step.name, said)


@pytest.mark.ci
@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_nothing_is_said_of_what_can_be_computed(rounding: str) -> None:
    for name in SHIPPED:
        made = book(compute(load_preset(name), rounding=rounding, controls=True), "en")
        values = ironcalc_values(made.xlsx)
        assert sentence(made, values) == ""
        assert not errors(values)


def test_what_is_refused_in_a_table_turns_red() -> None:
    made = played("katze", "", "en")
    page = load_workbook(io.BytesIO(made.xlsx))["Head 1"]
    home = made.layout.home(QUERY)
    cell = home.cell(0, 0)
    wrong = [f"IF(ISNUMBER({cell}),ABS({cell})>10,TRUE)"]
    rules = [
        rule
        for known in page.conditional_formatting
        if str(known.sqref) == home.span()
        for rule in known.rules
    ]
    (rule,) = (rule for rule in rules if rule.formula == wrong)
    assert rule.dxf.fill.bgColor.rgb.endswith(REFUSED)
