"""Shows the pages in a terminal: all below each other, or one for each key press.

Also here:

* Spelling for terminals whose encoding lacks the signs of formulas.
* Lays a page out as lines of a terminal: wide margins, nothing beyond 100 columns.
* Reads single key presses, on Unix and on Windows.
"""

import codecs
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TextIO

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from generator.errors import message
from generator.locales.catalogue import Catalogue
from generator.notation.shown import INDICES, POWERS
from generator.render.walk.page import Chart, Page, WalkTable
from generator.resources import table

NEXT = frozenset(" \r\n")


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


ReadKey = Callable[[], str]


def show(
    pages: Sequence[Page], catalogue: Catalogue, console: Console, read_key: ReadKey | None
) -> None:
    """Show the pages: space or Enter goes on, b back, q ends; without `read_key` all at once."""
    encoding, place, end = console.encoding, 0, len(pages)
    if not speaks_unicode(encoding):
        console.print(Text(message("walk.signs", encoding=encoding)))

    def say(*lines: Text) -> None:
        for line in lines:
            known = line if speaks_unicode(encoding) else replaced(line, encoding)
            console.print(known, no_wrap=True, overflow="ignore", crop=False)

    while place < end:
        if read_key:
            console.clear()
        number = catalogue.t("walk.page", page=place + 1, pages=end)
        say(*page_lines(pages[place], number, console.width))
        key = " "
        if read_key:
            say(Text("    " + catalogue.t("walk.keys"), style="dim"))
            key = read_key().lower()
        steps = {**dict.fromkeys(NEXT, 1), "b": -1, "q": end}
        place = max(0, place + steps.get(key, 0))


SPELLED = table("render/walk/signs.toml") | {
    sign: digit for row in (INDICES, POWERS) for sign, digit in zip(row, "0123456789", strict=True)
}
_TENS = re.compile(f"(?<= )10([{POWERS}]+)")


def speaks_unicode(encoding: str) -> bool:
    """Whether a terminal with this encoding can show every sign."""
    return codecs.lookup(encoding).name.startswith("utf")


def replaced(line: Text, encoding: str) -> Text:
    """The line with each sign that the encoding lacks spelled in others; unknown ones escaped."""
    result = Text()
    for part in line.divide(span.end for span in line.spans):
        powers = POWERS.encode(encoding, "ignore").decode(encoding)
        text = part.plain if powers == POWERS else _TENS.sub(r"10^\1", part.plain)
        spelled = text.encode(encoding, SPELLING).decode(encoding)
        result.append(spelled, part.spans[0].style if part.spans else "")
    return result


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """What stands for signs that an encoding lacks, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    escaped = (one.encode("ascii", "backslashreplace").decode() for one in signs)
    return "".join(map(SPELLED.get, signs, escaped)), error.end


SPELLING = "paperformer.spelled"
codecs.register_error(SPELLING, _spelled)


WIDEST = 100
MARGIN = 4
GAP = 3  # between columns
WIDEST_LABEL = 22
WIDEST_CELL = 14
BAR = 40  # columns for a share of 1
EIGHTHS = " ▏▎▍▌▋▊▉"

CHAPTER, TITLE, FORMULA, WORKED = "cyan", "bold", "bold yellow", "green"
LABEL, FOCUS, QUIET, SHARE = "cyan", "bold yellow", "dim", "blue"


def page_lines(page: Page, number: str, width: int) -> list[Text]:
    """The lines of a page; `number` stands at the right of its head line."""
    lines = [Text(), *_head(page, number, width), Text()]
    inner = width - 2 * MARGIN
    for part in _body(page, inner):
        for line in part:
            line.pad_left(MARGIN)
            lines.append(line)
        lines.append(Text())
    return lines


def wrapped(text: str, width: int, hanging: int = 0) -> list[str]:
    """The text in lines of at most `width` columns, broken at spaces, long words anywhere.

    Lines after the first are indented by `hanging`.
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        left = width - (hanging if lines else 0)
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= left:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = chop_cells(word, width - hanging) or [""]
        lines += full
    lines.append(line)
    return [lines[0], *(" " * hanging + line for line in lines[1:])]


