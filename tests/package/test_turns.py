"""Turns of the slow proofs: four runs of `.ci/run` take all, none takes a test's cases together."""

import subprocess
import sys
from collections import Counter

import pytest

from tests.cli.command import ROOT
from tests.support.turns import of_turn


def test_each_case_has_one_turn_and_a_tests_cases_lie_evenly():
    names = [f"a.py::x[{k}]" for k in range(10)] + [f"b.py::y{k}" for k in range(400)]
    turns = [of_turn(names, turn, 4) for turn in range(1, 5)]
    assert all(sum(of_one) == 1 for of_one in zip(*turns, strict=True))
    assert {sum(turn[:10]) for turn in turns} <= {2, 3}
    assert min(sum(turn[10:]) for turn in turns) > 60
    assert all(of_turn(names, 1, 1))


def collected(*more: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "pytest", "-n", "0", "-q", "--collect-only"]
    return subprocess.run(
        [*call, "-m", "", "tests/package/test_turns.py", *more],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_run_takes_its_turn():
    found = Counter[str]()
    for turn in ("1/2", "2/2"):
        found.update(one for one in collected("--turn", turn).stdout.splitlines() if "::" in one)
    assert len(found) == 5
    assert set(found.values()) == {1}


@pytest.mark.parametrize("turn", ["5/4", "0/4", "half"])
def test_a_turn_that_is_none_is_refused(turn: str):
    refused = collected("--turn", turn)
    assert refused.returncode == 4
    assert f"--turn is {turn}; expected is the turn of how many, as 2/4" in refused.stderr
