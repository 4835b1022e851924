"""Who computes: this process, several of them, or the workers of a cluster; one interface.

Also here:

* Papers that can fail one by one, so that the others are there all the same.
"""

import asyncio
import logging
import pickle
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar
from uuid import uuid4

from generator.classroom.desk.manifest import other_versions, versions
from generator.errors import NO_ROOM, UserError, message, refused, said_by
from generator.output import write_scratch
from generator.processes import MOST_JOBS, processors, require_jobs, started
from generator.render.worksheet.pdf import RenderError

AHEAD = 2  # tasks waiting for each worker: enough to keep it busy, few to keep memory flat
PUPILS_FOR_A_PROCESS = 64  # a process starts and lays out its sheets in the time of as many pupils
PATIENCE = 10  # seconds until a cluster must have answered
LOGS = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado",
    "tornado.application",
    "asyncio",
)

Task = TypeVar("Task")
Result = TypeVar("Result")


def jobs_for(pupils: int, asked: int | None) -> int:
    """How many processes to use; `UserError` for a number that cannot be."""
    require_jobs(asked)
    return asked or max(1, min(processors(), pupils // PUPILS_FOR_A_PROCESS, MOST_JOBS))


class Pool(NamedTuple):
    """Who computes, how many tasks to keep under way, what it means when the workers are lost.

    Without an executor this process computes. `folder` is where workers leave their results, if not
    with the executor. A worker to whom it is sent computes itself.
    """

    executor: Executor | None
    ahead: int
    losses: tuple[type[Exception], ...] = ()
    lost: str = ""
    folder: Path | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Pool, (None, 1)


HERE: Final = Pool(None, 1)


@contextmanager
def pool(jobs: int, cluster: str | None) -> Iterator[Pool]:
    """Processes of this computer, or the workers of a Dask cluster at an address.

    At the end, also by Ctrl-C, tasks that have not begun are dropped and the others waited for.
    Raises `UserError` where the cluster does not answer.
    """
    if cluster is not None:
        with _cluster(cluster) as workers:
            yield workers
        return
    if jobs == 1:
        yield HERE
        return
    with TemporaryDirectory(prefix="paperformer-") as folder, started(jobs) as made:
        yield Pool(made, AHEAD * jobs, (BrokenProcessPool,), message("pool.lost"), Path(folder))


_LOST_CLUSTER = (
    "the cluster's workers or its scheduler were lost, or stopped the task ({error}); look at "
    "them, then go on with --resume"
)


def in_order(
    pool: Pool, work: Callable[[Task], Result], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, in the tasks' order; few at a time are under way.

    Raises `UserError` where workers were ended from outside or have other versions than this.
    """
    if pool.executor is None:
        return ((task, work(task)) for task in tasks)
    return _sent(pool, pool.executor, partial(_with_versions, work, pool.folder), tasks)


def _sent(
    pool: Pool, executor: Executor, work: Callable[[Task], Any], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Any]]:
    waiting: deque[tuple[Task, Future[Any]]] = deque()
    try:
        for task in tasks:
            waiting.append((task, executor.submit(work, task)))
            if len(waiting) >= pool.ahead:
                first, future = waiting.popleft()
                yield first, _result(future)
        while waiting:
            first, future = waiting.popleft()
            yield first, _result(future)
    except pool.losses as error:
        raise UserError(pool.lost.format(error=str(error) or type(error).__name__)) from error
    finally:
        for _, future in waiting:
            future.cancel()


def portions(tasks: Iterable[Task], size: int) -> Iterator[tuple[Task, ...]]:
    """The tasks so many at a time, the last ones perhaps fewer; batched() from Python 3.12 on."""
    left = iter(tasks)
    while some := tuple(islice(left, size)):
        yield some


def _with_versions(
    work: Callable[[Task], Result], folder: Path | None, task: Task
) -> tuple[Result, Mapping[str, str]] | Path:
    """A task's result with the versions that made it, or the file in the folder that holds them.

    A process that is killed while it sends more than a pipe takes at once would leave the one that
    reads waiting for the rest for ever; a path is sent whole or not at all.
    """
    result = work(task), versions()
    if folder is None:
        return result
    try:
        write_scratch(path := folder / uuid4().hex, pickle.dumps(result))
    except OSError as error:
        raise refused("pool.unkept", folder=folder, error=error, room=NO_ROOM) from None
    return path


def _result(future: Future[Any]) -> Any:
    sent = future.result()
    if isinstance(sent, Path):
        content = sent.read_bytes()
        sent.unlink()
        sent = pickle.loads(content)
    result, made_with = sent
    if made_with != versions():
        raise refused("pool.versions", versions=", ".join(other_versions(made_with)))
    return result


@contextmanager
def _cluster(address: str) -> Iterator[Pool]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise refused("pool.extra") from error
    with _quiet(), _client(Client, address) as client:
        executor = client.get_executor(pure=False)
        workers = sum(client.ncores().values())
        losses = (KilledWorker, CancelledError, ImportError, OSError)
        try:
            yield Pool(executor, AHEAD * workers, losses, _LOST_CLUSTER)
        finally:
            executor.shutdown(wait=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Within it, the cluster's libraries log nothing: what is wrong is in our message."""
    before = {name: logging.getLogger(name).level for name in LOGS}
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _client(kind: Any, address: str) -> Any:
    """A connection to a scheduler with workers; `UserError` where there is none."""
    try:
        # Wait for a scheduler's answer, by a client of its own, as the one that computes would wait
        # for ever for a server that accepts and is silent, and one that is left half open may lock
        # up the process when Python clears it away (`Client.__del__` within `LoopRunner.start`,
        # distributed 2026.8). In a thread: the caller may have an event loop running, as Jupyter.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _greeting(kind, address)).result()
        client = kind(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        raise refused("pool.silent", address=address, why=_reason(error)) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close()
        raise refused("pool.workers", address=address) from error
    return client


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"nothing within {PATIENCE} s"
    if isinstance(error, (MemoryError, struct.error)):  # its words, read as lengths
        return "something else does"
    return str(error)


async def _greeting(kind: Any, address: str) -> None:
    client = kind(address, asynchronous=True, timeout=PATIENCE, set_as_default=False)
    try:
        await asyncio.wait_for(client, PATIENCE)
    finally:
        await client.close()


# What may be wrong with one pupil's or one file's content; all else is wrong with the program.
FAILURES = (UserError, RenderError)


class Papers(NamedTuple):
    """Files by path, or the problem that kept them from being made."""

    files: Mapping[str, bytes]
    problem: str = ""


def attempted(what: str, make: Callable[[], Mapping[str, bytes]]) -> Papers:
    """The files of a call, or its problem, which begins with what they are."""
    try:
        return Papers(make())
    except FAILURES as error:
        return Papers({}, message("batch.place", place=what, why=said_by(error)))
