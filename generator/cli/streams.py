"""Standard output and error as a shell may give them: closed, full, or in another encoding."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator

from generator.errors import UserError

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


def tell(message: str) -> None:
    """Print a message on standard error, where somebody can read it."""
    if sys.stderr is None:  # print() would take standard output instead
        return
    try:
        print(f"paperformer: {message}", file=sys.stderr, flush=True)
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
        raise Unwritable(
            f"cannot write to standard output: {error.strerror}; free the place, or send it to "
            "another file: > FILE"
        ) from error


def _to_nowhere(stream: object) -> None:
    if isinstance(stream, io.TextIOWrapper):
        with contextlib.suppress(OSError):  # a stand-in of tests has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
