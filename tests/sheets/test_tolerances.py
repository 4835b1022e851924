"""What a check allows is what rounding can do: added up anew from the numbers that are printed."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.notation.shown import shown_value
from generator.sheets.options import SheetOptions
from generator.sheets.sheet5.view import LEAST_SIGMA
from tests.support.covering import first
from tests.support.drawn_presets import PRESETS, drawn_traces
from tests.support.sheets import Paper, paper

AT_ONCE = 25  # presets
SHEETS = ("2", "3", "4a", "4b", "5", "6", "7a", "7b", "7c", "generate", "slide")


class Check(NamedTuple):
    """A check of a sheet: the tolerance as its page says it, and by how much the numbers miss."""

    name: str
    allowed: str
    missed: Decimal
    total: Decimal = Decimal(1)  # Σ, where the tolerance depends on it


def seen(trace: Trace, step: str, i: int, columns: Any = None) -> list[Decimal]:
    """The numbers of a row as they stand on paper."""
    one = trace[step]
    every = range(one.shape[1]) if columns is None else columns
    return [Decimal(repr(shown_value(one, i, j))) for j in every]


def allowed(check: Check) -> Decimal:
    """What the sentence allows, in numbers."""
    plain, _, over = check.allowed.replace("−", "-").replace(",", ".").partition(" + ")
    more = Decimal(over.split(" ")[0]) / check.total if over else Decimal(0)
    return Decimal(plain or "0") + more


def shares(view: Any, trace: Trace, text: str, step: str, total: str, i: int, among: Any = None):
    """The check that shares add up to 1, where the page has it."""
    if text:
        (sigma,) = seen(trace, total, i, [0])
        yield Check("shares", text, sum(seen(trace, step, i, among)) - 1, sigma)


def attention(view: Any, trace: Trace) -> Iterator[Check]:
    plan, at = view.plan, view.at
    text = view.share_tolerance()
    yield from shares(view, trace, text, at("weights"), at("sum"), plan.own, plan.visible)
    query = seen(trace, at("query"), plan.own)
    keys = zip(*(seen(trace, at("key"), j) for j in plan.visible), strict=True)
    other = sum(q * sum(column) for q, column in zip(query, keys, strict=True))
    total = sum(seen(trace, at("scores"), plan.own, plan.visible))
    yield Check("scores", view.score_tolerance(), total - other)
    (said,) = seen(trace, view.part(plan.own, "check.query"), 0)
    yield Check("scores as said", view.score_tolerance(), total - said)


def both_heads(view: Any, trace: Trace) -> Iterator[Check]:
    for number in {1, *view.plan.computed}:
        yield from attention(view.head(number), trace)


def similarity(view: Any, trace: Trace) -> Iterator[Check]:
    x = view.plan.x
    row = seen(trace, "chosen.similarity", x)
    (other,) = seen(trace, "check.product", 0)
    yield Check("similarity", view.tolerance(), sum(row) - row[x] - other)


def waves(view: Any, trace: Trace) -> Iterator[Check]:
    for place in (view.example_place(), *view.plan.places):
        codes = seen(trace, f"{place.prefix}position", place.row)
        for pair in range(len(codes) // 2):
            total = codes[2 * pair] ** 2 + codes[2 * pair + 1] ** 2
            said = view.square_sum(place, pair).split(" ")[1].replace(",", ".").replace("−", "-")
            if view.tolerance():
                yield Check("squares", view.tolerance(), total - 1)
                yield Check("squares as said", view.tolerance(), Decimal(said) - 1)


def norms(view: Any, trace: Trace) -> Iterator[Check]:
    plan, own = view.plan, view.plan.own
    for part in (plan.first, plan.second):
        if not part.normalised or (part is plan.second and not plan.again):
            continue
        if part.mean:
            row = seen(trace, part.deviations, own)
            yield Check("deviations", view.deviations_tolerance(part), sum(row))
        (root,) = seen(trace, part.root, own)
        if root < Decimal(repr(LEAST_SIGMA)):
            continue
        row = seen(trace, part.normalised, own)
        if part.mean and view.normalised_tolerance(part):
            yield Check("normalised", view.normalised_tolerance(part), sum(row))
        if view.square_tolerance(part):
            squares = sum(y * y for y in row) - len(row)
            yield Check("norm squares", view.square_tolerance(part), squares)
    if plan.network:
        yield from (product(view, trace, name) for name in (plan.hidden, plan.output))


def product(view: Any, trace: Trace, name: str) -> Check:
    x, weight, *bias = trace[name].inputs
    row = seen(trace, x, view.plan.own)
    sums = [sum(seen(trace, weight, k)) for k in range(len(row))]
    other = sum(a * b for a, b in zip(row, sums, strict=True))
    other += sum(sum(seen(trace, one, 0)) for one in bias)
    total = sum(seen(trace, name, view.plan.own))
    return Check("product", view.product_tolerance(name), total - other)


def output(view: Any, trace: Trace) -> Iterator[Check]:
    (said,), (other,) = seen(trace, "check.sum", 0), seen(trace, "check.logits", 0)
    yield Check("logits", view.logit_tolerance(), said - other)
    logits = sum(seen(trace, "output.logits", 0))
    yield Check("logits added", view.logit_tolerance(), logits - other)
    (t,) = seen(trace, "temperature", view.plan.heated[0])
    exponents = sum(seen(trace, "output.tempered", view.plan.heated[0]))
    yield Check("exponents", view.exponent_tolerance(view.plan.heated[0]), exponents - said / t)
    for i in view.plan.heated:
        yield from shares(
            view, trace, view.share_tolerance(), "output.probabilities", "output.sum", i
        )


def errors(view: Any, trace: Trace) -> Iterator[Check]:
    if view.error_tolerance():
        yield Check("errors", view.error_tolerance(), sum(seen(trace, "grad.output.tempered", 0)))


def again(view: Any, trace: Trace) -> Iterator[Check]:
    steps = "step2.output.probabilities", "step2.output.sum"
    yield from shares(view, trace, view.share_tolerance(), *steps, view.plan.at)


def slopes(view: Any, trace: Trace) -> Iterator[Check]:
    way = view.plan.way
    if view.tolerance():
        total = sum(seen(trace, view.slope, way.row, way.looked_at))
        yield Check("slopes", view.tolerance(), total)


def drawing(view: Any, trace: Trace) -> Iterator[Check]:
    if view.plan.powers:
        yield from shares(view, trace, view.tolerance(), "draw3.share", "draw3.sum", 0)


CHECKS = {
    "2": similarity,
    "3": waves,
    "4a": attention,
    "4b": both_heads,
    "5": norms,
    "6": output,
    "7a": errors,
    "7b": again,
    "7c": slopes,
    "generate": drawing,
    "slide": attention,
}


def checks(page: Paper) -> list[Check]:
    """All checks of a sheet; none where it is refused."""
    try:
        view = page.view
    except UserError:
        return []
    return list(CHECKS[page.sheet](view, view.trace))


def missed(page: Paper, found: Counter[str]) -> list[tuple[object, ...]]:
    wrong = []
    for check in checks(page):
        found[check.name] += 1
        if abs(check.missed) > allowed(check):
            name = page.trace.preset.name
            wrong.append((name, page.sheet, page.options.level, *check, page.trace.rounding))
    return wrong


def drawn(numbers: range) -> Iterator[Paper]:
    """Each sheet of some drawn presets, levels in turn."""
    for number in numbers:
        if both := drawn_traces(number):
            for k, sheet in enumerate(SHEETS):
                yield Paper(sheet, *both, SheetOptions(level=1 + (number + k) % 3))


@pytest.mark.parametrize("begin", first(1, range(0, PRESETS, AT_ONCE)))
def test_no_check_misses_by_more_than_its_page_says(begin):
    found: Counter[str] = Counter()
    wrong = [one for page in drawn(range(begin, begin + AT_ONCE)) for one in missed(page, found)]
    assert not wrong, "\n".join(map(str, wrong))
    assert len(found) > 8


SHIPPED = ("katze", "random", "katze-trained", "nihao", "mental", "paris")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_nor_of_the_shipped_presets(level):
    found: Counter[str] = Counter()
    pages = [paper(sheet, preset, level=level) for sheet in SHEETS for preset in SHIPPED]
    wrong = [one for page in pages for one in missed(page, found)]
    assert not wrong, "\n".join(map(str, wrong))
    assert len(found) > 10
