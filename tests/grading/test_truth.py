"""Simulated pupils with known slips: fair numbers earn, slips do not, causes are the true ones."""

from collections import Counter
from pathlib import Path

import pytest

from generator.grading.marking.rule import Paper
from tests.grading.come_back import Back, by_hand, forms, workbooks
from tests.grading.papers import FILLED, question
from tests.grading.pupils import solved
from tests.grading.truth import KINDS, OFFICE, PUPILS, all_counted, counted, share
from tests.reference.options import Draws
from tests.support import pdfjs

FEW = 6
SOME = 10  # of each sheet


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


def require_read(back: list[Back]) -> None:
    """What was typed is what is marked."""
    assert back
    for one in back:
        assert Paper(one.asked, one.typed).values == Paper(one.asked, one.paper.typed).values


def test_some_pupils_on_sheet_4a_are_treated_fairly() -> None:
    asked = question("4a")
    papers = [solved(asked, Draws(f"4a {number}")) for number in range(FEW)]
    require_fair(counted(Back(asked, paper, paper.typed) for paper in papers))


@pytest.mark.sweep
def test_forms_of_every_sheet_are_read_and_treated_fairly(tmp_path: Path) -> None:
    found = dict(forms(tmp_path, FILLED, SOME, by_hand))
    assert found.keys() == set(FILLED)
    for back in found.values():
        require_read(back)
    require_fair(counted(one for back in found.values() for one in back))


@pytest.mark.ci
def test_workbooks_that_libreoffice_saved_are_treated_fairly(tmp_path: Path) -> None:
    found = [one for kind in KINDS for one in workbooks(tmp_path, FEW, kind)]
    require_read(found)
    require_fair(counted(found))


@pytest.mark.ci
def test_what_a_browser_saved_is_read(tmp_path: Path) -> None:
    found = dict(forms(tmp_path, ("4a", "slide"), 2, pdfjs.typed_in))
    for back in found.values():
        require_read(back)


@pytest.mark.whole
def test_a_thousand_pupils_with_real_files_are_treated_fairly() -> None:
    assert PUPILS * len(FILLED) + OFFICE * len(KINDS) >= 1000
    found = all_counted(PUPILS, OFFICE)
    require_fair(sum(found.values(), Counter[str]()))
    for one in found.values():
        assert share(one, "withheld", "fair") <= 0.05
        assert share(one, "other", "slips") <= 0.15
