"""The orders of the page: each waits its turn, is made in a process of its own, and is deleted.

Nothing outlives the server: results lie in one private temporary folder, each for some minutes.

Also here:

* Turns at the few places where work is done: whoever asks for much does not shut others out.
"""

import asyncio
import math
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from generator.errors import UserError, reworded
from generator.web import workers
from generator.web.desk import Overview
from generator.web.form import FieldProblem, RefusedAnswers
from generator.web.packing import RESULT

KEPT = 15 * 60  # seconds that a result stays
LONGEST = 20 * 60  # seconds that an order may take
MOST = 40  # orders that wait or are made
MOST_OF_ONE = 8  # of them of one client, who may be a school behind one address
STATES = ("waiting", "working", "done", "failed")
ALMOST = 0.97  # of a bar, which is full when all is done
LEAST_WAIT = 10  # seconds until who was refused for want of a place may try again
# Seconds a set, or a file that is marked, until some have been made here; measured on two cores.
PACE = {"me": 6.0, "class": 1.5, "exam": 2.0, "again": 6.0, "grade": 2.0, "room": 20, "typed": 4.0}


@dataclass(eq=False)
class Turn:
    """What a client waits for, by a name; those of lower rounds come before it."""

    client: str
    name: str
    round: int
    come: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Turns:
    """So many `places` at a time; `line` has those who wait, the next first.

    A client's first turn comes in the next round, its second in the one after: after forty of one
    client, another's first comes once one or two of the forty are done.
    """

    places: int
    line: list[Turn] = field(default_factory=list)
    round: int = 0

    @asynccontextmanager
    async def taken(self, client: str, name: str = "") -> AsyncIterator[None]:
        """Within it the turn has come; whoever stops waiting leaves the line."""
        turn = self._asked(client, name)
        try:
            self._call()
            await turn.come.wait()
            yield
        finally:
            if turn.come.is_set():
                self.places += 1
                self._call()
            else:
                self.line.remove(turn)

    def _asked(self, client: str, name: str) -> Turn:
        last = max((one.round for one in self.line if one.client == client), default=self.round)
        turn = Turn(client, name, last + 1)
        self.line.append(turn)
        self.line.sort(key=lambda one: one.round)  # keeps who came first
        return turn

    def _call(self) -> None:
        while self.places and self.line:
            turn = self.line.pop(0)
            self.places, self.round = self.places - 1, turn.round
            turn.come.set()


