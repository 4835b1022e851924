"""Standard output and error as a shell may give them: closed, full, or in another encoding.

Also here:

* What commands print: paths of files, data in pieces, messages.
* A bar with the time left, where somebody is looking.
"""

import contextlib
import io
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import UserError, message

if TYPE_CHECKING:
    from rich.progress import Progress

    from generator.training import Listeners


CLOSED = "standard output is closed; open it, or send it to a file: > FILE"


class Unwritable(UserError):
    """Standard output takes no more."""


class StandardOutput(io.TextIOWrapper):
    """Standard output whose failures are told as what they are, not as those of other files."""

    def write(self, text: str) -> int:
        """Write, or raise an `Unwritable` that says why not."""
        with _refusals():
            return super().write(text)

    def flush(self) -> None:
        """Flush, or raise an `Unwritable` that says why not."""
        with _refusals():
            super().flush()


def prepare() -> bool:
    """Make the streams fit to print on; False where there is no standard output.

    A character that the terminal cannot show is escaped; a traceback helps nobody.
    """
    _fill_gaps()
    there = sys.stdout is not None
    if there and type(sys.stdout) is io.TextIOWrapper:
        sys.stdout = StandardOutput(
            sys.stdout.buffer,
            encoding=sys.stdout.encoding,
            line_buffering=sys.stdout.line_buffering,
            write_through=sys.stdout.write_through,
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return there


def tell(text: str) -> None:
    """Print a message on standard error, where somebody can read it."""
    if sys.stderr is None:  # print() would take standard output instead
        return
    try:
        print(f"paperformer: {text}", file=sys.stderr, flush=True)
    except OSError:
        _to_nowhere(sys.stderr)


def give_up() -> None:
    """Let Python flush standard output at its end, somewhere where it can write."""
    _to_nowhere(sys.stdout)


def _fill_gaps() -> None:
    """Open nothing in place of closed streams, so that no file of ours takes their number."""
    number = 0
    while number <= 2:  # the system gives the lowest that is free
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # a reader that has enough is no failure
        raise
    except OSError as error:
        raise Unwritable(message("cli.unwritable", error=error)) from error


def _to_nowhere(stream: object) -> None:
    if isinstance(stream, io.TextIOWrapper):
        with contextlib.suppress(OSError):  # a stand-in of tests has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_paths(paths: Iterable[Path]) -> None:
    """Print each path, from here where it is below here."""
    here = Path.cwd()
    for path in paths:
        print(path.relative_to(here) if path.is_relative_to(here) else path)


def write_pieces(text: Iterable[str]) -> None:
    """Print data piece by piece, in UTF-8 whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for piece in text:
        sys.stdout.write(piece)


def say(*messages: str) -> None:
    """Print messages on standard error."""
    for one in messages:
        tell(one)


OFTEN = 0.1  # seconds between two looks of the bar


@contextmanager
def training_bar() -> Iterator["Listeners"]:
    """What is told of each step of training, shown beside the bar, and of texts, shown above it.

    In a pipe there is no bar, and each text is a line.
    """
    from generator.training import Listeners

    with _bar("loss …") as bar:
        last_loss = math.nan

        def step(number: int, of: int, loss: float) -> None:
            nonlocal last_loss
            last_loss = loss
            bar.shown(f"loss {loss:.4f}", number, of)

        def text(number: int, words: str) -> None:
            bar.said(f"step {number}, loss {last_loss:.4f}: {words}")

        yield Listeners(step, text)


@contextmanager
def bar(what: str, then: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many of how many are done; nothing is shown in a pipe.

    When all are, the bar says what comes `then`.
    """
    with _bar(what) as bar:
        yield lambda done, of: bar.shown(what if done < of else then, done, of)


class _Bar:
    """A text, how many of how many are done, and the time left; lines are said above that.

    It is drawn when it is told something, not by a thread: beside one no process can be forked.
    """

    def __init__(self, progress: "Progress", first: str) -> None:
        self._progress, self._drawn = progress, time.monotonic()
        self._task = progress.add_task(first, total=None)
        progress.refresh()

    def shown(self, text: str, done: int, of: int) -> None:
        """Show how far it is, now and then."""
        now = time.monotonic()
        due = done == of or now - self._drawn >= OFTEN
        self._progress.update(self._task, description=text, completed=done, total=of, refresh=due)
        self._drawn = now if due else self._drawn

    def said(self, line: str) -> None:
        """Say a line."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _bar(first: str) -> Iterator[_Bar]:
    """A bar on a terminal; elsewhere lines alone."""
    from rich import progress as rich
    from rich.console import Console

    console = Console(file=sys.stderr)
    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    silent = not console.is_terminal
    with rich.Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=silent
    ) as progress:
        yield _Bar(progress, first)
