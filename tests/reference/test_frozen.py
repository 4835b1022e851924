"""The engine in exact arithmetic against numbers frozen from torch, which is not needed here."""

import json

import pytest

from tests.reference.agreement import cells, disagreements
from tests.reference.cases import frozen_cases
from tests.reference.freeze import FROZEN_FILE, frozen_steps
from tests.reference.options import OPTIONS

FROZEN = json.loads(FROZEN_FILE.read_text(encoding="utf-8"))
CELLS = 12_000


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