@dataclass
class WebJob:
    """An order: `state` is waiting, working, done or failed; `done` of `of` sets are made.

    It is for "me" or for a "class", of about so many sets as its `size`; `query` are its answers as
    the end of an address, `asked` is what they came to, where that was looked at. Where
    there are no such answers, `wanted` says what is ordered. Work began at `begun`, by a clock that
    only goes on. `papers` are the files to open first, what is printed has so many `pages`,
    `glance` are lines about what was made. `client` gave the order, `work` is what makes it, nobody
    can guess its `name`.
    """

    kind: str
    query: str = ""
    client: str = ""
    size: int = 1
    name: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    folder: Path = Path()
    state: str = "waiting"
    done: int = 0
    of: int = 0
    notes: tuple[str, ...] = ()
    wanted: str = ""
    glance: tuple[Any, ...] = ()
    pages: int = 0
    problems: tuple[str, ...] = ()
    refused: tuple[FieldProblem, ...] = ()
    papers: Mapping[str, str] = field(default_factory=dict)
    own_fault: bool = False
    asked: Overview | None = None
    begun: float = 0.0
    work: asyncio.Task[None] | None = None

    def hear(self, done: int, of: int) -> None:
        """Note how many of how many sets are made."""
        self.done, self.of = done, of

    def plain(self, messages: Iterable[str]) -> tuple[str, ...]:
        """The messages with files as they were sent: where the server keeps them is not told."""
        return tuple(reworded(one, one.replace(f"{self.folder}{os.sep}", "")) for one in messages)

    def forget(self) -> None:
        """Delete its files."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def part(self, seconds: float) -> float:
        """The share that is over if it takes so many seconds more, by time or by sets; else 0."""
        gone, most = time.monotonic() - self.begun, (self.done + 1) / (self.of or self.size)
        return ALMOST * min(gone / (gone + seconds), most, 1.0) if seconds or self.done else 0.0


class Gone(HTTPException):
    """An order that there is no more; `phrase` says so."""

    phrase = "gone"


class Full(HTTPException):
    """There are as many orders as the server takes, of all or of one client.

    `phrase` and status say which, `most` is that number, after about so many `seconds` there may
    be a place.
    """

    def __init__(self, phrase: str, status: int, most: int, seconds: float) -> None:
        super().__init__(status, headers={"retry-after": str(max(LEAST_WAIT, math.ceil(seconds)))})
        self.phrase, self.most = phrase, most


@dataclass
class Jobs:
    """All orders below a folder; `places` of them are made at a time.

    `ended` counts those that are finished, also when they are gone: done or failed. `pace` are the
    seconds that a set of each kind took of late.
    """

    root: Path
    places: int = 1
    by_name: dict[str, WebJob] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    ended: Counter[str] = field(default_factory=Counter)
    run: workers.Run = workers.ran
    turns: Turns = field(init=False)
    pace: dict[str, float] = field(default_factory=PACE.copy)

    def __post_init__(self) -> None:
        self.turns = Turns(self.places)

    def open(self, job: WebJob) -> WebJob:
        """The order with a folder of its own; `Full` where there is no place for it."""
        whose = [one.client for one in self.by_name.values() if one.state in ("waiting", "working")]
        soon = min(map(self.seconds, self._at_work()), default=0.0)
        if len(whose) >= MOST:
            raise Full("full", 503, MOST, soon)
        if whose.count(job.client) >= MOST_OF_ONE:
            raise Full("many", 429, MOST_OF_ONE, soon)
        job.folder = self.root / job.name
        job.folder.mkdir(mode=0o700)
        self.by_name[job.name] = job
        return job

    def begin(self, job: WebJob, task: Callable[..., Any], *args: object, tells: bool) -> None:
        """Let the order be made in its turn; the caller goes on."""
        heard = job.hear if tells else None
        made = partial(self.run, task, *args, seconds=LONGEST, heard=heard)
        job.work = asyncio.create_task(self._make(job, made))
        self.tasks.add(job.work)
        job.work.add_done_callback(self.tasks.discard)

    def before(self, name: str) -> list[WebJob]:
        """The orders that are made, and those that wait, before a waiting one; none is dropped."""
        line = [turn.name for turn in self.turns.line if turn.name in self.by_name]
        waiting = line[: line.index(name)] if name in line else []
        return [*self._at_work(), *(self.by_name[one] for one in waiting)]

    def wait(self, name: str) -> float:
        """About how many seconds pass until a waiting order is begun."""
        return sum(map(self.seconds, self.before(name))) / self.places

    def measured(self, name: str) -> bool:
        """Whether an order like it, and like each before it, has been made here since the start."""
        kinds = {one.kind for one in (*self.before(name), self.by_name[name])}
        return all(self.pace[kind] != PACE[kind] for kind in kinds)

    def _at_work(self) -> list[WebJob]:
        return [job for job in self.by_name.values() if job.state == "working"]

    def seconds(self, job: WebJob) -> float:
        """How long an order still takes: by what such ones took, longer where it is slow itself.

        After the sets come papers for the teacher, which only the former counts.
        """
        gone = time.monotonic() - job.begun if job.state == "working" else 0.0
        left = gone / job.done * (job.of - job.done) if job.done else 0.0
        return max(left, job.size * self.pace[job.kind] - gone, 0.0)

    def drop(self, name: str) -> None:
        """Forget an order and delete its files; one that waits or is made is ended."""
        job = self.by_name.pop(name, None)
        if job and job.work and job.state in ("waiting", "working"):
            job.work.add_done_callback(lambda _: job.forget())
            job.work.cancel()
        elif job:
            job.forget()

    async def _make(self, job: WebJob, run: Callable[[], Awaitable[Any]]) -> None:
        async with self.turns.taken(job.client, job.name):
            job.state, job.begun = "working", time.monotonic()
            try:
                made = await run()
            except RefusedAnswers as refused:
                job.state, job.refused = "failed", tuple(refused.problems.values())
            except UserError as error:
                job.state, job.problems = "failed", job.plain(error.args)
            except workers.Defect:
                job.state, job.own_fault = "failed", True
            else:
                job.state, job.pages = "done", made.pages
                job.papers, job.glance = made.papers, made.glance
                job.notes, job.problems = job.plain(made.notes), job.plain(made.problems)
                took = (time.monotonic() - job.begun) / (job.of or job.size)
                self.pace[job.kind] = (self.pace[job.kind] + took) / 2
            self.ended[job.state] += 1
            for path in job.folder.iterdir():  # pupils' names are kept no longer than work takes
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                elif path.name != RESULT:
                    path.unlink()
        await asyncio.sleep(KEPT)
        self.drop(job.name)
