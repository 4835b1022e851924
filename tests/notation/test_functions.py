"""Formulas as a person sees them: German names, signs, one ROUND; checked by IronCalc's German."""

import math
import re

import ironcalc
import pytest

from generator.engine.expr import Area, Bin, Call, Dot, Fn, If, Num, Ref, Round, Text
from generator.engine.model import compute
from generator.locales.locale import SPREADSHEET, locale_of
from generator.notation.excel import Excel, Functions, in_language
from tests.engine.models import small
from tests.notation.test_symbols import ARGUMENTS

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
X, ROW, COLUMN = Ref("x", 0, 0), Area("x", 0, 1, 0, 3), Area("x", 0, 3, 1, 2)
# IronCalc 0.9 has no German for these two; Excel has.
ONLY_IN_EXCEL = {"RANG": "RANK", "NORMVERT": "NORMDIST"}


def address(step: str, i: int, j: int) -> str:
    sheet = "'Kopf, 1.5; ROUND(2)'!" if step == "far" else ""
    return f"{sheet}{LETTERS[j]}{i + 3}"


def wide(step: str, i: int, j: int) -> str:
    return f"{LETTERS[j // 26]}{LETTERS[j % 26]}{i + 3}"


def german(expression) -> str:
    return Functions(address, "de").formula(expression)


def unguarded(formula: str) -> str:
    """The formula without `ROUND(…,10)`, taken apart by its brackets only."""
    while (end := formula.find(",10)")) >= 0:
        depth, start = 1, end
        while depth:
            start -= 1
            depth += {")": 1, "(": -1}.get(formula[start], 0)
        head = formula[:start]
        assert head.endswith("ROUND"), formula
        formula = head.removesuffix("ROUND") + formula[start + 1 : end] + formula[end + 4 :]
    return formula


@pytest.fixture(scope="module")
def read_back():
    """What IronCalc makes of a German formula: the same one in English."""
    model = ironcalc.create("book", "de", "UTC", "de")

    def english(formula: str) -> str:
        for name, english_name in ONLY_IN_EXCEL.items():
            formula = re.sub(rf"\b{name}\(", f"{english_name}(", formula)
        return _switched(model, formula, "de", "en")

    return english


def _switched(model, formula: str, written: str, read: str) -> str:
    model.set_language(written)
    model.set_locale(written)
    model.set_user_input(0, 1, 200, formula)
    model.set_language(read)
    model.set_locale(read)
    return model.get_cell_content(0, 1, 200)


@pytest.mark.parametrize(
    ("expression", "shown", "english"),
    [
        (
            Round(Bin("+", Bin("*", X, Num(0.5)), Ref("x", 1, 2)), 2),
            "=RUNDEN(A3*0,5+C4;2)",
            "=ROUND(A3*0.5+C4,2)",
        ),
        (Round(Call(Fn.SUM, (ROW,)), 10), "=SUMME(A3:C3)", "=SUM(A3:C3)"),
        (
            Bin("*", Num(2), Round(Bin("+", X, Num(1e-7)), 10)),
            "=2*(A3+1E-07)",
            "=2*(A3+1E-07)",
        ),
        (
            Round(If(Call(Fn.IS_NUMBER, (X,)), Bin("-", X, Num(1)), Num(-math.inf)), 3),
            '=WENN(ISTZAHL(A3);RUNDEN(A3-1;3);"−∞")',
            '=IF(ISNUMBER(A3),ROUND(A3-1,3),"−∞")',
        ),
        (
            Round(Dot(Area("x", 0, 1, 0, 9), Area("x", 0, 9, 1, 2)), 1),
            "=RUNDEN(SUMME(MMULT(A3:I3;B3:B11));1)",
            "=ROUND(SUM(MMULT(A3:I3,B3:B11)),1)",
        ),
        (
            Dot(Area("x", 0, 1, 0, 9), Area("x", 1, 2, 0, 9)),
            "=SUMMENPRODUKT(A3:I3;A4:I4)",
            "=SUMPRODUCT(A3:I3,A4:I4)",
        ),
        (Call(Fn.TWO_DIGITS, (X,)), '=TEXT(A3;"00")', '=TEXT(A3,"00")'),
        (
            Bin("&", Text('1.5, "SUM(2,5)"'), Ref("far", 0, 0)),
            '="1.5, ""SUM(2,5)"""&\'Kopf, 1.5; ROUND(2)\'!A3',
            '="1.5, ""SUM(2,5)"""&\'Kopf, 1.5; ROUND(2)\'!A3',
        ),
    ],
)
def test_what_a_person_sees(expression, shown, english):
    assert german(expression) == shown
    assert Functions(address, "en").formula(expression) == english


def test_ironcalc_reads_the_long_sums(read_back):
    assert read_back("=SUMME(MMULT(A3:I3;B3:B11))") == "=SUM(MMULT(A3:I3,B3:B11))"
    assert read_back("=SUMMENPRODUKT(A3:I3;A4:I4)") == "=SUMPRODUCT(A3:I3,A4:I4)"


@pytest.mark.parametrize("fn", Fn)
def test_every_function_in_both_languages(fn, read_back):
    expression = Call(fn, ARGUMENTS.get(fn, (X,)))
    stored = Excel(address).formula(expression)
    assert Functions(address, "en").formula(expression) == stored
    shown = german(expression)
    assert read_back(shown) == stored
    assert not re.search(r",(?!5)|\d\.\d", shown)


def test_the_lists_are_closed():
    german, english = (locale_of(language).spreadsheet.functions for language in ("de", "en"))
    assert tuple(german) == SPREADSHEET == tuple(sorted(SPREADSHEET))
    assert all(name == own for name, own in english.items())
    for language in ("de", "en"):
        with pytest.raises(KeyError, match="VLOOKUP"):
            in_language("=VLOOKUP(A1,B1:C3,2)", language)


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_it_is_the_cell_without_the_guard(changes, rounding, read_back):
    trace = compute(small(**changes), rounding=rounding, controls=True)
    seen = _compared(trace, read_back)
    assert {"EXP", "IF", "INDEX", "ROUNDUP", "SUM", "SQRT", "TEXT"} <= seen
    assert ("ROUND" in seen) == (rounding == "paper")


def _compared(trace, read_back):
    """Compare the first and the last cell of every step; gives the functions that were met."""
    shown, english, excel = Functions(wide, "de"), Functions(wide, "en"), Excel(wide)
    seen = set()
    for step in trace:
        if step.kind == "given":
            continue
        for i, j in {(0, 0), tuple(n - 1 for n in step.shape)}:
            cell = trace.cell(step.name, i, j)
            text = english.formula(cell)
            assert text == unguarded(excel.formula(cell)), step.name
            assert read_back(shown.formula(cell)) == _normal(text), step.name
            seen |= set(re.findall(r"[A-Z]+(?=\()", text))
    return seen


def _normal(formula: str) -> str:
    """As IronCalc writes an English formula."""
    return _switched(ironcalc.create("book", "en", "UTC", "en"), formula, "en", "en")
