"""The benchmark of a batch's memory runs; and memory is flat from a class to a year."""

import pytest

from tests.benchmarks.classes import GROWTH, JOBS, SIZES, line, peak

MANY = 200, 400  # pupils of one process and of two; `classes` itself goes on to 3,000


@pytest.mark.ci
def test_a_row_measures_something() -> None:
    one = peak(9, 2)
    assert 20 < one.worker < 1000
    assert 20 < one.leader < 1000
    assert line(one).split() == ["9", "2", f"{one.leader:.0f}", f"{one.worker:.0f}"]


@pytest.mark.whole
def test_memory_of_each_process_is_flat() -> None:
    for large, jobs in zip(MANY, JOBS, strict=True):
        few, many = peak(SIZES[0], jobs), peak(large, jobs)
        assert many.leader < GROWTH * few.leader
        assert many.worker <= GROWTH * few.worker
