"""Steps looked at together are judged as if each had been looked at by itself."""

import numpy as np
import pytest

from generator.engine.ops.attention import RowShare
from generator.engine.ops.linear import Plus, Product
from generator.engine.record import FEW, all_numbers
from generator.engine.scope import Run, Scope
from generator.errors import UserError
from tests.engine.models import small

HUGE = np.array([[1.0, 1.0], [1.0, 1e308]])


def begun() -> Scope:
    scope = Scope(Run(small(), "exact"))
    scope.give("huge", HUGE.copy(), rows=("A", "B"))
    scope.give("none", np.zeros((2, 1)), rows=("A", "B"))
    return scope


def after(scope: Scope) -> None:
    """A step without numbers, one that comes from it, and one that has no result."""
    scope.apply("product", Product(), "huge", "huge", rows=("A", "B"))
    scope.apply("sum", Plus(), "product", "product", rows=("A", "B"))
    scope.apply("share", RowShare(), "sum", "none", rows=("A", "B"))


def test_the_first_step_without_numbers_is_named_though_a_later_one_stopped() -> None:
    one_by_one, together = begun(), begun()
    with pytest.raises(UserError) as alone:
        after(one_by_one)
    with pytest.raises(UserError) as found, together.at_once():
        after(together)
    assert str(found.value) == str(alone.value)
    assert "step product, row 2 (B): a number is too large to compute with" in str(found.value)


def test_an_error_of_another_kind_stays_what_it_is() -> None:
    scope = begun()
    with pytest.raises(KeyError, match="nowhere"), scope.at_once():
        scope.apply("sum", Plus(), "huge", "nowhere")


def test_afterwards_each_step_is_looked_at_again() -> None:
    scope = begun()
    with scope.at_once():
        scope.apply("sum", Plus(), "none", "none")
    with pytest.raises(UserError, match="step product"):
        scope.apply("product", Product(), "huge", "huge")


@pytest.mark.parametrize("size", [2, FEW + 1])
@pytest.mark.parametrize("wrong", [np.inf, np.nan])
def test_one_wrong_number_is_found_among_all(size: int, wrong: float) -> None:
    good, words = np.full((1, size), -np.inf), np.full((1, 1), "x", dtype=object)
    assert all_numbers([words, good, good])
    bad = good.copy()
    bad[0, -1] = wrong
    assert not all_numbers([words, good, bad, good])
