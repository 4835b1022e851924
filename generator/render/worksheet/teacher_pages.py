"""A teacher's papers for a class: check pages, the board, the index of the solutions."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from generator.locales.catalogue import load
from generator.render.worksheet.binding import joined, page_count
from generator.render.worksheet.edition import EditionPage
from generator.render.worksheet.pdf import PdfDocument, document_css, in_browser
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import as_asked, environment
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6.plan import DRAWS
from generator.version import __version__

LINES = 31  # a page, with room for the heads above and the slips below
FRAME = 7  # lines that the head and the slips of a further table take
AT_ONCE = 2  # pages laid out together: each takes some 16 MB while it is
INDEX_LINES = 100  # a page of the index, in two columns
BOARD_WORDS = 12
MARKS = 200  # pages with nothing but their number, laid out together
ACROSS = ("check", "board")  # printed on A4 across
LARGE_CLASS = 35  # pupils, of whom each marks one box where all have numbers of their own


class Control(NamedTuple):
    """A control value: the title of its step, the column or row that it stands in.

    `slips` are the wrong numbers that usual slips give in its cell, by their keys.
    """

    title: str
    label: str
    value: str
    slips: Mapping[str, str] = MappingProxyType({})


class CheckLine(NamedTuple):
    """One pupil's line of a check page.

    Who, the mark of the level, the own token, control values with what slips give.
    """

    code: str
    key: str
    name: str
    mark: str
    own: str
    controls: tuple[Control, ...]


class IndexLine(NamedTuple):
    """Where in the solutions a pupil begins, by the page of the file; `number` is 0 for none."""

    number: int
    code: str
    key: str
    name: str
    page: int


class TableHead(NamedTuple):
    """A title of a check page's table, over how many controls, and the slips behind the last."""

    title: str
    controls: int
    slips: Sequence[str]


class CheckTable(NamedTuple):
    """Lines of a check page with the same steps; `own` says whether own tokens have a column.

    `heads` are the titles, `slips` for each control the keys of the slips that stand beside it.
    """

    mark: str
    lines: Sequence[CheckLine]
    heads: Sequence[TableHead]
    slips: Sequence[Sequence[str]]
    own: bool

    @property
    def known(self) -> Sequence[str]:
        """The keys of all slips, in the order in which they are numbered."""
        return list(dict.fromkeys(key for keys in self.slips for key in keys))


def check_pages(
    lines: Mapping[str, Sequence[CheckLine]], options: SheetOptions, kind: str = "pdf"
) -> bytes:
    """The check pages of each sheet, with a table of each level and where steps differ.

    A slip that nobody could make has no column, and own tokens have one only where they differ.
    Laid out a few pages at a time, so that many pupils take no more memory than some.
    """
    pages = [
        {"sheet": sheet, "tables": tables, "marks": dict.fromkeys(one.mark for one in tables)}
        for sheet, everybody in lines.items()
        for tables in _packed(_tables(everybody))
    ]
    if kind == "html" or in_browser(options):
        return _paper("check", options, kind, pages=pages)
    parts: list[bytes] = []
    before = 0
    for k in range(0, len(pages), AT_ONCE):
        parts.append(_paper("check", options, kind, before=before, pages=pages[k : k + AT_ONCE]))
        before += page_count(parts[-1])
    return joined(parts)


def _tables(everybody: Sequence[CheckLine]) -> Iterator[CheckTable]:
    for (mark, titles), lines in _alike(everybody).items():
        slips = [_keys(lines, k) for k in range(len(titles))]
        heads = _heads(titles, slips)
        own = len({line.own for line in lines}) > 1
        for k in range(0, len(lines), LINES):
            yield CheckTable(mark, lines[k : k + LINES], heads, slips, own)


def _keys(lines: Sequence[CheckLine], control: int) -> list[str]:
    """The slips that anybody has beside a control."""
    return list(dict.fromkeys(key for line in lines for key in line.controls[control].slips))


