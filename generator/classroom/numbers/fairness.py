"""Whether individual numbers are fair and can be solved: one named condition after the other.

The conditions look only at what the asked sheets use, at what a computation shows on paper, and
for the next token also at the exact one. They stand in the order in which they are tried: first
what is cheap and often fails.

Also here:

* How much work sheets are: for one pupil and for a class.
"""

import math
import statistics
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np

from generator.classroom.numbers.task import (
    FEWEST,
    PROBABILITIES,
    PupilNumbers,
    StepRow,
    cells_of,
    lines_of,
    rows_of,
)
from generator.engine.gradients import GRAD
from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.sheets.plan import Plan
from generator.sheets.sheet2.plan import SIMILARITY
from generator.sheets.sheet6.plan import LEAST

LEAST_SHARE: Final = 0.01
LARGEST_SCORE: Final = 3.0
LEAST_DEVIATION: Final = 0.3
LEAST_LEAD: Final = 0.02  # of the first before the second, so that ±1 in the last digit is no tie
LEAST_APART: Final = LEAST  # a share that is asked and told apart from others
LEAST_SPREAD: Final = 0.05  # between a row's largest and smallest weight: bars 5 mm apart
_HALF: Final = 1e-7  # nearer than this to half a unit of the last place is a tie of rounding
_NOISE: Final = 1e-9
KEPT = ("topk.kept", "topp.kept")
DEVIATIONS = ("deviation1", "deviation2")


def scores_are_small(numbers: PupilNumbers) -> bool:
    """No scaled score beyond ±3, so that no power is tiny or huge."""
    return all(
        np.abs(cells_of(numbers.paper, row, "scaled")).max() <= LARGEST_SCORE + _NOISE
        for row in numbers.asked(".weights")
    )


def shares_can_be_seen(numbers: PupilNumbers) -> bool:
    """No share of a token that is seen below 0.01, neither on paper nor exactly."""
    return all(
        cells_of(trace, row).min() >= LEAST_SHARE - _NOISE
        for row in numbers.asked(".weights")
        for trace in (numbers.paper, numbers.exact)
    )


def one_token_gets_most(numbers: PupilNumbers) -> bool:
    """One share leads by 0.02 on paper, and it is the same one without rounding.

    Tokens with equal numbers, as the same word twice without positions, count as one.
    """
    for row in numbers.asked(".weights"):
        first = [_largest(trace, row) for trace in (numbers.paper, numbers.exact)]
        inputs = {numbers.paper["input"].values[token].tobytes() for token in first[0]}
        if first[0] != first[1] or len(inputs) > 1:
            return False
        shares = cells_of(numbers.paper, row)
        others = [x for j, x in zip(row.columns, shares, strict=True) if j not in first[0]]
        if others and shares.max() - max(others) < LEAST_LEAD - _NOISE:
            return False
    return True


def bars_differ(numbers: PupilNumbers) -> bool:
    """The bars of a row of shares differ visibly: the longest is 5 mm longer than the shortest."""
    rows = (cells_of(numbers.paper, row) for row in numbers.asked(".weights"))
    return all(len(x) < FEWEST or np.ptp(x) >= LEAST_SPREAD - _NOISE for x in rows)


def network_adds_something(numbers: PupilNumbers) -> bool:
    """The result of the feed-forward network, where it is asked, is not 0 throughout."""
    return all(cells_of(numbers.paper, row).any() for row in numbers.asked(".feedforward"))


def no_column_is_zero(numbers: PupilNumbers) -> bool:
    """Not all asked numbers of a row or a column of a step are 0.

    But those that are 0 with the class's own numbers as well, as the position's sines of place 0.
    """
    for sheet, plan in numbers.plans.items():
        own = numbers.paper.with_steps(plan.extra)
        base = numbers.task.base.with_steps(numbers.task.base_plans[sheet].extra)
        if any(_zero(own, some) and not _zero(base, some) for some in lines_of(plan)):
            return False
    return True


