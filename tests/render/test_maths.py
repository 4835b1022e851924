"""Formulas: on the baseline, understood completely, with a text to read aloud."""

import re

import pytest

from generator.errors import UserError
from generator.sheets.maths import Formulas, typeset

ATTENTION = r"\left(\frac{QK^\top}{\sqrt{d_k}}\right)\,V"


def test_a_formula_says_itself_and_is_in_the_cache():
    formulas = Formulas()
    html = formulas.image(r"q \cdot k", "q mal k")
    assert 'alt="q mal k"' in html
    address = re.search(r'src="([^"]+)"', html)[1]
    assert formulas.cache == {address: typeset(r"q \cdot k", True)}


def test_the_alternative_text_is_compulsory_and_escaped():
    with pytest.raises(ValueError, match="alternative text"):
        Formulas().image("x", " ")
    assert 'alt="a &lt; &#34;b&#34;"' in Formulas().image("a < b", 'a < "b"')


def test_a_formula_on_its_own_line_is_larger_and_centred():
    html = Formulas().image(r"\sum_{i=1}^n x_i", "Summe", inline=False)
    assert html.startswith('<div class="formula"><img class="formula"')
    assert typeset(r"\frac{a}{b}", False).box[3] > typeset(r"\frac{a}{b}", True).box[3]


@pytest.mark.parametrize(("latex", "least", "most"), [("x", 0, 0.06), ("y", 0.2, 0.35)])
def test_the_depth_below_the_baseline_is_that_of_the_letter(latex, least, most):
    assert least <= typeset(latex, True).depth <= most
    shift = re.search(r"vertical-align:-([\d.]+)em", Formulas().image(latex, latex))[1]
    assert float(shift) == pytest.approx(typeset(latex, True).depth, abs=1e-4)


def test_the_decimal_comma_leaves_no_gap():
    assert typeset("0{,}71", True).box[2] < typeset("0,71", True).box[2]


def test_outlines_are_filled_shapes_without_a_colour():
    operators = typeset(ATTENTION, False).operators.split(b"\n")
    assert {line.split()[-1] for line in operators} == {b"m", b"l", b"c", b"h", b"re", b"f"}
    left, top, width, height = typeset(ATTENTION, False).box
    points = [tuple(map(float, op.split()[:2])) for op in operators if op.endswith(b"m")]
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)


@pytest.mark.parametrize("latex", [r"\foo x", "a}", r"\sqrtt{2}"])
def test_what_ziamath_would_print_raw_stops(latex):
    with pytest.raises(ValueError, match="unknown command or lone bracket"):
        typeset(latex, True)


def test_a_stroke_stops():
    with pytest.raises(ValueError, match="filled shapes only"):
        _ = typeset(r"\cancel{x}", True).operators


def test_a_character_without_glyph_is_named():
    with pytest.raises(UserError, match=r"formula .*'龘' \(U\+9F98"):
        typeset(r"\text{龘}", True)
