"""Runs a task in a process of its own, with an end to its time and its memory.

Whatever happens in there, the server goes on: a process that takes too long is killed, and one that
dies takes nothing else with it.

Also here:

* Temporary folders with names in them that do not outlive a server which was killed.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from generator.errors import UserError, message, refused, reworded
from generator.processes import Progress, nobody
from generator.web.form import RefusedAnswers

PREFIX = "paperformer-"
LOCK = ".used"


@contextlib.contextmanager
def used_folder() -> Iterator[Path]:
    """A private folder that goes at the end, and where there was none, with the next server."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with _marked(folder):
            yield folder


def clear() -> None:
    """Delete the folders of ours that nobody uses any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it is somebody else's, or another server deletes it
            if _unused(folder):
                shutil.rmtree(folder)


def _unused(folder: Path) -> bool:
    about, lock = folder.lstat(), folder / LOCK  # never through a link
    if sys.platform == "win32":
        lock.unlink()  # an OSError for what somebody has open
        return True
    with lock.open("r+b") as held:
        return about.st_uid == os.getuid() and _locked(held)


def _marked(folder: Path) -> IO[bytes]:
    """The file that says, while it is open, that the folder is used.

    It has its name only once it is locked, or else another server could think it unused. On a disk
    without locks it never gets it, and the folder stays.
    """
    if sys.platform == "win32":
        return (folder / LOCK).open("xb")
    file = (folder / f"{LOCK}.new").open("xb")
    if _locked(file):
        Path(file.name).rename(folder / LOCK)
    return file


def _locked(file: IO[bytes]) -> bool:
    """Whether this call has locked the file: nobody else had, and its disk knows locks."""
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False


MEMORY = 3 * 2**30  # bytes that a process may fill; a class set needs about 1 GiB
RUNNING: set[Any] = set()  # processes that are at work
# For each process a thread waits; asyncio's own few would let looks wait for orders to end.
THREADS = ThreadPoolExecutor(1000, "paperformer")
Run = Callable[..., Awaitable[Any]]  # as `ran`: how a task is done where the page's work is done


class TookTooLong(UserError):
    """A task was ended because its time was over."""


class Ended(UserError):
    """A process was ended from outside, or for want of memory."""


class Defect(RuntimeError):
    """A defect of ours: what happened stands in the server's log, not on the page."""


def started() -> None:
    """Do nothing: a task by which one sees that processes can start."""


def context() -> Any:
    """How processes are started: forked from one that is warm, on Windows anew."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["generator.web.warm"])
    return processes


class Stop:
    """A way to end a task before its time, also one that has not yet begun."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.process: Any = None

    def begun(self, process: Any) -> None:
        """Note what is to be ended; where that was asked for already, end it."""
        self.process = process
        if self.asked.is_set():
            _kill(process)

    def now(self) -> None:
        """End it."""
        self.asked.set()
        if self.process:
            _kill(self.process)


def run(
    task: Callable[..., Any],
    *args: object,
    seconds: float,
    heard: Progress | None = None,
    stop: Stop | None = None,
) -> Any:
    """What the task gives back; with `heard` it is also given a function that says how far it is.

    Its temporary files lie in a folder of its own, which goes with it, however it ends.
    Raises the task's own `UserError` or `RefusedAnswers`, `TookTooLong` after so many seconds,
    `Ended` where its process was killed, `Defect` for any other error.
    """
    with used_folder() as scratch:
        here, there = (ours := context()).Pipe(duplex=False)
        what = str(scratch), task, args, there, heard is not None
        process = ours.Process(target=_work, args=what, daemon=True)
        process.start()
        RUNNING.add(process)
        (stop or Stop()).begun(process)
        there.close()
        try:
            return _result(here, time.monotonic() + seconds, heard or nobody)
        finally:
            RUNNING.discard(process)
            _kill(process)
            process.join()
            here.close()


async def ran(
    task: Callable[..., Any], *args: object, seconds: float, heard: Progress | None = None
) -> Any:
    """As `run`, while other requests are answered; its process ends where this is cancelled."""
    end = Stop()
    waiting = partial(run, task, *args, seconds=seconds, heard=heard, stop=end)
    made = asyncio.get_running_loop().run_in_executor(THREADS, waiting)
    try:
        return await asyncio.shield(made)
    except asyncio.CancelledError:
        end.now()
        await asyncio.wait([made])  # then nothing of it writes any more
        made.exception()
        raise


def stop() -> None:
    """End all tasks that run, when the server ends; who waits for one gets `Ended`."""
    for process in list(RUNNING):
        _kill(process)


def _kill(process: Any) -> None:
    """End a task, and the browser that it may have started to print."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):  # not yet, or no longer, a group of its own
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _result(pipe: Connection, end: float, heard: Progress) -> Any:
    while pipe.poll(max(0.0, end - time.monotonic())):
        try:
            what, value = pipe.recv()
        except EOFError:
            raise Ended(message("web.ended")) from None
        if what == "told":
            heard(*value)
            if time.monotonic() >= end:  # one that tells without a pause has no end else
                break
        elif what == "done":
            return value
        elif what == "refused":
            raise value
        else:
            raise Defect(value)
    raise TookTooLong(message("web.slow"))


def _work(
    scratch: str, task: Callable[..., Any], args: tuple[Any, ...], pipe: Connection, tells: bool
) -> None:
    """In the process: the task, and what came of it into the pipe."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if sys.platform != "win32":
        import resource

        # What is only reserved is not counted: a browser that prints reserves more than it fills.
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    tempfile.tempdir = os.environ["TMPDIR"] = scratch  # also for programs that the task starts
    if tells:
        args = (*args, lambda done, of: pipe.send(("told", (done, of))))
    with contextlib.suppress(BrokenPipeError):
        try:
            pipe.send(("done", task(*args)))
        except RefusedAnswers as error:
            pipe.send(("refused", error))
        except UserError as error:
            told = (reworded(one, one.replace(f"{scratch}/", "")) for one in error.args)
            pipe.send(("refused", UserError(*told)))
        except MemoryError:
            pipe.send(("refused", refused("web.memory", has="a task may have")))
        except Exception:  # the log says which one
            logging.getLogger(__name__).exception("a task of the page failed")
            pipe.send(("broken", "see the server's log"))


def _end_with_the_server() -> None:
    """Wait for the end of a server that was killed, and end then; nobody else would end this."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
