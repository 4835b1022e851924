"""What a pupil cannot walk into: judging pauses while anything is changed, settings are locked."""

import io
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from openpyxl import load_workbook

import generator
from generator.checks.judging import CHECKS, Judging
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.owner import owner_in
from generator.render.workbook.exercise import render
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.checks import TITLE_ROW
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.start_layout import SETTING
from generator.render.workbook.layout.tabs import FOCUS
from generator.render.workbook.layout.tabs import FOCUS_ROW as MESSAGE_ROW
from generator.render.workbook.sheet_tabs import played
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import LANGUAGES, SHIPPED, Desk, desk, enter, entries
from tests.support.recalculate import (
    Value,
    Values,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
)
from tests.support.workbook import input_of

Typed = Mapping[tuple[str, str], Value | None]
WORD, TEMPERATURE, SWITCH = ("tokens", 1, 0), ("temperature", 0, 0), ("switch.scale", 0, 0)


def typed(made: Desk, cell: tuple[str, int, int], value: Value) -> Typed:
    return {input_of(made.draft.layout, *cell): value}


def changes(made: Desk) -> dict[str, Typed]:
    """An experiment and three controls, each by itself."""
    return {
        "experiment": {made.draft.layout.setting_inputs["experiment"]: 1},
        "word": typed(made, WORD, made.trace.tokens[0]),
        "temperature": typed(made, TEMPERATURE, 0.7),
        "switch": typed(made, SWITCH, 0),
    }


def no_changes(made: Desk) -> dict[str, Typed]:
    """Entries that leave everything as delivered: the same again, refused, the focus."""
    return {
        "same": typed(made, SWITCH, 1),
        "refused": typed(made, TEMPERATURE, "warm"),
        "focus": {made.draft.layout.setting_inputs["focus"]: 1},
    }


def told(made: Desk, values: Values) -> list[Value]:
    """The line at the head of each tab, Start first."""
    start, cell = made.draft.layout.warning
    titles = [sheet.tab.title for sheet in made.draft.layout.sheets]
    place = at(MESSAGE_ROW, WORDS_COLUMN)
    return [values[start][cell], *(values[title][place] for title in titles)]


def counted(made: Desk, values: Values) -> bool:
    """Whether Start, every tab and every block say how much is right; else none of them does."""
    start, number = values[made.draft.layout.start.sheet], len(made.plan.asked)
    said = [f"{number} / {number}" in start.values()]
    for title, tab in made.draft.checks.items():
        lines = [TITLE_ROW, *(block.band.help_row for block in tab.blocks)]
        said += [values[title][at(row, WORDS_COLUMN)] != "" for row in lines]
    assert len(set(said)) == 1
    return said[0]


def proved(made: Desk, read: Sequence[Values], right: Mapping) -> None:
    """Nothing is judged while one of `changes` is on, and each tab says so; then all is again."""
    sentence = load(made.language).t("exercise.paused")
    number = len(changes(made))
    for values in read[:number]:
        assert made.verdicts(values) == made.expected(right, paused=True)
        assert set(told(made, values)) == {sentence}
        assert not counted(made, values)
    for values in read[number:]:
        assert made.verdicts(values) == made.expected(right)
        assert sentence not in told(made, values)
        assert counted(made, values)


def filled(made: Desk) -> tuple[Mapping, list[bytes]]:
    """All right entries, and the files with them and with one thing changed or none."""
    right = entries(made.exercise)
    xlsx, cases = made.filled(right), (*changes(made).values(), *no_changes(made).values())
    return right, [enter(xlsx, one) for one in cases]


def test_judging_pauses_on_every_tab_while_anything_differs() -> None:
    made = desk("katze", 2, "de")
    right, files = filled(made)
    assert set(made.expected(right).values()) == {1}
    assert set(made.expected(right, paused=True).values()) == {0}
    proved(made, [ironcalc_values(xlsx) for xlsx in files], right)


@pytest.mark.ci
@pytest.mark.parametrize("language", LANGUAGES)
def test_libreoffice_pauses_alike(language: str, office: Office) -> None:
    made = desk("katze", 2, language)
    right, files = filled(made)
    proved(made, libreoffice_values(files, office), right)


def test_interim_results_pause_too() -> None:
    made = desk("katze", 2, "en")
    tab = made.draft.checks["Head 1"]
    chosen = {(tab.title, at(block.band.help_row, 2)): 4.0 for block in tab.blocks}
    xlsx = enter(made.filled(entries(made.exercise)), {**chosen, **changes(made)["switch"]})
    values = ironcalc_values(xlsx)[tab.title]
    helps = [
        values[at(line.functions[0], WORDS_COLUMN)]
        for block in tab.blocks
        for line in block.band.lines
        if line.functions and any(cell[0] == line.step for cell in block.cells)
    ]
    assert len(helps) >= 4
    assert set(helps) == {load("en").t("exercise.paused")}


# The teacher's settings -------------------------------------------------------------------------


CHOSEN = (Judging("once", 2, interim=False), Judging("off", 0), Judging())


@cache
def decided(judging: Judging) -> bytes:
    made = desk("katze", 2, "de")
    return render(made.trace, load("de"), 2, judging)


