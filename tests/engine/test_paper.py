"""Paper arithmetic for a preset that is exact by itself: its given numbers must be short."""

import dataclasses

import numpy as np
import pytest

import generator
from generator.errors import UserError


def test_a_long_given_number_is_named():
    paris = generator.load_preset("paris")
    weight = np.eye(4)
    weight[1, 2] = 0.123456
    long = dataclasses.replace(
        paris, weights=dict(paris.weights) | {"block1.head1.weight.query": weight}
    )
    assert len(generator.compute(preset=long)) > 10
    with pytest.raises(UserError, match=r"weight\.query: found 0\.123456.*at most 4 decimals"):
        generator.compute(preset=long, rounding="paper")


def test_notices_survive_a_translation():
    trace = generator.compute("Die Katze\u0007 sitzt", language="en")
    assert trace.tokens == ("The", "cat", "sits")
    assert "U+0007" in trace.notices[0]
