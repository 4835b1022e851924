"""A task has an end: of its time, of its memory, of its process; the server goes on."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from generator.errors import UserError
from generator.web import workers

pytestmark = pytest.mark.ci


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
