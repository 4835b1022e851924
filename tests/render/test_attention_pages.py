"""Sheets 4a and 4b: room for each step, filled checks, one info leaf for all."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from generator.notation.shown import number, shown_value
from generator.render.worksheet.pdf import document_css
from generator.render.worksheet.pdf_engine import load_engine
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from tests.support.covering import covering, each
from tests.support.sheets import html, html_of, paper, traces

MM = 25.4 / 96  # of a CSS pixel
CELL = (15.0, 9.0)  # of the class's matrix: width and height
GIVEN = 7.0  # the height of a row that is only read, where two tables fill a page
WORDS = {
    3: "Die Katze sitzt",
    6: None,
    8: "Die alte Katze sitzt gern auf der Matte",
    10: "Die alte Katze sitzt heute gern auf der roten Matte",
    12: "a b c d e f g h i j k l",
}


def cells(document: str, sheet: str, of: str) -> Iterator[Any]:
    """The laid out cells of tables of a class."""
    engine = load_engine()
    names = ("worksheet.css", *SERIES[sheet].css)
    css = [engine.weasyprint.CSS(string=one, font_config=engine.fonts, url_fetcher=engine.fetcher)
           for one in (document_css(), *map(style, names))]  # fmt: skip
    page = engine.weasyprint.HTML(string=re.sub(r"<img[^>]*>", "", document))
    laid_out = page.render(font_config=engine.fonts, stylesheets=css)
    for one in laid_out.pages:
        for box in one._page_box.descendants():
            if type(box).__name__ == "TableBox" and of in (box.element.get("class") or "").split():
                yield from (b for b in box.descendants() if type(b).__name__ == "TableCellBox")


@pytest.mark.parametrize("count", each(2, list(WORDS)))
def test_cells_of_the_class_matrix_are_large_enough_to_write_in(count):
    document = html_of("4a", "brille", sentence=WORDS[count], part="work")
    found = [one for one in cells(document, "4a", "class") if one.element_tag == "td"]
    found = [one for one in found if one.element.get("class") != "corner"]
    assert len(found) == count * count
    empty = [one for one in found if not (one.element.text or "").strip()]
    assert len(empty) == count
    for one in found:
        width, height = one.border_width() * MM, one.border_height() * MM
        assert width >= CELL[0], f"{width:.1f} mm wide"
        assert height >= (CELL[1] if one in empty or count <= 6 else GIVEN), f"{height:.1f} mm high"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_asked_cells_have_the_size_that_the_brief_asks_for(level):
    for sheet in ("4a", "4b"):
        document = html_of(sheet, part="work", level=level)
        found = [one for one in cells(document, sheet, "attention")
                 if {"ask", "jot"} & set((one.element.get("class") or "").split())]  # fmt: skip
        assert len(found) > 15
        assert min(one.border_width() for one in found) * MM >= 20
        assert min(one.border_height() for one in found) * MM >= 9


@pytest.mark.parametrize(("preset", "language"), [("brille", "de"), ("katze", "en")])
def test_the_info_leaf_of_4a_is_one_for_all_levels_and_tokens(preset, language):
    one = paper("4a", preset, language, part="info")
    tokens = [k for k in range(len(one.trace.tokens)) if k != one.trace.worked]
    leaves = {
        replace(
            one,
            trace=replace(one.trace, exercise=own),
            options=replace(one.options, level=level),
        ).blank
        for own in tokens
        for level in (1, 2, 3)
    }
    assert len(tokens) == 5
    assert len(leaves) == 1
    assert 'class="ask' not in leaves.pop()


def test_the_own_query_stands_nowhere_in_a_blank_that_asks_for_it():
    trace, exact = traces("random", "de")
    step, own = trace["block1.head1.query"], planned("4a", trace, SheetOptions()).own
    values = step.values.copy()
    values[own] = 47.11
    other = trace.with_steps([step._replace(values=values)])
    for level in (2, 3):
        one, two = (html(t, exact, SheetOptions(level=level), blank=True) for t in (trace, other))
        assert (one == two) == (level == 3)
        assert ("47,11" in two) == (level == 2)


def filled(document: str) -> list[str]:
    """What stands in each box of a check and in each cell for notes."""
    found = re.findall(
        r'class="(?:checkbox[^"]*|step own|jot)">(.*?)(?=</td>|<p |\(|</p>|\n Σ)',
        document,
        re.DOTALL,
    )
    return [re.sub(r'<span class="label">.*?</span>|<[^>]*>|\s', "", one) for one in found]


@pytest.mark.parametrize(
    ("sheet", "preset", "level"), covering(("4a", "4b"), ("katze", "random"), (1, 2, 3))
)
def test_a_solution_fills_in_each_box_of_a_check_and_a_blank_none(sheet, preset, level):
    solved, empty = (
        filled(html_of(sheet, preset, "en", blank=blank, level=level, part="work", teacher=False))
        for blank in (False, True)
    )
    assert len(solved) == len(empty) >= 4
    assert all(re.match(r"[−\d.–]+", one) for one in solved), solved
    assert not any(re.search(r"\d", one) for one in empty), empty


def test_both_sides_of_a_check_agree_within_its_tolerance():
    whole = paper("4a").view.trace
    for one, other, most in (("scores", "query", 0.03), ("outputs", "values", 0.02)):
        a, b = (float(whole[f"own.check.{name}"].values[0, 0]) for name in (one, other))
        assert a == pytest.approx(b, abs=most)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_weighted_sum_has_a_cell_for_each_product(level):
    own = paper("4a", "brille", level=level, part="work")
    trace, plan = own.trace, own.plan
    table = own.solution.partition('class="attention weighted')[2].partition("</table>")[0]
    shown = [re.sub(r"<[^>]*>", "", one) for one in re.findall(r'class="jot">(.*?)</td>', table)]
    head = "block1.head1"
    expected = []
    for j in plan.visible:
        share = shown_value(trace[f"{head}.weights"], plan.own, j)
        expected.append(number(share, 2, "de"))
        for k in range(plan.outputs):
            product = share * shown_value(trace[f"{head}.value"], j, k)
            expected.append(number(round(product, 10), 3, "de"))
    assert shown == expected
    assert len(expected) == 6 * (1 + plan.outputs)


def test_score_cells_print_their_factors_but_at_the_third_level():
    for level, count in ((1, 6), (2, 6), (3, 0)):
        document = html_of("4a", "brille", level=level, part="work")
        assert document.count('class="given terms"') == count
        assert ("0,9 · 0,0 + (−0,3) · 1,1" in document) == (level < 3)


def test_a_masked_token_is_left_out_of_worked_lines():
    document = html_of("4b", "katze", "en", part="info")
    lines = re.findall(r"Σ = (.*?)<b>", document)
    assert [line.count("+") for line in lines] == [5, 1], "six powers, and two that are visible"
    assert "0.000 ×" not in document


@pytest.mark.parametrize("language", ["de", "en"])
def test_two_pupils_have_as_much_to_do(language):
    own = paper("4b", "katze", language, part="work")
    plan = own.plan
    ends = ("sum", "weights", "output")
    heads = {
        h: {cell for cell in plan.asked for end in ends if cell[0] == f"block1.head{h}.{end}"}
        for h in (1, 2)
    }
    assert len(heads[1]) == len(heads[2]) > 5, "both halves are blank"
    page = (
        own.blank[: own.blank.index('class="hints"')],
        own.blank[own.blank.index('class="hints"') :],
    )
    asked = [re.findall(r'<span class="who by">([AB])</span>', half) for half in page]
    assert asked == [["A"] * 5, ["B"] * 3], "each has a page, and the tasks before the common ones"
    assert 'class="who by' not in html_of("4b", "katze", language, part="work", alone=True)


@pytest.mark.parametrize("sheet", ["4a", "4b", "6"])
def test_each_task_says_what_it_can_give_and_the_sum_is_the_sheets(sheet):
    document = html_of(sheet, points=True, part="work")
    worth = [int(one) for one in re.findall(r'data-worth="/ (\d+)"', document)]
    (total,) = re.findall(r"von (\d+) BE", document)
    assert sum(worth) == int(total)
    assert 3 < len(worth) < document.count('<p class="task"'), "none where there is nothing to get"
    plain = html_of(sheet, part="work")
    assert "data-worth" not in plain


def test_marks_go_to_the_task_that_asks_for_the_number():
    document = html_of("4a", "brille", points=True, part="work")
    worth = re.findall(r'<p class="task"(?: data-of="[^"]*")?(?: data-worth="/ (\d+)")?>', document)
    assert worth == ["6", "13", "6", "", "2", "1", "1", "1", "2", ""]  # the last one sums up