def table_lines(table: WalkTable, width: int) -> Iterator[Text]:
    """A table; where it is too wide, its columns go on in further groups below."""
    rows = [wrapped(label, WIDEST_LABEL) for label in table.rows]
    texts = zip(table.columns, *table.cells, strict=True)
    columns = [[wrapped(text, WIDEST_CELL) for text in column] for column in texts]
    left = max(cell_len(part) for label in rows for part in label) + 2
    widths = [max(cell_len(part) for cell in column for part in cell) for column in columns]
    groups, used = [range(0)], 0
    for j, wide in enumerate(widths):
        used += wide + GAP
        if groups[-1] and used > width - left:
            groups.append(range(j, j))
            used = wide + GAP
        groups[-1] = range(groups[-1].start, j + 1)
    if table.title:
        yield from (Text(line, TITLE) for line in wrapped(table.title, width))
    for k, group in enumerate(groups):
        if k:
            yield Text()
        line = _RowLine(left, [widths[j] for j in group], right=not table.words)
        yield from line.texts([""], [columns[j][0] for j in group], LABEL)
        yield Text("─" * (left + sum(line.widths) + GAP * len(group)), QUIET)
        for i, label in enumerate(rows):
            focus = i == table.focus
            named = [("► " if focus and not n else "  ") + part for n, part in enumerate(label)]
            cells = [columns[j][i + 1] for j in group]
            yield from line.texts(named, cells, FOCUS if focus else "")


class _RowLine(NamedTuple):
    """How wide the label and the cells of a table's row are, and whether cells stand right."""

    left: int
    widths: list[int]
    right: bool

    def texts(self, label: list[str], cells: list[list[str]], style: str) -> Iterator[Text]:
        """The lines of a row."""
        for first, *rest in zip_longest(label, *cells, fillvalue=""):
            line = Text().append(padded(first, self.left), style or LABEL)
            for part, width in zip(rest, self.widths, strict=True):
                line.append(" " * GAP + padded(part, width, self.right), style)
            line.rstrip()
            yield line


def chart_lines(chart: Chart, width: int) -> Iterator[Text]:
    """Bars from 0 to 1, the printed share behind each."""
    labels = [wrapped(label, WIDEST_LABEL) for label in chart.labels]
    left = max(cell_len(part) for label in labels for part in label)
    yield from (Text(line, TITLE) for line in wrapped(chart.title, width))
    for label, share, shown in zip(labels, chart.shares, chart.shown, strict=True):
        line = Text().append(padded(label[0], left) + "  ", LABEL)
        yield line.append(bar(share) + " ", SHARE).append(shown)
        yield from (Text(part, LABEL) for part in label[1:])


def bar(share: float) -> str:
    """A share of 1 as a bar, to an eighth of a column."""
    full, eighth = divmod(round(share * BAR * 8), 8)
    return "█" * full + EIGHTHS[eighth].strip()


def _head(page: Page, number: str, width: int) -> list[Text]:
    named = " · ".join(part for part in (page.chapter, page.place) if part)
    inner_width, margin = width - 2 * MARGIN, " " * MARGIN
    *lines, last = wrapped(named, inner_width - cell_len(number) - 1)
    space = " " * (inner_width - cell_len(last) - cell_len(number))
    return [
        *(Text(margin + line, CHAPTER) for line in lines),
        Text().append(margin + last, CHAPTER).append(space + number, QUIET),
        Text(margin + "━" * inner_width, CHAPTER),
    ]


def _body(page: Page, width: int) -> Iterator[list[Text]]:
    yield [Text(line, TITLE) for line in wrapped(page.title, width)]
    yield [Text(line) for line in wrapped(page.sentence, width)]
    if page.formula:
        yield [Text("  " + line, FORMULA) for line in wrapped(page.formula, width - 2, 4)]
    if page.worked:
        example = [Text(line, QUIET) for line in wrapped(page.example, width) if page.example]
        lines = [part for line in page.worked for part in wrapped(line, width - 2, 4)]
        yield [*example, *(Text("  " + line, WORKED) for line in lines)]
    for one in page.tables:
        yield list(table_lines(one, width))
    for chart in page.charts:
        yield list(chart_lines(chart, width))
    if page.notes:
        yield [Text(line, QUIET) for note in page.notes for line in wrapped(note, width)]


def padded(text: str, width: int, right: bool = False) -> str:
    """The text as wide as its column appears on a screen, spaces before or behind it."""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


INTERRUPT = "\x03"


def keyboard(stream: TextIO) -> ReadKey | None:
    """A function that waits for one key and gives it back; None where nobody sits at a keyboard.

    A stream that has ended reads as "q"; Ctrl-C raises KeyboardInterrupt.
    """
    return (lambda: _pressed(stream)) if stream.isatty() else None


if sys.platform == "win32":
    import msvcrt

    def _pressed(stream: TextIO) -> str:
        return _checked(msvcrt.getwch())

else:
    import os
    import termios
    import tty

    def _pressed(stream: TextIO) -> str:
        keyboard_terminal = stream.fileno()
        before = termios.tcgetattr(keyboard_terminal)
        try:
            tty.setcbreak(keyboard_terminal, termios.TCSADRAIN)  # a key pressed early still counts
            return _checked(os.read(keyboard_terminal, 1).decode("ascii", "replace"))
        finally:
            termios.tcsetattr(keyboard_terminal, termios.TCSADRAIN, before)


def _checked(key: str) -> str:
    if key == INTERRUPT:
        raise KeyboardInterrupt
    return key or "q"
