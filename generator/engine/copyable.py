"""Checks that a preset's given numbers are short enough for pupils to copy them out."""

import numpy as np

from generator.engine.preset import Preset
from generator.errors import UserError

MOST_DECIMALS = 4


def require_short_numbers(preset: Preset) -> None:
    """Raise a `UserError` for a given number with more than four decimals.

    A preset whose own arithmetic is paper is checked when it is loaded; this is for one whose
    own is exact and that is asked for on paper.
    """
    given = dict(preset.weights)
    if _long(np.array(list(preset.words.values()))).any():
        given |= {word: np.array([embedding]) for word, embedding in preset.words.items()}
    if preset.start_value is not None:
        given["start"] = preset.start_value
    for name, values in given.items():
        long = _long(values)
        if long.any():
            raise UserError(
                f"preset {preset.name!r}, {name}: found {float(values[long][0])!r}; on paper a "
                f"given number has at most {MOST_DECIMALS} decimals: shorten it, or take "
                "--rounding exact"
            )


def _long(values: np.ndarray) -> np.ndarray:
    shifted = np.abs(values) * 10.0**MOST_DECIMALS
    long: np.ndarray = np.abs(shifted - np.rint(shifted)) > 1e-6
    return long
