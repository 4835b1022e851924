"""The tabs of a workbook: readable, guarded, labelled, live; frames, charts, screen and paper."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import Exercise
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.locales.catalogue import load
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.render.workbook import styles
from generator.render.workbook.build import write
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import FIRST_ROW
from generator.render.workbook.layout.tabs import OWN, is_control, tabs
from generator.render.workbook.layout.texts import pieces
from generator.render.workbook.print_setup import points_of
from tests.benchmarks import models
from tests.support.covering import each
from tests.support.workbook import LANGUAGES, Book, book, compare, drafted_tabs, made_of, played

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
THIRTY = " ".join(["Katze", LONG] * 15)
LEAST_CONTRAST = 4.5
ASKED = frozenset({("block1.head1.scores", 4, 0), ("sampling.next", 0, 0)})
INDEXED = re.compile(
    r"INDEX\((?:[^()!,]*!)?([$A-Z]+[$\d]+):([$A-Z]+[$\d]+),[^(),]*(?:\([^()]*\)[^(),]*)*\)"
)


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
        grounds |= set(styles.HEAT) if role in ("computed", "echo") else set()
        for ground in grounds:
            assert contrast(font["color"], ground) >= LEAST_CONTRAST, (role, ground)


def test_only_cells_to_fill_take_entries() -> None:
    one = played()
    for sheet, page in one.tabs:
        assert page.protection.sheet
        open_cells = {cell.coordinate for row in page for cell in row if not cell.protection.locked}
        given = {
            box.cell(i, j)
            for box in sheet.boxes
            if box.home and one.trace[box.step].kind == "given"
            for i, j in np.ndindex(one.trace[box.step].shape)
            if one.layout.in_force(box.step, i, j) is None
        }
        assert open_cells - {OWN} == given


def test_given_numbers_take_only_numbers_within_a_bound() -> None:
    page = played().tabs[0][1]
    rule = next(r for r in page.data_validations.dataValidation if r.type == "decimal")
    assert (rule.formula1, rule.formula2, rule.errorStyle) == ("-10", "10", "warning")
    assert "0,86" in rule.error
    assert "0.86" in rule.error
    table = played().layout.home("vocabulary.embedding").span()
    assert table in {str(span) for span in rule.sqref.ranges}


# Labels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", ["", "auf auf auf auf", f"Katze {LONG} Katze {LONG}"])
def test_headers_are_unique(sentence: str) -> None:
    for one in (played("katze", sentence), played("random", sentence)):
        for sheet, band in one.bands:
            heads = [
                (box, one.cached[sheet.tab.title][at(label.row, label.column)])
                for box, label in product(band.boxes, band.labels)
                if label.across
                and label.row + 1 == box.row
                and box.column <= label.column <= box.right
            ]
            assert len(set(heads)) == len(heads)


def test_labels_follow_a_swapped_word() -> None:
    one = played("katze", "Die Katze sitzt auf der Matte")
    values = one.values({"tokens[2]": "Matte"})
    for sheet in one.of_kind("head"):
        texts = set(values[sheet.tab.title].values())
        assert "2 Matte" in texts
        assert "2 Katze" not in texts


def test_dimensions_that_are_called_as_the_tokens_are_no_tokens() -> None:
    one = played("katze", "d1 d2 d3 d4")
    box = one.layout.home("embedding")
    page = one.cached[box.sheet]
    assert [page[at(box.row - 1, box.column + k)] for k in range(4)] == ["d1", "d2", "d3", "d4"]
    assert page[at(box.row, 1)] == "1 d1"
    assert compare(one, one.values())


@pytest.mark.ci
def test_temperatures_above_columns_are_texts_with_the_decimal_sign_of_the_language() -> None:
    for language, said in (("de", "T = 0,5"), ("en", "T = 0.5")):
        one = made_of(replace(load_preset("katze"), temperatures=(0.5, 1.0)), language)
        box = one.layout.home("output.probabilities")
        page = one.cached[box.sheet]
        assert [page[at(box.row - 1, box.column + k)] for k in (0, 1)] == [said, "T = 1"]
        assert [page[at(FIRST_ROW + 1, 2 + k)] for k in (0, 1)] == [said, "T = 1"]  # P on top


# Functions and live lines ---------------------------------------------------------------------


def test_functions_stand_beside_every_computed_step() -> None:
    for language, name in product(LANGUAGES, ("katze", "ausgabe", "random")):
        one = played(name, language=language)
        for title, line in one.lines:
            if one.trace[line.step].kind == "given" or one.cell(line.step)[0] != title:
                assert not line.functions
                continue
            text = one.pages[title].cell(line.functions[0], 6).value
            assert re.match(r"[A-Z]+\d+: =", text), text
            assert "10)" not in text or "^10" in text  # no guard before the rounding
            assert language == "en" or "ROUND(" not in text


def test_live_lines_and_shares_follow_the_focus() -> None:
    one = played("katze", language="en")
    found = one.values({one.focus: 2})
    for sheet in one.of_kind("head"):
        values = found[sheet.tab.title]
        assert values["D3"] == one.trace.tokens[1]
        lines = [line for title, line in one.lines if line.live and title == sheet.tab.title]
        assert lines
        assert all(str(values[f"A{x.live}"]).startswith("Token 2 ") for x in lines)
        ((picked,),) = (band.picked for band in sheet.bands if band.picked)
        assert picked.row < sheet.bands[1].top  # the first thing on the tab
        weights = one.trace[picked.step].values[1]
        assert [values[picked.cell(0, j)] for j in range(picked.width)] == weights.tolist()
    (sheet,) = one.of_kind("input")
    first = [box.step for box in sheet.bands[0].boxes]
    assert first == ["embedding", "position", "input"]


@pytest.mark.parametrize(
    ("typed", "inforce"), each(3, [(5, 5), (None, 1), (2.5, 1), (9, 1), ("x", 1)])
)
def test_a_tab_takes_a_focus_of_its_own_or_says_why_not(typed: object, inforce: int) -> None:
    one = played("katze", language="en")
    values = one.values({one.focus: 1, ("Head 1", OWN): typed})
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
    assert (len(pieces(text, 90, 2)), len(pieces("short", 90))) == (2, 1)


def test_of_several_steps_one_heading_stands_above_the_numbers() -> None:
    """What explains each of them stands below, with the row for help before it."""
    layout, found = lay_out(played().trace, load("de"), ASKED), 0
    for sheet in (*layout.sheets, *played().layout.sheets):
        for band in sheet.bands:
            if len(band.lines) > 1 and not band.rows and sheet.tab.kind != "bpe":
                (heading,) = (label for label in band.labels if label.heading)
                numbers = [box for box in band.boxes if box.column > 1]
                assert heading.row == band.top < min(box.row for box in numbers)
                assert max(box.bottom for box in numbers) < min(line.row for line in band.lines)
                assert band.help_row < band.lines[0].row
                found += 1
    assert found > 10
    title = next(x.text for x in played().of_kind("head")[0].bands[1].labels if x.heading)
    assert title == "(a)  Query Q  ·  (b)  Key K  ·  (c)  Value V"


# Asked cells ----------------------------------------------------------------------------------


def test_only_bands_with_asked_cells_have_a_help_row() -> None:
    trace, catalogue = played().trace, load("de")
    layout = lay_out(trace, catalogue, ASKED)
    bands = [band for sheet in layout.sheets for band in sheet.bands if band.help_row]
    assert len(bands) == 2
    assert {box.step for band in bands for box in band.boxes if box.home} == {s for s, *_ in ASKED}
    for band in bands:
        used = {one.row for one in (*band.lines, *band.labels, *band.boxes)}
        assert band.top < band.help_row <= band.bottom
        assert band.help_row not in used | {row for row, _ in band.tags.values()}
    assert not [band for _, band in played().bands if band.help_row]


def test_what_is_asked_is_not_worked_out_above() -> None:
    exercise = Exercise(played().trace, ASKED)
    draft = Draft(exercise, load("de"))
    write(draft)
    page, sheet, _ = next(tab for tab in drafted_tabs(draft) if tab[1].tab.kind == "head")
    lines = [line for band in sheet.bands for line in band.lines if line.live]
    worked = {line.step for line in lines if page.cell(line.live, 1).value}
    assert worked == {line.step for line in lines} - exercise.steps
    assert worked
    assert {line.step for line in lines} & exercise.steps


def test_a_head_with_a_mask_says_how_sheet_4a_is_computed_that_has_none():
    for preset, masked in (("katze", True), ("brille", False)):
        trace = computed(preset=preset, language="en", controls=True)
        head = next(tab for tab in tabs(trace, load("en")) if tab.kind == "head")
        assert ("sheet 4a computes without it" in head.about(load("en"))) == masked
        assert ("switch.mask" in trace) == masked


def test_what_a_tab_says_about_itself_is_true_of_the_model(preset, kind, said):
    catalogue = load("en")
    trace = computed(preset=preset, language="en", controls=True)
    found = next(tab for tab in tabs(trace, catalogue) if tab.kind == kind)
    assert found.about(catalogue).startswith(said)
    assert ("ayer norm" in said) == ("ayer norm" in found.about(catalogue))


def test_only_learned_numbers_are_called_learned():
    for language, word in (("de", "lernt"), ("en", "learned")):
        for preset in ("katze", "induction", "mental", "random"):
            one = played(preset, language=language)
            names = [step.name for step in one.trace if not is_control(step.name)]
            assert not any(word in one.layout.in_words(name) for name in names), preset


# Frames and charts ----------------------------------------------------------------------------


def rules_of(page: Worksheet) -> dict[str, list[str]]:
    return {
        str(found.sqref): [rule.formula[0] for rule in found.rules if rule.formula]
        for found in page.conditional_formatting
    }


def test_the_focus_row_and_column_are_framed() -> None:
    one = played()
    rules = rules_of(one.pages["Head 1"])
    for name in ("block1.head1.weights", "block1.head1.scores", "block1.head1.query"):
        box = one.layout.home(name)
        mine = [f for span, found in rules.items() if box.span() in span.split() for f in found]
        assert f"ROW()=$C$3+{box.row - 1}" in mine
        assert (f"COLUMN()=$C$3+{box.column - 1}" in mine) == (box.width == len(one.trace.tokens))


def test_changed_cells_keep_their_frame() -> None:
    """LibreOffice takes the first rule that is true, so tint and frame are one before the tint."""
    found = 0
    for _, page in played().tabs:
        spans = [str(known.sqref) for known in page.conditional_formatting]
        tint = next(k for k, span in enumerate(spans) if span.startswith("A4:"))
        for k, known in enumerate(page.conditional_formatting):
            frames = {r.formula[0]: r for r in known.rules if r.dxf and r.dxf.border}
            for formula in [f for f in frames if not f.startswith("AND(")]:
                (both,) = (r for f, r in frames.items() if f.startswith(f"AND({formula},IF("))
                assert k < tint
                assert both.dxf.fill.bgColor.rgb.endswith(styles.CHANGED)
                assert both.priority < frames[formula].priority
                found += 1
    assert found > 20


def test_words_that_are_the_tokens_by_chance_are_not_framed() -> None:
    one = played("katze", "Die Katze sitzt auf der Matte")
    assert one.trace.tokens == tuple(one.trace["vocabulary.words"].values[:, 0])
    (page,) = (page for sheet, page in one.tabs if sheet.tab.kind == "output")
    assert not [f for found in rules_of(page).values() for f in found if "ROW()" in f]


def test_the_interval_table_marks_the_chosen_word() -> None:
    one = made_of(replace(load_preset("katze"), strategy="sample", random=0.37))
    names = ("share", "rank", "kept", "renormalised", "from", "cumulative", "digits")
    boxes = [one.layout.home(f"sampling.{name}") for name in names]
    assert [box.column for box in boxes] == list(range(boxes[0].column, boxes[0].column + 7))
    assert len({box.row for box in boxes}) == 1
    words = one.trace["vocabulary.words"].values[:, 0]
    places = [at(boxes[-1].row + k, boxes[-1].right + 1) for k in range(len(words))]
    page = one.cached[boxes[0].sheet]
    marked = [w for w, place in zip(words, places, strict=True) if page.get(place)]
    assert marked == ["Katze"] == [one.trace["sampling.next"].values[0, 0]]
    lines = [line.step for title, line in one.lines if title == boxes[0].sheet]
    assert {"sampling.strategy", "sampling.random"} <= set(lines[: lines.index("sampling.share")])


def test_charts_say_in_words_what_they_show_and_no_number() -> None:
    for name, sentence in (("katze", ""), ("random", " ".join([LONG] * 14))):
        kinds = {sheet.tab.kind: len(page._charts) for sheet, page in played(name, sentence).tabs}
        assert kinds["input"] == kinds["head"] == kinds["output"] == 1
    for language in LANGUAGES:
        phrases = load(language).phrases
        texts = [v for k, v in phrases.items() if k.startswith("workbook.chart.")]
        assert len(texts) >= 6
        assert not [t for t in texts if re.search(r"\d", t)]


@pytest.mark.ci
def test_series_are_named_by_the_cells_above_them() -> None:
    one, named = played("katze", language="en"), 0
    values = one.values({f"temperature[{drawing_row(one.trace.preset) + 1},1]": 0.7})
    charts = [x for s, page in one.tabs if s.tab.kind in ("input", "output") for x in page._charts]
    for series in (series for chart in charts for series in chart.series):
        title, _, cell = series.tx.strRef.f.replace("$", "").rpartition("!")
        home, _, area = series.val.numRef.f.replace("$", "").rpartition("!")
        assert title == home
        assert cell == re.sub(r"\d+", lambda x: str(int(x[0]) - 1), area.partition(":")[0])
        title = title.strip("'")
        assert series.tx.strRef.strCache.pt[0].v == one.cached[title][cell]
        named += values[title][cell] == "T = 0.7"
    assert named == 1


@pytest.mark.ci
def test_index_has_two_places_on_a_row() -> None:
    """With one place alone Gnumeric and HyperFormula find no cell of a row."""
    found = 0
    for one in (played("katze", language="en"), played("nihao"), played("random", rounds=2)):
        for formula in (f for cells in one.formulas.values() for f in cells.values()):
            for first, last in INDEXED.findall(formula):
                rows = {re.sub("[$A-Z]", "", place) for place in (first, last)}
                assert first == last or len(rows) == 2
                found += 1
    assert found > 200


# Screen and paper -----------------------------------------------------------------------------


def fits_on_one_screen(one: Book) -> set[str]:
    """The kinds of tabs of which all fit; on none is the type too small."""
    kinds, wide = set(), set()
    for sheet, page in one.tabs:
        last = max(box.right for box in sheet.boxes)
        widths = [page.column_dimensions[at(1, k)[:-1]].width for k in range(1, last + 1)]
        assert page.sheet_view.zoomScale >= 50
        (wide if sum(widths) * page.sheet_view.zoomScale / 100 > 176 else kinds).add(sheet.tab.kind)
        sizes = {c.font.sz for row in page for c in row if isinstance(c.value, int | float)}
        assert not sizes or min(sizes) >= 9
        # with words of a certain length the tables of six of them fill the screen to the last digit
        assert min(found.width for found in page.column_dimensions.values()) >= 4
    return kinds - wide


def test_every_tab_is_ready_for_screen_and_paper() -> None:
    of_words = [played("katze", " ".join(f"Donaudampfwort{k}" for k in range(n))) for n in (3, 6)]
    for one in (played(), played("katze", THIRTY), played("random", rounds=2), *of_words):
        assert fits_on_one_screen(one) == {sheet.tab.kind for sheet, _ in one.tabs}
        for sheet, page in one.tabs:
            tops = {band.top - 1 for band in sheet.bands}
            assert {found.id for found in page.row_breaks.brk} <= tops
            assert (page.freeze_panes, page.print_title_rows) == ("B4", "$3:$3")
            assert (page.page_setup.fitToWidth, page.page_setup.fitToHeight) == (1, 0)
            assert one.trace.preset.name in page.oddFooter.left.text


@pytest.mark.ci
def test_tabs_of_the_widest_workbook_fit_on_one_screen() -> None:
    wide = book(compute(models.large(), controls=True), "en")
    kinds = {sheet.tab.kind for sheet, _ in wide.tabs}
    # 64 columns are too many, and 36 with powers of many digits
    assert fits_on_one_screen(wide) == kinds - {"feedforward", "head"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_counted_fits_its_column(language):
    page = played(language=language).pages.worksheets[-1]
    labels = [str(row[0].value) for row in page.iter_rows(min_row=4) if row[0].value]
    assert max(map(len, labels)) <= page.column_dimensions["A"].width + 1


@pytest.mark.parametrize(("name", "most"), [("katze", 17), ("nihao", 30)])
def test_every_printed_page_but_the_last_is_filled_well(name: str, most: int) -> None:
    """As wide as the paper lets it; the heights of all rows of a page, at that size."""
    found = 0
    for sheet, page in played(name).tabs:
        printed = [d.width for d in page.column_dimensions.values() if not d.hidden]
        margins, heights = page.page_margins, page.row_dimensions
        assert margins.left - margins.right == pytest.approx(0.2)
        paper = 72 * (11.69 - margins.left - margins.right)
        size = min(1.0, paper / sum(map(points_of, printed)))
        ends = [*(found.id for found in page.row_breaks.brk), sheet.bands[-1].bottom]
        firsts = [1, *(end + 1 for end in ends[:-1])]
        used = [
            size * (sum(heights[k].height or 13.5 for k in range(first, end + 1))
                    + (heights[3].height if first > 1 else 0))
            for first, end in zip(firsts, ends, strict=True)
        ]  # fmt: skip
        assert max(used) <= 515, (page.title, used)
        assert min([515, *used[:-1]]) >= 0.43 * 515, (page.title, used)
        assert size >= 0.68
        found += len(used)
    assert found <= most