def norms_have_spread(numbers: PupilNumbers) -> bool:
    """σ at least 0.3 where a layer norm divides by it."""
    rows = numbers.asked(DEVIATIONS)
    return all(
        cells_of(numbers.paper, row).min() >= LEAST_DEVIATION - _NOISE
        for row in rows
        if row.step in numbers.paper
    )


def prediction_is_clear(numbers: PupilNumbers) -> bool:
    """The next token is ahead by two percentage points, on paper and exactly."""
    if not numbers.predicts:
        return True
    ranked = (np.sort(_predicted(trace)) for trace in (numbers.paper, numbers.exact))
    return all(shares[-1] - shares[-2] >= LEAST_LEAD - _NOISE for shares in ranked)


def prediction_survives_rounding(numbers: PupilNumbers) -> bool:
    """The most probable next token is the same on paper and exactly."""
    if not numbers.predicts:
        return True
    paper, exact = (int(_predicted(trace).argmax()) for trace in (numbers.paper, numbers.exact))
    return paper == exact


def ranks_have_no_tie(numbers: PupilNumbers) -> bool:
    """Where pupils rank, no two numbers are equal: logits, similarities, shares that count.

    Of shares next to nothing, which nobody writes down, only those matter that top-k or top-p may
    keep or not.
    """
    if numbers.predicts and not _shares_are_ranked(numbers):
        return False
    shown = {sheet: numbers.paper.with_steps(p.extra) for sheet, p in numbers.plans.items()}
    return all(
        _apart(cells_of(shown[sheet], row))
        for sheet, plan in numbers.plans.items()
        for row in rows_of({sheet: plan}, SIMILARITY)
    )


def gradients_keep_their_signs(numbers: PupilNumbers) -> bool:
    """No asked gradient has another sign on paper than without rounding: it says which way."""
    asked = {name: [c for c in p.asked if GRAD in c[0]] for name, p in numbers.plans.items()}
    if not any(asked.values()):
        return True
    plans = numbers.task.plans(numbers.exact)
    for sheet, cells in asked.items():
        paper = numbers.paper.with_steps(numbers.plans[sheet].extra)
        exact = numbers.exact.with_steps(plans[sheet].extra)
        products = (paper[n].values[i, j] * exact[n].values[i, j] for n, i, j in cells)
        if any(product < 0.0 for product in products):
            return False
    return True


def nothing_is_half(numbers: PupilNumbers) -> bool:
    """No asked number lies exactly between two that could be written, as 0.125 for 0.12 or 0.13."""
    return not any(
        _is_half(numbers.paper.with_steps(plan.extra), row)
        for plan in numbers.plans.values()
        for row in rows_of({plan.sheet: plan}, "")
    )


class FairCondition(NamedTuple):
    """A condition and how a message calls it."""

    holds: Callable[[PupilNumbers], bool]
    text: str


# The last one is a wish: both roundings count as right, and some models hardly ever meet it.
WISHED: Final = "no asked number exactly between two roundings"
CONDITIONS: Final = (
    FairCondition(scores_are_small, f"no scaled score beyond ±{LARGEST_SCORE:g}"),
    FairCondition(shares_can_be_seen, f"no attention weight below {LEAST_SHARE:g}"),
    FairCondition(norms_have_spread, f"σ at least {LEAST_DEVIATION:g} in a layer norm"),
    FairCondition(one_token_gets_most, f"largest attention weight ahead by {LEAST_LEAD:g}"),
    FairCondition(bars_differ, f"attention weights of a row at least {LEAST_SPREAD:g} apart"),
    FairCondition(network_adds_something, "a feed-forward result other than 0"),
    FairCondition(prediction_is_clear, f"probability of the next token ahead by {LEAST_LEAD:g}"),
    FairCondition(prediction_survives_rounding, "same next token with and without rounding"),
    FairCondition(ranks_have_no_tie, "no tie between numbers that are ranked"),
    FairCondition(gradients_keep_their_signs, "gradients of the sign that they have unrounded"),
    FairCondition(no_column_is_zero, "no asked row or column of zeros"),
    FairCondition(nothing_is_half, WISHED),
)
SOLVABLE: Final = "numbers that the sheets can take (such as σ not 0)"


