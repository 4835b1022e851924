"""Tests have the same names in every process: workers whose names differ run nothing at all."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRAWN = """
import os, pytest

@pytest.mark.parametrize(("data", "said"), [(os.urandom(4), "a"), (os.urandom(4), "a")])
def test_drawn(data, said): ...
"""


def collected(folder: Path) -> list[str]:
    words = ["-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "tests.conftest"]
    run = subprocess.run([sys.executable, *words, "--rootdir", folder, folder / "test_drawn.py"],
                         capture_output=True, text=True, check=True, cwd=ROOT)  # fmt: skip
    return [line for line in run.stdout.splitlines() if "::" in line]


def test_bytes_drawn_at_the_import_are_in_no_name(tmp_path: Path):
    (tmp_path / "test_drawn.py").write_text(DRAWN)
    names = collected(tmp_path)
    assert len(set(names)) == 2
    assert collected(tmp_path) == names
