"""The benchmark of shells runs; filling is much quicker than writing, which a slow machine shows
too.
"""

from tests.benchmarks.shells import Filling, measured

LEAST = 3.0  # it is about eight; below this, pupils are rendered in full or get their own shells


def test_filling_pays() -> None:
    found = measured(("4a", "6"), "numbers", pupils=4)
    assert found.faster > LEAST


def test_a_class_shares_the_first() -> None:
    assert Filling(full=100, first=110, filled=10).of_a_class(30) == 3000 / 400
