"""What runs always holds each value; what does not is marked, and nothing is lost."""

from itertools import product

from tests.support.covering import covering, each, first


def test_each_value_runs_always_and_the_whole_product_somewhere() -> None:
    axes = ("1", "2", "3", "4a"), ("de", "en"), (1, 2, 3)
    cases = covering(*axes)
    assert {case.values for case in cases} == set(product(*axes))
    always = [case.values for case in cases if not case.marks]
    assert len(always) == 4
    assert [set(axis) for axis in zip(*always, strict=True)] == [set(axis) for axis in axes]
    assert covering(("1", "2"), (("de", 1), ("en", 2)))[3].values == ("2", "en", 2)
    assert {mark.name for case in cases for mark in case.marks} == {"ci"}


def test_one_of_so_many_and_the_first() -> None:
    assert [bool(case.marks) for case in each(3, "abcd")] == [False, True, True, False]
    assert [case.values for case in each(2, [(1, 2), (3, 4)])] == [(1, 2), (3, 4)]
    assert [bool(case.marks) for case in first(1, "abc")] == [False, True, True]
