"""What a pupil was asked is made again from the manifest: the same cells, the same numbers."""

from collections import Counter
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from generator.classroom.pupils.pupil_codes import code_of
from generator.errors import UserError
from generator.grading.grade import Marking, PupilFile, fits
from generator.grading.marking.scheme import USUAL
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Entries, Source
from generator.grading.results.tables import ResultWords
from tests.grading.papers import question
from tests.support.three import NAMES, SEED, SHEETS, three

CODES = [code_of(SEED, key) for key in NAMES]
INPUT = "vocabulary.embedding"


def test_the_tasks_are_those_of_the_answer_key():
    place = three("numbers")
    page = openpyxl.load_workbook(place / "teacher" / "answer-key.xlsx").worksheets[0]
    key: dict[str, Counter[object]] = {}
    for row in page.iter_rows(min_row=2, values_only=True):
        value = float(row[6]) if isinstance(row[6], int | float) else row[6] or ""
        key.setdefault(str(row[0]), Counter())[value] += 1
    assert key.keys() == set(CODES)
    for code in CODES:
        task = batch_in(place).seat(code).on_paper(SHEETS)
        assert Counter(task.trace[name].values[i, j] for name, i, j in task.asked) == key[code]
        assert len(key[code]) > 20


def test_the_workbooks_task_asks_on_its_tabs():
    place = three("numbers")
    tasks = [batch_in(place).seat(code).in_workbook for code in CODES]
    assert all(task.plans.keys() == {WORKBOOK} for task in tasks)
    queries = [task.trace["vocabulary.embedding"].values for task in tasks]
    assert any((one != queries[0]).any() for one in queries[1:])
    assert all(cell[0] in task.trace for task in tasks for cell in task.asked)


def test_what_the_batch_has_not_is_said(tmp_path: Path):
    place = three("numbers")
    with pytest.raises(UserError, match=r"no sheets 5 .* it has 4a, 6"):
        batch_in(place).seat(CODES[0]).on_paper(["5"])
    with pytest.raises(UserError, match=r"manifest\.json is missing"):
        batch_in(tmp_path)
    with pytest.raises(UserError, match="there is no such folder"):
        batch_in(tmp_path / "nowhere")


def test_cells_that_another_box_repeats_are_not_asked_for():
    asked = question("6", "katze")
    left = asked.plan.asked - set(asked.cells)
    assert {name for name, _, _ in left} == {"draw.from"}
    assert asked.cells


def test_the_numbers_of_another_code_in_given_cells_are_found() -> None:
    batch = batch_in(three("numbers"))
    code, other, _ = batch.records
    traces = [batch.seat(one).in_workbook.trace for one in (code, other)]
    own, theirs = (
        {(INPUT, *place): float(x) for place, x in np.ndenumerate(trace[INPUT].values)}
        for trace in traces
    )
    for given, found in (
        (own, None), ({}, None), (theirs, (other,)), (own | {(INPUT, 0, 0): 9.0}, ()),
        ({("nowhere", 0, 0): 1.0}, ()), ({(INPUT, 99, 0): 1.0}, ()),
    ):  # fmt: skip
        entries = Entries(Source("a.xlsx", "xlsx", code, (WORKBOOK,)), {}, given)
        marking = Marking(batch, USUAL, ResultWords("en"))
        assert PupilFile(marking, entries).others() == found
    assert not fits({}, traces[0])
