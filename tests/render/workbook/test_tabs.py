"""The stage tabs of a workbook: readable, guarded, labelled, live, and parts of them."""

import re
from itertools import product

import numpy as np
import pytest

from generator.checks.exercise import Exercise
from generator.locales.catalogue import load
from generator.presets.computed import computed
from generator.render.workbook import styles
from generator.render.workbook.build import write
from generator.render.workbook.draft import Draft
from generator.render.workbook.headings import about
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.tabs import FOCUS, OWN, is_control, tabs
from generator.render.workbook.layout.texts import pieces
from tests.support.covering import each
from tests.support.recalculate import cached_values, edit_cells, ironcalc_values, strip_caches
from tests.support.stage_tabs import drafted_tabs, label_at, pages, stage_pages
from tests.support.workbook import book, played

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
LEAST_CONTRAST = 4.5


# Contrast and roles ---------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    r, g, b = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_text_stands_out_from_its_ground() -> None:
    assert contrast("000000", "FFFFFF") == pytest.approx(21)
    for role, font in styles.FONTS.items():
        grounds = {styles.FILLS.get("result" if role == "next" else role, "FFFFFF")}
        if role in ("computed", "echo"):
            grounds |= set(styles.HEAT)
        for ground in grounds:
            assert contrast(font["color"], ground) >= LEAST_CONTRAST, (role, ground)


def test_only_cells_to_fill_take_entries() -> None:
    one = played()
    for sheet, page in stage_pages(one):
        assert page.protection.sheet
        assert not page.protection.password
        open_cells = {cell.coordinate for row in page for cell in row if not cell.protection.locked}
        boxes = [box for band in sheet.bands for box in band.boxes if box.home]
        given = {
            box.cell(i, j)
            for box in boxes
            if one.trace[box.step].kind == "given"
            for i, j in np.ndindex(one.trace[box.step].shape)
            if one.layout.in_force(box.step, i, j) is None
        }
        assert open_cells - {OWN} == given


def test_given_numbers_take_only_numbers_within_a_bound() -> None:
    _, page = stage_pages(played())[0]
    rule = next(r for r in page.data_validations.dataValidation if r.type == "decimal")
    assert (rule.formula1, rule.formula2, rule.errorStyle) == ("-10", "10", "warning")
    assert "0,86" in rule.error
    assert "0.86" in rule.error
    assert len(rule.error) <= 225
    assert len(rule.errorTitle) <= 32
    table = played().layout.home("vocabulary.embedding").span()
    assert table in {str(span) for span in rule.sqref.ranges}


# Labels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", ["", "auf auf auf auf", f"Katze {LONG} Katze {LONG}"])
def test_headers_are_unique(sentence: str) -> None:
    for one in (played("katze", sentence), played("random", sentence)):
        values = cached_values(one.xlsx)
        for sheet in one.layout.sheets:
            for band in sheet.bands:
                heads = [
                    (box, values[sheet.tab.title][label_at(label.row, label.column)])
                    for box in band.boxes
                    for label in band.labels
                    if label.across and label.row + 1 == box.row
                    and box.column <= label.column <= box.right
                ]  # fmt: skip
                assert len(set(heads)) == len(heads)


def test_labels_follow_a_swapped_word() -> None:
    one = played("katze", "Die Katze sitzt auf der Matte")
    values = ironcalc_values(edit_cells(one.xlsx, {one.input("tokens", 1, 0): "Matte"}))
    titles = [sheet.tab.title for sheet in one.layout.sheets if sheet.tab.kind == "head"]
    for title in titles:
        texts = [v for v in values[title].values() if isinstance(v, str)]
        assert "2 Matte" in texts
        assert "2 Katze" not in texts


# Functions and live lines ---------------------------------------------------------------------


def test_functions_stand_beside_every_computed_step() -> None:
    for language, name in product(("de", "en"), ("katze", "ausgabe", "random")):
        one = played(name, language=language)
        for sheet, page in stage_pages(one):
            for line in (line for band in sheet.bands for line in band.lines):
                home = one.layout.home(line.step)
                if one.trace[line.step].kind == "given" or home.sheet != sheet.tab.title:
                    assert not line.functions
                    continue
                text = page.cell(line.functions[0], 6).value
                assert re.match(r"[A-Z]+\d+: =", text), text
                assert "10)" not in text or "^10" in text  # no guard before the rounding
                assert language == "en" or "ROUND(" not in text


def test_live_lines_are_cached_as_they_are_computed() -> None:
    one = played("katze", language="en")
    computed, cached = ironcalc_values(strip_caches(one.xlsx)), cached_values(one.xlsx)
    found = 0
    for sheet in one.layout.sheets:
        for line in (line for band in sheet.bands for line in band.lines if line.live):
            cell, title = f"A{line.live}", sheet.tab.title
            assert computed[title][cell] == cached[title][cell] != ""
            found += 1
    assert found >= 25


def test_live_lines_and_shares_follow_the_focus() -> None:
    one = played("katze", language="en")
    for sheet in one.layout.sheets:
        if sheet.tab.kind != "head":
            continue
        title = sheet.tab.title
        setting = one.layout.setting_inputs["focus"]
        values = ironcalc_values(edit_cells(one.xlsx, {setting: 2}))[title]
        assert values["D3"] == one.trace.tokens[1]
        lines = [line for band in sheet.bands for line in band.lines if line.live]
        assert lines
        assert all(str(values[f"A{x.live}"]).startswith("Token 2 ") for x in lines)
        picked = next(band.picked for band in sheet.bands if band.picked)
        weights = one.trace[picked.step].values[1]
        assert [values[picked.cell(0, j)] for j in range(picked.width)] == weights.tolist()


