"""A class's work leaves stamped, against each laid out on its own, and against Typst.

`python -m tests.benchmarks.stamping` prints it; layouts are counted, the computation is not.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import median
from typing import NamedTuple

import typst

from generator.render.worksheet.stamp.template import Template
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import VARIANTS
from generator.sheets.plan import Plan
from tests.benchmarks.sheets import typst_source
from tests.support.stamped import pupil

SHEETS = ("4a", "6")
PUPILS, MANY = 30, 300
COMPARED = 2  # pupils rendered in full and set by Typst; each of them takes the same time
ROUNDS = 5


class Stamping(NamedTuple):
    """Milliseconds of processor time a file.

    A class's blanks, its whole set (blanks and solutions), that of a large class, with all
    layouts; a file more when all is laid out; full rendering of blanks and of all; Typst.
    """

    blanks: float
    whole: float
    large: float
    further: float
    full_blank: float
    full: float
    typst: float


def measured(pupils: int = PUPILS, many: int = MANY, rounds: int = ROUNDS) -> Stamping:
    """Means over sheets, pupils and variants; of some rounds, in turn, the medians."""
    seats = [pupil(k) for k in range(max(pupils, many))]
    small, compared = seats[:pupils], seats[:COMPARED]
    for variant in VARIANTS:  # fonts, style sheets, page templates: loaded for all
        _full(seats[:1], (variant,))
        _class(seats[:1], (variant,))
    found = [
        (
            _timed(_class, small, VARIANTS[:1]),
            _timed(_class, small, VARIANTS),
            _timed(_full, compared, VARIANTS[:1]),
            _timed(_full, compared, VARIANTS),
            _timed(_typst, compared, VARIANTS),
        )
        for _ in range(rounds)
    ]
    blanks, whole, full_blank, full, by_typst = map(median, zip(*found, strict=True))
    large = _timed(_class, seats[:many], VARIANTS)
    further = (large * many - whole * pupils) / (many - pupils)
    return Stamping(blanks, whole, large, further, full_blank, full, by_typst)


Files = Callable[[Sequence[PrintedSheet], Sequence[str]], None]


def _timed(made: Files, seats: Sequence[PrintedSheet], variants: Sequence[str]) -> float:
    start = time.process_time()
    made(seats, variants)
    files = len(seats) * len(SHEETS) * len(variants)
    return 1000 * (time.process_time() - start) / files


def _class(seats: Sequence[PrintedSheet], variants: Sequence[str]) -> None:
    for sheet in SHEETS:
        pupils = [replace(seat, sheet=sheet) for seat in seats]
        for variant in variants:
            template = cache(partial(_laid_out, pupils[0], variant))
            usual = template(None)
            plans = [own.plan.bare for own in pupils]
            fillings = [
                (usual if plan == usual.own.plan.bare else template(plan)).filling(own)
                for plan, own in zip(plans, pupils, strict=True)
            ]
            for filling in fillings:
                filling.file()


def _laid_out(own: PrintedSheet, variant: str, asked: Plan | None) -> Template:
    """The layout for those who are asked the same; a pupil's own numbers may decide what."""
    return Template(replace(own, chosen=asked), variant)


def _full(seats: Sequence[PrintedSheet], variants: Sequence[str]) -> None:
    for seat in seats:
        for sheet in SHEETS:
            for variant in variants:
                replace(seat, sheet=sheet).file(variant=variant)


def _typst(seats: Sequence[PrintedSheet], variants: Sequence[str]) -> None:
    for seat in seats:
        for _ in range(len(SHEETS) * len(variants)):
            typst.compile(typst_source(seat.trace).encode())


def table(found: Stamping) -> str:
    """The result as lines for the benchmark's page."""
    return "\n".join(
        (
            f"a file: blanks {found.blanks:.1f} ms, blanks and solutions {found.whole:.1f} ms, "
            f"of a large class {found.large:.1f} ms, one more {found.further:.1f} ms; in full "
            f"{found.full_blank:.0f} and {found.full:.0f} ms, Typst {found.typst:.0f} ms",
            f"times as fast: blanks {found.full_blank / found.blanks:.0f}, blanks and solutions "
            f"{found.full / found.whole:.0f}, of a large class {found.full / found.large:.0f}, one "
            f"more {found.full / found.further:.0f}; than Typst {found.typst / found.whole:.1f}",
        )
    )


if __name__ == "__main__":
    print(table(measured()))
