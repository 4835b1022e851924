"""The same bytes on each Python: from 3.12 on `sum` adds floats with less error than before."""

import builtins
import json
import math
import os
import subprocess

import pytest

from tests.support.made_files import hashes, made

OTHER = os.environ.get("PAPERFORMER_OTHER_PYTHON")
PLAIN = builtins.sum


def compensated(numbers, /, start=0):
    """As `sum` adds from Python 3.12 on, for what is added here."""
    found = list(numbers)
    if found and all(type(one) in (int, float) for one in found) and float in map(type, found):
        return math.fsum([start, *found])
    return PLAIN(found, start)


@pytest.mark.ci
@pytest.mark.parametrize("preset", ["katze", "brille"])
def test_files_do_not_hang_on_how_floats_are_added(preset: str, monkeypatch: pytest.MonkeyPatch):
    usual = made(preset)
    monkeypatch.setattr(builtins, "sum", compensated)
    assert [name for name, content in made(preset).items() if content != usual[name]] == []
    assert compensated([0.1] * 10) == 1.0 != PLAIN([0.1] * 10)


@pytest.mark.whole
@pytest.mark.skipif(not OTHER, reason="PAPERFORMER_OTHER_PYTHON names none, with our libraries")
@pytest.mark.parametrize("kind", ["html", "pdf"])
@pytest.mark.parametrize("preset", ["katze", "nihao", "random"])
def test_another_python_writes_the_same_bytes(preset: str, kind: str):
    command = [str(OTHER), "-m", "tests.support.made_files", preset, kind]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert json.loads(done.stdout) == hashes(preset, kind)
