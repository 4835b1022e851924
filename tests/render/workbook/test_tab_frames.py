"""Frames, tables and charts of a workbook's stage tabs: whose they are and what they say."""

import re
from dataclasses import replace

import pytest
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook import styles
from tests.support.recalculate import cached_values, edit_cells, ironcalc_values, strip_caches
from tests.support.stage_tabs import label_at, pages, stage_pages
from tests.support.workbook import book, compare, played

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
LETTERS = "$ABCDEFGHIJKLMNOPQRSTUVWXYZ"
INDEXED = re.compile(
    r"INDEX\((?:[^()!,]*!)?([$A-Z]+[$\d]+):([$A-Z]+[$\d]+),[^(),]*(?:\([^()]*\)[^(),]*)*\)"
)


def rules_of(page: Worksheet) -> dict[str, list[str]]:
    return {
        str(found.sqref): [rule.formula[0] for rule in found.rules if rule.formula]
        for found in page.conditional_formatting
    }


def test_the_focus_row_and_column_are_framed_by_rules_of_the_same_tab() -> None:
    one = played()
    _, page = next(x for x in stage_pages(one) if x[0].tab.title == "Head 1")
    rules = rules_of(page)
    for name in ("block1.head1.weights", "block1.head1.scores", "block1.head1.query"):
        box = one.layout.home(name)
        mine = [f for span, found in rules.items() if box.span() in span.split() for f in found]
        assert f"ROW()=$C$3+{box.row - 1}" in mine
        assert (f"COLUMN()=$C$3+{box.column - 1}" in mine) == (box.width == len(one.trace.tokens))
    for _, other in stage_pages(one):
        assert not any("!" in f for found in rules_of(other).values() for f in found)


def test_changed_cells_keep_their_frame() -> None:
    """LibreOffice takes the first rule that is true, so tint and frame are one before the tint."""
    found = 0
    for _, page in stage_pages(played()):
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
    sheet, page = stage_pages(one)[-2]
    assert sheet.tab.kind == "output"
    assert not [f for found in rules_of(page).values() for f in found if "ROW()" in f]


def test_dimensions_that_are_called_as_the_tokens_are_no_tokens() -> None:
    one = played("katze", "d1 d2 d3 d4")
    values = cached_values(one.xlsx)
    box = one.layout.home("embedding")
    heads = [values[box.sheet][label_at(box.row - 1, box.column + k)] for k in range(4)]
    assert heads == ["d1", "d2", "d3", "d4"]
    assert values[box.sheet][label_at(box.row, 1)] == "1 d1"
    assert compare(one, ironcalc_values(strip_caches(one.xlsx)))


def test_the_interval_table_marks_the_chosen_word() -> None:
    katze = replace(load_preset("katze"), strategy="sample", random=0.37)
    one = book(compute(katze, controls=True), "de")
    sheet = next(s for s in one.layout.sheets if s.tab.kind == "output")
    names = ("share", "rank", "kept", "renormalised", "from", "cumulative", "digits")
    boxes = [one.layout.home(f"sampling.{name}") for name in names]
    assert [box.column for box in boxes] == list(range(boxes[0].column, boxes[0].column + 7))
    assert len({box.row for box in boxes}) == 1
    values = cached_values(one.xlsx)[sheet.tab.title]
    marks = [values.get(label_at(boxes[-1].row + k, boxes[-1].right + 1)) or "" for k in range(6)]
    words = one.trace["vocabulary.words"].values[:, 0].tolist()
    assert [w for w, m in zip(words, marks, strict=True) if m] == ["Katze"]
    assert one.trace["sampling.next"].values[0, 0] == "Katze"
    lines = [line.step for band in sheet.bands for line in band.lines]
    assert {"sampling.strategy", "sampling.random"} <= set(lines[: lines.index("sampling.share")])


def test_charts_say_in_words_what_they_show_and_no_number() -> None:
    for name, sentence in (("katze", ""), ("random", " ".join([LONG] * 14))):
        one = played(name, sentence)
        kinds = {sheet.tab.kind: len(page._charts) for sheet, page in stage_pages(one)}
        assert kinds["input"] == kinds["head"] == kinds["output"] == 1
    for language in ("de", "en"):
        phrases = load(language).phrases
        texts = [v for k, v in phrases.items() if k.startswith("workbook.chart.")]
        assert len(texts) >= 6
        assert not [t for t in texts if re.search(r"\d", t)]


@pytest.mark.ci
def test_series_are_named_by_the_cells_above_them() -> None:
    one = played("katze", language="en")
    row = drawing_row(one.trace.preset)
    heated = edit_cells(one.xlsx, {one.input("temperature", row, 0): 0.7})
    values, named = ironcalc_values(heated), 0
    for sheet, page in stage_pages(one):
        for chart in (x for x in page._charts if sheet.tab.kind in ("input", "output")):
            for series in chart.series:
                title, _, cell = series.tx.strRef.f.replace("$", "").rpartition("!")
                first = series.val.numRef.f.replace("$", "").rpartition("!")[2].partition(":")[0]
                assert title.strip("'") == sheet.tab.title
                assert cell == re.sub(r"\d+", lambda x: str(int(x[0]) - 1), first)
                assert (
                    series.tx.strRef.strCache.pt[0].v == cached_values(one.xlsx)[page.title][cell]
                )
                named += values[page.title][cell] == "T = 0.7"
    assert named == 1


@pytest.mark.ci
def test_temperatures_above_columns_are_texts_with_the_decimal_sign_of_the_language() -> None:
    for language, said in (("de", "T = 0,5"), ("en", "T = 0.5")):
        preset = replace(load_preset("katze"), temperatures=(0.5, 1.0))
        one = book(compute(preset, controls=True), language)
        box = one.layout.home("output.probabilities")
        values = cached_values(one.xlsx)[box.sheet]
        heads = [values[label_at(box.row - 1, box.column + k)] for k in (0, 1)]
        assert heads == [said, "T = 1"]


@pytest.mark.ci
def test_index_has_two_places_on_a_row() -> None:
    """With one place alone Gnumeric and HyperFormula find no cell of a row."""
    found = 0
    for one in (played("katze", language="en"), played("nihao"), played("random", rounds=2)):
        for page in pages(one.xlsx):
            for cell in (c for row in page.iter_rows() for c in row if c.data_type == "f"):
                for first, last in INDEXED.findall(str(cell.value)):
                    assert first == last or len({x.lstrip(LETTERS) for x in (first, last)}) == 2
                    found += 1
    assert found > 200