def test_the_start_tab_sets_the_focus_of_all_tabs() -> None:
    one = played("katze", language="en")
    setting = one.layout.setting_inputs["focus"]
    values = ironcalc_values(edit_cells(one.xlsx, {setting: 1}))
    focus = FOCUS.replace("$", "")
    with_focus = [s.tab.title for s in one.layout.sheets if focus in values[s.tab.title]]
    assert len(with_focus) >= 6
    assert {values[title][focus] for title in with_focus} == {1}


@pytest.mark.parametrize(
    ("typed", "inforce"), each(3, [(5, 5), (None, 1), (2.5, 1), (9, 1), ("x", 1)])
)
def test_a_tab_takes_a_focus_of_its_own_or_says_why_not(typed: object, inforce: int) -> None:
    one = played("katze", language="en")
    setting = one.layout.setting_inputs["focus"]
    values = ironcalc_values(edit_cells(one.xlsx, {setting: 1, ("Head 1", OWN): typed}))
    head = values["Head 1"]
    assert (head["C3"], head["D3"]) == (inforce, one.trace.tokens[inforce - 1])
    assert values["Head 2"]["C3"] == 1
    refused = "Not accepted – Focus token: Only whole numbers from 1 to 6"
    assert head["F3"] == ("" if typed in (5, None) else refused)


def test_long_texts_break_after_an_operator_and_nothing_is_lost() -> None:
    text = "F12: =" + "+".join(f"B{k}*C{k}" for k in range(60))
    lines = pieces(text, 90)
    assert len(lines) > 3
    assert max(map(len, lines)) <= 95
    assert "".join(line.strip() for line in lines) == text
    assert len(pieces(text, 90, 2)) == 2
    assert len(pieces("short", 90)) == 1


# Asked cells and other hands ------------------------------------------------------------------


def test_only_bands_with_asked_cells_have_a_help_row() -> None:
    trace, catalogue = played().trace, load("de")
    asked = frozenset({("block1.head1.scores", 4, 0), ("sampling.next", 0, 0)})
    layout = lay_out(trace, catalogue, asked)
    rows = [(s.tab.title, band) for s in layout.sheets for band in s.bands if band.help_row]
    steps = {box.step for _, band in rows for box in band.boxes if box.home}
    assert len(rows) == 2
    assert steps == {"block1.head1.scores", "sampling.next"}
    for _, band in rows:
        used = {line.row for line in band.lines} | {label.row for label in band.labels}
        used |= {row for row, _ in band.tags.values()} | {box.row for box in band.boxes}
        assert band.top < band.help_row <= band.bottom
        assert band.help_row not in used
    plain = lay_out(trace, catalogue)
    assert not [1 for sheet in plain.sheets for band in sheet.bands if band.help_row]


def test_what_is_asked_is_not_worked_out_above() -> None:
    asked = frozenset({("block1.head1.scores", 4, 0)})
    exercise = Exercise(played().trace, asked)
    draft = Draft(exercise, load("de"))
    write(draft)
    page, sheet, _ = next(tab for tab in drafted_tabs(draft) if tab[1].tab.kind == "head")
    lines = [line for band in sheet.bands for line in band.lines if line.live]
    worked = {line.step for line in lines if page.cell(line.live, 1).value}
    assert worked == {line.step for line in lines} - exercise.steps
    assert worked
    assert {line.step for line in lines} & exercise.steps


@pytest.mark.parametrize(
    ("preset", "kind", "said"),
    [
        ("katze", "attention", "The heads are brought together → old + new → layer norm"),
        (
            "nihao",
            "feedforward",
            "Layer norm → each row passes through a small network on its own → old",
        ),
        ("induction", "attention", "The heads are brought together → old + new"),
        ("katze", "input", "The positional encoding is added to the embedding"),
        ("mental", "input", "This model knows no positions"),
    ],
)
def test_what_a_tab_says_about_itself_is_true_of_the_model(preset, kind, said):
    catalogue = load("en")
    trace = computed(preset=preset, language="en", controls=True)
    found = next(tab for tab in tabs(trace, catalogue) if tab.kind == kind)
    assert about(found, catalogue).startswith(said)
    assert ("ayer norm" in said) == ("ayer norm" in about(found, catalogue))


def test_only_learned_numbers_are_called_learned():
    for language, word in (("de", "lernt"), ("en", "learned")):
        catalogue = load(language)
        for preset in ("katze", "induction", "mental", "random"):
            trace = computed(preset=preset, language=language, controls=True)
            layout = lay_out(trace, catalogue)
            said = [layout.in_words(step.name) for step in trace if not is_control(step.name)]
            assert not any(word in text for text in said), preset


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_counted_fits_its_column(language):
    page = pages(book(computed(preset="katze", language=language, controls=True), language).xlsx)
    labels = [str(row[0].value) for row in page.worksheets[-1].iter_rows(min_row=4) if row[0].value]
    assert max(map(len, labels)) <= page.worksheets[-1].column_dimensions["A"].width + 1


@pytest.mark.parametrize("words", [3, 6])
def test_no_column_is_too_narrow_to_see(words: int) -> None:
    """With words of this length the tables of six of them fill the screen to the last digit."""
    sentence = " ".join(f"Donaudampfwort{k}" for k in range(words))
    for _, page in stage_pages(played("katze", sentence)):
        assert min(d.width for d in page.column_dimensions.values()) >= 4
