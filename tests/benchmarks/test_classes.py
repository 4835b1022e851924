"""The benchmark of a batch's memory runs; and memory is flat from 30 to 3,000 pupils."""

import pytest

from tests.benchmarks.classes import GROWTH, JOBS, SIZES, line, peak, rows


@pytest.mark.ci
def test_a_row_measures_something() -> None:
    one = peak(9, 2)
    assert 20 < one.worker < 1000
    assert 20 < one.leader < 1000
    assert line(one).split() == ["9", "2", f"{one.leader:.0f}", f"{one.worker:.0f}"]


@pytest.mark.sweep
def test_memory_of_each_process_is_flat() -> None:
    found = {(one.pupils, one.jobs): one for one in rows()}
    small, large = SIZES[0], SIZES[-1]
    for jobs in JOBS:
        assert found[large, jobs].leader < GROWTH * found[small, jobs].leader
        assert found[large, jobs].worker <= GROWTH * found[small, jobs].worker
