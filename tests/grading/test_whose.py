"""Given cells of somebody else are remarked; own numbers, and files without any, are not."""

import numpy as np

from generator.api import compute
from generator.grading.marking.mark_class import fits, owners
from generator.grading.reading.entries import Entries, Source

SOURCE = Source("a.xlsx", "xlsx", "ONE", "b", ("workbook",), 2)
INPUT = "vocabulary.embedding"


def given(trace):
    return {(INPUT, i, j): float(x) for (i, j), x in np.ndenumerate(trace[INPUT].values)}


def test_the_numbers_of_another_code_are_found() -> None:
    own = compute(preset="katze")
    other = compute(preset="katze", edits={f"{INPUT}[1,2]": 0.7})
    third = compute(preset="katze", edits={f"{INPUT}[2,2]": 0.7})
    others = [("TWO", other), ("THREE", third)]
    assert owners(Entries(SOURCE, {}, given(own)), own, others) == ()
    assert owners(Entries(SOURCE, {}, given(other)), own, others) == ("TWO",)
    assert owners(Entries(SOURCE, {}, {}), own, others) == ()
    changed = given(own) | {(INPUT, 0, 0): 9.0}
    assert owners(Entries(SOURCE, {}, changed), own, others) == ()
    assert not fits(changed, own)
    assert not fits({("nowhere", 0, 0): 1.0}, own)
    assert not fits({(INPUT, 99, 0): 1.0}, own)
