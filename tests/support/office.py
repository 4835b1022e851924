"""One headless LibreOffice for a whole test session, and the fixture `office` that hands it out."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ERROR = "#ERR"
Grid = list[list[float | str]]
Edit = Mapping[tuple[str, str], object]  # sheet and cell, and what to type there; None empties it

INSTALL = "install it by: apt-get install libreoffice-calc-nogui python3-uno"
WORKER = Path(__file__).with_name("uno_worker.py")
SECONDS_TO_START = 90
SECONDS_TO_STOP = 10
SECONDS_OF_A_PASTE = 60
TRIES = 3  # with a fresh profile LibreOffice starts itself anew and drops who has just connected


@pytest.fixture(scope="session")
def office() -> Iterator["Office"]:
    """A running LibreOffice; only the tests that ask for it wait for its start."""
    with Office() as running:
        yield running


class Office:
    """A LibreOffice process of our own, with its own profile, that recalculates workbooks.

    Raises RuntimeError, with the command that mends it, where LibreOffice or uno is missing.
    """

    def __init__(self, *, window: bool = False) -> None:
        program, self._python = _soffice(), _python_with_uno()
        self._folder = Path(tempfile.mkdtemp(prefix="paperformer-office-"))
        self._pipe = self._folder.name
        self._log = (self._folder / "log").open("wb")
        self._process = subprocess.Popen(
            [
                program,
                f"-env:UserInstallation={(self._folder / 'profile').as_uri()}",
                f"--accept=pipe,name={self._pipe};urp;",
                *("--norestore", "--nodefault", "--nologo", "--nolockcheck"),
                *(() if window else ("--headless",)),
            ],
            env=os.environ | ({"SAL_USE_VCLPLUGIN": "svp"} if window else {}),  # needs no screen
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,  # soffice is a script; its children must end with it
        )

    def __enter__(self) -> "Office":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def recalculated(self, books: Sequence[bytes]) -> list[dict[str, Grid]]:
        """Each workbook as `{sheet: rows from A1 on}`, every formula computed anew.

        Values are float or str, "" in empty cells and `ERROR` in cells that show an error. A
        workbook that takes too long ends the office and raises RuntimeError.
        """
        return [grid for (grid,) in self.edited(books, [[]] * len(books))]

    def edited(
        self, books: Sequence[bytes], edits: Sequence[Sequence[Edit]]
    ) -> list[list[dict[str, Grid]]]:
        """Each workbook as it is and after each of its edits, typed in alone and taken back."""
        typed = [
            [[[*where, value] for where, value in edit.items()] for edit in some] for some in edits
        ]
        return self._done("edited", books, typed)

    def pasted(self, book: bytes, area: tuple[str, str], to: tuple[str, str]) -> dict[str, Grid]:
        """A workbook anew after the values of an area (sheet, "B3:C9") were pasted from a cell on.

        Raises RuntimeError where a cell that is pasted over is locked.
        """
        ((grid,),) = self._done("pasted", [book], [[*area, *to]], SECONDS_OF_A_PASTE)
        return grid

    def typed(
        self, book: bytes, entries: Sequence[Mapping[str, object]]
    ) -> list[dict[str, object]]:
        """What became of each entry, typed by keys in an office with a `window`, then taken back.

        An entry is a "sheet", a "cell", a "text", whether to "keep" it where LibreOffice asks, and
        a sheet and cell to "look" at. The answer is the "buttons" of the question, "" without one,
        the cell's "formula" and what is "shown" in the cell looked at.
        """
        return self._done("typed", [book], [list(entries)])[0]

    def _done(
        self, what: str, books: Sequence[bytes], asked: Sequence[object], seconds: float = 120
    ) -> Any:
        """What the worker says of each workbook, of which it is asked that."""
        if self._process.poll() is not None:
            raise RuntimeError("LibreOffice has ended: an earlier workbook took too long")
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            paths = [Path(folder, f"{number}.xlsx") for number in range(len(books))]
            for path, book in zip(paths, books, strict=True):
                path.write_bytes(book)
            job, pairs = Path(folder, "job.json"), zip(map(str, paths), asked, strict=True)
            job.write_text(json.dumps([what, list(pairs)]), encoding="utf-8")
            return json.loads(self._work(job, seconds), object_hook=_with_errors)

    def close(self) -> None:
        """Ends the process with all its children and removes its profile; can be called twice."""
        if self._process.poll() is None:
            self._end(self._command())
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self, asking: list[str]) -> None:
        """Asks first, for an office that is killed leaves its pipes in the system's folder."""
        try:
            subprocess.run(asking, capture_output=True, timeout=SECONDS_TO_STOP, check=False)
            self._process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _command(self, *job: Path) -> list[str]:
        return [self._python, str(WORKER), self._pipe, str(SECONDS_TO_START), *map(str, job)]

    def _work(self, job: Path, seconds: float) -> str:
        for _ in range(TRIES):
            done = self._asked(job, seconds)
            if done.returncode == 0:
                return done.stdout
            if done.stderr.strip():  # an exception of the worker: trying again would not help
                break
        raise RuntimeError(
            f"LibreOffice failed (exit code {done.returncode}):\n"
            f"{(self._folder / 'log').read_text(errors='replace')}\n{done.stderr}\n"
            f"Without Calc, {INSTALL}"
        )

    def _asked(self, job: Path, seconds: float) -> subprocess.CompletedProcess[str]:
        told = {"capture_output": True, "text": True, "encoding": "utf-8"}
        try:
            return subprocess.run(self._command(job), timeout=SECONDS_TO_START + seconds, **told)
        except subprocess.TimeoutExpired as error:
            self.close()
            raise RuntimeError(f"LibreOffice took more than {error.timeout} seconds") from error


def _with_errors(found: dict[str, Any]) -> dict[str, Any]:
    """Grids by sheet, null in every cell that shows an error; other answers as they are."""
    return {
        sheet: [[ERROR if value is None else value for value in row] for row in rows]
        if isinstance(rows, list)
        else rows
        for sheet, rows in found.items()
    }


def _soffice() -> str:
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        raise RuntimeError(f"LibreOffice (soffice) was not found on the path; {INSTALL}")
    return found


def has_window() -> bool:
    """Whether LibreOffice is more than Debian's "nogui", which ends where a window is opened."""
    return any(Path(_soffice()).resolve().parent.glob("libvclplug_*"))


@cache
def _python_with_uno() -> str:
    """Ours where it has `uno`, else the system's or the one inside LibreOffice."""
    program = Path(_soffice()).resolve().parent
    candidates = [sys.executable, "/usr/bin/python3", str(program / "python")]
    for python in filter(shutil.which, candidates):
        tried = subprocess.run([python, "-c", "import uno"], capture_output=True, check=False)
        if tried.returncode == 0:
            return python
    raise RuntimeError(f"none of {candidates} can import uno; {INSTALL}")
