"""The orders of the page: each waits its turn, is made in a process of its own, and is deleted.

Nothing outlives the server: results lie in one private temporary folder, each for some minutes.
"""

import asyncio
import math
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.errors import UserError
from generator.web import workers
from generator.web.form import Problem, Refused
from generator.web.packing import RESULT

KEPT = 15 * 60  # seconds that a result stays
LONGEST = 20 * 60  # seconds that an order may take
MOST = 40  # orders that wait or are made
STATES = ("waiting", "working", "done", "failed")


@dataclass
class Job:
    """An order: `state` is waiting, working, done or failed; `done` of `of` sets are made.

    It is for "me" or for a "class"; `query` are its answers as the end of an address. Work began at
    `begun`, by a clock that only goes on. `papers` are the files to open first.
    """

    folder: Path
    kind: str
    language: str
    query: str
    state: str = "waiting"
    done: int = 0
    of: int = 0
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    refused: tuple[Problem, ...] = ()
    papers: Mapping[str, str] = field(default_factory=dict)
    own_fault: bool = False
    begun: float = 0.0

    def hear(self, done: int, of: int) -> None:
        """Note how many of how many sets are made."""
        self.done, self.of = done, of

    def plain(self, messages: Iterable[str]) -> tuple[str, ...]:
        """The messages with files as they were sent: where the server keeps them is not told."""
        return tuple(one.replace(f"{self.folder}{os.sep}", "") for one in messages)

    def minutes_left(self, now: float) -> int:
        """How long it still takes if it goes on as until now, rounded up; 0 where nobody knows."""
        if not self.done or self.state != "working":
            return 0
        return math.ceil((now - self.begun) / self.done * (self.of - self.done) / 60)


class Full(UserError):
    """There are as many orders as the server takes."""


@dataclass
class Jobs:
    """All orders below a folder; `places` of them are made at a time.

    `ended` counts those that are finished, also when they are gone: done or failed.
    """

    root: Path
    places: int = 1
    by_name: dict[str, Job] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    ended: Counter[str] = field(default_factory=Counter)
    run: workers.Run = workers.ran
    turn: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.turn = asyncio.Semaphore(self.places)

    def new(self, kind: str, language: str, query: str) -> tuple[str, Job]:
        """A place for an order, with a name that nobody can guess; `Full` where there is none."""
        if sum(job.state in ("waiting", "working") for job in self.by_name.values()) >= MOST:
            raise Full("too many orders")
        name = secrets.token_urlsafe(18)
        folder = self.root / name
        folder.mkdir(mode=0o700)
        self.by_name[name] = Job(folder, kind, language, query)
        return name, self.by_name[name]

    def begin(self, name: str, task: Callable[..., Any], *args: object, tells: bool) -> None:
        """Let the order be made in its turn; the caller goes on."""
        made = asyncio.create_task(self._make(name, task, args, tells))
        self.tasks.add(made)
        made.add_done_callback(self.tasks.discard)

    def before(self, name: str) -> int:
        """How many orders are made before this one."""
        waiting = [key for key, job in self.by_name.items() if job.state in ("waiting", "working")]
        return waiting.index(name) if name in waiting else 0

    def drop(self, name: str) -> None:
        """Forget an order and delete its files."""
        job = self.by_name.pop(name, None)
        if job:
            shutil.rmtree(job.folder, ignore_errors=True)

    async def _make(
        self, name: str, task: Callable[..., Any], args: tuple[object, ...], tells: bool
    ) -> None:
        job = self.by_name[name]
        async with self.turn:
            job.state, job.begun = "working", time.monotonic()
            heard = job.hear if tells else None
            try:
                made = await self.run(task, *args, seconds=LONGEST, heard=heard)
            except Refused as refused:
                job.state, job.refused = "failed", tuple(refused.problems.values())
            except UserError as error:
                job.state, job.problems = "failed", job.plain([str(error)])
            except workers.Broken:
                job.state, job.own_fault = "failed", True
            else:
                job.state, job.papers = "done", made.papers
                job.notes, job.problems = job.plain(made.notes), job.plain(made.problems)
            self.ended[job.state] += 1
            _clear(job.folder)
        await asyncio.sleep(KEPT)
        self.drop(name)


def _clear(folder: Path) -> None:
    """Delete all but the zip: pupils' names are kept no longer than the work takes."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != RESULT:
            path.unlink()
