"""The whole series in one command: fonts and style sheets are read once, memory stays small."""

import pytest

from tests.benchmarks.measure import peak_megabytes

MOST_MEGABYTES = 330  # twenty sheets and their booklet
WHOLE_SERIES = """
import os, pathlib, sys, tempfile
from collections import Counter

opened = Counter()

def note(event, arguments):
    if event == "open" and not isinstance(arguments[0], int):
        path = os.fsdecode(arguments[0])
        if path.endswith((".ttf", ".css")):
            opened[path] += 1

sys.addaudithook(note)
from generator.api import compute, write
from generator.render.worksheet import pdf
with tempfile.TemporaryDirectory() as folder:
    assert len(write(compute(), pathlib.Path(folder) / "out", ["pdf"], jobs=1)) > 25
assert set(opened.values()) == {1}, opened
assert len(opened) > 15, opened
parsed = pdf._stylesheet.cache_info()
assert parsed.hits > parsed.misses == parsed.currsize, parsed
"""


@pytest.mark.ci
def test_the_whole_series_reads_once_and_needs_little_memory() -> None:
    assert peak_megabytes(WHOLE_SERIES) <= MOST_MEGABYTES
