"""Sheet 6: an output of one's own, every size of a vocabulary, what it refuses."""

import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import parse
from generator.render.worksheet.worksheet import page
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from tests.support import battery
from tests.support.sheets import html, traces


@pytest.mark.parametrize(("level", "most"), [(1, 16), (2, 30), (3, 47)])
@pytest.mark.parametrize("words", [2, 7, 8, 9, 12])
def test_every_size_of_vocabulary_keeps_the_limits(level, most, words):
    names = "Ute Oma Eva Tom Udo Pia Leo Ina Kai Ben Lea Max"
    trace, exact = traces("random", "de", names[: 4 * words])
    assert 4 < battery.boxes("6", trace, exact, SheetOptions(level=level)) <= most


def test_the_origin_of_the_last_vector_is_said():
    for preset, word in (("katze", "nach Block 1"), ("ausgabe", "vorgegeben")):
        trace, exact = traces(preset, "de")
        assert word in html(trace, exact, SheetOptions(), blank=True, sheet="6"), preset


OWN = """
format = 1
name = "own"
language = "de"
title = { de = "a", en = "a" }
sentence = { de = "ja nein", en = "yes no" }
rounding = "paper"
meaningful = true
[model]
d_model = 2
parts = ["output"]
[start]
kind = "vector"
value = [1.5, -0.5]
[softmax]
base = 2
[output]
kind = "own"
[sampling]
temperatures = [TEMPERATURES]
[vocabulary.words]
ja = [1.0, 0.0]
nein = [0.0, 1.0]
[translation.en]
ja = "yes"
nein = "no"
[weights]
"output.matrix" = [[1, 2], [0.5, -1]]
"output.bias" = [[0.3, -0.2]]
"""


def own(temperatures: str, softmax: str = "base = 2"):
    source = OWN.replace("TEMPERATURES", temperatures).replace("base = 2", softmax)
    return compute(parse(source, "own.toml"))


def test_an_output_of_its_own_with_a_bias_and_another_base():
    trace = own("1.0, 0.5")
    document = page(sheet6.plan(trace, 3), trace, trace, SheetOptions(), Formulas(), blank=False)
    assert "eigene Matrix" in document
    assert "1,5 · 1,5 + (−0,5) · 1,0 + 0,1 = <b>1,85</b>" in document  # the sum of the logits
    assert "<i>2</i><sup>" in document
    battery.cells_are_the_traces("6", trace, trace, SheetOptions(level=3))


def test_one_temperature_or_a_shifted_softmax_is_said():
    with pytest.raises(UserError, match=r"one temperature only.*'katze'"):
        sheet6.plan(own("1.0"), 2)
    with pytest.raises(UserError, match=r"subtracts the largest logit.*'katze'"):
        sheet6.plan(own("1.0, 0.5", 'shifted = "always"'), 2)
