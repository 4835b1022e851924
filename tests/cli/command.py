"""Runs the command as a user does, and the presets that the tests break in one place each."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SMALL = Path(__file__).with_name("small.toml").read_text("utf-8")


def run(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The finished command, run in a folder of its own."""
    return subprocess.run(
        [sys.executable, "-m", "generator", *map(str, words)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def files_below(folder: Path) -> dict[str, bytes]:
    """All files below a folder, by their path in it."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def written(folder: Path, name: str) -> Path:
    """The one file of that name below a folder."""
    (path,) = folder.rglob(name)
    return path
