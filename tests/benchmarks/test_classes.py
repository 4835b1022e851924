"""The benchmark of a batch's memory runs; and memory is flat from 30 to 3,000 pupils."""

import pytest

from tests.benchmarks.classes import GROWTH, JOBS, SIZES, line, peak

FEWER = 600  # pupils of one process, which takes twice as long as two


@pytest.mark.ci
def test_a_row_measures_something() -> None:
    one = peak(9, 2)
    assert 20 < one.worker < 1000
    assert 20 < one.leader < 1000
    assert line(one).split() == ["9", "2", f"{one.leader:.0f}", f"{one.worker:.0f}"]


@pytest.mark.sweep
def test_memory_of_each_process_is_flat() -> None:
    for large, jobs in zip((FEWER, SIZES[-1]), JOBS, strict=True):
        few, many = peak(SIZES[0], jobs), peak(large, jobs)
        assert many.leader < GROWTH * few.leader
        assert many.worker <= GROWTH * few.worker
