"""Every row of the benchmark runs and gives finite numbers; how large they are is no test."""

import math

import numpy as np
import pytest

from generator.engine.model import compute
from tests.benchmarks import models
from tests.benchmarks.__main__ import HEAD, line
from tests.benchmarks.bare_numpy import Bare
from tests.benchmarks.rows import Row, measured, rows

SHEETS = ("1", "2")  # of the series
PUPILS = 1
FEW = 8  # tokens of the large workbook: a quarter of the cells that it has with all 30


@pytest.mark.ci
@pytest.mark.parametrize("row", rows(FEW, SHEETS, PUPILS), ids=lambda row: row.title)
def test_row_measures_something(row: Row) -> None:
    result = measured(row, quick=True)
    numbers = (result.ours, result.reference, result.ratio, result.memory)
    assert all(math.isfinite(number) and number > 0 for number in numbers)
    assert len(line(result)) == len(HEAD)


def test_bare_pass_computes_the_same_model() -> None:
    preset = models.large()
    sentence = models.sentence(preset)
    tokens = tuple(sentence.split())
    trace = compute(preset, sentence, rounding="exact")
    bare = Bare(preset, tokens).probabilities(tokens)
    assert len(tokens) == models.TOKENS
    assert np.abs(trace["output.probabilities"].values - bare).max() < 1e-12
