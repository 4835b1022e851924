"""A bar with the time left, where somebody is looking."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from generator.training import Listeners


OFTEN = 0.1  # seconds between two looks of the bar


@contextmanager
def training_bar() -> Iterator["Listeners"]:
    """What is told of each step of training, shown beside the bar, and of texts, shown above it.

    In a pipe there is no bar, and each text is a line.
    """
    from generator.training import Listeners

    last_loss = [math.nan]
    with _bar("loss …") as bar:

        def step(number: int, of: int, loss: float) -> None:
            last_loss[0] = loss
            bar.shown(f"loss {loss:.4f}", number, of)

        def text(number: int, words: str) -> None:
            bar.said(f"step {number}, loss {last_loss[0]:.4f}: {words}")

        yield Listeners(step, text)


@contextmanager
def bar(what: str, then: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many of how many are done; nothing is shown in a pipe.

    When all are, the bar says what comes `then`.
    """
    with _bar(what) as bar:

        def told(done: int, of: int) -> None:
            bar.shown(what if done < of else then, done, of)

        yield told


class _Bar(NamedTuple):
    """Shows a text, how many of how many are done, and the time left; says a line above that."""

    shown: Callable[[str, int, int], None]
    said: Callable[[str], None]


@contextmanager
def _bar(first: str) -> Iterator[_Bar]:
    """A bar on a terminal; elsewhere lines alone.

    It is drawn when it is told something, not by a thread: beside one no process can be forked.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(file=sys.stderr)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=console,
        transient=True,
        auto_refresh=False,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(first, total=None)
        progress.refresh()
        drawn = [time.monotonic()]

        def told(text: str, done: int, of: int) -> None:
            now = time.monotonic()
            due = done == of or now - drawn[0] >= OFTEN
            progress.update(task, description=text, completed=done, total=of, refresh=due)
            drawn[0] = now if due else drawn[0]

        def said(line: str) -> None:
            console.print(line, markup=False, highlight=False, soft_wrap=True)

        yield _Bar(told, said)
