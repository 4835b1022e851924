"""The exercise as a file: no answer in it, guarded cells, checks that everybody can see."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from generator.checks.exercise import Exercise
from generator.checks.verdict import unit
from generator.engine.model import compute
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from generator.render.workbook.exercise import render
from generator.render.workbook.layout.box import at, defined_name
from generator.render.workbook.reading.read_back import read_back
from generator.render.workbook.verdicts import MARKS
from tests.render.workbook.test_read_back import FORMATS, convert
from tests.support.covering import each
from tests.support.pupil import (
    LANGUAGES,
    SHIPPED,
    Desk,
    desk,
    entries,
    no_error,
    trace_of,
)
from tests.support.recalculate import (
    cached_values,
    formula_cells,
    ironcalc_values,
    strip_caches,
)

LEVELS = (1, 2, 3)
CONTRAST = 4.5


def overwritten(trace: Trace, hidden: frozenset[Cell]) -> Trace:
    """The Trace with other contents in the hidden cells."""
    other = compute(trace.preset, trace.sentence, controls=True, rounding=trace.rounding)
    steps = dict(other.steps)
    for name in {cell[0] for cell in hidden}:
        values = steps[name].values.copy()
        for _, i, j in (cell for cell in hidden if cell[0] == name):
            values[i, j] = "falsch" if steps[name].text else 12345.678 + i - 7 * j
        steps[name] = steps[name]._replace(values=values)
    return other.with_steps(steps.values())


@pytest.mark.parametrize("name", each(5, SHIPPED))
def test_hidden_numbers_leave_the_bytes_unchanged(name: str) -> None:
    for level, rounding, language in ((1, "paper", "de"), (2, "exact", "en"), (3, "paper", "de")):
        trace = trace_of(name, rounding=rounding)
        hidden = Exercise(trace, plan(trace, level).asked).hidden
        assert len(hidden) > 30
        changed = overwritten(trace, hidden)
        cell = min(hidden)
        assert changed[cell[0]].values[cell[1:]] != trace[cell[0]].values[cell[1:]]
        assert render(changed, load(language), level) == render(trace, load(language), level)


@pytest.mark.parametrize("level", each(3, (3, 2, 1)))
def test_no_visible_number_is_an_answer(level: int) -> None:
    preset = replace(load_preset("random"), output_positions="all", input_decimals=None)
    weights = {
        k: v + 0.0137 * np.arange(1, v.size + 1).reshape(v.shape) for k, v in preset.weights.items()
    }
    words = {
        word: tuple(x + 0.0171 * (3 * k + i) for i, x in enumerate(row))
        for k, (word, row) in enumerate(preset.words.items())
    }
    preset = replace(preset, weights=weights, words=words)
    trace = compute(preset, rounding="exact", controls=True, rounds=2)
    asked = plan(trace, level).asked
    numbers = sorted(
        float(trace[s].values[i, j])
        for s, i, j in asked
        if s not in ("ids", "embedding") and not trace[s].text
    )
    shown = [
        value
        for cells in cached_values(render(trace, load("en"), level)).values()
        for value in cells.values()
        if isinstance(value, float) and not value.is_integer()
    ]
    assert len(shown) > 100
    answers = np.array([x for x in numbers if not x.is_integer()])
    near = [v for v in shown if np.abs(answers - v).min() < 1e-7]
    assert not near, near[:5]


@pytest.mark.parametrize("name", each(4, SHIPPED))
def test_hidden_cells_are_delivered_empty_and_all_else_as_computed(name: str) -> None:
    made = desk(name, 2, "en")
    cached = cached_values(made.xlsx)
    live = _live_lines(made)  # test_live is about them
    recalculated = ironcalc_values(strip_caches(made.xlsx))
    no_error(recalculated)
    for sheet, cells in recalculated.items():
        for address in cells.keys() - live.get(sheet, set()):
            value = cells[address]
            shown = cached[sheet].get(address, "")
            same = value == (pytest.approx(shown, abs=1e-9) if _is_number(shown) else shown)
            assert same, (sheet, address, value, shown)
    for cell in made.exercise.hidden:
        sheet, address = made.entry(cell)
        assert address not in cached[sheet]


def _live_lines(made: Desk) -> dict[str, set[str]]:
    return {
        sheet.tab.title: {at(line.live, 1) for b in sheet.bands for line in b.lines if line.live}
        for sheet in made.draft.layout.sheets
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_entries_are_empty_cells_and_waiting_ones_formulas() -> None:
    for name in SHIPPED:
        made = desk(name, 3)
        formulas = formula_cells(made.xlsx)
        for cell in made.plan.asked:
            sheet, address = made.entry(cell)
            assert address not in formulas[sheet]
        for cell in made.exercise.waiting:
            sheet, address = made.entry(cell)
            assert formulas[sheet][address].startswith("=IF(")


# What the cells take ---------------------------------------------------------------------------


def test_only_entries_hints_and_inputs_are_unlocked() -> None:
    made = desk("katze", 2)
    book = load_workbook(io.BytesIO(made.xlsx))
    wanted = {made.entry(cell) for cell in made.plan.asked}
    wanted |= {
        (tab.title, at(block.band.help_row, 2))
        for tab in made.draft.checks.values()
        for block in tab.blocks
    }
    start = load("de").t("workbook.tab.start")
    found = {
        (page.title, cell.coordinate)
        for page in book.worksheets
        for row in page.iter_rows()
        for cell in row
        if not cell.protection.locked
    }
    assert all(page.protection.sheet for page in book.worksheets)
    assert wanted <= found
    assert {where for where in found - wanted if where[0] != start} == set()


def test_typing_is_guarded_with_a_message() -> None:
    for language, sign in (("de", "0,86"), ("en", "0.86")):
        made = desk("katze", 3, language)
        book = load_workbook(io.BytesIO(made.xlsx))
        for cell in made.plan.asked:
            sheet, address = made.entry(cell)
            rules = [
                rule
                for rule in book[sheet].data_validations.dataValidation
                if address in rule.sqref
            ]
            assert len(rules) == 1, (cell, address)
            assert rules[0].showErrorMessage
            assert len(rules[0].error) <= 255
            if unit(made.trace[cell[0]]):
                assert (rules[0].type, rules[0].errorStyle) == ("decimal", "warning")
                assert sign in rules[0].error


# What the file says of itself -------------------------------------------------------------------


def test_checks_are_shown_grouped_and_not_printed() -> None:
    made = desk("katze", 2)
    book = load_workbook(io.BytesIO(made.xlsx))
    for title, tab in made.draft.checks.items():
        page = book[title]
        first = at(1, tab.first)[:-1]
        dimension = page.column_dimensions[first]
        assert (dimension.outlineLevel, dimension.hidden) == (1, False)
        assert page[at(1, tab.first)].value == load("de").t("exercise.checks.title")
        last = page.print_area.rpartition("$")[0].rpartition("$")[2]
        assert page[f"{last}1"].column < tab.first


def test_each_verdict_is_told_by_sign_and_colour() -> None:
    made = desk("katze", 2)
    book = load_workbook(io.BytesIO(made.xlsx))
    for cell in made.plan.asked:
        sheet, address = made.entry(cell)
        found = [
            rule
            for known in book[sheet].conditional_formatting
            if address in known.sqref
            for rule in known.rules
        ][:3]
        codes = [rule.dxf.numFmt.formatCode for rule in found]
        assert all(sign in code for sign, code in zip("✓✗?", codes, strict=True))
    for mark in MARKS.values():
        assert _contrast(mark.ink, mark.ground) >= CONTRAST


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_names_code_and_identifier() -> None:
    made = desk("katze", 3)
    book = load_workbook(io.BytesIO(made.xlsx))
    for step in made.trace:
        home = made.draft.layout.home(step.name)
        assert book.defined_names[defined_name(step.name)].attr_text == home.area()
    preset = made.trace.preset
    assert preset.sha256 in book.properties.identifier
    assert book.properties.identifier.endswith("|exercise|3")
    texts = [cell.value for row in book.worksheets[0].iter_rows() for cell in row if cell.value]
    assert any(preset.sha256[:8] in str(text) for text in texts)


@pytest.mark.ci
def test_same_bytes_each_time_and_other_levels_differ() -> None:
    trace = trace_of("katze")
    files = [render(trace, load("de"), level) for level in (1, 2, 3, 1)]
    assert files[0] == files[3]
    assert len(set(files)) == 3


def test_both_languages_say_the_same_things() -> None:
    german, english = ({k for k in load(x).phrases if k.startswith("exercise.")} for x in LANGUAGES)
    assert german == english
    assert len(german) > 20


def test_what_cannot_be_made() -> None:
    with pytest.raises(UserError, match="no level 0"):
        render(trace_of("katze"), load("de"), 0)
    long = compute(load_preset("katze"), " ".join(["Katze"] * 31), controls=True)
    with pytest.raises(UserError, match="31 tokens"):
        render(long, load("de"))
    with pytest.raises(ValueError, match="without controls"):
        render(compute(load_preset("katze")), load("de"))


@pytest.mark.ci
def test_entries_are_found_again_after_libreoffice_saved_the_file(tmp_path: Path) -> None:
    made = desk("katze", 2, "en")
    entered = entries(made.exercise)
    source = tmp_path / "exercise.xlsx"
    source.write_bytes(made.filled(entered))
    for kind in FORMATS:
        convert([source], kind, tmp_path)
        found = read_back((tmp_path / kind / f"exercise.{kind}").read_bytes())
        assert found.identifier.endswith("|exercise|2")
        for name, i, j in made.plan.asked:
            home = made.draft.layout.home(name)
            row, column = home.place(i, j)
            value = found.tables[defined_name(name)][row - home.row][column - home.column]
            wanted = entered[name, i, j]
            assert value == (wanted if isinstance(wanted, str) else pytest.approx(wanted)), name
