"""What "without rounding" gives is computed from the numbers that pupils have on their sheet."""

import math

import numpy as np
import pytest

from generator.notation.shown import number
from tests.support.filled import PRESETS, reason
from tests.support.sheets import solved


def told(labels: list[str], paper: list[float], free: list[float], decimals: int) -> list[tuple]:
    """The numbers that end differently, as the teacher page has them."""
    shown = [[number(v, decimals, "en") for v in row] for row in (paper, free)]
    return [one for one in zip(labels, *shown, strict=True) if one[1] != one[2]]


@pytest.mark.parametrize("preset", ["random", "katze-trained", "nihao"])
def test_sheet_6_from_the_printed_logits(preset):
    c = solved("6", preset, 3, "en")
    row = c.plan.heated[0]
    logits = c.trace["output.logits"].values[0] / c.trace["temperature"].values[row, 0]
    asked = [c.asks("output.exp", row, j) for j in range(len(logits))]
    powers = np.where(asked, np.exp(logits), c.trace["output.exp"].values[row])
    free = (powers / powers.sum()).tolist()
    for j, one in enumerate(free):
        free[j] = one if c.asks("output.probabilities", row, j) else None
    step = c.trace["output.probabilities"]
    paper = step.values[row].tolist()
    free = [p if f is None else f for p, f in zip(paper, free, strict=True)]
    assert c.differing() == told(list(c.words), paper, free, step.decimals)


@pytest.mark.parametrize("preset", ["katze", "random", "katze-trained"])
def test_sheet_5_from_the_printed_rows(preset):
    c = solved("5", preset, 2, "en")
    own, trace = c.plan.own, c.trace
    total = trace[c.plan.first.old].values[own] + trace[c.plan.first.new].values[own]
    spread = total - total.mean()
    z = spread / math.sqrt((spread**2).mean() + trace.preset.epsilon)
    free = z @ trace["block1.weight.hidden"].values
    asked = [c.asks("block1.hidden", own, j) for j in range(len(free))]
    hidden = np.maximum(np.where(asked, free, trace["block1.hidden"].values[own]), 0)
    y = hidden @ trace["block1.weight.feedforward"].values
    step = trace[c.plan.output]
    ends = list(c.plan.outputs)  # those asked, where time is short
    labels = [c.indexed("d", j) for j in ends]
    found = told(labels, step.values[own, ends].tolist(), y[ends].tolist(), step.decimals)
    assert len(ends) >= 2
    assert c.differing() == found


def test_sheet_4a_divides_by_the_root_itself():
    """√2 printed as 1.41 is rounded, too."""
    c = solved("4a", "katze-trained", 2, "en")
    at, own = c.plan.head.step, c.plan.own
    scores = c.trace[at("query")].values[own] @ c.trace[at("key")].values.T
    powers = np.exp(scores / math.sqrt(c.trace.preset.d_head))
    step = c.trace[at("weights")]
    found = told(list(c.tokens), step.values[own].tolist(), (powers / powers.sum()).tolist(), 3)
    assert ("on", "0.491", "0.492") in found
    assert c.differing() == found


def test_sheet_4b_from_the_printed_powers():
    c = solved("4b", "katze-trained", 1, "en")
    row, seen = c.plan.own, list(c.plan.visible)
    powers = c.trace["block1.head1.exp"].values[row, seen]
    step = c.trace["block1.head1.weights"]
    labels = [c.tokens[j] for j in seen]
    shares = (powers / powers.sum()).tolist()
    found = told(labels, step.values[row, seen].tolist(), shares, step.decimals)
    assert [one for one in c.differing() if not one[0].startswith("c")] == found


@pytest.mark.parametrize("sheet", ["3", "4a", "4b", "5", "6", "slide"])
def test_what_ends_a_sheet_is_asked_and_what_is_told_differs(sheet):
    preset = next(one for one in PRESETS if not reason(sheet, one))
    c = solved(sheet, preset, 2, "en")
    assert c.ends()
    asked = [cell for _, cell in c.ends() if cell in c.plan.asked]
    assert asked
    assert all(paper != free for _, paper, free in c.differing())


def test_where_nothing_is_rounded_nothing_differs():
    c = solved("slide", "paris", 3, "en")
    assert c.trace.rounding == "exact"
    assert list(c.ends())
    assert c.differing() == []
