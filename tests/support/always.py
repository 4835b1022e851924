"""How many cases of a costly test run every time; its others carry the mark `ci`.

One table (`always.toml`) for tests whose cases are alike: what they prove of one case is proven of
all in `.ci/run`. Cases that run always lie evenly in the list of a test, the first one among them.
Where a test stands there with 0, a cheaper one proves the same property always.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

SELDOM = ("ci", "sweep", "reference", "whole")  # marks of what does not run always
TABLE = Path(__file__).with_suffix(".toml")


def always() -> Iterator[tuple[str, int]]:
    """Each test of the table by its whole name, and how many of its cases run always."""
    for path, tests in tomllib.loads(TABLE.read_text("utf-8")).items():
        yield from ((f"{path}::{name}", count) for name, count in tests.items())


def mark(items: Iterable[pytest.Item]) -> None:
    """Give the mark `ci` to those cases of the tests in the tables that do not run always."""
    counts = dict(always())
    cases = defaultdict(list)
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in counts and not any(map(item.get_closest_marker, SELDOM)):
            cases[name].append(item)
    for name, found in cases.items():
        kept = spread(len(found), counts[name])
        for number, item in enumerate(found):
            if number not in kept:
                item.add_marker(pytest.mark.ci)


def spread(many: int, count: int) -> list[int]:
    """So many of the numbers below `many`, evenly, from 0 on."""
    count = min(count, many)
    return [k * many // count for k in range(count)]
