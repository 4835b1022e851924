"""The curve of a training as a picture: the loss over the steps, drawn by ourselves."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from generator.notation.shown import number

LEFT, TOP, WIDTH, HEIGHT = 16.0, 9.0, 140.0, 56.0  # of the field of the curve, in mm
PAGE, FOOT, SMALL = 160.0, 12.0, 3.2  # the whole width, room below the field, height of type
TALL = TOP + HEIGHT + FOOT  # the whole height
NEAR = 0.1  # points nearer together than this are one
MOST_TICKS = 6
FINE = (1, 2, 5)


@dataclass(frozen=True)
class LossChart:
    """Losses with their steps, counted from 1, on an axis with ten times as many in each part.

    `type` is the height of letters and digits in millimetres.
    """

    points: tuple[tuple[int, float], ...]
    type: float = SMALL

    def svg(
        self, across: str, up: str, language: str, marks: Mapping[str, int] | None = None
    ) -> str:
        """The picture, with names at its axes and letters at the steps that are marked.

        Without marks it is a file of its own.
        """
        alone = '" font-family="sans-serif' if marks is None else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {PAGE:g} {TALL:g}" '
            f'width="{PAGE:g}mm" height="{TALL:g}mm{alone}" font-size="{self.type:g}" '
            'fill="#14202b">'
        )
        names = [_text(LEFT, TOP - 4, "start", up)]
        names.append(_text(LEFT + WIDTH, TOP + HEIGHT + 2.6 * self.type, "end", across))
        parts = (self._grid(language), names, [self._curve()], self._marks(marks or {}))
        title = f"<title>{escape(up)}, {escape(across)}</title>"
        return "\n".join([head, title, *(line for part in parts for line in part), "</svg>", ""])

    def x(self, step: float) -> float:
        """Where a step is, from the left."""
        last = max(self.points[-1][0], 2)
        return LEFT + WIDTH * math.log(step) / math.log(last)

    def y(self, loss: float) -> float:
        """Where a loss is, from above."""
        return TOP + HEIGHT * (1.0 - loss / self.ticks()[-1])

    def ticks(self) -> tuple[float, ...]:
        """The losses at the grid: from 0 in equal parts to the first beyond the largest."""
        largest = max(loss for _, loss in self.points)
        size = 10.0 ** math.floor(math.log10(largest)) if largest > 0 else 1.0
        wide = (size * f / 10 * k for k in (1, 10) for f in FINE)
        part = next((one for one in wide if largest / one <= MOST_TICKS - 1), size)
        return tuple(part * k for k in range(math.ceil(largest / part - 1e-9) + 1))

    def steps(self) -> tuple[int, ...]:
        """The steps at the grid: 1, 2, 5, 10, … as far as the curve goes."""
        last = self.points[-1][0]
        powers = range(len(str(last)))
        return tuple(f * 10**k for k in powers for f in FINE if f * 10**k <= last)

    def _grid(self, language: str) -> Iterator[str]:
        ticks = self.ticks()
        decimals = max(0, -math.floor(math.log10(ticks[1])))
        for loss in ticks:
            y = self.y(loss)
            yield _line(LEFT, y, LEFT + WIDTH, y)
            shown = number(loss, decimals, language)
            yield _text(LEFT - 2, y + 0.35 * self.type, "end", shown)
        for step in self.steps():
            x = self.x(step)
            yield _line(x, TOP, x, TOP + HEIGHT)
            yield _text(x, TOP + HEIGHT + 1.3 * self.type, "middle", str(step))

    def _curve(self) -> str:
        points: list[tuple[float, float]] = []
        for step, loss in self.points:
            x, y = self.x(step), self.y(loss)
            if not points or math.hypot(x - points[-1][0], y - points[-1][1]) >= NEAR:
                points.append((x, y))
        places = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        return f'<polyline points="{places}" fill="none" stroke="#14202b" stroke-width="0.6"/>'

    def _marks(self, marks: Mapping[str, int]) -> Iterator[str]:
        losses = dict(self.points)
        for letter, step in marks.items():
            x, y = self.x(step), self.y(losses[step])
            yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.3"/>'
            wide = 0.62 * self.type * len(letter) + 1.0
            left = min(x + 1.6, LEFT + WIDTH - wide)
            yield _patch(left - 0.5, y - 2.0 - 0.9 * self.type, wide, 1.1 * self.type)
            yield _text(left, y - 2.0, "start", letter, ' font-weight="bold"')


def _patch(x: float, y: float, width: float, height: float) -> str:
    """A white field below a name, so that no line of the grid runs through it."""
    place = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    return f'<rect {place} fill="#fff"/>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    places = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
    return f'<line {places} stroke="#565c60" stroke-width="0.25"/>'


def _text(x: float, y: float, anchor: str, text: str, more: str = "") -> str:
    place = f'x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"{more}'
    return f"<text {place}>{escape(text)}</text>"
