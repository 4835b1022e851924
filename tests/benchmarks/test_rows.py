"""Every row of the benchmark runs and gives finite numbers; how large they are is no test."""

import math

import numpy as np
import pytest

from generator.engine.model import compute
from tests.benchmarks import models
from tests.benchmarks.__main__ import HEAD, line
from tests.benchmarks.bare_numpy import Bare
from tests.benchmarks.measure import least, peak_megabytes
from tests.benchmarks.results import QUICK
from tests.benchmarks.rows import Result, Row, rows
from tests.support.covering import each

SHEETS = ("1", "2")  # of the series
PUPILS = 1
FEW = 8  # tokens of the large workbook: a quarter of the cells that it has with all 30
ROWS = rows(FEW, SHEETS, PUPILS)


@pytest.mark.ci
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.title not in QUICK], ids=lambda row: row.title
)
def test_row_measures_something(row: Row) -> None:
    """Each side once, cold: enough to see that it works. `--check` runs the quick ones."""
    ours, reference = least(row.pair(), 1, warm_up=False)
    assert all(math.isfinite(number) and number > 0 for number in (ours, reference))
    assert len(line(Result(row, ours, reference, 1.0))) == len(HEAD)


def _alone() -> dict[str, str]:
    """The code of each job whose memory is measured, with the first row that names it."""
    return {row.alone: row.title for row in reversed(ROWS)}


@pytest.mark.ci
@pytest.mark.parametrize(
    "code", each(4, list(_alone()), others=pytest.mark.whole), ids=_alone().values()
)
def test_memory_of_each_row_is_measured(code: str) -> None:
    """Several rows name the memory of the same job, which runs once here."""
    assert math.isfinite(peak_megabytes(code))
    assert peak_megabytes(code) > 1


def test_bare_pass_computes_the_same_model() -> None:
    preset = models.large()
    sentence = models.sentence(preset)
    tokens = tuple(sentence.split())
    trace = compute(preset, sentence, rounding="exact")
    bare = Bare(preset, tokens).probabilities(tokens)
    assert len(tokens) == models.TOKENS
    assert np.abs(trace["output.probabilities"].values - bare).max() < 1e-12
