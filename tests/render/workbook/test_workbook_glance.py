"""The tab "At a glance": one head on one screen, live, and never cut in silence."""

import io
from functools import cache

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.glance import ROLES, Glance
from tests.benchmarks import models
from tests.support.office import Office
from tests.support.recalculate import (
    cached_values,
    edit_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import Book, compare, glance_cells, played

WITH_HEADS = ("katze", "brille", "paris", "nihao", "mental", "induction", "subject-verb")
WIDE, HIGH = 1300, 500  # pixels on a screen of 1366 × 768
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"


def glance_of(made: Book) -> Glance:
    assert made.layout.glance is not None
    return made.layout.glance


@cache
def page_of(made_of: str, language: str = "de") -> Worksheet:
    made = played(made_of, language=language)
    return load_workbook(io.BytesIO(made.xlsx))[glance_of(made).sheet]


def laid_out(trace: Trace, language: str = "de") -> Glance | None:
    return lay_out(trace, load(language)).glance


# One screen -----------------------------------------------------------------------------------


def pixels(page: Worksheet, glance: Glance) -> tuple[float, float]:
    """What its columns and its rows take, from the file; the last of each is really the last."""
    assert page.max_column <= len(glance.columns.sizes)
    assert page.max_row <= len(glance.rows.sizes)
    dimensions = page.column_dimensions.values()
    wide = sum(7 * found.width * (found.max - found.min + 1) for found in dimensions)
    high = sum(found.height for found in page.row_dimensions.values()) / 0.75
    return wide, high


@pytest.mark.parametrize("name", ["katze", "induction", "subject-verb"])
def test_it_fits_on_one_screen_and_one_page(name: str) -> None:
    page, glance = page_of(name), glance_of(played(name))
    wide, high = pixels(page, glance)
    assert 700 < wide <= WIDE
    assert 350 < high <= HIGH
    assert page.sheet_view.zoomScale == 100
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("landscape", 1)
    assert not page.merged_cells.ranges
    bars = page._charts[0].anchor
    assert glance.panels["weights focus"].bottom == bars._from.row
    assert bars.to.row <= len(page.row_dimensions)


def test_panels_do_not_overlap_and_are_all_of_the_head() -> None:
    for name in WITH_HEADS:
        trace = computed(preset=name, language="en", controls=True)
        glance = laid_out(trace, "en")
        assert glance is not None
        cells = list(glance_cells(glance, 0, 0))
        assert len({address for address, *_ in cells}) == len(cells)
        parts = {step.rpartition(".")[2] for _, step, _, _ in cells}
        assert {"query", "key", "value", "scores", "exp", "sum", "weights", "output"} <= parts


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Die Katze sitzt auf der Matte", "X, W and tokens"),
        (" ".join(["auf"] * 11), "X and tokens"),
        (" ".join(["Katze", "auf"] * 6), "X"),
        (f"Katze {LONG}", "X and W"),
        (" ".join(["Katze", "auf"] * 15), ""),
        (" ".join([LONG] * 12), ""),
    ],
)
def test_what_there_is_no_room_for_is_left_out_with_words(sentence: str, shown: str) -> None:
    trace = compute(load_preset("katze"), sentence, controls=True)
    layout = lay_out(trace, load("en"))
    if not shown:
        assert layout.glance is None
        assert layout.planned is not None
        assert layout.planned.sizes.tokens == len(trace.tokens)
        return
    assert layout.glance is not None
    variant = layout.glance.variant
    seen = {"X": variant.inputs, "W": variant.weighted, "tokens": variant.named}
    assert {what for what, is_shown in seen.items() if is_shown} == {
        what for what in seen if what in shown
    }


@pytest.mark.ci
def test_start_says_why_the_tab_is_left_out() -> None:
    sentence = " ".join(["Katze", "auf"] * 10)
    for language, words in (("de", "20 Tokens"), ("en", "20 tokens")):
        made = played("katze", sentence, language=language)
        assert made.layout.glance is None
        start = cached_values(made.xlsx)[made.layout.start.sheet]
        said = [text for text in start.values() if words in str(text)]
        assert len(said) == 1
        assert "d_model = 4" in said[0]
        assert made.layout.setting_inputs["focus"][0] == made.layout.start.sheet


def test_there_is_none_without_a_head_and_none_where_cells_are_asked() -> None:
    ausgabe = lay_out(compute(load_preset("ausgabe"), controls=True), load("de"))
    assert ausgabe.planned is None
    asked = frozenset({("block1.head1.scores", 4, 0)})
    exercise = lay_out(played().trace, load("de"), asked)
    assert exercise.planned is None


@pytest.mark.parametrize(
    ("name", "language"), [("katze", "de"), ("induction", "de"), ("mental", "en")]
)
def test_no_text_is_cut_by_its_neighbour(name: str, language: str) -> None:
    page, found = page_of(name, language), glance_of(played(name, language=language))
    looked_at = 0
    for row in page.iter_rows():
        filled = [cell for cell in row if cell.value is not None]
        ends = [*(cell.column for cell in filled[1:]), len(found.columns.sizes) + 1]
        for cell, end in zip(filled, ends, strict=True):
            if cell.data_type == "s" and not cell.alignment.horizontal:
                room = sum(found.columns.sizes[cell.column - 1 : end - 1])
                assert 0.66 * cell.font.sz * len(cell.value) <= room, cell.value
                looked_at += 1
    assert looked_at >= 8


# Live -----------------------------------------------------------------------------------------


