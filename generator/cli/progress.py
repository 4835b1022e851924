"""A bar with the time left, where somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str, then: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many of how many are done; nothing is shown in a pipe.

    When all are, the bar says what comes `then`.
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
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        task = shown.add_task(what, total=None)

        def told(done: int, of: int) -> None:
            says = what if done < of else then
            shown.update(task, description=says, completed=done, total=of)

        yield told
