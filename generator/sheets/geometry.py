"""Widths of tables on paper, in millimetres."""

from typing import NamedTuple

LABELS = 12  # the two narrow columns of labels in Falk's scheme
PAGE = 158  # for the numbers of a scheme


class Scheme(NamedTuple):
    """The columns of a product in Falk's scheme: how many, how wide is one of each kind."""

    factors: int
    products: int
    given: float
    result: float

    @property
    def total(self) -> float:
        """The width of the table."""
        return LABELS + self.factors * self.given + self.products * self.result


class Grid(NamedTuple):
    """A column of labels and equal columns of numbers; `rest` is what stands right of them."""

    label: float
    cells: int
    cell: float
    rest: float = 0

    @property
    def total(self) -> float:
        """The width of the table."""
        return self.label + self.cells * self.cell + self.rest


def grid(label: float, count: int, room: float, widest: float, rest: float = 0) -> Grid:
    """Equal columns that share the room, none wider than the widest."""
    return Grid(label, count, min(widest, room / count), rest)
