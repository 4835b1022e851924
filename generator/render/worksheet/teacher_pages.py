"""A teacher's papers for a class: check pages, the board, the index of the solutions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from generator.locales.catalogue import load
from generator.render.worksheet.binding import joined, page_count
from generator.render.worksheet.edition import EditionPage
from generator.render.worksheet.pdf import PdfDocument, class_css, in_browser
from generator.render.worksheet.worksheet import as_asked, environment
from generator.sheets.context import typesetting
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


def _tables(everybody: Sequence[CheckLine]) -> Iterator[CheckTable]:
    """The tables: one of each level with the same steps, as long as a page."""
    alike: dict[tuple[str, tuple[str, ...]], list[CheckLine]] = {}
    for line in everybody:
        titles = tuple(one.title for one in line.controls)
        alike.setdefault((line.mark, titles), []).append(line)
    for (mark, titles), lines in alike.items():
        slips = [
            list(dict.fromkeys(key for one in controls for key in one.slips))
            for controls in zip(*(line.controls for line in lines), strict=True)
        ]
        heads: list[TableHead] = []
        for title, keys in zip(titles, slips, strict=True):
            # A title stands over several controls where no slips stand between them.
            above = heads and heads[-1].title == title and not heads[-1].slips
            controls = heads.pop().controls if above else 0
            heads.append(TableHead(title, controls + 1, keys))
        own = len({line.own for line in lines}) > 1
        for k in range(0, len(lines), LINES):
            yield CheckTable(mark, lines[k : k + LINES], heads, slips, own)


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


@dataclass(frozen=True)
class ClassPapers:
    """A teacher's papers for a class; where a browser prints them, their pages begin with 1."""

    options: SheetOptions
    kind: str = "pdf"

    def check(self, lines: Mapping[str, Sequence[CheckLine]]) -> bytes:
        """The check pages of each sheet, with a table of each level and where steps differ.

        A slip that nobody could make has no column, and own tokens have one only where they differ.
        Laid out a few pages at a time, so that many pupils take no more memory than some.
        """
        pages = [
            {"sheet": sheet, "tables": tables, "marks": dict.fromkeys(one.mark for one in tables)}
            for sheet, everybody in lines.items()
            for tables in _packed(_tables(everybody))
        ]
        if self._in_browser:
            return self._file("check", pages=pages)
        parts: list[bytes] = []
        before = 0
        for k in range(0, len(pages), AT_ONCE):
            parts.append(self._file("check", before, pages=pages[k : k + AT_ONCE]))
            before += page_count(parts[-1])
        return joined(parts)

    def board(
        self, tokens: Sequence[str], words: Sequence[str], rows: Mapping[int, Sequence[str]]
    ) -> bytes:
        """What a class fills together: the matrix of all tokens, a grid to count words in.

        The matrix is empty but for `rows`. Without tokens or without words that page is left out.
        Above each word there are as many boxes as can hit it: all printed draws, or one a pupil
        where their numbers are not the same.
        """
        most = LARGE_CLASS if self.options.alone else DRAWS
        few = words[:BOARD_WORDS]
        return self._file("board", tokens=tokens, words=few, rows=rows, most=most)

    def index(self, lines: Sequence[IndexLine]) -> bytes:
        """The index of the solutions: each pupil's code, id or printed name, and page."""
        return self._file("index", pages=_columns(lines))

    def index_html(self, lines: Sequence[IndexLine]) -> str:
        """The index's HTML; a line of page 0 leads to the pupil's place in the same file."""
        return self._html("index", pages=_columns(lines))

    def marks(self, count: int) -> Iterator[bytes]:
        """What says on each page of a file which one it is: PDFs of some pages each."""
        for k in range(0, count, MARKS):
            yield self._file("marks", pages=range(k + 1, min(count, k + MARKS) + 1))

    @property
    def _in_browser(self) -> bool:
        return self.kind == "html" or in_browser(self.options)

    def _html(self, name: str, **content: object) -> str:
        template = environment().get_template(f"class-{name}.html.j2")
        t = typesetting(load(self.options.language))
        return template.render(t=t, options=self.options, version=__version__, **content)

    def _file(self, name: str, before: int = 0, **content: object) -> bytes:
        """The filled page as it was asked for; so many pages go before its first one."""
        html, where = self._html(name, **content), f"{name} of the class"
        if self._in_browser:
            styles = ("class.css", *(["across.css"] if name in ACROSS else []))
            return as_asked(EditionPage(html, styles), self.kind, where)
        counted = f"@page :first {{ counter-reset: page {before + 1} }}"
        return PdfDocument(html, (*class_css(), counted), where=where).to_pdf()


def _columns(lines: Sequence[IndexLine]) -> list[Sequence[IndexLine]]:
    return [lines[k : k + INDEX_LINES] for k in range(0, len(lines), INDEX_LINES)]
