"""The curve of a training as a picture: the loss over the steps, drawn by ourselves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, StrictUndefined, Template

from generator.notation.shown import number
from generator.resources import template

LEFT, TOP, WIDTH, HEIGHT = 16.0, 9.0, 140.0, 56.0  # of the field of the curve, in mm
PAGE, FOOT, SMALL = 160.0, 12.0, 3.2  # the whole width, room below the field, height of type
TALL = TOP + HEIGHT + FOOT  # the whole height
FIELD = {
    "left": LEFT,
    "right": LEFT + WIDTH,
    "top": TOP,
    "bottom": TOP + HEIGHT,
    "page": PAGE,
    "tall": TALL,
}
READING = 3.0  # mm by which a reader may miss a place on the axis of steps
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
        names = {"across": across, "up": up, "language": language, "marks": marks}
        svg: str = _drawing().render(c=self, losses=dict(self.points), **names, **FIELD)
        return svg

    def x(self, step: float) -> float:
        """Where a step is, from the left."""
        last = max(self.points[-1][0], 2)
        return LEFT + WIDTH * math.log(step) / math.log(last)

    def near(self, step: int) -> tuple[int, int]:
        """The first and the last step that somebody may read a step as, who is nearly right."""
        last = max(self.points[-1][0], 2)
        factor = math.exp(READING / WIDTH * math.log(last))
        return max(1, math.floor(step / factor)), min(last, math.ceil(step * factor))

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

    def shown(self, loss: float, language: str) -> str:
        """A loss at the grid, with the decimals of the first one."""
        return number(loss, max(0, -math.floor(math.log10(self.ticks()[1]))), language)

    def steps(self) -> tuple[int, ...]:
        """The steps at the grid: 1, 2, 5, 10, … as far as the curve goes."""
        last = self.points[-1][0]
        powers = range(len(str(last)))
        return tuple(f * 10**k for k in powers for f in FINE if f * 10**k <= last)

    def curve(self) -> str:
        """The places of the curve's points, as SVG has them."""
        points: list[tuple[float, float]] = []
        for step, loss in self.points:
            x, y = self.x(step), self.y(loss)
            if not points or math.hypot(x - points[-1][0], y - points[-1][1]) >= NEAR:
                points.append((x, y))
        return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


@cache
def _drawing() -> Template:
    text = template("loss_chart.svg.j2").read_text(encoding="utf-8")
    strict = Environment(
        undefined=StrictUndefined, autoescape=True, trim_blocks=True, keep_trailing_newline=True
    )
    return strict.from_string(text)
