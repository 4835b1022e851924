"""Which of the slow proofs a run takes: a share of them, another one at the next turn.

All of them take an hour and a half on two cores, so that each run of `.ci/run` takes a quarter
(`--turn 2/4`), and four runs one after the other take all. Of each test the cases lie evenly in the
turns: a property with four cases or more is proven in every run.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Sequence

import pytest

OPTION = "--turn"


def asked(config: pytest.Config) -> tuple[int, int]:
    """The turn, from 1, and how many there are; the only one of one where nothing is asked."""
    text = config.getoption(OPTION)
    found = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text)
    if not found or int(found[1]) > int(found[2]):
        raise pytest.UsageError(f"{OPTION} is {text}; expected is the turn of how many, as 2/4")
    return int(found[1]), int(found[2])


def of_turn(names: Sequence[str], turn: int, turns: int) -> list[bool]:
    """Of each case, by the whole name of its test, whether it belongs to the turn.

    Cases of a test come in the order of the list. The name says in which turn its first one is, so
    that tests of one case lie in all turns.
    """
    seen = defaultdict[str, int](int)
    chosen = []
    for name in names:
        test = name.partition("[")[0]
        chosen.append((zlib.crc32(test.encode()) + seen[test]) % turns == turn - 1)
        seen[test] += 1
    return chosen


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave in the list what belongs to the turn that was asked for."""
    chosen = of_turn([item.nodeid for item in items], *asked(config))
    later = [item for item, now in zip(items, chosen, strict=True) if not now]
    items[:] = [item for item, now in zip(items, chosen, strict=True) if now]
    if later:
        config.hook.pytest_deselected(items=later)
