"""Worked arithmetic and Excel formulas: true where they say "=", brackets, typography, quoting."""

import math
import re

import numpy as np
import pytest

import generator
from generator.engine.expr import Area, Bin, Call, Dot, Fn, If, Num, Ref, Round, Text
from generator.notation.excel import Excel
from generator.notation.worked import Worked
from tests.benchmarks import models

PRESETS = ["katze", "brille", "ausgabe", "paris", "random", "katze-trained", "nihao"]


@pytest.fixture(scope="module", params=PRESETS)
def trace(request):
    return generator.compute(preset=request.param)


def lines(trace, language):
    """Every printed line of the first, a middle and the last row of every computed number step."""
    worked = Worked(trace, language)
    for step in trace:
        if step.kind == "given" or step.text or step.name == "sampling.rank":
            continue
        for i in sorted({0, step.shape[0] // 2, step.shape[0] - 1}):
            for j in range(step.shape[1]):
                yield worked.line(step.name, i, j)


@pytest.mark.parametrize("language", ["de", "en"])
def test_typography(trace, language):
    forbidden = {"de": r"[×÷*/]|\d\.\d|, ", "en": r"[·:*/;]|\d,\d(?!\d\d)"}[language]
    found = list(lines(trace, language))
    assert len(found) > 50
    for line in found:
        text = str(line)
        assert not re.search(forbidden, text), text
        assert not re.search(r"[·×:÷+−^√] ?−", line.terms), text
        assert not re.search(r"−0([,.]0*)?(?![\d,.])", text), text
        assert "-" not in text


def test_a_line(step, i, j, german, english):
    trace = generator.compute(preset="katze")
    name = f"block1.head1.{step}"
    assert str(Worked(trace, "de").line(name, i, j)) == german
    assert str(Worked(trace, "en").line(name, i, j)) == english


def test_only_the_branch_taken_is_printed():
    trace = generator.compute(preset="katze")
    assert str(Worked(trace, "de").line("block1.head1.exp", 0, 5)) == "0 = 0,0000"


def test_nobody_computes_with_what_is_masked(trace):
    worked, count = Worked(trace, "en"), 0
    for head in (name.removesuffix(".sum") for name in trace.steps if name.endswith(".sum")):
        if f"{head}.mask" not in trace:
            continue
        for i, row in enumerate(trace[f"{head}.mask"].values):
            seen = max(1, int((row == 0).sum()))  # nobody sees anything: 0 stands alone
            for name in ("sum", "output"):
                line = worked.line(f"{head}.{name}", i, 0)
                assert len(line.terms.split(" + ")) == seen, str(line)
                count += 1
    assert (count >= 10) == (trace.preset.mask != "none" and "block1.head1.sum" in trace)


def test_the_result_is_the_traces_number(trace):
    worked = Worked(trace, "en")
    for step in trace:
        if not step.text:
            for (i, j), value in np.ndenumerate(step.values):
                if np.isfinite(value):
                    shown = worked.spelled(step.name, i, j).replace("−", "-")
                    half = 0.5 * 10.0 ** -len(shown.partition(".")[2])
                    assert abs(float(shown) - value) <= half + 1e-12


def test_a_divisor_that_shows_as_zero_is_no_reason_to_stop():
    trace = models.trace(4)
    small = [
        (step, i)
        for step in trace
        for i in range(step.shape[0])
        if step.name.endswith("weights") and round(trace[step.inputs[1]].values[i, 0], 4) == 0
    ]
    assert small
    for step, i in small:
        assert Worked(trace, "en").line(step.name, i, 0).relation == "≈"


EXCEL = Excel(lambda step, i, j: f"{'ABCDEFGHIJKLMNOP'[j]}{i + 1}")
A, B = Ref("x", 0, 0), Ref("x", 0, 1)


@pytest.mark.parametrize(
    ("expression", "formula"),
    [
        (Bin("*", Bin("+", A, B), A), "=(A1+B1)*A1"),
        (Bin("-", A, Bin("-", B, A)), "=A1-(B1-A1)"),
        (Bin("/", A, Bin("*", B, A)), "=A1/(B1*A1)"),
        (Bin("-", Num(0), Bin("^", A, Num(2))), "=0-A1^2"),
        (Bin("^", Num(-2), Num(2)), "=(-2)^2"),
        (Bin("*", A, Num(-1.5)), "=A1*(-1.5)"),
        (Text('say "hi"'), '="say ""hi"""'),
        (Text("=1+1"), '="=1+1"'),
        (Num(-math.inf), '="−∞"'),
        (Num(3.0), "=3"),
        (Dot(Area("x", 0, 1, 0, 2), Area("x", 1, 2, 0, 2)), "=A1*A2+B1*B2"),
        (Dot(Area("x", 0, 1, 0, 9), Area("x", 1, 2, 0, 9)), "=SUMPRODUCT(A1:I1,A2:I2)"),
        (Dot(Area("x", 0, 1, 0, 9), Area("x", 0, 9, 0, 1)), "=SUM(MMULT(A1:I1,A1:A9))"),
        (Bin("*", Dot(Area("x", 0, 1, 0, 2), Area("x", 1, 2, 0, 2)), A), "=(A1*A2+B1*B2)*A1"),
        (If(Bin("<=", A, B), Num(0), Num(1)), "=IF(A1<=B1,0,1)"),
        (Call(Fn.SQUARES, (Area("x", 0, 1, 0, 2), B)), "=(A1-B1)^2+(B1-B1)^2"),
        (Round(A, 2), "=ROUND(ROUND(A1,10),2)"),
    ],
)
def test_excel(expression, formula):
    assert EXCEL.formula(expression) == formula


def test_a_bound_is_written_only_where_it_is_reached():
    trace = generator.compute(preset="ausgabe", language="en")
    ends = trace["sampling.share"]
    row = ends.values[0]
    summed = Call(Fn.SUM, (Area("sampling.share", 0, 1, 0, 2),))
    terms = f"{Worked(trace, 'en').spelled('sampling.share', 0, 0)} + "
    worked = Worked(trace, "en")
    assert row[:2].sum() < 1
    assert worked.write(Call(Fn.MIN, (Num(1), summed))).startswith(terms)
    assert worked.write(Call(Fn.MIN, (Num(0), summed))).startswith(f"min(0, {terms}")
