"""A teacher's papers for a class: check pages, the board, the index of the solutions."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.render.worksheet.maths import Formulas
from generator.render.worksheet.options import SheetOptions
from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.sheet import environment, style
from generator.text.catalogue import load
from generator.version import __version__

LINES = 32  # a page, with room for the heads above and the slips below
INDEX_LINES = 100  # a page of the index, in two columns
BOARD_WORDS = 12


class Control(NamedTuple):
    """A control value: the title of its step ("" for none), the column that it stands in."""

    title: str
    label: str
    value: str


class CheckLine(NamedTuple):
    """One pupil's line of a check page: who, the own token, control values, slips by key."""

    code: str
    key: str
    name: str
    own: str
    controls: tuple[Control, ...]
    slips: Mapping[str, str]


class IndexLine(NamedTuple):
    """Where in the solutions a pupil begins, by the page of the file."""

    code: str
    key: str
    page: int


def check_pages(lines: Mapping[str, Sequence[CheckLine]], options: SheetOptions) -> bytes:
    """The check pages of each sheet as PDF; a slip that nobody could make has no column."""
    tables = [
        {
            "sheet": sheet,
            "pages": [found[k : k + LINES] for k in range(0, len(found), LINES)],
            "slips": list(dict.fromkeys(key for line in found for key in line.slips)),
            "titles": max((tuple(one.title for one in line.controls) for line in found), key=len),
        }
        for sheet, found in lines.items()
    ]
    return _paper("check", options, tables=tables)


def board(tokens: Sequence[str], words: Sequence[str], options: SheetOptions) -> bytes:
    """What a class fills together: the empty matrix of all tokens, a grid to count words in.

    Without tokens or without words that page is left out.
    """
    return _paper("board", options, tokens=tokens, words=words[:BOARD_WORDS])


def index(lines: Sequence[IndexLine], options: SheetOptions) -> bytes:
    """The index of the solutions: each pupil's code, id and page."""
    pages = [lines[k : k + INDEX_LINES] for k in range(0, len(lines), INDEX_LINES)]
    return _paper("index", options, pages=pages)


def _paper(name: str, options: SheetOptions, **content: object) -> bytes:
    catalogue = load(options.language)
    template = environment().get_template(f"class-{name}.html.j2")
    html = template.render(t=catalogue.t, options=options, version=__version__, **content)
    css = (document_css(), style(), style("class.css"))
    return to_pdf(html, css, Formulas(), where=f"{name} of the class")
