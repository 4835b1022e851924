"""The process that reads: one request a line on its standard input, an answer a line back.

Started by `readers` as `python -m generator.grading.reading.reader`. A file that takes too long or
too much memory ends this process and nothing else.

Also here:

* Processes that read files, each restarted where a file ends it; the files' order is kept.
"""

import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Timer
from typing import Any

from generator.grading.reading.raw import LARGEST, NotOurs, Raw, kind_of, raw_of

MEMORY = 1_500_000_000  # bytes that reading may take
MOST_FILES = 5_000  # in one archive
LARGEST_ARCHIVE = 500_000_000  # bytes, packed
UNPACKED_ARCHIVE = 2_000_000_000  # bytes of all its files; a bomb of 200 kB says 100 GB
LONGEST_ANSWER = 50_000_000


def main() -> None:
    """Answer until the input ends; the answers go where nothing that is printed can."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    _limit()
    for line in sys.stdin:
        request = json.loads(line)
        for answer in _answers(request["path"], request["after"]):
            text = json.dumps(answer)
            if len(text) > LONGEST_ANSWER:
                text = json.dumps({"problem": "it holds too much to be one of ours"})
            answers.write(text + "\n")
            answers.flush()


def _limit() -> None:
    """No more memory than agreed, no file written, no core left; as far as the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _answers(path: str, after: int) -> Iterator[dict[str, Any]]:
    """First the names in the file, "" for itself; then what each one holds, from `after` on."""
    try:
        data = _content(path)
        names = [""] if kind_of(data) != "zip" else _names(data)
    except NotOurs as error:
        yield {"names": [""]}
        yield {"problem": str(error)}
        return
    except (OSError, MemoryError) as error:
        yield {"names": [""]}
        yield {"problem": f"it cannot be read ({error.__class__.__name__})"}
        return
    yield {"names": names}
    for name in names[after:]:
        yield _safely(data, name)


def _content(path: str) -> bytes:
    """A regular file's bytes; never those of a link, a pipe or a device."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise NotOurs("it is a device or a pipe")
        if about.st_size > LARGEST_ARCHIVE:
            raise NotOurs(f"it has {about.st_size / 1e6:.0f} MB")
        return file.read()


def _names(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_FILES:
        raise NotOurs(f"it holds {len(members)} files, at most {MOST_FILES} are read")
    if (size := sum(member.file_size for member in members)) > UNPACKED_ARCHIVE:
        most = UNPACKED_ARCHIVE / 1e6
        raise NotOurs(f"it unpacks to {size / 1e6:.0f} MB, at most {most:.0f} are read")
    return sorted({member.filename for member in members})


def _safely(data: bytes, name: str) -> Raw:
    """What a file holds; whatever a broken one makes our libraries raise is said as one reason."""
    try:
        return raw_of(_member(data, name) if name else data)
    except MemoryError:
        return {"problem": "reading it takes too much memory"}
    except NotOurs as error:
        return {"problem": str(error)}
    except Exception as error:  # noqa: BLE001 - one let out would end the process as if it were slow
        return {"problem": f"it is damaged ({error.__class__.__name__}); ask for it again"}


def _member(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        member = archive.getinfo(name)
        if member.file_size > LARGEST:
            raise NotOurs(f"it unpacks to {member.file_size / 1e6:.0f} MB")
        if member.flag_bits & 1:
            raise NotOurs("it lies in an archive with a password; unpack it")
        return archive.read(member)


if __name__ == "__main__":
    main()


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
