"""Sheet slide, the hand-out: the slide's numbers, counts and minutes, no leak, one info leaf."""

import re

import numpy as np
import pytest

from generator.sheets.options import SheetOptions
from generator.sheets.sheetslide import plan as sheetslide
from tests.support.battery import (
    stays_on_the_page,
)
from tests.support.covering import each
from tests.support.sheets import Cells, html, pdf, traces

SHEET = "slide"
AT = "block1.head1"


def test_the_numbers_of_the_slide_and_of_the_task():
    trace, exact = traces("paris", "de")
    plan = sheetslide.plan(trace, 2)
    document = html(trace, exact, SheetOptions(), blank=False, sheet=SHEET)
    shown = {cell: value for cell, _, value in Cells(document).found}
    assert (plan.worked, plan.own, plan.visible) == (4, 3, (0, 1, 2))
    output = [shown[f"{AT}.output", 4, c] for c in range(4)]
    assert output == ["0,304", "0,529", "0,603", "0,399"]  # the slide's, its slip of a digit mended
    assert shown[f"{AT}.sum", 4, 0] == "10,443"
    assert [shown[f"{AT}.query", 3, c] for c in range(4)] == ["0", "1", "3", "1"]
    assert [shown[f"{AT}.key", 3, c] for c in range(4)] == ["0,0", "0,5", "1,5", "0,5"]
    assert [shown[f"{AT}.scores", 3, j] for j in range(3)] == ["2,0", "1,5", "0,5"]
    assert [shown[f"{AT}.scaled", 3, j] for j in range(3)] == ["1,00", "0,75", "0,25"]
    assert [shown[f"{AT}.exp", 3, j] for j in range(3)] == ["2,718", "2,117", "1,284"]
    assert [shown[f"{AT}.weights", 3, j] for j in range(3)] == ["0,444", "0,346", "0,210"]
    assert [shown[f"{AT}.output", 3, c] for c in range(4)] == ["0,549", "0,451", "0,222", "0,395"]


def test_sums_of_keys_and_contributions_at_the_third_level():
    trace, exact = traces("paris", "de")
    found = Cells(html(trace, exact, SheetOptions(level=3), blank=False, sheet=SHEET)).found
    shown = {cell: value for cell, _, value in found}
    sums = [shown["check.key", 0, c] for c in range(4)]
    assert sums == ["1,5", "1,5", "0,5", "1,0"]  # Paris + ist + die
    parts = [[shown[f"{AT}.contribution4", j, c] for c in range(4)] for j in range(3)]
    assert parts[0] == ["0,444", "0,000", "0,222", "0,222"]
    assert parts[2] == ["0,105", "0,105", "0,000", "0,000"]


def test_the_example_leaves_masked_tokens_out_of_its_lines():
    trace, _ = traces("paris", "de")
    whole = trace.with_steps(sheetslide.plan(trace, 2).extra)
    for name in ("sum", "output"):  # with the three decimals that are printed
        assert np.allclose(
            whole[f"example.{name}"].values[0], trace[f"{AT}.{name}"].values[4], atol=0.0005
        )
    assert whole["example.exp"].shape == (1, 4)


@pytest.mark.parametrize("level", each(2, [1, 2, 3]))
def test_a_qr_code_costs_no_page(level: int):
    trace, exact = traces("katze", "de")
    options = SheetOptions(level=level, part="work", code="K7QX2MPD", qr=True)
    assert stays_on_the_page(pdf(trace, exact, options, "blank", SHEET)) == 2


def test_the_first_row_stays_empty_and_masked_cells_are_dashes():
    trace, exact = traces("paris", "de")
    document = html(trace, exact, SheetOptions(), blank=True, sheet=SHEET)
    matrix = re.search(r'(?s)<table class="class.*?</table>', document)[0]
    first = re.findall(r"(?s)<tr.*?</tr>", matrix)[1]
    assert re.findall(r"<td>(.*?)</td>", first) == ["–"] * 5
    assert "Vor „Paris“ steht kein Wort" in document
    assert "steht kein Wort" not in html(
        *traces("katze", "de"), SheetOptions(), blank=True, sheet=SHEET
    )


def test_the_boxes_of_the_check_are_filled_in_the_solution_only():
    trace, exact = traces("paris", "de")
    solved, blank = (
        html(trace, exact, SheetOptions(), blank=empty, sheet=SHEET) for empty in (False, True)
    )
    boxes = [re.findall(r'<td class="step own">.*?</td>', page) for page in (solved, blank)]
    found = [re.search(r'answer">([^<]+)<', box)[1] for box in boxes[0]]
    assert found == ["4,0", "1,000"]  # 2.0 + 1.5 + 0.5, and all shares
    assert len(boxes[1]) == 2
    assert not any("answer" in box for box in boxes[1])


def test_the_bars_of_the_example_are_sorted():
    trace, exact = traces("paris", "de")
    info = html(trace, exact, SheetOptions(part="info"), blank=True, sheet=SHEET)
    bars = info.partition('<div class="bars"')[2]
    words = re.findall(r'<div class="bar"><span class="word">([^<]+)<', bars)
    assert words == ["Hauptstadt", "ist", "Paris", "die"]
