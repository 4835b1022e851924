"""Which cases of a large product run every time; the others carry the mark `ci`, or `whole`.

Nothing is left out: a product of two axes is run whole by `.ci/run`; of a larger one it runs each
pair of values at least once, with the same assertions, and a release runs the rest (`whole`).
"""

from collections.abc import Sequence
from itertools import combinations, product

import pytest
from _pytest.mark import ParameterSet


def covering(*axes: Sequence[object]) -> list[ParameterSet]:
    """The product of all axes; as many cases as the longest has run always, each value in one."""
    rows = range(max(map(len, axes)))
    always = {tuple(axis[k % len(axis)] for axis in axes) for k in rows}
    paired, seen = set(always), {pair for case in always for pair in _pairs(case)}
    for case in product(*axes):
        if not seen.issuperset(_pairs(case)):
            paired.add(case)
            seen |= _pairs(case)
    return [
        _case(case, case in always, pytest.mark.ci if case in paired else pytest.mark.whole)
        for case in product(*axes)
    ]


def _pairs(case: tuple[object, ...]) -> set[object]:
    """Each two of a case's values with their places."""
    return set(combinations(enumerate(case), 2))


def each(
    step: int, cases: Sequence[object], others: pytest.MarkDecorator = pytest.mark.ci
) -> list[ParameterSet]:
    """All cases, of which the first runs always and each further one after so many."""
    return [_case((case,), number % step == 0, others) for number, case in enumerate(cases)]


def first(count: int, cases: Sequence[object]) -> list[ParameterSet]:
    """All cases, of which so many run always."""
    return [_case((case,), number < count) for number, case in enumerate(cases)]


def _case(
    values: Sequence[object], always: bool, other: pytest.MarkDecorator = pytest.mark.ci
) -> ParameterSet:
    """Values that are tuples stand for several parameters."""
    spread = [part for one in values for part in (one if isinstance(one, tuple) else (one,))]
    return pytest.param(*spread, marks=() if always else other)