def _heads(titles: Sequence[str], slips: Sequence[Sequence[str]]) -> list[TableHead]:
    """Titles over controls; one stands over several where no slips stand between them."""
    heads: list[TableHead] = []
    for title, keys in zip(titles, slips, strict=True):
        last = heads[-1] if heads else None
        if last and last.title == title and not last.slips:
            heads[-1] = TableHead(title, last.controls + 1, keys)
        else:
            heads.append(TableHead(title, 1, keys))
    return heads


def _packed(tables: Iterator[CheckTable]) -> Iterator[list[CheckTable]]:
    """As many tables on a page as it has room for."""
    page: list[CheckTable] = []
    for table in tables:
        if page and sum(len(one.lines) + FRAME for one in [*page, table]) > LINES + FRAME:
            yield page
            page = []
        page.append(table)
    if page:
        yield page


def _alike(lines: Sequence[CheckLine]) -> dict[tuple[str, tuple[str, ...]], list[CheckLine]]:
    """The lines that go into one table: those of a level with the same steps."""
    tables: dict[tuple[str, tuple[str, ...]], list[CheckLine]] = {}
    for line in lines:
        titles = tuple(one.title for one in line.controls)
        tables.setdefault((line.mark, titles), []).append(line)
    return tables


def board(
    tokens: Sequence[str],
    words: Sequence[str],
    options: SheetOptions,
    rows: Mapping[int, Sequence[str]],
    kind: str = "pdf",
) -> bytes:
    """What a class fills together: the matrix of all tokens, a grid to count words in.

    The matrix is empty but for `rows`. Without tokens or without words that page is left out.
    Above each word there are as many boxes as can hit it: all printed draws, or one a pupil where
    their numbers are not the same.
    """
    most = LARGE_CLASS if options.alone else DRAWS
    shown = words[:BOARD_WORDS]
    return _paper("board", options, kind, tokens=tokens, words=shown, rows=rows, most=most)


def index(lines: Sequence[IndexLine], options: SheetOptions) -> bytes:
    """The index of the solutions: each pupil's code, id or printed name, and page."""
    return as_printed(index_html(lines, options), options, "index")


def index_html(lines: Sequence[IndexLine], options: SheetOptions) -> str:
    """The index's HTML; a line of page 0 leads to the pupil's place in the same file."""
    pages = [lines[k : k + INDEX_LINES] for k in range(0, len(lines), INDEX_LINES)]
    return _html("index", options, pages=pages)


def marks(count: int, options: SheetOptions) -> Iterator[bytes]:
    """What says on each page of a file which one it is: PDFs of some pages each."""
    for k in range(0, count, MARKS):
        yield _paper("marks", options, "pdf", pages=range(k + 1, min(count, k + MARKS) + 1))


def _paper(
    name: str, options: SheetOptions, kind: str, *, before: int = 0, **content: object
) -> bytes:
    """The paper as PDF or HTML; so many pages go before its first one."""
    return as_printed(_html(name, options, **content), options, name, kind, before=before)


def _html(name: str, options: SheetOptions, **content: object) -> str:
    template = environment().get_template(f"class-{name}.html.j2")
    return template.render(
        t=load(options.language).t, options=options, version=__version__, **content
    )


def as_printed(
    html: str, options: SheetOptions, name: str, kind: str = "pdf", *, before: int = 0
) -> bytes:
    """A teacher's paper from its HTML; where a browser prints it, its pages begin with 1."""
    where = f"{name} of the class"
    if kind == "html" or in_browser(options):
        page = EditionPage(html, ("class.css", *(["across.css"] if name in ACROSS else [])))
        return as_asked(page, kind, where)
    counted = f"@page :first {{ counter-reset: page {before + 1} }}"
    css = (document_css(), style(), style("class.css"), counted)
    return PdfDocument(html, css, Formulas(), where).to_pdf()