@pytest.mark.parametrize("judging", CHOSEN)
def test_settings_stand_in_the_file_and_are_locked(judging: Judging) -> None:
    made = desk("katze", 2, "de")
    page = load_workbook(io.BytesIO(decided(judging)))[made.draft.layout.start.sheet]
    where = made.draft.layout.settings
    found = {name: page[where[name][1]] for name in ("judge", "tolerance", "interim")}
    assert all(cell.protection.locked for cell in found.values())
    assert {name: cell.value for name, cell in found.items()} == {
        "judge": load("de").t(f"workbook.judge.{judging.check}"),
        "tolerance": judging.tolerance,
        "interim": int(judging.interim),
    }
    right = (cell for row in page.iter_rows(min_col=SETTING.name) for cell in row)
    unlocked = {cell.row for cell in right if not cell.protection.locked}
    assert unlocked.isdisjoint(cell.row for cell in found.values())


def test_entries_are_judged_as_the_settings_say() -> None:
    made = desk("katze", 2, "de")
    right = entries(made.exercise)
    name, i, j = min(cell for cell in right if cell[0] == "block1.head1.scores")
    right[name, i, j] = round(right[name, i, j] + 0.02, 2)
    places = {made.entry(cell): value for cell, value in right.items()}
    for judging in CHOSEN:
        found = made.verdicts(ironcalc_values(enter(decided(judging), places)))
        assert found == made.expected(right, judging.check, judging.tolerance), judging
    assert made.expected(right, "once", 2)[name, i, j] == 1
    assert made.expected(right, "block", 1)[name, i, j] == -1


def test_what_is_chosen_reaches_the_file_that_make_writes(tmp_path: Path) -> None:
    trace, chosen = generator.compute(preset="brille"), Judging("once", 2, interim=False)
    (path,) = generator.write(
        trace, tmp_path, ["xlsx"], sheets=["4a"], variant="blank", level=1, **vars(chosen)
    )
    owner = owner_in(load_workbook(path).properties.identifier)
    assert owner is not None
    assert path.read_bytes() == render(played(trace, ("4a",)), load("de"), 1, chosen, owner)


def test_without_judging_the_file_counts_what_is_filled_in_and_shows_no_verdict() -> None:
    made = desk("katze", 2, "de")
    right, number = entries(made.exercise), len(made.plan.asked)
    left = min(right)
    places = {made.entry(cell): value for cell, value in right.items() if cell != left}
    values = ironcalc_values(enter(decided(Judging("off", 0)), places))
    texts = [str(v) for sheet in values.values() for v in sheet.values()]
    assert f"{number - 1} / {number}" in texts
    assert not [text for text in texts if "✓" in text or "✗" in text or "Richtig" in text]
    sheet = values[made.entry(left)[0]]
    asked = len(made.draft.checks[made.entry(left)[0]].asked)
    assert f"Ausgefüllt: {asked - 1} von {asked}" in sheet.values()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"check": "never"}, f"there is no check 'never'; choose from: {', '.join(CHECKS)}"),
        ({"tolerance": 6}, "a tolerance of 6, expected whole units of the last decimal, 0 to 5"),
        ({"tolerance": 0.5}, "a tolerance of 0.5"),
        ({"tolerance": -1}, "a tolerance of -1"),
    ],
)
def test_settings_that_there_are_none_of(wrong: Mapping, says: str) -> None:
    with pytest.raises(UserError, match=says):
        Judging(**wrong)


# What is asked, seen without colour -------------------------------------------------------------


@pytest.mark.parametrize("name", each(2, SHIPPED))
def test_asked_rows_are_lettered_and_asked_cells_outlined_wherever_the_focus_is(name: str) -> None:
    made = desk(name, 3, "en")
    book = load_workbook(io.BytesIO(made.xlsx))
    sign = load("en").t("workbook.start.sign.entry")
    for title, tab in made.draft.checks.items():
        rows = {made.draft.layout.home(n).place(i, j)[0] for n, i, j in tab.asked}
        lettered = {
            cell.row
            for cell in book[title]["A"]
            if cell.value is not None and cell.number_format.startswith(f'"{sign}  "')
        }
        assert lettered == rows, title
    for cell in made.plan.asked:
        sheet, address = made.entry(cell)
        border = book[sheet][address].border
        assert {side.style for side in (border.left, border.right, border.top, border.bottom)} == {
            "medium"
        }
        rules = [
            rule
            for known in book[sheet].conditional_formatting
            if address in known.sqref
            for rule in known.rules
        ]
        stop = next(k for k, rule in enumerate(rules) if rule.formula == ["TRUE"])
        assert all(rule.stopIfTrue for rule in rules[: stop + 1])
        assert not any(rule.dxf and rule.dxf.border for rule in rules[: stop + 1])


def test_a_focus_cell_follows_start_and_takes_no_entry() -> None:
    made = desk("katze", 2, "en")
    book = load_workbook(io.BytesIO(made.xlsx))
    formulas, mirror = formula_cells(made.xlsx), f"={on(*made.draft.layout.settings['focus'])}"
    focus = FOCUS.replace("$", "")
    tabs = [page for page in book.worksheets if formulas[page.title].get(focus) == mirror]
    assert len(tabs) >= 3
    assert all(page[focus].protection.locked for page in tabs)
    values = ironcalc_values(enter(made.xlsx, {made.draft.layout.setting_inputs["focus"]: 5}))
    assert all(values[page.title][focus] == 5 for page in tabs)
