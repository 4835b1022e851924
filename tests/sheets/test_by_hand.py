"""What slips give was worked out by hand; every other number of a solution is the engine's."""

import re

import numpy as np
import pytest

from generator.engine.model import compute
from generator.notation.shown import number, shown_decimals
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support.sheets import pdf, solved, text

P, S = "output.probabilities", "block1.head1"
SLIPS = [  # sheet, preset, level; by slip: step, column, wrong number
    # "sitzt" (0 | 0.1 | 0.9 | 0) with "auf" (0.5 | 0 | 0.3 | 0.4): right is 0.27
    ("2", "brille", 2, {
        "next_row": ("chosen.similarity", 3, 0.5),  # "auf" with itself: 0.25 + 0.09 + 0.16
        "sums": ("chosen.similarity", 3, 1.2),  # 1 · 1.2
        "added": ("chosen.similarity", 3, 2.2),  # 1 + 1.2
    }),
    # "sitzt" at 2: sin 2° = 0.0349; sin 2 instead of sin 0.02; cos 2 = −0.416; sin 3 = 0.141
    ("3", "brille", 2, {
        "degrees": ("position", 0, 0.035), "divisor": ("position", 2, 0.909),
        "swapped": ("position", 0, -0.416), "from_one": ("position", 0, 0.141),
    }),
    ("slide", "paris", 2, {
        "no_scale": (f"{S}.weights", 0, 0.547),  # e², e^1.5, e^0.5: 7.389 ÷ 13.520
        "wrong_scale": (f"{S}.weights", 0, 0.389),  # ÷ 4: 1.649 ÷ 4.237
        "largest": (f"{S}.weights", 0, 1.0),
        "no_sum": (f"{S}.output", 0, 3.36),  # 2.718 × 1 + 1.284 × 0.5
        "unmasked": (f"{S}.weights", 0, 0.108),  # 2.718 ÷ 25.253
    }),
    ("6", "katze", 2, {
        "not_divided": (P, 5, 0.366),  # the share at T = 1
        "multiplied": (P, 5, 0.269),  # the share at T = 2
        "largest": (P, 5, 1.0),
        "negative": ("output.exp", 0, 9.777),  # e^2.28
        "added": ("draw.cumulative", 4, 0.64),  # 0.05 + 0.34 + 0.11 + 0.09 + 0.05
    }),
    ("6", "katze", 1, {
        "not_divided": (P, 5, 0.366), "multiplied": (P, 5, 0.269), "largest": (P, 5, 1.0),
        "negative": ("output.exp", 2, 1.682),  # e^0.52
    }),
    ("6", "ausgabe", 2, {
        "not_divided": (P, 5, 0.249), "multiplied": (P, 5, 0.206), "largest": (P, 5, 1.0),
        "negative": ("output.exp", 0, 1.197),  # e^0.18
        "added": ("draw.cumulative", 2, 0.46),  # 0.11 + 0.16 + 0.19; the rounded sum gives 0.47
    }),
    ("generate", "katze", 1, {
        "added": ("draw1.cumulative", 1, 0.58),  # 0.17 + 0.41
        "old": ("draw2.cumulative", 0, 0.17),  # 0.33 in the table of round 2
    }),
    ("generate", "katze", 2, {
        "added": ("draw1.cumulative", 1, 0.58), "old": ("draw2.cumulative", 0, 0.17),
        "summed": ("path.together", 0, 0.443),  # 0.173 + 0.099 + 0.171
        "turned": ("cost.ratio", 0, 0.462),  # 672 ÷ 1456
    }),
    # P of "Katze" is 0.341 and y₁ is −1.47; the rest is a pocket calculator's
    ("7a", "katze", 2, {
        "decimal": ("loss.cross_entropy", 0, 0.467),
        "reversed": ("grad.output.tempered", 1, 0.659),
        "uphill": ("update.output.matrix", 0, 0.484),
        "no_rate": ("update.output.matrix", 0, -0.969),
    }),
    ("7c", "katze", 3, {
        "gate": ("grad.block1.hidden", 4, 0.045),  # h5 = −1.56 lets nothing through
        "path": ("grad.block1.normalised1", 1, -0.357),
        "no_average": (f"grad.{S}.masked", 5, -0.142),  # 0.203 · (−0.699)
        "reversed": (f"grad.{S}.masked", 5, 0.043),
        "plain_mean": (f"grad.{S}.masked", 5, -0.046),  # the mean of the six is −0.474
        "no_root": (f"grad.{S}.scores", 5, -0.043),
        "no_input": (f"grad.{S}.weight.query", 1, -0.026),
        "undivided": ("wiggle.slope", 0, -0.005),
    }),
    ("7d", "katze", 2, {
        "reversed": ("group1.grad.output.tempered", 2, 0.953),  # 1 − 0.047
        "signs": ("together.gradient.sum", 0, 0.515),  # 0.133 + 0.169 + 0.025 + 0.188
        "undivided": ("together.new", 0, 0.088),  # 0.5 · 0.177
        "alone": ("together.new", 0, 0.067),  # 0.5 · 0.133
        "uphill": ("together.new", 0, -0.022),
        "kept": ("together.after.mean", 0, 1.49),  # (2.27 + 1.18 + 1.81 + 0.70) ÷ 4
    }),
    ("8", "katze-trained", 3, {
        "sign": ("learned.chance", 0, 1.185), "ten": ("learned.chance", 0, 0.676),
        "decimal": ("learned.even.loss", 0, 1.0),
    }),
    ("bpe", "katze", 2, {
        "once": ("bpe.merge2.pairs", 0, 3),  # au f stands in three words
        "first": ("bpe.merge2.pairs", 0, 6),  # only in kauf
        "used_up": ("bpe.merge3.pairs", 0, 5),  # l au in laufen too
        "types": ("bpe.merge2.length", 0, 57),  # 60 − 3
        "unchanged": ("bpe.merge2.length", 0, 60),
        "turned": ("bpe.encoding.ratio", 0, 0.7),  # 6 : 9
        "first_rule": ("bpe.encoding.ratio", 0, 1.1),  # 9 : 8
    }),
]  # fmt: skip
OTHERS = [  # sheet, preset, level, rows; decimal numbers that no step of the computation has
    ("2", "brille", 3, {}, {"0,7", "38,6"}),  # a tick of an axis, millions of parameters
    # tolerance of the check, sin 1°, sin 2°, turns of the two clocks
    ("3", "brille", 2, {}, {"0,002", "0,017", "0,035", "6,3", "628,3"}),
    ("4a", "brille", 2, {}, {"0,03", "0,31", "7,7"}),  # tolerance of six shares, no √d, Σk₂
    ("4b", "katze", 2, {"exercise": 3}, {"0,002", "3,2", "35,2", "49,2"}),  # Σk₁; in per cent
    # tolerance; σ without the old, 1.26 ÷ 0.38, 0.56 ÷ 0.143
    ("5", "katze", 3, {"worked": 5, "exercise": 4}, {"0,02", "0,91", "3,32", "3,92"}),
]


@pytest.mark.parametrize(("sheet", "preset", "level", "slips"), SLIPS)
def test_slips_give_these_wrong_numbers(sheet, preset, level, slips):
    found = solved(sheet, preset, level).slips()
    assert {one.key: (one.step, one.j, round(one.wrong, 3)) for one in found} == slips


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
