"""With a norm before each part the sheets show what attention really gets: products come out.

Every product is computed again from the numbers as they are printed.
"""

import re

import pytest

from generator.locales.catalogue import load
from generator.sheets.attending import AT, attended
from generator.sheets.sheet5.plan import plan as plan5
from tests.support.sheets import Cells, html_of, paper, pdf_of, traces
from tests.support.structure import stays_within

SENTENCE = "sheet4a.normed"
FALK = re.compile(r'<table class="falk.*?</table>', re.S)
NETWORK = ("block1.weight.hidden", "block1.bias.hidden", "block1.hidden")
BACK = ("block1.weight.feedforward", "block1.bias.feedforward", "block1.feedforward")
HALF = {0: 0.5, 1: 0.05, 2: 0.005, 3: 0.0005}


def printed(document: str) -> dict[str, dict[tuple[int, int], str]]:
    """The printed numbers by step and place; in a table each place is there once."""
    steps: dict[str, dict[tuple[int, int], str]] = {}
    for (name, i, j), _, shown in Cells(document).found:
        steps.setdefault(name, {})[i, j] = shown
    return steps


def value(shown: str) -> float:
    return float(shown.replace("−", "-").replace(",", "."))


def decimals(shown: str) -> int:
    return len(re.split("[.,]", shown)[1]) if re.search("[.,]", shown) else 0


def row_times(document: str, x: str, weight: str, bias: str, product: str) -> int:
    """Row times matrix, from the printed numbers alone; gives how many products were there."""
    steps = printed(document)
    cells = {place: one for place, one in steps[product].items() if one}
    for (i, j), shown in cells.items():
        terms = [value(one) * value(steps[x][i, k]) for (k, c), one in steps[weight].items()
                 if c == j]  # fmt: skip
        added = value(steps[bias][0, j]) if bias else 0.0
        assert abs(sum(terms) + added - value(shown)) <= HALF[decimals(shown)] + 1e-9, (product, i)
    return len(cells)


def falks(sheet: str, preset: str, language: str, level: int) -> list[str]:
    """The Falk schemes of a solution."""
    return FALK.findall(html_of(sheet, preset, language, blank=False, level=level))


@pytest.mark.parametrize("preset", ["nihao", "katze-trained", "katze"])
@pytest.mark.parametrize("sheet", ["4a", "slide"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_falks_scheme_of_attention_comes_out(sheet, preset, language):
    x = attended(traces(preset, language)[0])
    found = falks(sheet, preset, language, 3)
    assert len(found) == 2
    for document in found:
        names = [n for n in ("query", "key", "value") if f"{AT}.{n}" in printed(document)]
        assert names
        for name in names:
            many = row_times(document, x, f"{AT}.weight.{name}", "", f"{AT}.{name}")
            assert many == 2


@pytest.mark.parametrize("preset", ["nihao", "katze-trained"])
def test_the_numbers_of_the_slides_come_out(preset):
    own = paper("slides", preset)
    document, x, tokens = own.solution, attended(own.trace), len(own.trace.tokens)
    for name, rows in (("query", 2), ("key", tokens), ("value", tokens)):  # one asked for
        assert row_times(document, x, f"{AT}.weight.{name}", "", f"{AT}.{name}") == 2 * rows


@pytest.mark.parametrize("level", [2, 3])
def test_the_network_of_sheet_5_comes_out(level):
    found = falks("5", "nihao", "de", level)
    assert len(found) == 4
    for hidden, back in (found[:2], found[2:]):
        assert row_times(hidden, "block1.norm2", *NETWORK) == 8
        assert row_times(back, "block1.activation", *BACK) == 4


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("sheet", ["4a", "slide", "slides"])
def test_it_is_said_that_x_has_been_normed(sheet, language):
    said = load(language).phrases[f"sheet{sheet}.normed"]
    for preset, there in (("nihao", True), ("katze", False)):
        assert (said in html_of(sheet, preset, language)) is there


def test_the_block_ends_with_its_sum_where_the_next_norm_is_another_blocks():
    pre, post = (plan5(traces(name, "de")[0], 3) for name in ("nihao", "katze"))
    assert (pre.second.result, pre.second.mean) == ("block1.residual2", "")
    assert post.second.result == "block1.normalised2"
    for language, formula in (("de", "M H von der Norm"), ("en", "M H of the norm")):
        assert formula in load(language).phrases["spoken.5.sum.pre"]


def test_what_a_sheet_says_of_positions_is_true():
    usual, learned = "Auf Blatt 3", "kommen gelernte Zahlen dazu"
    for preset, said, unsaid in (("katze", usual, learned), ("nihao", learned, usual)):
        document = html_of("2", preset)
        assert said in document
        assert unsaid not in document


def test_only_what_pupils_have_is_to_be_brought():
    """With learned positions there is no sheet 3, and what W_O mixes nobody has computed."""
    both = "alt von Blatt 3, neu von Blatt 4b"
    for preset, said in (("katze", both), ("random", "alt deine Zeile von Blatt 3"), ("nihao", "")):
        document = html_of("5", preset, carry="own")
        assert said in document
        assert ("Übertrage zuerst" in document) == bool(said)


def test_only_a_row_that_sheet_3_made_is_asked_for_again():
    for preset, there in (("katze", False), ("nihao", True)):
        own = paper("5", preset, carry="own")
        place, found = ("input", own.trace.exercise), Cells(own.blank).found
        shown = [text for (name, i, _), _, text in found if (name, i) == place]
        assert all(bool(one) is there for one in shown)
        assert shown


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("part", ["info", "work"])
def test_gain_and_shift_leave_sheet_5_two_pages_each(part, language):
    assert stays_within(pdf_of("5", "nihao", language, part=part)) == 2
