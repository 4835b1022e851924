"""Numbers on paper: marks, minus, brackets, per cent, and that showing never changes a value."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import UserError
from generator.notation.shown import grouped, in_brackets, number, percent


def test_rounded(value, decimals, language, shown):
    assert number(value, decimals, language) == shown


def test_digits_in_groups(value, german, english):
    assert (grouped(value, "de"), grouped(value, "en")) == (german, english)


def test_without_decimals_nothing_is_rounded(value, language, shown):
    assert number(value, None, language) == shown


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_full_number_reads_back_as_itself(value):
    shown = number(value, None, "de")
    assert "e" not in shown.lower()
    assert float(shown.replace("−", "-").replace(",", ".")) == value


@given(st.floats(-1e6, 1e6), st.integers(0, 8))
def test_showing_moves_by_half_a_unit_at_most_and_never_prints_minus_zero(value, decimals):
    shown = number(value, decimals, "en")
    read = Decimal(shown.replace("−", "-"))
    assert abs(read - Decimal(value)) <= Decimal(5).scaleb(-decimals - 1) + Decimal("1e-8")
    assert not (read == 0 and "−" in shown)
    assert "-" not in shown


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_an_already_rounded_value_is_shown_unchanged(units, decimals):
    value = float(Decimal(units).scaleb(-decimals))
    assert Decimal(number(value, decimals, "en").replace("−", "-")) == Decimal(repr(value))


def test_brackets_only_where_a_sign_is_shown():
    assert in_brackets(number(-1.1, 2, "de")) == "(−1,10)"
    assert in_brackets(number(1.1, 2, "de")) == "1,10"
    assert in_brackets(number(-0.001, 2, "de")) == "0,00"
    assert in_brackets(number(2e16, 2, "en")) == "(2 × 10¹⁶)"


def test_percent(value, decimals, language, shown):
    assert percent(value, decimals, language) == shown


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("decimals", [2, None])
def test_what_is_not_a_number_stops(value, decimals):
    with pytest.raises(ValueError, match="not printed as a number"):
        number(value, decimals, "de")


def test_negative_decimals_stop():
    with pytest.raises(ValueError, match="0 or more, found -1"):
        number(1.0, -1, "de")


@pytest.mark.parametrize("shown", [number, percent])
def test_an_unknown_language_names_the_known_ones(shown):
    with pytest.raises(UserError, match="'fr'; choose from: de, en"):
        shown(1.0, 2, "fr")
