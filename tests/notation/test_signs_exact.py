"""The sign of every line of arithmetic, held to the printed digits at 60 digits of accuracy."""

import re
from collections import Counter
from decimal import Context, Decimal, DecimalException, localcontext

import numpy as np
import pytest

import generator
from generator.engine.model import compute
from generator.errors import UserError
from generator.notation.worked import Worked
from generator.sheets.series import SERIES
from generator.sheets.slots import RELATION, Filler, slot
from tests.notation.test_worked import PRESETS
from tests.notation.test_worked import lines as every_line
from tests.reference.cases import cases_of_round
from tests.support.pairs import pairs

PRECISE = Context(prec=60, Emin=-(10**6), Emax=10**6)
WHOLE = Context(prec=700, Emin=-(10**6), Emax=10**6)  # sums and products in full
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
TINY = Decimal("1e-70")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
POWER_OF_TEN = re.compile("([0-9.]+) × 10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
SIGNS = {"×": "*", "÷": "/", "−": "-", "²": "**D(2)", "^": "**"}


def _wave(x, k):
    """Sine (k = 1) or cosine (k = 0), by their power series."""
    term, total = (x if k else Decimal(1)), Decimal(0)
    while abs(term) > TINY:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def _tanh(x):
    up, down = x.exp(), (-x).exp()
    return (up - down) / (up + down)


def _normal(x):
    """Φ, by the series x + x³/3 + x⁵/15 + …"""
    term, total, k = x, x, 1
    while abs(term) > TINY:
        k += 2
        term *= x * x / k
        total += term
    return Decimal("0.5") + total * (-x * x / 2).exp() / (2 * PI).sqrt()


NAMES = {
    "D": Decimal, "E": Decimal(1).exp(PRECISE), "sqrt": Decimal.sqrt, "ln": Decimal.ln,
    "sin": lambda x: _wave(x, 1), "cos": lambda x: _wave(x, 0), "tanh": _tanh, "normal": _normal,
    "max": lambda *x: max(x), "min": lambda *x: min(x), "abs": abs,
}  # fmt: skip


def reckoned(printed: str) -> Decimal:
    """What printed terms come to, read by an evaluator that knows nothing of ours."""
    source = re.sub(r"(?<=\d),(?=\d{3})", "", printed)  # groups of digits
    source = POWER_OF_TEN.sub(lambda ten: f"{ten[1]}e{ten[2].translate(RAISED)}", source)
    source = source.replace("e^", "E**").replace("Φ", "normal")
    source = re.sub(r"\d+(\.\d+)?(e\d+)?", lambda number: f"D('{number[0]}')", source)
    source = re.sub(r"√(D\('[\de.]+'\))", r"sqrt(\1)", source).replace("√(", "sqrt(")
    source = re.sub(r"\|([^|]*)\|", r"abs(\1)", source)
    for sign, code in SIGNS.items():
        source = source.replace(sign, code)
    endless = re.search("[÷√^²a-z]", POWER_OF_TEN.sub("", printed))
    with localcontext(PRECISE if endless else WHOLE):
        return +eval(source, {"__builtins__": {}, **NAMES})


def lines(trace):
    """Lines of the first and the last row of every computed step of numbers."""
    worked = Worked(trace, "en")
    for step in trace:
        if step.kind == "given" or step.text or step.name == "sampling.rank":
            continue
        for i in sorted({0, step.shape[0] - 1}):
            for j in range(min(2, step.shape[1])):
                yield worked.line(step.name, i, j)


def checked(trace, found=lines) -> Counter:
    """How many lines have each sign, "10" for a power of ten; each is held to its digits."""
    seen = Counter()
    for terms, relation, result in found(trace):
        if "∞" in terms + result:
            continue
        try:
            right = reckoned(terms)
        except (DecimalException, ZeroDivisionError):  # a shown 0 below a line
            assert relation == "≈", f"{terms} {relation} {result}"
            continue
        shown = reckoned(result)
        missed = WHOLE.abs(WHOLE.subtract(right, shown))
        same = not missed or ("÷" in terms and missed <= abs(right) * Decimal("1e-40"))
        assert relation == ("=" if same else "≈"), f"{terms} {relation} {result}"
        seen[relation] += 1
        seen["10"] += "× 10" in result
        if trace.rounding == "paper":  # so far and no further may rounding go
            decimals = 0 if "× 10" in result else len(result.partition(".")[2])
            half = abs(shown) * Decimal("1e-11") + (Decimal("0.5").scaleb(-decimals))
            assert missed <= half + Decimal("1e-10"), f"{terms} {relation} {result}"
    return seen


def huge(count):
    """Drawn models with numbers far beyond paper's, in both arithmetics."""
    cases = [case for case in cases_of_round(1) if case.options.get("size") == "huge"]
    for case in cases[:count]:
        for rounding in ("paper", "exact"):
            try:
                yield compute(case.preset, rounding=rounding)
            except UserError:  # no result: σ = 0, an empty sum
                continue


def test_equals_stands_exactly_where_the_printed_digits_are_equal():
    seen = sum((checked(pair.trace()) for pair in pairs(6)), Counter())
    seen += sum(map(checked, huge(4)), Counter())
    for name in PRESETS:
        seen += checked(generator.compute(preset=name), lambda trace: every_line(trace, "en"))
    assert min(seen["="], seen["≈"]) > 300
    assert seen["10"] > 10


@pytest.mark.ci
def test_so_it_is_in_many_drawn_models():
    assert sum((checked(pair.trace()) for pair in pairs(60)), Counter()).total() > 10_000
    assert sum(map(checked, huge(40)), Counter())["10"] > 50


def test_a_tiny_power_is_about_nothing():
    trace = generator.compute(preset="katze", edits={"block1.head1.weight.query[1,1]": 60.0})
    exp, worked = trace["block1.head1.exp"], Worked(trace, "en")
    exponents = trace[exp.inputs[0]].values
    powerless = np.isfinite(exponents) & (exponents < -25)
    tiny = [worked.line(exp.name, *place) for place in zip(*np.where(powerless), strict=True)]
    assert tiny
    assert {(line.relation, line.result) for line in tiny} == {("≈", "0.0000")}


def path(chances, blank):
    """The sign before the probability of a drawn text, on sheet generate, of three chances."""
    trace = generator.compute(preset="katze", language="de")
    plan = SERIES["generate"].plan(trace, 2)
    whole = trace.with_steps(plan.extra)
    for k, chance in enumerate(chances, 1):
        step = whole[f"draw{k}.chance"]
        step.values.flags.writeable = True
        step.values[0, 0] = chance
    together = whole["path.together"].values
    together.flags.writeable = True
    together[0, 0] = round(chances[0] * chances[1] * chances[2], 4)
    filler = Filler(whole, plan.asked, "de", blank)
    return filler.fill(slot(RELATION, "path.together", 0, 0))


def test_a_page_that_spells_a_line_itself_asks_for_its_sign_and_a_blank_tells_none():
    certain, likely = (1.0, 1.0, 1.0), (0.173, 0.099, 0.171)
    assert (">=</span>" in path(certain, False), ">≈</span>" in path(likely, False)) == (True, True)
    assert path(certain, True) == path(likely, True)
    assert not set("=≈") & set(re.sub("<[^>]*>", "", path(likely, True)))
