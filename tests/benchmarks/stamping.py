"""A class's work leaves stamped, against each laid out on its own, and against Typst."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

import typst

from generator.render.worksheet.sheet import render
from generator.render.worksheet.stamp.template import Seat, Template
from generator.sheets.options import VARIANTS
from tests.benchmarks.sheets import typst_source
from tests.support.stamped import WORK, pupil

SHEETS = ("4a", "6")
PUPILS = 30
MEASURED = 2  # pupils rendered in full and set by Typst; each of them takes the same time
ROUNDS = 5


class Stamping(NamedTuple):
    """Milliseconds of processor time for one file each, and how often stamping is faster.

    `whole` is a class from nothing, with what is laid out once for all files; `stamped` is the
    same class once more, when all of that is there.
    """

    whole: float
    stamped: float
    full: float
    typst: float

    @property
    def without_templates(self) -> float:
        """Full rendering by stamping."""
        return self.full / self.stamped

    @property
    def with_templates(self) -> float:
        """The same with the templates' time shared by all files."""
        return self.full / self.whole

    @property
    def than_typst(self) -> float:
        """Typst by stamping, templates included."""
        return self.typst / self.whole


def measured(pupils: int = PUPILS, compared: int = MEASURED, rounds: int = ROUNDS) -> Stamping:
    """Means over sheets, pupils and variants; of some rounds, in turn, the medians."""
    seats = [pupil(k) for k in range(pupils)]
    for sheet in SHEETS:  # fonts, style sheets, page templates: loaded for all
        render(sheet, seats[0].trace, seats[0].exact, WORK)
        Template.lay_out(sheet, seats[0].trace, seats[0].exact, WORK)
    found = [(*_class(seats), *_compared(seats[:compared])) for _ in range(rounds)]
    return Stamping(*(1000 * median(times) for times in zip(*found, strict=True)))


def _class(seats: Sequence[Seat]) -> tuple[float, float]:
    """Seconds a file for a class from nothing, and for stamping it once more."""
    start = time.process_time()
    templates = []
    for sheet in SHEETS:
        templates.append(Template.lay_out(sheet, seats[0].trace, seats[0].exact, WORK))
        templates[-1].learn(seats)  # as a batch does for each portion of a class
    _stamp(templates, seats)
    first = time.process_time()
    _stamp(templates, seats)
    second = time.process_time()
    files = len(seats) * len(SHEETS) * len(VARIANTS)
    return (first - start) / files, (second - first) / files


def _stamp(templates: Iterable[Template], seats: Sequence[Seat]) -> None:
    for made in templates:
        for seat in seats:
            for variant in VARIANTS:
                made.stamp(seat, variant)


def _compared(seats: Sequence[Seat]) -> tuple[float, float]:
    """Seconds a file for full rendering, and for Typst."""
    start = time.process_time()
    for seat in seats:
        for sheet in SHEETS:
            for variant in VARIANTS:
                own = replace(WORK, code=seat.code)
                render(sheet, seat.trace, seat.exact, own, variant=variant)
    full = time.process_time()
    for seat in seats:
        for _ in range(len(SHEETS) * len(VARIANTS)):
            typst.compile(typst_source(seat.trace).encode())
    end = time.process_time()
    files = len(seats) * len(SHEETS) * len(VARIANTS)
    return (full - start) / files, (end - full) / files


def table(found: Stamping) -> str:
    """The result as lines for the benchmark's page."""
    return "\n".join(
        (
            f"stamped {found.stamped:.2f} ms, with templates {found.whole:.2f} ms a file, "
            f"full {found.full:.0f} ms, Typst {found.typst:.0f} ms",
            f"full / stamped {found.without_templates:.0f}x, with templates "
            f"{found.with_templates:.0f}x; Typst / stamped with templates {found.than_typst:.1f}x",
        )
    )


if __name__ == "__main__":
    print(table(measured()))
