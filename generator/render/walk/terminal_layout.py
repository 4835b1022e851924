"""Lays a page out as lines of a terminal: wide margins, nothing beyond 100 columns."""

from collections.abc import Iterator
from itertools import zip_longest

from rich.cells import cell_len, chop_cells
from rich.text import Text

from generator.render.walk.page import Chart, Page, Table

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


def table_lines(table: Table, width: int) -> Iterator[Text]:
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
