"""The command `paperformer`: parses, calls one function, prints; no logic."""

import argparse
import pkgutil
import sys
from collections.abc import Sequence

from generator.cli import streams
from generator.cli.parser import parser
from generator.cli.values import own_language
from generator.errors import UserError

INTERRUPTED = 130  # as shells report a program ended by Ctrl-C
NO_READER = 141  # and one whose reader went away, as in `paperformer trace | head`


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code: 0 done, 1 something the user can mend, 2 usage."""
    if not streams.prepare():
        streams.tell(streams.CLOSED)
        return UserError.exit_code
    try:
        args = _parsed(argv)
        code: int = pkgutil.resolve_name(args.run)(args)
        sys.stdout.flush()
        return code
    except streams.Unwritable as error:
        streams.tell(str(error))
        streams.give_up()
        return error.exit_code
    except UserError as error:
        streams.tell(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        streams.give_up()
        return NO_READER


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command's options; help and version leave by SystemExit, all that they print written."""
    try:
        args = parser().parse_args(argv)
    except SystemExit:
        sys.stdout.flush()
        raise
    own_language(args)
    return args


__all__ = ["main"]
