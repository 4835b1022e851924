"""A task has an end: of its time, of its memory, of its process; the server goes on."""

import asyncio
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.errors import UserError
from generator.web import jobs, workers
from generator.web.desk import Made

pytestmark = pytest.mark.ci
OPEN = Path("/proc/self/fd")  # what this process has open, on Linux


def doubled(number: int) -> int:
    return 2 * number


def telling(number: int, told: workers.Heard) -> int:
    for done in range(number):
        told(done + 1, number)
    return number


def sleeping() -> None:
    time.sleep(60)


def dying() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def greedy() -> int:
    return len(bytearray(workers.MEMORY + 1))


def refusing() -> None:
    raise UserError("what, where, expected")


def making(folder: Path) -> Made:
    (folder / jobs.RESULT).write_bytes(b"made")
    return Made(("a note",))


def failing() -> None:
    raise KeyError("ours")


def test_what_it_gives_back_and_how_far_it_is():
    assert workers.run(doubled, 21, seconds=60) == 42
    heard: list[tuple[int, int]] = []
    assert workers.run(telling, 3, seconds=60, heard=lambda *one: heard.append(one)) == 3
    assert heard == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("task", "error", "says"),
    [
        (dying, workers.Ended, "ended from outside"),
        (greedy, UserError, "more memory"),
        (refusing, UserError, "what, where, expected"),
        (failing, workers.Broken, "log"),
    ],
)
def test_an_end_that_is_none(task, error, says):
    with pytest.raises(error, match=says):
        workers.run(task, seconds=60)


def test_all_end_with_the_server():
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(workers.run, sleeping, seconds=60)
        for _ in range(200):
            if workers.RUNNING:
                break
            time.sleep(0.05)
        workers.stop()
        assert isinstance(waiting.exception(timeout=30), workers.Ended)
    assert not workers.RUNNING


def test_a_task_that_takes_too_long_is_killed():
    with pytest.raises(workers.TookTooLong, match="fewer pupils"):
        workers.run(sleeping, seconds=0.5)


async def ended(orders: jobs.Jobs) -> None:
    while any(job.state in ("waiting", "working") for job in orders.found.values()):
        await asyncio.sleep(0.02)


def test_a_killed_process_fails_its_order_and_no_other(tmp_path: Path):
    async def told() -> list[jobs.Job]:
        orders = jobs.Jobs(tmp_path, places=2)
        for task in (making, dying, making):
            name, job = orders.new("me", "en", "")
            orders.begin(name, task, *([job.folder] if task is making else []), tells=False)
        await ended(orders)
        return list(orders.found.values())

    first, lost, last = asyncio.run(told())
    assert (lost.state, first.state, last.state) == ("failed", "done", "done")
    assert "ended from outside" in lost.problems[0]
    assert first.notes == ("a note",)


def test_nothing_is_left_of_many_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jobs, "KEPT", 0)

    async def some(orders: jobs.Jobs, count: int) -> int:
        for _ in range(count):
            name, job = orders.new("me", "en", "")
            orders.begin(name, making, job.folder, tells=False)
        while orders.tasks:
            await asyncio.sleep(0.02)
        return len(list(OPEN.iterdir())) if OPEN.is_dir() else 0

    async def many() -> None:
        orders = jobs.Jobs(tmp_path, places=2)
        before = await some(orders, 2)
        assert await some(orders, 8) <= before
        assert not orders.found

    asyncio.run(many())
    assert not workers.RUNNING
    assert not list(tmp_path.iterdir())


def test_how_long_it_still_takes():
    job = jobs.Job(Path(), "class", "en", "", state="working", begun=100.0)
    assert job.minutes_left(160.0) == 0  # nobody knows yet
    job.hear(4, 28)
    assert job.minutes_left(160.0) == 6
    job.hear(27, 28)
    assert job.minutes_left(160.0) == 1
    job.state = "done"
    assert job.minutes_left(160.0) == 0
