"""The process that reads: one request a line on its standard input, an answer a line back.

Started by `Reader` as `python -m generator.grading.reading.reader`. A file that takes too long or
too much memory ends this process and nothing else.

Also here:

* Processes that read files, each restarted where a file ends it; the files' order is kept.
"""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Timer
from typing import Any

from generator.grading.reading.raw import FileContent, NotOurs, Raw, megabytes, require_ours

MEMORY = 1_500_000_000  # bytes that reading may take
LARGEST_ARCHIVE = 500_000_000  # bytes, packed
LONGEST_ANSWER = 50_000_000


def main() -> None:
    """Answer until the input ends; the answers go where nothing that is printed can."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    # No more memory than agreed, no file written, no core left; as far as the system can.
    with suppress(ImportError, ValueError, OSError):
        import resource

        for limit, most in (("CORE", 0), ("FSIZE", 0), ("AS", MEMORY)):
            resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (most, most))
    for line in sys.stdin:
        request = json.loads(line)
        for answer in _answers(request["path"], request["after"]):
            text = json.dumps(answer)
            if len(text) > LONGEST_ANSWER:
                text = json.dumps(_problem("much"))
            answers.write(text + "\n")
            answers.flush()


def _problem(key: str, **names: object) -> Raw:
    """A reason why there is no content, as texts."""
    return {"problem": [key, {name: str(value) for name, value in names.items()}]}


def _answers(path: str, after: int) -> Iterator[Raw]:
    """First the names in the file, "" for itself; then what each one holds, from `after` on."""
    names = [""]
    try:
        content = FileContent(_read(path))
        if content.kind() == "zip":
            names = content.names()
    except NotOurs as error:
        yield from ({"names": names}, _problem(error.reason.key, **error.reason.names))
        return
    except (OSError, MemoryError):
        yield from ({"names": names}, _problem("closed"))
        return
    yield {"names": names}
    for name in names[after:]:
        yield _safely(content, name)


def _read(path: str) -> bytes:
    """A regular file's bytes; never those of a link, a pipe or a device."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        require_ours(stat.S_ISREG(about.st_mode), "device")
        require_ours(about.st_size <= LARGEST_ARCHIVE, "size", size=megabytes(about.st_size))
        return file.read()


def _safely(content: FileContent, name: str) -> Raw:
    """What a file holds; whatever a broken one makes our libraries raise is said as one reason."""
    try:
        return (content.member(name) if name else content).raw()
    except MemoryError:
        return _problem("memory")
    except NotOurs as error:
        return _problem(error.reason.key, **error.reason.names)
    except Exception:  # noqa: BLE001 - one let out would end the process as if it were slow
        return _problem("damaged")


if __name__ == "__main__":
    main()


SECONDS = 60.0  # until a file is given up

Member = tuple[str, Raw]  # a name within an archive ("" for the file itself) and what it holds


class Reader:
    """One such process; it starts with the first file."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def read(self, path: Path) -> list[Member]:
        """What a file holds, or each file in an archive; a file that ends the process too.

        Where the process ends, the next one begins after the file that ended it.
        """
        names: list[str] = [""]
        files: list[Member] = []
        while len(files) < len(names):
            self._send({"path": os.fspath(path), "after": len(files)})
            head = answer = self._answer()
            names = head["names"] if head else names
            while answer and len(files) < len(names):
                answer = self._answer()
                files.append((names[len(files)], answer or _problem("lost")))
            if not head:
                files.append((names[len(files)], _problem("lost")))
        return files

    def _send(self, request: dict[str, Any]) -> None:
        if self._process is None:
            # It finds this package, and all that this process finds.
            own = str(Path(__file__).parents[3])
            places = os.pathsep.join(dict.fromkeys([own, *filter(None, sys.path)]))
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.reader"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
                env={**os.environ, "PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"},
            )
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended; the answer will say so
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()

    def _answer(self) -> Raw | None:
        """The next answer; None where the process was lost, which is then cleared away."""
        process = self._process
        assert process is not None
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


def read_all(paths: Sequence[Path], jobs: int, seconds: float = SECONDS) -> Iterator[list[Member]]:
    """What each file holds, in their order, read by so many processes."""
    readers = [Reader(seconds) for _ in range(max(1, min(jobs, len(paths))))]
    free: SimpleQueue[Reader] = SimpleQueue()
    for reader in readers:
        free.put(reader)

    def read(path: Path) -> list[Member]:
        reader = free.get()
        try:
            return reader.read(path)
        finally:
            free.put(reader)

    with ExitStack() as stack:
        for reader in readers:
            stack.callback(reader.close)
        threads = stack.enter_context(ThreadPoolExecutor(len(readers)))
        yield from threads.map(read, paths)
