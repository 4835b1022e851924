"""The command `paperformer`: parses, calls one function, prints; no logic."""

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
        return _run(argv)
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


def _run(argv: Sequence[str] | None) -> int:
    """One command, all that it printed written; help and version leave by SystemExit."""
    try:
        args = parser().parse_args(argv)
    except SystemExit:
        sys.stdout.flush()
        raise
    own_language(args)
    code: int = args.run(args)
    sys.stdout.flush()
    return code


__all__ = ["main"]
