"""The batch as a real command in a process of its own, started, stopped and killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import openpyxl
import pikepdf

from generator.classroom.files.store import sha256
from generator.classroom.pupils.seats import canonical
from tests.cli.command import ROOT, files_below, run

PATIENCE = 120  # seconds; the machine may be busy
QUICK = ("--sheets", "4a", "--only", "xlsx", "--vary", "numbers", "--seed", "class 8b in autumn")


def finished(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A batch that has come to its end."""
    return run("batch", *words, cwd=cwd)


@contextmanager
def begun(*words: str | Path, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A batch that is running, in a group of its own, so that a signal can go to all of it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "batch", *map(str, words)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hears_ctrl_c,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):  # its workers may outlive it and hold its pipes open
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _hears_ctrl_c() -> None:
    """A shell lets what it starts in the background ignore Ctrl-C; so might these tests be."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(process: subprocess.Popen[str], ready: Callable[[], bool]) -> None:
    """Wait until something is so while the process runs; fails when it ends before."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert process.poll() is None, f"it ended too soon: {process.communicate()}"
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.01)


def sets(place: Path) -> list[Path]:
    """The folders of pupils that have their workbook."""
    return sorted(path.parent for path in place.glob("hand-out/*/workbook-exercise.xlsx"))


def noted(place: Path) -> list[Path]:
    """What the batch has noted as finished so far."""
    return sorted(place.glob("teacher/progress/*.json"))


def require_complete(place: Path) -> None:
    """Every file below can be opened, and none is a temporary one."""
    for path in files_below(place):
        assert not path.endswith(".part"), path
        if path.endswith(".xlsx"):
            openpyxl.load_workbook(place / path)
        elif path.endswith(".pdf"):
            with pikepdf.open(place / path) as pdf:
                assert len(pdf.pages)


def is_idle(number: int) -> bool:
    """Whether a process has not computed for half a second (Linux)."""
    before = _ticks(number)
    time.sleep(0.5)
    return _ticks(number) == before


def _ticks(number: int) -> tuple[str, ...]:
    return tuple(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:13])


def children(process: subprocess.Popen[str]) -> list[int]:
    """The ids of a process's children that are still there (Linux)."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(number) for number in listed.split()]


def resealed(manifest: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """A manifest with changed entries and a seal that fits them, whatever they are now."""
    content = json.loads(manifest)
    del content["sha256"]
    change(content)
    return canonical({**content, "sha256": sha256(canonical(content))})
