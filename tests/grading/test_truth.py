"""Simulated pupils with known slips: fair numbers earn, slips do not, causes are the true ones."""

from collections import Counter
from collections.abc import Iterable
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
    withheld, by_carried, by_right = (
        share(found, f"withheld{rule}", "fair") for rule in ("", " by carried", " by right")
    )
    assert withheld <= 0.02
    assert withheld < by_carried < by_right
    assert found["given"] <= 0.02 * (found["slips"] + found["miswritten"])
    assert share(found, "named", "slips") + share(found, "among", "slips") >= 0.9
    assert share(found, "other", "slips") <= 0.03
    assert share(found, "accused", "miswritten") <= 0.04


def require_read(back: Iterable[Back]) -> list[Back]:
    """What was typed is what is marked."""
    some = list(back)
    assert some
    for one in some:
        assert Paper(one.asked, one.typed).values == Paper(one.asked, one.paper.typed).values
    return some


def test_some_pupils_on_sheet_4a_are_treated_fairly() -> None:
    asked = question("4a")
    papers = [solved(asked, Draws(f"4a {number}")) for number in range(FEW)]
    require_fair(counted(Back(asked, paper, paper.typed) for paper in papers))


@pytest.mark.sweep
def test_forms_of_every_sheet_are_read_and_treated_fairly(tmp_path: Path) -> None:
    found = forms(tmp_path, FILLED, SOME, by_hand)
    assert all(found.values())
    require_fair(counted(require_read(one for back in found.values() for one in back)))


@pytest.mark.ci
def test_workbooks_that_libreoffice_saved_are_treated_fairly(tmp_path: Path) -> None:
    found = (one for kind in KINDS for one in workbooks(tmp_path, FEW, kind))
    require_fair(counted(require_read(found)))


@pytest.mark.ci
def test_what_a_browser_saved_is_read(tmp_path: Path) -> None:
    for back in forms(tmp_path, ("4a", "slide"), 2, pdfjs.typed_in).values():
        require_read(back)


@pytest.mark.whole
def test_a_thousand_pupils_with_real_files_are_treated_fairly() -> None:
    assert PUPILS * len(FILLED) + OFFICE * len(KINDS) >= 1000
    found = all_counted(PUPILS, OFFICE)
    require_fair(sum(found.values(), Counter[str]()))
    for one in found.values():
        assert share(one, "withheld", "fair") <= 0.05
        assert share(one, "other", "slips") <= 0.15
