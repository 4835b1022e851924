"""The engine in exact arithmetic against numbers frozen from torch, which is not needed here."""

import json

import numpy as np
import pytest

import generator
from tests.reference.agreement import cells, disagreements
from tests.reference.cases import frozen_cases
from tests.reference.freeze import FROZEN_FILE, frozen_steps
from tests.reference.freeze_gradients import FILE, asked
from tests.reference.options import OPTIONS

FROZEN = json.loads(FROZEN_FILE.read_text(encoding="utf-8"))
CELLS = 12_000
GRADIENTS = 1_000


def test_the_file_holds_the_cases_that_the_generator_would_write():
    listed = {name: (case["options"], tuple(case["tokens"])) for name, case in FROZEN.items()}
    assert listed == {c.name: (dict(c.options), c.tokens) for c in frozen_cases()}
    assert list(FROZEN) == [c.name for c in frozen_cases()]


def test_the_file_holds_every_value_of_every_option():
    seen = {pair for case in FROZEN.values() for pair in case["options"].items()}
    assert seen == {(name, value) for name, values in OPTIONS.items() for value in values}


def test_the_file_holds_enough_cells():
    assert sum(cells(frozen_steps(case["steps"])) for case in FROZEN.values()) >= CELLS


@pytest.mark.parametrize("name", FROZEN)
def test_engine_equals_the_frozen_numbers(name: str):
    (case,) = (case for case in frozen_cases() if case.name == name)
    trace = case.computed()
    assert trace.tokens == case.tokens
    assert list(disagreements(frozen_steps(FROZEN[name]["steps"]), trace)) == []


def test_gradients_equal_those_frozen_from_autograd():
    frozen, compared = json.loads(FILE.read_text(encoding="utf-8")), 0
    models = {name: (trace, word, targets) for name, trace, word, targets in asked()}
    assert frozen.keys() == models.keys()
    for name, (trace, word, targets) in models.items():
        found = generator.gradients(trace, next_word=word, targets=targets)
        for weight, table in frozen[name].items():
            want = np.array(table)
            if weight in found or want.any():
                room = 1e-12 * max(1.0, np.abs(want).max())
                np.testing.assert_allclose(found[weight], want, rtol=1e-12, atol=room)
                compared += want.size
    assert compared > GRADIENTS
