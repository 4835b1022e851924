"""The exercise as a file: no answer in it, guarded cells, locked settings, checks all can see."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

import generator
from generator.checks.exercise import Exercise
from generator.checks.judging import CHECKS, Judging
from generator.checks.verdict import unit
from generator.engine.model import compute
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from generator.render.owner import owner_in
from generator.render.workbook.exercise import render
from generator.render.workbook.layout.box import at, defined_name, on
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.start_layout import SETTING
from generator.render.workbook.layout.tabs import FOCUS
from generator.render.workbook.reading.read_back import read_back
from generator.render.workbook.sheet_tabs import played
from generator.render.workbook.verdicts import MARKS
from tests.render.workbook.test_read_back import FORMATS, convert
from tests.render.workbook.test_tabs import LEAST_CONTRAST, contrast
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import Desk, desk, trace_of
from tests.support.recalculate import (
    Values,
    cached_values,
    edit_cells,
    ironcalc_values,
    libreoffice_values,
)
from tests.support.workbook import SHIPPED, Place


def overwritten(trace: Trace, hidden: frozenset[Cell]) -> Trace:
    """The Trace with other contents in the hidden cells."""
    steps = {name: trace[name] for name, _, _ in hidden}
    values = {name: step.values.copy() for name, step in steps.items()}
    for name, i, j in hidden:
        values[name][i, j] = "falsch" if steps[name].text else 12345.678 + i - 7 * j
    return trace.with_steps(step._replace(values=values[name]) for name, step in steps.items())


@pytest.mark.parametrize("name", each(5, SHIPPED))
def test_hidden_numbers_leave_the_bytes_unchanged(name: str) -> None:
    for level, rounding, language in ((1, "paper", "de"), (2, "exact", "en"), (3, "paper", "de")):
        trace = trace_of(name, rounding=rounding)
        hidden = Exercise(trace, plan(trace, level).asked).hidden
        assert len(hidden) > 30
        changed = overwritten(trace, hidden)
        assert all(changed[s].values[i, j] != trace[s].values[i, j] for s, i, j in hidden)
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
    numbers = [
        float(trace[s].values[i, j])
        for s, i, j in plan(trace, level).asked
        if s not in ("ids", "embedding") and not trace[s].text
    ]
    shown = [
        value
        for cells in cached_values(render(trace, load("en"), level)).values()
        for value in cells.values()
        if isinstance(value, float) and not value.is_integer()
    ]
    assert len(shown) > 100
    answers = np.array([x for x in numbers if not x.is_integer()])
    assert not (near := [v for v in shown if np.abs(answers - v).min() < 1e-7]), near[:5]


def test_entries_are_empty_cells_and_waiting_ones_formulas_without_a_value() -> None:
    """What else is delivered is as it is computed: see test_other_engines."""
    for made in (desk(name, 3) for name in SHIPPED):
        asked, waiting = made.plan.asked, made.exercise.waiting
        hidden = map(made.entry, made.exercise.hidden)
        assert not [address for sheet, address in hidden if address in made.cached[sheet]]
        assert not [c for c in map(made.entry, asked) if c[1] in made.formulas[c[0]]]
        formulas = [made.formulas[sheet][address] for sheet, address in map(made.entry, waiting)]
        assert all(formula.startswith("=IF(") for formula in formulas)


# What the cells take ---------------------------------------------------------------------------


def test_only_entries_hints_and_inputs_are_unlocked() -> None:
    made = desk()
    wanted = {made.entry(cell) for cell in made.plan.asked}
    wanted |= {(title, at(block.band.help_row, 2)) for title, block in made.checked}
    found = {
        (page.title, cell.coordinate)
        for page in made.pages.worksheets
        for row in page.iter_rows()
        for cell in row
        if not cell.protection.locked
    }
    assert all(page.protection.sheet for page in made.pages.worksheets)
    assert wanted <= found
    assert {title for title, _ in found - wanted} <= {made.start.title, made.layout.warm_up}


def test_typing_is_guarded_with_a_message() -> None:
    for language, sign in (("de", "0,86"), ("en", "0.86")):
        made = desk("katze", 3, language)
        for cell in made.plan.asked:
            sheet, address = made.entry(cell)
            known = made.pages[sheet].data_validations.dataValidation
            (rule,) = (rule for rule in known if address in rule.sqref)
            assert rule.showErrorMessage
            if unit(made.trace[cell[0]]):
                assert (rule.type, rule.errorStyle) == ("decimal", "warning")
                assert sign in rule.error


def test_a_focus_cell_follows_start_and_takes_no_entry() -> None:
    made = desk("katze", 2, "en")
    mirror, focus = f"={on(*made.layout.settings['focus'])}", FOCUS.replace("$", "")
    tabs = [page for page in made.pages if made.formulas[page.title].get(focus) == mirror]
    assert len(tabs) >= 3
    assert all(page[focus].protection.locked for page in tabs)
    values = made.values({made.focus: 5})
    assert all(values[page.title][focus] == 5 for page in tabs)


# The teacher's settings -------------------------------------------------------------------------


CHOSEN = (Judging("once", interim=False, tolerance=2), Judging("off", tolerance=0), Judging())


@cache
def decided(judging: Judging) -> bytes:
    return render(desk().trace, load("de"), 2, judging)


@pytest.mark.parametrize("judging", CHOSEN)
def test_settings_stand_in_the_file_are_locked_and_judged_by(judging: Judging, tmp_path) -> None:
    made, file = desk(), tmp_path / "exercise.xlsx"
    file.write_bytes(decided(judging))
    page = load_workbook(file)[made.start.title]
    settings = ("judge", "tolerance", "interim")
    found = {name: page[made.layout.settings[name][1]] for name in settings}
    assert {name: cell.value for name, cell in found.items()} == {
        "judge": made.catalogue.t(f"workbook.judge.{judging.check}"),
        "tolerance": judging.tolerance,
        "interim": int(judging.interim),
    }
    right = (cell for row in page.iter_rows(min_col=SETTING.name) for cell in row)
    unlocked = {cell.row for cell in right if not cell.protection.locked}
    assert all(cell.protection.locked and cell.row not in unlocked for cell in found.values())
    rules = page.data_validations.dataValidation
    lists = {
        k: [x.formula1 for x in rules if cell.coordinate in x.sqref] for k, cell in found.items()
    }
    choices = {k: len([*page[one.replace("$", "").lstrip("=")]]) for k, (one,) in lists.items()}
    held = {"judge": 3, "tolerance": 6, "interim": 2}
    assert choices == (held if judging.judges else {"judge": 1, "tolerance": 1, "interim": 2})
    if not judging.judges:
        return
    slip = min(cell for cell in made.right if cell[0] == "block1.head1.scores")
    entered = {**made.right, slip: round(made.right[slip] + 0.02, 2)}
    typed = {made.entry(cell): value for cell, value in entered.items()}
    verdicts = made.verdicts(ironcalc_values(edit_cells(decided(judging), typed)))
    assert verdicts == made.expected(entered, judging.check, judging.tolerance)
    assert verdicts[slip] == {"once": 1, "block": -1}[judging.check]


def test_what_is_chosen_reaches_the_file_that_make_writes(tmp_path: Path) -> None:
    trace, chosen = generator.compute(preset="brille"), Judging("once", interim=False, tolerance=2)
    (path,) = generator.write(
        trace, tmp_path, ["xlsx"], sheets=["4a"], variant="blank", level=1, **vars(chosen)
    )
    owner = owner_in(load_workbook(path).properties.identifier)
    assert owner is not None
    assert path.read_bytes() == render(played(trace, ("4a",)), load("de"), 1, chosen, owner)


def test_without_judging_the_file_counts_what_is_filled_in_and_shows_no_verdict() -> None:
    made = desk()
    left, number = min(made.right), len(made.plan.asked)
    typed = {made.entry(cell): value for cell, value in made.right.items() if cell != left}
    values = ironcalc_values(edit_cells(decided(Judging("off", tolerance=0)), typed))
    texts = [str(v) for sheet in values.values() for v in sheet.values()]
    assert f"{number - 1} / {number}" in texts
    assert not [text for text in texts if "✓" in text or "✗" in text or "Richtig" in text]
    title, _ = made.entry(left)
    asked = len(made.draft.checks[title].asked)
    assert f"Ausgefüllt: {asked - 1} von {asked}" in values[title].values()


TEST = Judging("off", interim=False)


@pytest.mark.parametrize(("name", "language"), [("katze", "en"), ("nihao", "de"), ("paris", "de")])
def test_a_test_holds_no_formula_of_an_asked_cell_anywhere(name: str, language: str) -> None:
    """Neither in a cell, a name, a rule nor a text: not to judge by, not as help, not as its lines.

    Another step's formula on another tab may read the same; on its own tab, or with the tab's name
    before each cell, it is this one.
    """
    made = desk(name, 2, language)
    tested, asked = render(made.trace, made.catalogue, 2, TEST), {x for x, _, _ in made.plan.asked}
    assert tested == render(made.trace, made.catalogue, 2, replace(TEST, hints=False))
    for xlsx, least in ((made.xlsx, 20), (tested, 0)):
        book = load_workbook(BytesIO(xlsx))
        texts = {tab.title: list(everything(tab)) for tab in book}
        texts[""] = [one.attr_text for one in book.defined_names.values()]
        assert sum(map(len, texts.values())) > 900
        found = set()
        for cell in made.plan.asked:
            home = made.layout.homes[cell[0]]
            here = made.draft.excel(home).write(made.exercise.meaning(cell))
            there = made.draft.excel(home._replace(sheet="")).write(made.exercise.meaning(cell))
            found |= {
                cell
                for tab, held in texts.items()
                for text in held
                if "(" in here and (there in text or (tab == home.sheet and here in text))
            }
        assert len(found) >= least
        assert bool(found) == bool(least), sorted(found)[:5]
        below = [book[sheet.tab.title].cell(row, WORDS_COLUMN).value
                 for sheet in made.layout.sheets for band in sheet.bands for line in band.lines
                 for row in (*line.functions, *[line.row] * (line.step in asked))]  # fmt: skip
        assert len(below) > 10
        assert any(below) == bool(least)


def everything(tab: Worksheet) -> Iterator[str]:
    """All texts and formulas of a tab: of cells, notes, rules for looks and for entries."""
    for row in tab.iter_rows():
        for cell in row:
            yield from (str(one) for one in (cell.value, cell.comment) if one is not None)
    for some in tab.conditional_formatting:
        yield from (formula for rule in some.rules for formula in rule.formula)
    for rule in tab.data_validations.dataValidation:
        yield from (str(one) for one in (rule.formula1, rule.formula2) if one is not None)


def test_nothing_in_a_test_tells_right_from_wrong_whoever_unlocks_it(office: Office) -> None:
    """All that may be chosen has no effect; an entry changes only what is computed from it."""
    made = desk("katze", 2, "en")
    tested = render(made.trace, made.catalogue, 2, TEST)
    on = {
        made.layout.setting_inputs["judge"]: made.catalogue.t("workbook.judge.once"),
        made.layout.setting_inputs["interim"]: 1,
        made.layout.setting_inputs["tolerance"]: 5,
    }
    read = {one for cell in made.plan.asked for one in made.exercise.rests_on(cell)}
    read |= {one for cell in made.exercise.waiting for one in made.exercise.rests_on(cell)}
    last = [cell for cell in made.plan.asked - read if not made.trace[cell[0]].text]
    assert len(last) >= 5
    right = {made.entry(cell): value for cell, value in made.right.items()}
    wrong = right | {made.entry(cell): made.right[cell] + 0.4 for cell in last}
    entered = {"blank": {}, "right": right, "wrong": wrong}
    books = [edit_cells(tested, typed | more) for typed in entered.values() for more in ({}, on)]
    for values in (list(map(ironcalc_values, books)), libreoffice_values(books, office)):
        off, switched = values[::2], values[1::2]
        for before, after in zip(off, switched, strict=True):
            assert differing(before, after) == on.keys()
        assert differing(off[1], off[2]) == {made.entry(cell) for cell in last}


def differing(before: Values, after: Values) -> set[Place]:
    """The cells that hold something else."""
    everywhere = {(tab, cell) for one in (before, after) for tab in one for cell in one[tab]}
    return {(tab, cell) for tab, cell in everywhere
            if before[tab].get(cell) != after[tab].get(cell)}  # fmt: skip


# What the file says of itself -------------------------------------------------------------------


def test_checks_are_shown_and_not_printed() -> None:
    made = desk()
    for title, tab in made.draft.checks.items():
        page, first = made.pages[title], at(1, tab.first)
        dimension = page.column_dimensions[first[:-1]]
        assert (dimension.outlineLevel, dimension.hidden) == (0, False)
        assert page[first].value == made.catalogue.t("exercise.checks.title")
        last = page.print_area.rpartition("$")[0].rpartition("$")[2]
        assert page[f"{last}1"].column < tab.first


def rules_of(made: Desk, cell: Cell) -> list:
    """The rules for the look of a cell, the first one first."""
    sheet, address = made.entry(cell)
    known = made.pages[sheet].conditional_formatting
    return [rule for one in known if address in one.sqref for rule in one.rules]


@pytest.mark.parametrize("name", each(2, SHIPPED))
def test_what_is_asked_and_each_verdict_is_seen_without_colour(name: str) -> None:
    """Rows are lettered, cells outlined wherever the focus is; verdicts have signs."""
    made = desk(name, 3, "en")
    sign = made.catalogue.t("workbook.start.sign.entry")
    for title, tab in made.draft.checks.items():
        lettered = {
            cell.row
            for cell in made.pages[title]["A"]
            if cell.value is not None and cell.number_format.startswith(f'"{sign}  "')
        }
        assert lettered == {made.layout.home(n).place(i, j)[0] for n, i, j in tab.asked}, title
    for cell in made.plan.asked:
        sheet, address = made.entry(cell)
        border, rules = made.pages[sheet][address].border, rules_of(made, cell)
        sides = (border.left, border.right, border.top, border.bottom)
        assert {side.style for side in sides} == {"medium"}
        codes = [rule.dxf.numFmt.formatCode for rule in rules[:3]]
        assert all(sign in code for sign, code in zip("✓✗?", codes, strict=True))
        stop = next(k for k, rule in enumerate(rules) if rule.formula == ["TRUE"])
        assert all(rule.stopIfTrue for rule in rules[: stop + 1])
        assert not any(rule.dxf and rule.dxf.border for rule in rules[: stop + 1])
    assert all(contrast(mark.ink, mark.ground) >= LEAST_CONTRAST for mark in MARKS.values())


def test_names_code_and_identifier() -> None:
    made = desk("katze", 3)
    for step in made.trace:
        name = made.pages.defined_names[defined_name(step.name)]
        assert name.attr_text == made.layout.home(step.name).area()
    preset, identifier = made.trace.preset, made.pages.properties.identifier
    assert preset.sha256 in identifier
    assert identifier.endswith("|exercise|3")
    texts = [str(cell.value) for row in made.start.iter_rows() for cell in row]
    assert any(preset.sha256[:8] in text for text in texts)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"check": "never"}, f"there is no check 'never'; choose from: {', '.join(CHECKS)}"),
        ({"tolerance": 6}, "a tolerance of 6, expected whole units of the last decimal, 0 to 5"),
        ({"tolerance": 0.5}, "a tolerance of 0.5"),
        ({"tolerance": -1}, "a tolerance of -1"),
    ],
)
def test_settings_that_there_are_none_of(wrong: dict, says: str) -> None:
    with pytest.raises(UserError, match=says):
        Judging(**wrong)


@pytest.mark.parametrize(
    ("sentence", "controls", "level", "says"),
    [
        (None, True, 0, "no level 0"),
        (" ".join(["Katze"] * 31), True, 2, "31 tokens"),
        (None, False, 2, "without controls"),
    ],
)
def test_what_cannot_be_made(sentence: str, controls: bool, level: int, says: str) -> None:
    trace = compute(load_preset("katze"), sentence, controls=controls)
    with pytest.raises((UserError, ValueError), match=says):
        render(trace, load("de"), level)


@pytest.mark.ci
def test_entries_are_found_again_after_libreoffice_saved_the_file(tmp_path: Path) -> None:
    made = desk("katze", 2, "en")
    source = tmp_path / "exercise.xlsx"
    source.write_bytes(made.filled())
    for kind in FORMATS:
        convert([source], kind, tmp_path)
        found = read_back((tmp_path / kind / f"exercise.{kind}").read_bytes())
        assert found.identifier.endswith("|exercise|2")
        for (name, i, j), wanted in made.right.items():
            home = made.layout.home(name)
            row, column = home.place(i, j)
            value = found.tables[defined_name(name)][row - home.row][column - home.column]
            assert value == (wanted if isinstance(wanted, str) else pytest.approx(wanted)), name
