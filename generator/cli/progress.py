"""A bar with the time left, where somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def loss_bar() -> Iterator[Callable[[int, int, float], None]]:
    """A function that is told the loss of each step of training, shown beside the bar."""
    with _bar("loss …") as shown:

        def told(step: int, of: int, loss: float) -> None:
            shown(f"loss {loss:.4f}", step, of)

        yield told


@contextmanager
def bar(what: str, then: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many of how many are done; nothing is shown in a pipe.

    When all are, the bar says what comes `then`.
    """
    with _bar(what) as shown:

        def told(done: int, of: int) -> None:
            shown(what if done < of else then, done, of)

        yield told


@contextmanager
def _bar(first: str) -> Iterator[Callable[[str, int, int], None]]:
    """A function that shows a text, how many of how many are done, and the time left."""
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
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(first, total=None)

        def told(text: str, done: int, of: int) -> None:
            progress.update(task, description=text, completed=done, total=of)

        yield told
