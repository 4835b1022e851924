"""What slips give was worked out by hand; every other number of a solution is the engine's."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from generator.engine.model import compute
from generator.notation.shown import number, shown_decimals
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support.sheets import pdf, solved, text

SLIPS = tomllib.loads(Path(__file__).with_name("by_hand.toml").read_text(encoding="utf-8"))
OTHERS = [  # sheet, preset, level, rows; decimal numbers that no step of the computation has
    (
        "2",
        "brille",
        3,
        {},
        {"0,05", "0,25", "0,35", "38,6"},
    ),  # ticks of the line, millions of parameters
    # tolerance of the check, sin 1°, sin 2°, turns of the two clocks
    ("3", "brille", 2, {}, {"0,002", "0,017", "0,035", "6,3", "628,3"}),
    # tolerance of six shares, Σk₂, e, 0.513 of 1.38 in per cent; 1.43 ÷ 0.71; without √d: e^0.51,
    # e^−0.48, their ratio, the share
    (
        "4a",
        "brille",
        2,
        {},
        {"0,03", "7,7", "2,71828", "37,2", "0,31"},
    ),
    (
        "4b",
        "katze",
        2,
        {"exercise": 3},
        {"0,002", "3,2", "21,8", "49,2"},
    ),  # Σk₁; in per cent
    # tolerance; σ without the old, 1.26 ÷ 0.38, 0.56 ÷ 0.143
    ("5", "katze", 3, {"worked": 5, "exercise": 4}, {"0,02", "0,91", "3,32", "3,92"}),
]


@pytest.mark.parametrize("page", SLIPS)
def test_slips_give_these_wrong_numbers(page):
    sheet, preset, level = page.split()
    found = solved(sheet, preset, int(level)).slips()
    assert {one.key: [one.step, one.j, round(one.wrong, 3)] for one in found} == SLIPS[page]


@pytest.mark.parametrize(("sheet", "preset", "level", "rows", "others"), OTHERS)
def test_every_other_decimal_number_on_the_solution_comes_from_the_engine(
    sheet, preset, level, rows, others
):
    paper, exact = (
        compute(load_preset(preset), rounding=rounding, **rows) for rounding in ("paper", "exact")
    )
    options = SheetOptions(level=level)
    whole = paper.with_steps(planned(sheet, paper, options).extra)
    allowed = {
        number(abs(value), shown_decimals(whole[step.name]), "de")
        for trace in (whole, exact)
        for step in trace
        if not step.text
        for value in step.values[np.isfinite(step.values)]
    }
    words = text(pdf(paper, exact, options, "solution", sheet))
    shown = set(re.findall(r"\d+,\d+", words))
    assert len(shown) > 30
    assert shown - allowed == others
    assert "−0,0 " not in words
