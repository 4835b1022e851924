"""The walk's lines are set as print sets them; nothing else in them changes."""

import pytest

from generator.web.page import typeset


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Skalierung √d_k", "Skalierung √d<sub>k</sub>"),
        ("z₁ = y₁ · W_E₁₁", "z₁ = y₁ · W<sub>E</sub>₁₁"),
        ("Exp = e^Ŝ_M, falls", "Exp = e<sup>Ŝ<sub>M</sub></sup>, falls"),
        ("e^1,09 ≈ 2,9743", "e<sup>1,09</sup> ≈ 2,9743"),
        ("10,000^(2m ÷ d_model)", "10,000<sup>(2m ÷ d<sub>model</sub>)</sup>"),
        ("rank(p_j in P_T)", "rank(p<sub>j</sub> in P<sub>T</sub>)"),
        ("file_name < x_1 & _y", "file_name &lt; x_1 &amp; _y"),
    ],
)
def test_low_and_raised(line: str, expected: str) -> None:
    assert str(typeset(line)) == expected
