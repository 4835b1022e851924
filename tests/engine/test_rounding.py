"""The one rounding rule, against decimal arithmetic: ties, noise, signs, masked cells."""

from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.engine.rounding import GUARD, guarded, guarded_number, rounded_number

# Ties of the sources' paper chains: a sum as a computer adds it, decimals, rounded on paper.
TIES = [
    (0.05, 1, 0.1),
    (0.19 * 4.5, 2, 0.86),
    (0.3125, 3, 0.313),
    ((2.06 + 2.55 + 0.94 - 0.41) / 4, 2, 1.29),
    (0.1275, 3, 0.128),
    ((0.35 + 0.56 + 1.42 + 1.25) / 4, 2, 0.90),
    (0.165, 2, 0.17),
    (-0.255, 2, -0.26),
    (1.625, 2, 1.63),
    (0.215, 2, 0.22),
    (0.3045, 3, 0.305),
    (0.5285, 3, 0.529),
    (0.6025, 3, 0.603),
    (0.3985, 3, 0.399),
]
NOISE = (0.0, 4e-16, -4e-16, 1e-13, -1e-13, 3e-11, -3e-11)


def by_decimals(x: float, decimals: int) -> float:
    """ROUND(ROUND(x, 10), n) on the 15 digits that a spreadsheet has, with decimal arithmetic."""
    if abs(x) >= 10**15:
        return x
    first = Decimal(f"{x:.14e}").quantize(Decimal(1).scaleb(-GUARD), ROUND_HALF_UP)
    again = Decimal(f"{float(first):.14e}")
    return float(again.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)) + 0.0


def same(found: float, expected: float) -> bool:
    return found == expected and np.signbit(found) == np.signbit(expected)


@pytest.mark.parametrize(("tie", "decimals", "expected"), TIES)
def test_ties_go_away_from_zero_whatever_the_noise(tie, decimals, expected):
    for noise, sign in product(NOISE, (1, -1)):
        x = sign * (tie + noise)
        assert guarded_number(x, decimals) == sign * expected
        assert guarded(np.array([[x]]), decimals)[0, 0] == sign * expected


ADVERSARIAL = [
    0.0, -0.0, 1e-300, -1e-300, 5e-11, -5e-11, 4.9999e-11, 5.0001e-11, 0.49999999995, 0.5, 0.005,
    1.005, 2.675, 1.00499999995, 1.0049999999499, 0.00500000005, 99999.995, 99999.99999999995,
    100000.005, 123456.785, 1e9 + 0.5, 1e14 + 0.5, 999999999999999.5, 1e15, 1.5e15, 1e22, 1e300,
    0.285, 1.115, 8.325, 4.35, 10.235, 0.1 + 0.2, 1 / 3, 2 / 3, -0.004999, -0.0049999999999,
]  # fmt: skip


@pytest.mark.parametrize("decimals", range(9))
def test_adversarial_numbers_round_as_decimals_do(decimals):
    for x in (*ADVERSARIAL, *(-x for x in ADVERSARIAL)):
        expected = by_decimals(x, decimals)
        assert same(guarded_number(x, decimals), expected), x
        assert same(guarded(np.array([[x]]), decimals)[0, 0], expected), x


@settings(derandomize=True, max_examples=400, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    st.integers(0, GUARD),
)
@example([1e305, -2.5], 0)
def test_the_array_rounds_as_the_single_number(numbers, decimals):
    found = guarded(np.array([numbers]), decimals)[0].tolist()
    assert all(map(same, found, (guarded_number(x, decimals) for x in numbers)))


@settings(derandomize=True, max_examples=400, deadline=None)
@given(
    st.integers(-(10**6), 10**6), st.integers(0, 8), st.sampled_from([0, 5]), st.sampled_from(NOISE)
)
def test_half_a_unit_and_around_it(units, decimals, half, noise):
    x = float(Decimal(units * 10 + half).scaleb(-decimals - 1)) + noise
    expected = by_decimals(x, decimals)
    assert same(guarded_number(x, decimals), expected)
    assert same(guarded(np.array([[x]]), decimals)[0, 0], expected)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.floats(-1e6, 1e6), st.integers(0, 8))
def test_rounding_again_changes_nothing(x, decimals):
    once = guarded_number(x, decimals)
    assert guarded_number(once, decimals) == once


@pytest.mark.parametrize("decimals", range(GUARD))
@pytest.mark.parametrize("digits", [11, 13, 15])
def test_of_ten_decimals_a_tie_goes_up_and_what_is_just_below_does_not(decimals, digits):
    step = 10 ** (GUARD - decimals)
    ties = np.linspace(0, 10**digits // step - 1, 4001).astype(np.int64) * step + step // 2
    for tie, sign in product((ties, ties - 1, ties + 1), (1.0, -1.0)):
        units = (tie + step // 2) // step
        found = guarded(sign * tie / 1e10, decimals)
        assert np.array_equal(found, sign * (units / 10.0**decimals) + 0.0)


def test_a_large_number_does_not_change_its_neighbours():
    some = [1.005, -2.675, 1e5, -123456.785, 99999.995, np.inf, -np.inf, 0.0, 9.5e4, 9.5e4, 9.5e4]
    for decimals in range(GUARD + 1):
        found = guarded(np.array(some), decimals).tolist()
        alone = [guarded(np.array([x]), decimals)[0] for x in some]
        assert all(map(same, found, alone))
        assert found[5:7] == [np.inf, -np.inf]


@settings(derandomize=True, max_examples=400, deadline=None)
@given(st.integers(10**6, 10**15), st.integers(-10, 8), st.integers(0, 8), st.integers(-8, 8))
def test_a_large_number_near_a_tie_is_told_from_the_tie(digits, exponent, decimals, ulps):
    """Whatever number of 15 digits, and its neighbours in floating point."""
    x = float(Decimal(digits).scaleb(exponent))
    for _ in range(abs(ulps)):
        x = float(np.nextafter(x, np.inf if ulps > 0 else 0.0))
    tie = float(Decimal(int(x)).scaleb(0) + Decimal(5).scaleb(-decimals - 1)) if x < 1e15 else x
    for number in (x, -x, tie, -tie):
        assert same(guarded(np.array([number]), decimals)[0], by_decimals(number, decimals))


def test_the_array_itself_is_left_alone():
    numbers = np.array([[1.23456, -2.34567]])
    guarded(numbers, 2)
    guarded(numbers, GUARD)
    assert numbers.tolist() == [[1.23456, -2.34567]]


def test_one_rounding_counts_fifteen_digits():
    assert rounded_number(1.005, 2) == 1.01
    assert rounded_number(0.285, 2) == 0.29
    assert rounded_number(1e15 + 1, 2) == 1e15 + 1
