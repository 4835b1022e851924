"""Given cells of somebody else are remarked; own numbers, and files without any, are not."""

import numpy as np

from generator.api import compute
from generator.grading.marking.mark_class import fits

INPUT = "vocabulary.embedding"


def given(trace):
    return {(INPUT, i, j): float(x) for (i, j), x in np.ndenumerate(trace[INPUT].values)}


def test_the_numbers_of_another_code_are_found() -> None:
    own = compute(preset="katze")
    other = compute(preset="katze", edits={f"{INPUT}[1,2]": 0.7})
    assert fits(given(own), own)
    assert fits(given(other), other)
    assert not fits(given(other), own)
    assert not fits({}, own)
    changed = given(own) | {(INPUT, 0, 0): 9.0}
    assert not fits(changed, own)
    assert not fits(changed, other)
    assert not fits({("nowhere", 0, 0): 1.0}, own)
    assert not fits({(INPUT, 99, 0): 1.0}, own)
