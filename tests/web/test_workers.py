"""A task has an end: of its time, of its memory, of its process; the server goes on."""

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.errors import UserError
from generator.processes import Progress
from generator.render.worksheet import browser
from generator.web import jobs, workers
from generator.web.desk import WebResult

pytestmark = pytest.mark.ci
OPEN = Path("/proc/self/fd")  # what this process has open, on Linux


def doubled(number: int) -> int:
    return 2 * number


def telling(number: int, told: Progress) -> int:
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


def making(folder: Path) -> WebResult:
    (folder / jobs.RESULT).write_bytes(b"made")
    return WebResult(("a note",))


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
        (failing, workers.Defect, "log"),
    ],
)
def test_an_end_that_is_none(task, error, says):
    with pytest.raises(error, match=says):
        workers.run(task, seconds=60)


def littering(end: str) -> str:
    path = Path(tempfile.mkdtemp()) / "names"
    path.write_text("Mia Muster", encoding="utf-8")
    if end == "killed":
        dying()
    return str(path)


@pytest.mark.parametrize("end", ["well", "killed"])
def test_temporary_files_go_with_the_task(end, tmp_path: Path, monkeypatch):
    workers.run(workers.started, seconds=60)  # what all are forked from has a folder of its own
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with contextlib.suppress(workers.Ended):
        assert Path(workers.run(littering, end, seconds=60)).is_relative_to(tmp_path)
        assert end == "well"
    assert not list(tmp_path.iterdir())


def helped(told: Path) -> None:
    told.write_text(str(subprocess.Popen(["sleep", "60"]).pid), encoding="ascii")
    dying()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks Linux which processes there are")
def test_a_program_that_a_task_started_ends_with_it(tmp_path: Path):
    with pytest.raises(workers.Ended):
        workers.run(helped, tmp_path / "pid", seconds=60)
    state = Path("/proc", (tmp_path / "pid").read_text("ascii"), "stat")
    for _ in range(100):  # it may still be there until its exit is noted
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("it goes on")


def printed() -> bytes:
    return browser.to_pdf(b"<!DOCTYPE html><title>x</title><p>x", "a page")


@pytest.mark.skipif(not browser.found(), reason="needs Chromium: apt-get install chromium")
def test_a_browser_prints_within_the_memory_of_a_task():
    assert workers.run(printed, seconds=60).startswith(b"%PDF")


def test_all_end_with_the_server():
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(workers.run, sleeping, seconds=60)
        for _ in range(1000):
            if workers.RUNNING:
                break
            time.sleep(0.05)
        workers.stop()
        assert isinstance(waiting.exception(timeout=30), workers.Ended)
    assert not workers.RUNNING


def test_looks_do_not_wait_for_the_threads_of_many_orders():
    async def told() -> int:
        many = min(32, (os.cpu_count() or 1) + 4)  # threads that asyncio has of its own
        orders = [asyncio.create_task(workers.ran(sleeping, seconds=60)) for _ in range(many)]
        await asyncio.sleep(0)  # they begin
        try:
            return await asyncio.wait_for(workers.ran(doubled, 21, seconds=30), 30)
        finally:
            while any(not order.done() for order in orders):
                workers.stop()
                await asyncio.sleep(0.05)
            await asyncio.gather(*orders, return_exceptions=True)

    assert asyncio.run(told()) == 42


def test_a_task_that_takes_too_long_is_killed():
    with pytest.raises(workers.TookTooLong, match="fewer pupils"):
        workers.run(sleeping, seconds=0.5)


async def ended(orders: jobs.Jobs) -> None:
    while any(job.state in ("waiting", "working") for job in orders.by_name.values()):
        await asyncio.sleep(0.02)


def test_a_killed_process_fails_its_order_and_no_other(tmp_path: Path):
    async def told() -> list[jobs.WebJob]:
        orders = jobs.Jobs(tmp_path, places=2)
        for task in (making, dying, making):
            job = orders.open(jobs.WebJob("me"))
            orders.begin(job, task, *([job.folder] if task is making else []), tells=False)
        await ended(orders)
        return list(orders.by_name.values())

    first, lost, last = asyncio.run(told())
    assert (lost.state, first.state, last.state) == ("failed", "done", "done")
    assert "ended from outside" in lost.problems[0]
    assert first.notes == ("a note",)


@pytest.mark.parametrize("state", ["waiting", "working"])
def test_an_order_that_is_taken_back_ends_with_its_process_and_folder(tmp_path: Path, state: str):
    async def told() -> None:
        orders = jobs.Jobs(tmp_path, places=1)
        for _ in range(2):
            orders.begin(orders.open(jobs.WebJob("me")), sleeping, tells=False)
        while not workers.RUNNING:
            await asyncio.sleep(0.02)
        job = next(one for one in orders.by_name.values() if one.state == state)
        orders.drop(job.name)
        await asyncio.wait([job.work], timeout=30)
        await asyncio.sleep(0)  # whoever waits for its end is called
        assert not job.folder.exists()
        assert len(workers.RUNNING) <= 1
        (other,) = orders.by_name.values()
        while other.state != "working":  # the place is free
            await asyncio.sleep(0.02)
        orders.drop(other.name)
        await asyncio.wait([other.work], timeout=30)

    asyncio.run(asyncio.wait_for(told(), 60))
    assert not workers.RUNNING
    assert not list(tmp_path.iterdir())


def test_an_order_taken_back_is_before_no_other_at_once(tmp_path: Path):
    async def told() -> list[jobs.WebJob]:
        orders = jobs.Jobs(tmp_path, places=1)
        for _ in range(3):
            orders.begin(orders.open(jobs.WebJob("me")), sleeping, tells=False)
        await asyncio.sleep(0)
        works, waits, last = orders.by_name.values()
        assert orders.before(last.name) == [works, waits]
        orders.drop(waits.name)  # it leaves the line when its turn to run comes
        try:
            return orders.before(last.name)
        finally:
            for one in (works, last):
                orders.drop(one.name)
            await asyncio.wait([works.work, waits.work, last.work], timeout=30)

    (works,) = asyncio.run(told())
    assert works.state == "working"


def test_nothing_is_left_of_many_orders(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(jobs, "KEPT", 0)

    async def some(orders: jobs.Jobs, count: int) -> int:
        for _ in range(count):
            job = orders.open(jobs.WebJob("me"))
            orders.begin(job, making, job.folder, tells=False)
        while orders.tasks:
            await asyncio.sleep(0.02)
        return len(list(OPEN.iterdir())) if OPEN.is_dir() else 0

    async def many() -> None:
        orders = jobs.Jobs(tmp_path, places=2)
        before = await some(orders, 2)
        assert await some(orders, 8) <= before
        assert not orders.by_name

    asyncio.run(many())
    assert not workers.RUNNING
    assert not list(tmp_path.iterdir())


def test_how_long_it_still_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    orders, job = jobs.Jobs(tmp_path), jobs.WebJob("class", state="working", begun=100.0)
    monkeypatch.setattr(jobs.time, "monotonic", lambda: 160.0)
    assert orders.seconds(job) == 0  # nobody knows yet
    job.hear(4, 28)
    assert orders.seconds(job) == 6 * 60
    job.hear(24, 28)
    assert orders.seconds(job) == 10
    job.state = "done"
    assert orders.seconds(job) <= orders.pace["class"]
