"""Formulas in symbols and in LaTeX: what they say, and that every operation has one."""

import dataclasses
import re

import pytest

import generator
from generator.engine.expr import Area, Bin, Call, Dot, Fn, If, Num, Ref, Round, Text
from generator.engine.model import compute
from generator.notation.excel import Excel
from generator.notation.latex import Latex, escaped
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked


@pytest.fixture(scope="module")
def katze():
    return generator.compute(preset="katze")


def test_a_step_in_symbols(katze, step, formula):
    assert Symbols(katze, "de").step(step) == formula


def test_a_cell_in_symbols(katze, step, language, formula):
    assert Symbols(katze, language).cell(step, 4, 1) == formula


def test_latex(katze):
    latex = Latex(katze, "de")
    assert latex.step("block1.head1.scores") == r"S = Q \cdot {K}^{\mathsf{T}}"
    assert latex.step("block1.head1.scaled") == r"\hat{S} = \frac{S}{\sqrt{d_{k}}}"
    assert r"\text{falls }" in latex.step("block1.head1.exp")


def test_latex_escapes_every_special_character():
    assert escaped(r"a_b & 50% #1 {x} $ ~ ^ \ -- [") == (
        r"a\_b \& 50\% \#1 \{x\} \$ \textasciitilde{} \textasciicircum{} \textbackslash{} "
        r"{-}{-} {[}"
    )


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_operation_is_printed_by_every_notation(change, language):
    preset = dataclasses.replace(generator.load_preset("katze"), **change)
    trace = compute(preset, "Die Katze sitzt auf")
    plain, latex = Symbols(trace, language), Latex(trace, language)
    worked = Worked(trace, language)
    excel = Excel(lambda step, i, j: f"A{i}")
    computed = [step for step in trace if step.kind == "computed"]
    assert len(computed) > 40
    for step in computed:
        for text in (plain.step(step.name), plain.cell(step.name, 0, 0)):
            assert " = " in text
        for text in (latex.step(step.name), latex.cell(step.name, 0, 0)):
            assert text.count("{") == text.count("}"), text
            assert not re.search("[·×÷−√²α-ωΣ₀-₉]", text), text
        assert str(worked.line(step.name, 0, 0))
        assert excel.formula(trace.cell(step.name, 0, 0)).startswith("=")


AREA = Area("input", 0, 1, 0, 2)
ARGUMENTS = {
    Fn.SQUARES: (AREA, Num(1)),
    Fn.EXACT: (Text("a"), Text("a")),
    Fn.INDEX: (AREA, Num(1)),
    Fn.MATCH: (Ref("input", 0, 0), AREA),
    Fn.RANK: (Num(1), AREA),
    Fn.COUNT_EQUAL: (AREA, Num(1)),
    Fn.COUNT_AT_MOST: (AREA, Num(1)),
    Fn.SUM_BELOW: (AREA, Num(1), AREA),
    Fn.COUNT_NUMBERS: (AREA, Num(1)),
    Fn.COUNT_BLANK: (AREA, Area("input", 1, 2, 0, 1)),
    Fn.SUM: (AREA,),
    Fn.MAX: (AREA,),
    Fn.MIN: (AREA,),
    Fn.IF_ERROR: (Ref("input", 0, 0), Num(1)),
    Fn.LENGTH: (Text("a"),),
    Fn.SPELLED: (Text("ab"), Num(2)),
    Fn.PIECES: (Text("a b"),),
    Fn.PAIR_AT: (Text("a b"), Num(1)),
    Fn.MERGED: (Text("a b"), Text("a b")),
}
NODES = [
    *(Call(fn, ARGUMENTS.get(fn, (Ref("input", 0, 0),))) for fn in Fn),
    Num(-1.5),
    Text("x"),
    Ref("input", 0, 0),
    Dot(AREA, AREA),
    *(Bin(op, Num(1), Num(2)) for op in ("+", "-", "*", "/", "^", "=", "<>", "<", "<=", ">", ">=")),
    Bin("&", Text("a"), Text("b")),
    If(Bin("<", Num(1), Num(2)), Num(3), Num(4)),
    Round(Num(1), 2),
]


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_node_and_function_is_printed_by_every_notation(katze, language):
    notations = [
        Symbols(katze, language),
        Symbols(katze, language, indexed=True),
        Latex(katze, language),
        Latex(katze, language, indexed=True),
        Worked(katze, language),
        Excel(lambda step, i, j: f"A{i}"),
    ]
    for notation in notations:
        assert [node for node in NODES if not notation.write(node)] == []
