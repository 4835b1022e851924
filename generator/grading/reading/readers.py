"""Processes that read files, each restarted where a file ends it; the files' order is kept."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Timer
from typing import Any

from generator.grading.reading.raw import Raw

SECONDS = 60.0  # until a file is given up
LOST = "reading it took too long, or too much memory; open it, look, and save it anew"

Member = tuple[str, Raw]  # a name within an archive ("" for the file itself) and what it holds


class Reader:
    """One such process; it starts with the first file."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def read(self, path: Path) -> list[Member]:
        """What a file holds, or each file in an archive; a file that ends the process too."""
        names: list[str] = [""]
        files: list[Member] = []
        while len(files) < len(names):
            names = self._go_on(path, names, files)
        return files

    def _go_on(self, path: Path, names: list[str], files: list[Member]) -> list[str]:
        """Read from the first file that is not there yet; where the process ends, note that one."""
        process = self._running()
        self._send(process, {"path": os.fspath(path), "after": len(files)})
        head = self._answer(process)
        if head is None:
            files.append((names[len(files)], {"problem": LOST}))
            return names
        names = head["names"]
        while len(files) < len(names):
            answer = self._answer(process)
            files.append((names[len(files)], answer or {"problem": LOST}))
            if answer is None:
                break
        return names

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.reader"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
                env={**os.environ, "PYTHONPATH": _path(), "OPENBLAS_NUM_THREADS": "1"},
            )
        return self._process

    def _send(self, process: subprocess.Popen[str], request: dict[str, Any]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        except OSError:  # it has ended; the answer will say so
            pass

    def _answer(self, process: subprocess.Popen[str]) -> Raw | None:
        """The next answer; None where the process was lost, which is then cleared away."""
        assert process.stdout is not None
        alarm = Timer(self.seconds, process.kill)
        alarm.start()
        try:
            answer: Raw = json.loads(process.stdout.readline())
        except ValueError:  # nothing, or half a line
            self.close()
            return None
        finally:
            alarm.cancel()
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _path() -> str:
    """Where the process finds this package, and all that this one finds."""
    here = str(Path(__file__).parents[3])
    return os.pathsep.join(dict.fromkeys([here, *(place for place in sys.path if place)]))


def read_all(paths: Sequence[Path], jobs: int, seconds: float = SECONDS) -> Iterator[list[Member]]:
    """What each file holds, in their order, read by so many processes."""
    with _readers(max(1, min(jobs, len(paths))), seconds) as free:

        def read(path: Path) -> list[Member]:
            reader = free.get()
            try:
                return reader.read(path)
            finally:
                free.put(reader)

        with ThreadPoolExecutor(max(1, jobs)) as threads:
            yield from threads.map(read, paths)


@contextmanager
def _readers(count: int, seconds: float) -> Iterator["SimpleQueue[Reader]"]:
    free: SimpleQueue[Reader] = SimpleQueue()
    readers = [Reader(seconds) for _ in range(count)]
    for reader in readers:
        free.put(reader)
    try:
        yield free
    finally:
        for reader in readers:
            reader.close()
