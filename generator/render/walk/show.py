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
from typing import TextIO

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from generator.locales.catalogue import Catalogue
from generator.notation.shown import POWERS
from generator.render.walk.page import Chart, Page, WalkTable

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


ReadKey = Callable[[], str]


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


SPELLED = {
    "·": "*",
    "×": "*",
    "÷": "/",
    "−": "-",
    "√": "sqrt",
    "∞": "inf",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "≠": "<>",
    "²": "^2",
    "ᵀ": "^T",
    "⁽": "(",
    "⁾": ")",
    "′": "'",
    "″": "''",
    "Σ": "Sum",
    "σ": "sigma",
    "μ": "mu",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "φ": "phi",
    "Φ": "Phi",
    "π": "pi",
    "…": "...",
    "→": "->",
    "►": ">",
    "─": "-",
    "━": "=",
    "█": "#",
    "▒": "x",
    "„": '"',
    "“": '"',
    "”": '"',
    "\N{NARROW NO-BREAK SPACE}": " ",
    **dict.fromkeys("▏▎▍▌▋▊▉", ""),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
    **dict(zip(POWERS, "0123456789", strict=True)),
}
_TENS = re.compile(f"(?<= )10([{POWERS}]+)")


def speaks_unicode(encoding: str) -> bool:
    """Whether a terminal with this encoding can show every sign."""
    return codecs.lookup(encoding).name.startswith("utf")


def replaced(line: Text, encoding: str) -> Text:
    """The line with each sign that the encoding lacks spelled in others; unknown ones escaped."""
    result = Text()
    for part in line.divide(span.end for span in line.spans):
        result.append(_spelled(part.plain, encoding), part.spans[0].style if part.spans else "")
    return result


def _spelled(text: str, encoding: str) -> str:
    text = text if _known(POWERS, encoding) else _TENS.sub(r"10^\1", text)
    return "".join(char if _known(char, encoding) else _instead(char, encoding) for char in text)


def _known(text: str, encoding: str) -> bool:
    return len(text.encode(encoding, "ignore").decode(encoding)) == len(text)


def _instead(char: str, encoding: str) -> str:
    return SPELLED.get(char, char.encode(encoding, "backslashreplace").decode(encoding))


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
    heads = [wrapped(label, WIDEST_CELL) for label in table.columns]
    columns = [[wrapped(row[j], WIDEST_CELL) for row in table.cells] for j in range(len(heads))]
    left = max(cell_len(part) for label in rows for part in label) + 2
    if table.title:
        yield from (Text(line, TITLE) for line in wrapped(table.title, width))
    for k, group in enumerate(_groups(heads, columns, width - left)):
        if k:
            yield Text()
        widths = [_width(heads[j], columns[j]) for j in group]
        yield from _aligned([""], [heads[j] for j in group], left, widths, LABEL, table.words)
        yield Text("─" * (left + sum(widths) + GAP * len(widths)), QUIET)
        for i, label in enumerate(rows):
            focus = i == table.focus
            cells = [columns[j][i] for j in group]
            named = [("► " if focus and not n else "  ") + part for n, part in enumerate(label)]
            style = FOCUS if focus else ""
            yield from _aligned(named, cells, left, widths, style, table.words)


def chart_lines(chart: Chart, width: int) -> Iterator[Text]:
    """Bars from 0 to 1, the printed share behind each."""
    labels = [wrapped(label, WIDEST_LABEL) for label in chart.labels]
    left = max(cell_len(part) for label in labels for part in label)
    yield from (Text(line, TITLE) for line in wrapped(chart.title, width))
    for label, share, shown in zip(labels, chart.shares, chart.shown, strict=True):
        line = Text().append(_padded(label[0], left) + "  ", LABEL)
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
    for table in page.tables:
        yield list(table_lines(table, width))
    for chart in page.charts:
        yield list(chart_lines(chart, width))
    if page.notes:
        yield [Text(line, QUIET) for note in page.notes for line in wrapped(note, width)]


def _groups(
    heads: list[list[str]], columns: list[list[list[str]]], width: int
) -> Iterator[list[int]]:
    group: list[int] = []
    used = 0
    for j, head in enumerate(heads):
        mine = _width(head, columns[j]) + GAP
        if group and used + mine > width:
            yield group
            group, used = [], 0
        group.append(j)
        used += mine
    yield group


def _width(head: list[str], cells: list[list[str]]) -> int:
    return max(cell_len(part) for parts in (head, *cells) for part in parts)


def _aligned(
    label: list[str],
    cells: list[list[str]],
    left: int,
    widths: list[int],
    style: str,
    words: bool,
) -> Iterator[Text]:
    for first, *rest in zip_longest(label, *cells, fillvalue=""):
        line = Text().append(_padded(first, left), style or LABEL)
        for part, width in zip(rest, widths, strict=True):
            shown = _padded(part, width) if words else _padded(part, width, right=True)
            line.append(" " * GAP + shown, style)
        line.rstrip()
        yield line


def _padded(text: str, width: int, right: bool = False) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


INTERRUPT = "\x03"


def keyboard(stream: TextIO) -> ReadKey | None:
    """A function that waits for one key and gives it back; None where nobody sits at a keyboard.

    A stream that has ended reads as "q"; Ctrl-C raises KeyboardInterrupt.
    """
    if not stream.isatty():
        return None
    return lambda: _pressed(stream)


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
