"""What commands print: paths of files, data in pieces, messages."""

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from generator.cli.streams import tell


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
    for message in messages:
        tell(message)