@pytest.mark.ci
def test_focus_head_and_weights_are_live_in_both_programs(office: Office) -> None:
    made = played(language="en")
    glance = glance_of(made)
    head = (glance.sheet, glance.own_head)
    focus = made.layout.setting_inputs["focus"]
    assert focus[0] == glance.sheet
    cases: list[tuple[dict[tuple[str, str], object], dict[str, object], int, int]] = [
        ({focus: 6, head: 2}, {}, 6, 2),
        ({head: 1}, {"block1.head1.weight.query[1,1]": 0.3, "switch.mask": 0}, 3, 1),
        ({focus: 99, head: "x"}, {}, 3, 1),
        ({focus: None, head: 2.5}, {"tokens[2]": "mat"}, 3, 1),
    ]
    books = [edit_cells(made.xlsx, {**typed, **made.typed(e)}) for typed, e, _, _ in cases]
    for xlsx, values, (_, edit, place, number) in zip(
        books, libreoffice_values(books, office), cases, strict=True
    ):
        trace = compute(made.trace.preset, made.trace.sentence, edits=edit, controls=True)
        for found in (values, ironcalc_values(xlsx)):
            assert compare(made, found, trace) > 600
            page = found[glance.sheet]
            assert (page["C3"], page[glance.head.replace("$", "")]) == (place, number)
            assert page["D3"] == trace.tokens[place - 1]


def test_what_is_refused_is_said() -> None:
    made = played(language="en")
    glance = glance_of(made)
    typed = {made.layout.setting_inputs["focus"]: 99, (glance.sheet, glance.own_head): 7}
    page = ironcalc_values(edit_cells(made.xlsx, typed))[glance.sheet]
    said = [text for text in page.values() if "Only whole numbers from 1 to" in str(text)]
    assert any("1 to 6" in str(text) for text in said)
    assert any(str(text).startswith("Head 1") and "1 to 2" in str(text) for text in said)


def test_all_its_formulas_are_cached_as_they_are_computed() -> None:
    for name in ("katze", "nihao", "mental"):
        made = played(name, language="en")
        sheet = glance_of(made).sheet
        cached, found = cached_values(made.xlsx)[sheet], ironcalc_values(strip_caches(made.xlsx))
        assert len(cached) > 100
        for cell, shown in cached.items():
            same = pytest.approx(shown) if isinstance(shown, int | float) else shown
            assert found[sheet][cell] == same, cell


def test_other_tabs_and_start_follow_its_focus_token() -> None:
    made = played(language="en")
    values = ironcalc_values(edit_cells(made.xlsx, {made.layout.setting_inputs["focus"]: 5}))
    start = values[made.layout.start.sheet]
    assert start[made.layout.start.setting("focus").own] == 5
    tabs = [s.tab.title for s in made.layout.sheets if "D3" in values[s.tab.title]]
    assert len(tabs) >= 6
    assert {values[title]["C3"] for title in tabs} == {5}


def test_two_indices_everywhere() -> None:
    for name in ("katze", "nihao"):
        texts = [str(cell.value) for row in page_of(name) for cell in row]
        picked = [text for text in texts if "INDEX(" in text]
        assert len(picked) > 20
        assert all(text.count("INDEX(") == text.count("$C$3,1)") for text in picked)


def test_query_key_and_value_have_the_same_colours_on_the_tab_of_the_head() -> None:
    made = played()
    workbook = load_workbook(io.BytesIO(made.xlsx))
    glance, colours = glance_of(made), set()
    head = next(sheet for sheet in made.layout.sheets if sheet.tab.title == glance.heads[0].title)
    tags = {box.step: place for band in head.bands for box, place in band.tags.items() if box.home}
    for role in ROLES:
        here = workbook[glance.sheet].cell(glance.rows["tags"], glance.panels[role].column)
        for part in (role, f"weight.{role}"):
            there = workbook[head.tab.title].cell(*tags[f"{glance.heads[0].prefix}.{part}"])
            assert here.font.color.rgb == there.font.color.rgb
        colours.add(here.font.color.rgb)
    assert len(colours) == len(ROLES)


# The map --------------------------------------------------------------------------------------


@pytest.mark.ci
def test_the_map_leads_to_the_tabs_and_lights_the_head_that_is_shown() -> None:
    for name in ("katze", "nihao", "paris", "induction"):
        made = played(name, language="en")
        glance = glance_of(made)
        page = page_of(name, "en")
        links = {cell.hyperlink.location for row in page for cell in row if cell.hyperlink}
        titles = [sheet.tab.title for sheet in made.layout.sheets]
        assert all(place.rpartition("!")[0].strip("'") in ["Start", *titles] for place in links)
        assert len(links) >= len(glance.map)
        several = len(glance.heads) > 1
        for k in range(len(glance.heads)):
            edits = {(glance.sheet, glance.own_head): k + 1} if several else {}
            found = ironcalc_values(edit_cells(made.xlsx, edits))[glance.sheet]
            column = len(glance.columns.sizes) - 1
            lit = [
                str(page.cell(cell.row, column + 1).value)
                for cell in page[page.cell(1, column).column_letter]
                if found.get(cell.coordinate) == "►"
            ]
            assert len(lit) == 1
            block, _, head = glance.heads[k].prefix.partition(".head")
            assert head in lit[0] or "Attention" in lit[0]
            assert block[-1] in lit[0] or made.trace.preset.blocks == 1


def test_many_heads_show_the_first_and_say_so() -> None:
    trace = compute(models.large(4), controls=True)
    glance = laid_out(trace)
    assert glance is not None
    assert (len(glance.heads), glance.of_all) == (1, trace.preset.heads * trace.preset.blocks)
