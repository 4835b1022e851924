"""Given cells of somebody else are remarked; own numbers, and files without any, are not."""

import numpy as np

from generator.api import compute
from generator.grading.marking.mark_class import PupilFile, fits
from generator.grading.marking.scheme import USUAL
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Entries, Source
from tests.support.three import three

INPUT = "vocabulary.embedding"


def given(trace):
    return {(INPUT, i, j): float(x) for (i, j), x in np.ndenumerate(trace[INPUT].values)}


def test_the_numbers_of_another_code_are_found() -> None:
    batch = batch_in(three("numbers"))
    code, other, _ = batch.records
    own, theirs = (batch.seat(one).in_workbook.trace for one in (code, other))

    def others(numbers) -> tuple[str, ...] | None:
        entries = Entries(Source("a.xlsx", "xlsx", code, (WORKBOOK,)), {}, numbers)
        return PupilFile(batch, USUAL, entries).marked({}).others

    assert others(given(own)) is others({}) is None
    assert others(given(theirs)) == (other,)
    assert others(given(own) | {(INPUT, 0, 0): 9.0}) == ()


def test_numbers_fit_where_all_of_them_do() -> None:
    own = compute(preset="katze")
    assert fits(given(own), own)
    assert not fits({}, own)
    assert not fits({("nowhere", 0, 0): 1.0}, own)
    assert not fits({(INPUT, 99, 0): 1.0}, own)