def unfair(numbers: PupilNumbers) -> str:
    """What the first condition is called that the numbers do not meet; "" where they meet all."""
    try:
        return next((c.text for c in CONDITIONS if not c.holds(numbers)), "")
    except UserError:
        return SOLVABLE


def _zero(trace: Trace, cells: list[Cell]) -> bool:
    """Whether a Trace has these cells, and all are the number 0."""
    step = cells[0][0]
    if step not in trace or trace[step].text:
        return False
    shape = trace[step].shape
    within = all(i < shape[0] and j < shape[1] for _, i, j in cells)
    return within and not any(trace[step].values[i, j] for _, i, j in cells)


def _largest(trace: Trace, row: StepRow) -> tuple[int, ...]:
    values = np.round(cells_of(trace, row), 10)
    return tuple(row.columns[k] for k in np.flatnonzero(values == values.max()).tolist())


def _predicted(trace: Trace) -> np.ndarray:
    row: np.ndarray = trace[PROBABILITIES].values[drawing_row(trace.preset)]
    return row


def _shares_are_ranked(numbers: PupilNumbers) -> bool:
    """Whether logits differ, and shares as far as a rank of theirs is asked for."""
    shares = numbers.paper[PROBABILITIES].values
    ranked = np.sort(_predicted(numbers.paper))[::-1]
    limits = [count for count in _kept(numbers) if count < len(ranked)]
    return (
        _apart(numbers.paper["output.logits"].values[0])
        and all(_apart(row[row >= LEAST_APART - _NOISE]) for row in shares)
        and all(ranked[count - 1] > ranked[count] + _NOISE for count in limits)
    )


def _kept(numbers: PupilNumbers) -> set[int]:
    """How many of the likeliest words top-k and top-p keep, where a sheet asks which ones."""
    extra = (step for plan in numbers.plans.values() for step in plan.extra)
    return {int(np.count_nonzero(step.values)) for step in extra if step.name in KEPT}


def _apart(values: np.ndarray) -> bool:
    return len(np.unique(np.round(values, 10))) == len(values)


def _is_half(trace: Trace, row: StepRow) -> bool:
    step: Step = trace[row.step]
    known = all(name in trace for name in step.inputs)  # a check's terms may be on paper only
    if not step.rounded or step.text or step.decimals is None or not known:
        return False
    whole = step.op.value(*(trace[name].values for name in step.inputs))
    values = np.abs(whole[row.i, list(row.columns)].astype(np.float64))
    units = values[np.isfinite(values)] * 10.0**step.decimals
    return bool((np.abs(units - np.floor(units) - 0.5) < _HALF).any())


class Effort(NamedTuple):
    """One pupil's: estimated seconds of a class median, how often the numbers were redrawn."""

    seconds: float
    draws: int


class Spread(NamedTuple):
    """The effort over a class in minutes of computing, and how often numbers were redrawn."""

    pupils: int
    least: float
    median: float
    most: float
    redrawn: int
    most_redrawn: int

    def __str__(self) -> str:
        ends = f"{self.least:.0f} to {self.most:.0f} minutes of computing"
        effort = f"effort: {ends}, median {self.median:.0f}"
        if self.least == self.most:
            effort = f"effort: {self.least:.0f} minutes of computing for everybody"
        if not self.redrawn:
            return f"{effort}; no numbers redrawn"
        drawn = f"redraws of numbers: {self.redrawn}, at most {self.most_redrawn} for one pupil"
        return f"{effort}; {drawn}"


def spread(efforts: Iterable[Effort]) -> Spread:
    """The spread over a class; all 0 for nobody."""
    every = list(efforts)
    if not every:
        return Spread(0, 0.0, 0.0, 0.0, 0, 0)
    minutes, draws = [one.seconds / 60 for one in every], [one.draws for one in every]
    ends = (min(minutes), statistics.median(minutes), max(minutes))
    return Spread(len(every), *ends, sum(draws), max(draws))


def seconds(plans: Iterable[Plan]) -> float:
    """Seconds that a class median needs to compute what sheets ask; the rest is alike for all."""
    return 60.0 * math.fsum(plan.minutes for plan in plans)
