"""What goes wrong on a tab is named on Start and at the head of each tab; no error is seen."""

from collections.abc import Mapping

import numpy as np
import pytest

from generator.presets.load import load_preset
from generator.render.workbook.frames import bound
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.start_layout import NOTHING_NEXT
from generator.render.workbook.layout.tabs import FOCUS_ROW
from generator.render.workbook.styles import REFUSED
from tests.support.covering import first
from tests.support.engines import gnumeric_values
from tests.support.office import Office
from tests.support.recalculate import NOT_AVAILABLE, Value, Values, libreoffice_values
from tests.support.strict_xlsx import area_of
from tests.support.workbook import SHIPPED, Book, made_of, played

QUERY, KEY = "block1.head1.weight.query", "block1.head1.weight.key"
CASES = ("text", "empty", "huge", "two", "no word", "twice", "sum", "deviation", "large", "nothing")


def sentence(made: Book, values: Values) -> str:
    """What Start says, and every tab after it."""
    said, place = made.warning(values), at(FOCUS_ROW, WORDS_COLUMN)
    assert {values[sheet.tab.title][place] for sheet, _ in made.tabs} == {said}
    return said


def cases(made: Book) -> dict[str, tuple[Mapping, str, bool]]:
    """By what happens: what is typed, what must be said, whether a next token is left."""

    def whole(step: str, value: Value) -> dict[tuple[str, str], Value]:
        return {made.input(step, *place): value for place in np.ndindex(made.trace[step].shape)}

    last, word = made.input(QUERY, 3, 1), made.input("vocabulary.words", 1)
    belongs = f"Head 1, cell {last[1]}: this must be a number from −10 to 10 (empty counts as 0)."
    belongs += " Originally: 0"
    missing = f"Tokens, cell {word[1]}: a word is missing here. Originally: cat"
    flat = {**whole("vocabulary.embedding", 0.0), made.input("switch.position"): 0}
    opposed = {**whole(QUERY, -10.0), **whole(KEY, 10.0)}
    return {
        "text": ({last: "0,86"}, belongs, False),
        "empty": ({last: None}, belongs, True),
        "huge": ({last: 1e6}, belongs, False),
        "two": ({**whole(KEY, "x"), last: "?"}, belongs, False),
        "no word": ({word: None}, missing, True),
        "twice": ({word: "The"}, "Tokens: A word of the sentence is in the", True),
        "sum": (opposed, "Head 1, row “The”: The sum is 0", False),
        "deviation": (flat, "Attention, row “The”: σ is 0", False),
        # in other rows than the last one
        "large": ({**opposed, **whole(QUERY, 10.0)}, "Head 1: One e^x is too large", True),
        "nothing": ({}, "", True),
    }


def proved(made: Book, values: Values, said: str, left: bool) -> None:
    found, broken = sentence(made, values), made.errors(values)
    assert said in found if said else found == ""
    start = values[made.start.title]
    assert (start["M2"] != NOTHING_NEXT) is left
    assert broken or left
    for sheet, cell in broken:
        assert area_of(cell).within(area_of(hidden(made)[sheet]))
    assert made.start.title not in {sheet for sheet, _ in broken}


def hidden(made: Book) -> dict[str, str]:
    """The area of each tab in which an error is shown as a grey cell, before any other rule."""
    areas = {}
    for page in made.pages.worksheets:
        known = next(iter(page.conditional_formatting))
        (rule,) = known.rules
        assert (rule.formula, rule.priority) == (["ISERROR(A1)"], 1)
        assert rule.dxf.font.color.rgb == rule.dxf.fill.bgColor.rgb
        areas[page.title] = str(known.sqref)
    return areas


@pytest.mark.parametrize("case", CASES)
def test_the_reason_is_named_and_no_error_is_seen(case: str) -> None:
    made = played(language="en")
    typed, said, left = cases(made)[case]
    proved(made, made.values(typed), said, left)


@pytest.mark.ci
def test_libreoffice_names_alike(office: Office) -> None:
    made = played(language="en")
    known = cases(made)
    assert tuple(known) == CASES
    both = made.by_both([typed for typed, _, _ in known.values()], office)
    for (values, other), (_, said, left) in zip(both, known.values(), strict=True):
        proved(made, values, said, left)
        assert sentence(made, values) == sentence(made, other)
        assert made.errors(values) == made.errors(other)


def test_gnumeric_names_the_same_cell() -> None:
    """It computes no MAX of a whole area inside SUMPRODUCT, and named the tab alone."""
    made = played(language="en")
    for case in ("text", "huge", "two", "no word"):
        typed, said, _ = cases(made)[case]
        assert said in made.warning(gnumeric_values(made.edited(typed))), case


@pytest.mark.ci
def test_a_pasted_error_value_is_named_with_its_cell(office: Office) -> None:
    made = played(language="en")
    cell = made.input(QUERY, 2, 1)
    (values,) = libreoffice_values([made.edited({cell: NOT_AVAILABLE})], office)
    said = f"Head 1, cell {cell[1]}: this must be a number from −10 to 10 (empty counts as 0)"
    proved(made, values, f"{said}. Originally: 0", False)


@pytest.mark.parametrize("name", first(1, ("brille", "ausgabe", "paris", "random", "katze")))
def test_every_given_table_names_its_cell(name: str) -> None:
    made = played(name)
    controls = made.layout.start.by_cell
    tables = [s for s in made.trace if s.kind == "given" and (s.name, 0, 0) not in controls]
    assert len(tables) >= 3
    for step in tables:
        where = made.input(step.name, step.shape[0] - 1, step.shape[1] - 1)
        said = sentence(made, made.values({where: None if step.text else 2 * bound(step)}))
        assert f"{where[0]}, Zelle {where[1]}: " in said, step.name
        shown, delivered = said.rpartition(": ")[2], step.values[-1, -1]
        assert shown == delivered if step.text else float(shown) == delivered, (step.name, said)


@pytest.mark.ci
@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_nothing_is_said_of_what_can_be_computed(rounding: str) -> None:
    for name in SHIPPED:
        made = made_of(load_preset(name), "en", rounding=rounding)
        values = made.values()
        assert sentence(made, values) == ""
        assert not made.errors(values)


def test_what_is_refused_in_a_table_turns_red() -> None:
    made = played(language="en")
    home, cell = made.layout.home(QUERY), made.cell(QUERY)[1]
    known = made.pages["Head 1"].conditional_formatting
    rules = [rule for one in known if str(one.sqref) == home.span() for rule in one.rules]
    wrong = [f"IF(ISNUMBER({cell}),ABS({cell})>10,TRUE)"]
    (rule,) = (rule for rule in rules if rule.formula == wrong)
    assert rule.dxf.fill.bgColor.rgb.endswith(REFUSED)
