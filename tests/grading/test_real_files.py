"""Simulated pupils through real workbooks: what was typed there earns as it would on paper."""

from pathlib import Path

import pytest

from generator.api import grade
from generator.grading.marking.marks import marked
from generator.grading.marking.question import Question
from generator.grading.marking.rule import How
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Entries, Source
from tests.grading.pupils import Solved, solved
from tests.reference.options import Draws
from tests.support.handed_in import filled
from tests.support.three import three


@pytest.mark.ci
def test_workbooks_that_came_back_earn_what_their_entries_do(tmp_path: Path) -> None:
    place = three("numbers")
    batch, papers = batch_in(place), dict[str, Solved]()
    for code in batch.records:
        task = batch.seat(code).in_workbook
        asked = Question(WORKBOOK, task.trace, task.plans[WORKBOOK])
        papers[code] = solved(asked, Draws(f"{code} on a computer"), slip=0.15)
        typed = papers[code].typed
        (tmp_path / f"{code} (1).xlsx").write_bytes(
            filled(place, code, typed, "2026-11-20T10:00:00Z")
        )
        source = Source("a", "xlsx", code, (WORKBOOK,))
        expected = marked([asked], Entries(source, typed)).tasks[0]
        assert expected.marks
        papers[code].points = expected.points
    found = grade(tmp_path, place, show_answers=True)
    assert not found.notes
    for pupil in found.marks.pupils:
        task = pupil.task(WORKBOOK)
        assert task is not None
        assert task.points == papers[pupil.code].points
        assert pupil.remarks == ()
        wrong = {mark.cell for mark in task.marks if mark.judged.how is How.WRONG}
        assert wrong <= papers[pupil.code].slips.keys() | papers[pupil.code].miswritten
    assert any(one.slips for one in papers.values())
