"""The command `paperformer`: parses, calls one function, prints; no logic."""

import io
import os
import sys
from collections.abc import Sequence

from generator.cli.parser import parser
from generator.cli.values import own_language
from generator.errors import UserError

INTERRUPTED = 130  # as shells report a program ended by Ctrl-C
NO_READER = 141  # and one whose reader went away, as in `paperformer trace | head`


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code: 0 done, 1 something the user can mend, 2 usage."""
    _never_fail_to_print()
    try:
        args = parser().parse_args(argv)
        own_language(args)
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"paperformer: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes at its end once more; there it must find somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_READER


def _never_fail_to_print() -> None:
    """Let a character that the terminal cannot show be escaped; a traceback helps nobody."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


__all__ = ["main"]
