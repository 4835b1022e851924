"""What one page of the walk holds: words and printed numbers, no layout."""

from dataclasses import dataclass

MASK = "▒▒▒"  # a masked cell


@dataclass(frozen=True)
class WalkTable:
    """A labelled table of printed cells; `focus` is the row that the page works with.

    Where its title is a letter, `name` says what that stands for.

    Its example stands in `column`. `read` are the cells, by row and column, that the page's line of
    arithmetic takes.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    title: str = ""
    name: str = ""
    focus: int | None = None
    column: int = 0
    words: bool = False
    read: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Chart:
    """Bars of shares, each with its label, its share of 1 and the number printed beside it."""

    title: str
    labels: tuple[str, ...]
    shares: tuple[float, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """One page: a step (or several small ones) with everything that is said about it.

    `steps` are the names of the Trace; `worked` are lines of arithmetic below the formula. `inputs`
    are the tables that it is computed from, each under its letter; `letter` is that of the result.
    A `picture` is drawn on a screen and stands beside the table.
    """

    steps: tuple[str, ...]
    chapter: str
    place: str
    title: str
    sentence: str
    formula: str = ""
    example: str = ""
    worked: tuple[str, ...] = ()
    tables: tuple[WalkTable, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    inputs: tuple[WalkTable, ...] = ()
    letter: str = ""
    picture: str = ""
