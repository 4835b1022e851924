"""Simulated pupils with known slips: fair numbers earn, slips do not, causes are the true ones."""

from collections import Counter

import pytest

from tests.grading.papers import FILLED
from tests.grading.truth import PUPILS, counted, share

FEW = 6


def require_fair(found: Counter[str]) -> None:
    assert found["fair"]
    assert found["slips"]
    assert share(found, "withheld", "fair") <= 0.02
    assert share(found, "withheld", "fair") < share(found, "withheld by carried", "fair")
    assert share(found, "withheld by carried", "fair") < share(found, "withheld by right", "fair")
    assert found["given"] <= 0.02 * (found["slips"] + found["miswritten"])
    assert share(found, "named", "slips") + share(found, "among", "slips") >= 0.9
    assert share(found, "other", "slips") <= 0.04
    assert share(found, "accused", "miswritten") <= 0.2


def test_some_pupils_on_sheet_4a_are_treated_fairly() -> None:
    require_fair(counted("4a", FEW))


@pytest.mark.sweep
def test_a_thousand_pupils_are_treated_fairly() -> None:
    found = [counted(sheet, PUPILS) for sheet in FILLED]
    assert PUPILS * len(FILLED) >= 1000
    require_fair(sum(found, Counter[str]()))
    for one in found:
        assert share(one, "withheld", "fair") <= 0.05
        assert share(one, "other", "slips") <= 0.15
