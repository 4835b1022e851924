"""A step name taken apart, once for everybody."""

from typing import Any

import generator
from generator.engine.place import Place, place_of


def test_a_name_says_its_place(name: str, said: dict[str, Any]):
    assert place_of(name) == Place(**{"round": 1, "block": None, "head": None, **said})


def test_a_step_carries_its_place():
    trace = generator.compute(preset="katze")
    assert trace["block1.head2.scores"].place == Place(1, 1, 2, "scores")
    assert {step.place.block for step in trace} == {None, 1}
