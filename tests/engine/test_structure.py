"""A computation whose steps are known gives what one gives that has to find them."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from generator.engine.edits import Edits
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.step import GIVEN
from generator.engine.structure import MOST_KINDS, ONLY_NUMBERS, repeatable
from generator.errors import UserError
from generator.presets.load import load_preset
from tests.engine.models import small
from tests.frozen.slices import PRESETS

ROUNDINGS = ("paper", "exact")


def known(preset: Preset, rounding: str) -> Preset:
    """The model with its steps in that arithmetic found."""
    compute(preset, rounding=rounding)
    assert len(preset.computed) in (1, 2)  # a token to ask for may be found in a second one
    return preset


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("name", PRESETS)
def test_edited_numbers_give_the_same_either_way(name: str, rounding: str) -> None:
    preset = known(replace(load_preset(name)), rounding)
    trace = compute(preset, rounding=rounding)
    given = [one for one in trace if one.op is GIVEN and one.name.startswith(ONLY_NUMBERS)]
    edits = {f"{one.name}[1,1]": float(one.values[0, 0]) + 0.1 for one in given[::3]}
    assert repeatable(trace, Edits(edits))
    ours = compute(preset, rounding=rounding, edits=edits)
    long = compute(replace(preset), rounding=rounding, edits=edits)
    assert [one._replace(values=0) for one in ours] == [one._replace(values=0) for one in long]
    for one, other in zip(ours, long, strict=True):
        assert np.array_equal(one.values, other.values), one.name
        assert not one.values.flags.writeable
    for same in ("aliases", "edits", "tokens", "worked", "exercise", "sentence"):
        assert getattr(ours, same) == getattr(long, same), same


@pytest.mark.parametrize("shifted", ["never", "auto"])
def test_what_decides_about_labels_or_is_wrong_is_the_same_too(
    edits: dict[str, object], shifted: str
) -> None:
    told = []
    plain = small(shifted=shifted)
    for preset in (known(small(shifted=shifted), plain.rounding), plain):
        try:
            told.append([one.values.tolist() for one in compute(preset, edits=edits)])
        except UserError as error:
            told.append(str(error))
    assert told[0] == told[1]


def test_only_some_computations_are_kept_and_none_is_sent() -> None:
    preset = small()
    for words in range(2 * MOST_KINDS):
        compute(preset, " ".join("abc"[(words >> k) % 3] for k in range(3)) + " a" * words)
    assert len(preset.computed) == MOST_KINDS
    assert pickle.loads(pickle.dumps(preset)).computed == {}
