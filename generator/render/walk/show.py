"""Shows the pages in a terminal: all below each other, or one for each key press."""

import sys
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from generator.locales.catalogue import Catalogue
from generator.render.walk.keyboard import ReadKey
from generator.render.walk.page import Page
from generator.render.walk.plain import replaced, speaks_unicode
from generator.render.walk.terminal_layout import WIDEST, page_lines

NEXT = frozenset(" \r\n")
REPLACED = (
    "This terminal's encoding ({encoding}) lacks some signs; they are replaced: "
    "* for the dot, sqrt for the root, # for bars, xxx for masked. UTF-8 shows them: PYTHONUTF8=1."
)


class Terminal(Console):
    """A console that lets its caller know when its reader has gone away."""

    def on_broken_pipe(self) -> None:
        """Raise what Rich has caught; by itself it would end the program with 1."""
        raise BrokenPipeError


def terminal(stream: TextIO = sys.stdout) -> Console:
    """A console on that stream, at most 100 columns wide; it honours NO_COLOR."""
    console = Terminal(file=stream, highlight=False)
    console.width = min(console.width, WIDEST) if console.is_terminal else WIDEST
    return console


def show(
    pages: Sequence[Page], catalogue: Catalogue, console: Console, read_key: ReadKey | None
) -> None:
    """Show the pages: space or Enter goes on, b back, q ends; without `read_key` all at once."""
    if not speaks_unicode(console.encoding):
        console.print(Text(REPLACED.format(encoding=console.encoding)))
    if read_key is None:
        for k in range(len(pages)):
            _print(pages, k, catalogue, console)
        return
    place = 0
    while place < len(pages):
        console.clear()
        _print(pages, place, catalogue, console)
        _say(console, Text("    " + catalogue.t("walk.keys"), style="dim"))
        place = _after(read_key(), place)


def _after(key: str, place: int, end: int = sys.maxsize) -> int:
    if key in NEXT:
        return place + 1
    if key.lower() == "b":
        return max(0, place - 1)
    return end if key.lower() == "q" else place


def _print(pages: Sequence[Page], k: int, catalogue: Catalogue, console: Console) -> None:
    number = catalogue.t("walk.page", page=k + 1, pages=len(pages))
    for line in page_lines(pages[k], number, console.width):
        _say(console, line)


def _say(console: Console, line: Text) -> None:
    if not speaks_unicode(console.encoding):
        line = replaced(line, console.encoding)
    console.print(line, no_wrap=True, overflow="ignore", crop=False)
