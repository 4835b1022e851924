"""Several processes of this computer, and Ctrl-C while they run."""

import gc
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypeVar

from generator.errors import NO_ROOM, UserError, refused, require
from generator.output import write_scratch

MOST_JOBS = 61  # Windows cannot wait for more processes
Result = TypeVar("Result")
Progress: TypeAlias = Callable[[int, int], None]  # hears how many of how many are done

_tasks: list[Callable[[], Any]] = []  # what forked processes inherit, so that nothing is sent


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_jobs(asked: int | None) -> None:
    """Raise a `UserError` for a number of processes that cannot be; None is left to us."""
    can_be = asked is None or 1 <= asked <= MOST_JOBS
    require(can_be, "processes.jobs", asked=asked, most=MOST_JOBS, here=processors())


def nobody(done: int, of: int) -> None:
    """Hears how many of how many tasks are done, and does nothing with it."""


def results(
    tasks: Sequence[Callable[[], Result]], processes: int, told: Progress = nobody
) -> list[Result]:
    """What each task gives back, in their order; shared out to so many processes if it is safe.

    `told` hears how many of how many are done.

    The processes are forked: they start at once, with everything that this one has loaded, and
    never run the program's main file again, so that a script needs no guard. Where that is not
    safe, beside other threads and outside Linux, this process does everything itself. Raises
    `UserError` where a process was ended from outside, and on Ctrl-C when what is under way ended.
    """
    processes, of, made = min(processes, len(tasks)), len(tasks), []
    if processes < 2 or not _may_fork():
        for task in tasks:
            made.append(task())
            told(len(made), of)
        return made
    _tasks[:] = tasks
    try:
        with TemporaryDirectory(prefix="paperformer-") as folder, started(processes) as workers:
            files = [Path(folder, str(number)) for number in range(of)]
            for done, begun in enumerate([workers.submit(_kept, *one) for one in enumerate(files)]):
                begun.result()
                told(done + 1, of)
            return [pickle.loads(file.read_bytes()) for file in files]
    except BrokenProcessPool as error:
        raise refused("processes.ended") from error
    finally:
        _tasks.clear()


def _may_fork() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def started(count: int) -> Iterator[ProcessPoolExecutor]:
    """Within it, so many processes that leave Ctrl-C to this one, from their first moment.

    Where forking is safe they begin at once, with everything that this one has loaded; elsewhere
    each of them loads it anew. At the end tasks that have not begun are dropped, the others waited
    for.
    """
    kind = "fork" if _may_fork() else "spawn"
    made = ProcessPoolExecutor(count, mp_context=get_context(kind), initializer=_begin)
    try:
        with ctrl_c_later(), warnings.catch_warnings():
            # That of Python 3.12 counts the threads of NumPy's library too, which bear a fork.
            warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
            for _ in range(count):  # a process starts with a task
                made.submit(os.getpid)
        yield made
    finally:
        made.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent lets what is under way end whole
    gc.freeze()  # what is inherited is never garbage: looking through it would only copy it


def _kept(number: int, file: Path) -> None:
    """Do a task and leave what it gives in the file.

    A process that is killed while it sends more than a pipe takes at once would leave the one that
    reads waiting for the rest for ever.
    """
    result = pickle.dumps(_tasks[number]())
    try:
        write_scratch(file, result)
    except OSError as error:
        raise UserError(f"{file.parent}: {error.strerror}; {NO_ROOM}") from None


@contextmanager
def ctrl_c_later() -> Iterator[None]:
    """Within it Ctrl-C waits for its end; processes that start inherit that they never see it.

    Not on Windows; and threads other than the main one have no say in signals.
    """
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "pthread_sigmask")):
        yield
        return
    waiting: list[int] = []  # what another thread of ours, which does not block it, was sent
    handler = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if waiting:
        raise KeyboardInterrupt
