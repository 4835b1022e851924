"""Widths of tables, lengths of bars, heads of arrows and spinners on paper, in millimetres.

Also here:

* Numbers without needless zeros: an exact computation with few decimals shows just those.
"""

from math import cos, hypot, pi, sin
from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.notation.shown import shown_decimals
from generator.sheets.attending import attended

LABELS = 12  # the two narrow columns of labels in Falk's scheme
PAGE = 158  # for the numbers of a scheme
AXIS_MM = 100  # of bars: 1 mm is 1 per cent
BESIDE_MM = 0.46  # from the 0 of the scale, in the middle of the axis, to where its ink has ended
HEAD, HALF = 2.8, 1.0  # of an arrow: how long its head is, and half as wide


class Mm(float):
    """A length in millimetres, written as CSS has it: `12.50mm`."""

    def __str__(self) -> str:
        return f"{self:.2f}mm"


class FalkScheme(NamedTuple):
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


def grid(label: float, count: int, width: float, widest: float, rest: float = 0) -> Grid:
    """Equal columns that share the room, none wider than the widest."""
    return Grid(label, count, min(widest, width / count), rest)


def arrow_head(start: tuple[float, float], tip: tuple[float, float]) -> str:
    """The head of an arrow as an SVG path, to be filled; "" where the arrow has no length."""
    (x, y), length = tip, hypot(tip[0] - start[0], tip[1] - start[1])
    if length < HALF:
        return ""
    along = ((x - start[0]) / length, (y - start[1]) / length)
    back = (x - HEAD * along[0], y - HEAD * along[1])
    sides = [(back[0] - k * HALF * along[1], back[1] + k * HALF * along[0]) for k in (1, -1)]
    return "M" + "L".join(f"{a:.2f} {b:.2f}" for a, b in (tip, *sides)) + "Z"


def on_circle(share: float, radius: float) -> tuple[str, str]:
    """A point of a spinner of 200 by 200: so much of the way round, clockwise from the top."""
    angle = 2 * pi * share
    return f"{100 + radius * sin(angle):.2f}", f"{100 - radius * cos(angle):.2f}"


HALVINGS = {1.0: 0, 2.0: 1, 4.0: 2}  # what dividing by these adds to the decimals


def compact(trace: Trace, at: str) -> tuple[Step, ...]:
    """A head's steps up to the scaled scores, shown with as many decimals as they can need.

    How many that are follows from the given numbers alone: a product has the decimals of its
    factors together. Nothing changes where numbers are rounded on the way, or need more.
    """
    if trace.rounding != "exact":
        return ()
    x = _full(trace, attended(trace))
    need = {name: x + _full(trace, f"{at}.weight.{name}") for name in PROJECTED}
    if any(f"{at}.bias.{name}" in trace for name in PROJECTED):
        return ()
    need["scores"] = need["query"] + need["key"]
    divisor = float(trace["scale"].values[0, 0])
    if divisor in HALVINGS:
        need["scaled"] = need["masked"] = need["scores"] + HALVINGS[divisor]
    steps = [(trace[f"{at}.{name}"], n) for name, n in need.items() if f"{at}.{name}" in trace]
    steps += [(trace["scale"], 0)] if divisor in HALVINGS else []
    return tuple(s._replace(decimals=n) for s, n in steps if s.decimals and n < s.decimals)


PROJECTED = ("query", "key", "value")


def _full(trace: Trace, name: str) -> int:
    """How many decimals a step's numbers have when nothing is cut off."""
    return shown_decimals(trace[name]._replace(decimals=None))
