"""What the template of sheet 3 may ask: places, angles, hands, waves, facts, slips.

Also here:

* The drawing of the positions' waves: where curves, gaps and marks stand, in millimetres.
* What sheet 3 says of its own result, each sentence with what must be true of it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.ops.linear import Angle, SineCosine
from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import GENERAL, Claim
from generator.insight.slips import Slip
from generator.locales.locale import locale_of
from generator.notation.shown import number, shown_decimals, shown_value, shown_values
from generator.sheets.attending import attended
from generator.sheets.context import Context, Help
from generator.sheets.geometry import Grid, arrow_head, grid
from generator.sheets.sheet2.plan import Plan2
from generator.sheets.sheet3.plan import NEARLY_ROUND, Plan3, WordAt
from generator.sheets.slots import fills, taken

AXIS_MM = 166.0  # the width of the grid to draw in
UNIT_MM, LARGE_UNIT_MM = (50.0, 40.0), (40.0, 25.0)  # for 1; beside a third table; in large print
LONG_LAST, LONG_UNIT_MM = 40, 11.0  # the waves of the info leaf, short of every far place
RADIUS = 18.0  # of a dial, in millimetres
SAME = 1e-9
ARC = RADIUS / 3
LEFT, TOP, BOTTOM, RIGHT = 11.0, 3.0, 6.0, 1.0
SAMPLE = 0.05  # of a position
TICK = 1.6  # mm; an answer's curve keeps this far from a gap's edges, where the blank has ink
MOST_UNIT = 26.0


class WaveMark(NamedTuple):
    """A mark at a position: a cross for a sine, a ring for a cosine."""

    x: float
    y: float
    ring: bool


@dataclass(frozen=True)
class Waves:
    """Positions 0 to `last` from left to right, −1 to 1 upwards; `gaps` are left white.

    The waves are unrounded. Nothing in a gap is ever asked of them for a blank.
    """

    divisors: np.ndarray
    dimensions: int
    last: float
    gaps: tuple[float, ...]
    unit_y: float

    @property
    def unit(self) -> float:
        """Millimetres from one position to the next."""
        return min(MOST_UNIT, (AXIS_MM - LEFT - RIGHT) / (self.last + 1))

    @property
    def height(self) -> float:
        """The height of the whole drawing."""
        return TOP + 2 * self.unit_y + BOTTOM

    @property
    def right(self) -> float:
        """The right end of the axis."""
        return self.x(self.last + 0.5)

    def x(self, position: float) -> float:
        """Where a position stands, in the middle of its own column."""
        return LEFT + (position + 0.5) * self.unit

    def y(self, value: float) -> float:
        """How far down a number stands."""
        return TOP + (1.0 - value) * self.unit_y

    def outside(self) -> list[tuple[float, float]]:
        """The stretches of the axis, in positions, that are no gap."""
        edges = [-0.5, *(e for g in sorted(self.gaps) for e in (g - 0.5, g + 0.5)), self.last + 0.5]
        stretches = zip(edges[::2], edges[1::2], strict=True)
        return [(start, end) for start, end in stretches if end - start > 1e-9]

    def curves(self, column: int) -> list[str]:
        """A dimension's wave outside the gaps, as SVG paths; it begins at position 0."""
        return [self._path(column, max(0.0, start), end) for start, end in self.outside()]

    def inside(self, column: int, gap: float) -> str:
        """A dimension's wave within a gap. Only for solutions."""
        margin = TICK / self.unit * 1.5
        return self._path(column, max(0.0, gap - 0.5 + margin), gap + 0.5 - margin)

    def marks(self, column: int) -> list[WaveMark]:
        """The marks of a dimension at the whole positions outside the gaps."""
        places = [float(k) for k in range(int(self.last) + 1) if float(k) not in self.gaps]
        return [WaveMark(x, y, column % 2 == 1) for x, y in self.points(column, places)]

    def points(self, column: int, places: list[float]) -> list[tuple[float, float]]:
        """Where a dimension's wave is at some positions."""
        angles = Angle().value(np.array(places)[:, None], self.divisors)
        values = SineCosine(self.dimensions).value(angles)[:, column].tolist()
        return [(self.x(p), self.y(v)) for p, v in zip(places, values, strict=True)]

    def _path(self, column: int, start: float, end: float) -> str:
        count = max(2, round((end - start) / SAMPLE) + 1)
        points = self.points(column, np.linspace(start, end, count).tolist())
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def places_differ(trace: Trace, plan: Plan3) -> bool:
    """Whether the own word's two places have other codes and other inputs, as printed."""
    if len(plan.places) < 2:
        return False
    one, other = plan.places[:2]
    codes, inputs = ([at.printed(trace, k) for at in (one, other)] for k in ("position", "input"))
    k = most_different(*codes)
    return bool(codes[0][k] != codes[1][k] and (inputs[0] != inputs[1]).any())


def equals_differ(trace: Trace, plan: Plan3) -> bool:
    """Whether two equal embeddings of the sentence have other inputs, if there are two."""
    if plan.equal is None:
        return True  # the question is a general one
    one, other = plan.equal
    inputs = shown_values(trace["input"])
    return bool((inputs[one] != inputs[other]).any())


def example_differs(trace: Trace, plan: Plan3) -> bool:
    """Whether the example's position adds another number to x than the own one, as printed."""
    k = most_different(*shown_values(trace["position"])[[plan.own, plan.worked]])
    embedding, x = (shown_values(trace[name])[:, k] for name in ("embedding", "input"))
    added = guarded(x - embedding, GUARD)
    return bool(added[plan.own] != added[plan.worked])


def attends_to_input(trace: Trace, plan: Plan3) -> bool:
    """Whether sheet 4a can be filled and begins with these rows x."""
    return fills("4a")(trace, plan) and attended(trace) == "input"


CLAIMS = {
    "sheet3.made_up": Claim(GENERAL["sheet.chosen"].holds),
    "sheet3.answer.equal.again": Claim(places_differ, "sheet3.answer.equal.rounded"),
    "sheet3.answer.equal": Claim(equals_differ, "sheet3.answer.equal.rounded"),
    "sheet3.task.slow": Claim(lambda _, plan: plan.unseen, "sheet3.task.slow.seen"),
    "sheet3.answer.unseen": Claim(lambda _, plan: plan.unseen),
    "sheet3.finding": Claim(places_differ, "sheet3.finding.example"),
    "sheet3.finding.example": Claim(example_differs, "sheet3.finding.general"),
    "sheet3.next": Claim(attends_to_input, "sheet3.next.general"),
}


class View3(Context):
    """The view of sheet 3 that its template has."""

    claims = CLAIMS

    plan: Plan3
    radius = RADIUS
    far_steps = NEARLY_ROUND

    def word(self, j: int) -> str:
        """The token alone: its position stands beside it."""
        return self.tokens[j]

    def strip_columns(self) -> Grid:
        """The columns of the sentence with its positions."""
        return grid(20, len(self.tokens), 148, 22)

    def sum_columns(self) -> Grid:
        """The columns of position, embedding and input below each other."""
        return grid(36, self.width, 134, 28)

    @property
    def pairs(self) -> int:
        """How many divisors there are; the last may belong to a sine alone."""
        return self.size("position.divisor")[1]

    @cached_property
    def brings(self) -> bool:
        """Whether pupils bring the embedding along: on sheet 2 they read off the same token's."""
        before = taken("2", self.trace, self.plan.level) if self.carries else None
        return isinstance(before, Plan2) and before.reads and before.own == self.plan.own

    def example_place(self) -> WordAt:
        """The place of the worked example."""
        return self._place("worked", self.plan.worked)

    def place_of(self, kind: str) -> WordAt | None:
        """The asked place of that kind; None where the level has none."""
        return next((place for place in self.plan.places if place.kind == kind), None)

    def function(self, column: int) -> str:
        """The function of a dimension."""
        return "cos" if column % 2 else "sin"

    def position(self, row: int) -> str:
        """A token's position as printed."""
        return self.plain(float(self.trace["position.index"].values[row, 0]))

    def divisor(self, pair: int) -> str:
        """A pair's divisor as printed."""
        return self.plain(shown_value(self.trace["position.divisor"], 0, pair))

    def division(self, place: WordAt, pair: int) -> str:
        """Position ÷ divisor, as one writes it."""
        sign = locale_of(self.options.language).signs.divided
        return f"{self.plain(place.position)} {sign} {self.divisor(pair)}"

    def angle(self, place: WordAt, pair: int) -> str:
        """The angle as printed."""
        step = self.trace[f"{place.prefix}position.angle"]
        return self.plain(shown_value(step, place.row, pair))

    def turn(self, pair: int) -> str:
        """The positions of one turn of a pair's hand, to one decimal."""
        turn = math.tau * float(self.trace["position.divisor"].values[0, pair])
        return number(turn, 1, self.options.language)

    def radian_test(self) -> dict[str, str]:
        """What a calculator shows for sin 1 in radians and, wrongly, in degrees."""
        angles = {"right": 1.0, "wrong": math.radians(1.0)}
        sines = {key: self._codes(np.array([[angle]]))[0, 0] for key, angle in angles.items()}
        return {key: self.show("position", float(sine)) for key, sine in sines.items()}

    def square_sum(self, place: WordAt, pair: int) -> str:
        """What sin² + cos² gives as printed, with "=" or "≈". Only for solutions."""
        total = float((place.printed(self.trace, "position")[2 * pair : 2 * pair + 2] ** 2).sum())
        shown = guarded_number(total, shown_decimals(self.trace["position"]))
        return f"{'≈' if abs(shown - total) > SAME else '='} {self.show('position', shown)}"

    def tolerance(self) -> str:
        """By how much sin² + cos² may miss 1: a unit of the last digit for each square.

        Empty where codes are whole numbers, of which any would do.
        """
        return self.slack((4, "position")) if shown_decimals(self.trace["position"]) else ""

    def places(self, name: str) -> str:
        """To how many decimals a step is rounded, in words."""
        count = shown_decimals(self.trace[name])
        key = "one" if count == 1 else "many"
        return self.catalogue.t(f"sheet3.decimals.{key}", count=count)

    def waves_formula(self) -> Markup:
        """Vaswani et al. 2017, section 3.5, with a word for the divisor."""
        divisor = rf"\mathrm{{{self.catalogue.t('sheet3.formula.divisor')}}}"
        return self.formula("3.waves", self._both(divisor), inline=False)

    def _both(self, divisor: str) -> str:
        """Sine and cosine of a position over a divisor, in LaTeX."""
        word = self.catalogue.t("sheet3.formula.position")
        angle = rf"\left(\dfrac{{\mathrm{{{word}}}}}{{{divisor}}}\right)"
        return rf"\sin{angle} \qquad \cos{angle}"

    def hand(self, pair: int) -> tuple[float, float]:
        """Where the example's hand of a pair points."""
        sine, cosine = self.trace["position"].values[self.plan.worked, 2 * pair : 2 * pair + 2]
        return float(cosine) * RADIUS, float(-sine) * RADIUS

    def hand_head(self, pair: int) -> str:
        """The head of the example's hand, as an SVG path."""
        return arrow_head((0.0, 0.0), self.hand(pair))

    def turned(self, pair: int) -> str:
        """The arc from the start to the example's hand, as an SVG path; whole turns left out."""
        step = self.trace["position.angle"]
        angle = float(step.values[self.plan.worked, pair]) % math.tau
        x, y = ARC * math.cos(angle), -ARC * math.sin(angle)
        return f"M{ARC:.2f} 0A{ARC:.2f} {ARC:.2f} 0 {int(angle > math.pi)} 0 {x:.2f} {y:.2f}"

    def drawn(self) -> range:
        """The dimensions whose waves are drawn: the two fastest pairs."""
        return range(min(self.width, 4))

    def near(self) -> tuple[WordAt, ...]:
        """The asked places that stand on the drawing's axis."""
        return tuple(place for place in self.plan.places if place.kind != "far")

    def grid(self) -> Waves:
        """The axis to draw on, with a gap at each asked place."""
        gaps = tuple(place.position for place in self.near())
        last = max(float(self.trace["position.index"].values.max()), *gaps)
        units = LARGE_UNIT_MM if self.options.large_print else UNIT_MM
        unit = units[self.place_of("far") is not None]
        return Waves(self.trace["position.divisor"].values, self.width, last, gaps, unit)

    def long_waves(self) -> Waves:
        """The waves over many positions, the same for everybody."""
        divisors = self.trace["position.divisor"].values
        return Waves(divisors, self.width, LONG_LAST, (), LONG_UNIT_MM)

    def answers(self, waves: Waves) -> list[WaveMark]:
        """The marks to draw into the gaps. Only for solutions."""
        rows = [(p, self.trace[f"{p.prefix}position"].values[p.row].tolist()) for p in self.near()]
        return [
            WaveMark(waves.x(p.position), waves.y(row[k]), k % 2 == 1)
            for p, row in rows
            for k in self.drawn()
        ]

    def again_differs(self) -> int:
        """The dimension in which the own word's two positions differ most. Only for solutions."""
        one, other = self.plan.places[:2]
        rows = [self.trace[f"{p.prefix}position"].values[p.row] for p in (one, other)]
        return most_different(*rows)

    def equal_question(self) -> tuple[str, dict[str, str]]:
        """Which question on equal words the sentence allows, and the names in it."""
        if len(self.plan.places) > 1:
            places = (self.plain(place.position) for place in self.plan.places[:2])
            return "again", {"a": self.own, **dict(zip("xy", places, strict=True))}
        one, other = (self.tokens[k] for k in self.plan.equal or (self.plan.own, self.plan.own))
        kind = "repeated" if one == other else "alike"
        return (kind if self.plan.equal else "generic"), {"a": one, "b": other}

    def step_angle(self, pair: int) -> str:
        """By how much a pair's angle grows with each position."""
        return self.plain(round(float(self._angles(np.ones((1, 1)))[0, pair]), 4))

    def slips(self) -> list[Slip]:
        """Degrees instead of radians, divisor forgotten, sine and cosine swapped, counted from 1.

        Each in the first number that shows it; one that changes nothing here is left out.
        """
        own, right = self.plan.own, self.trace["position"].values[self.plan.own]
        index, angle = (
            self.trace[f"position.{name}"].values[own : own + 1] for name in ("index", "angle")
        )
        swapped = self._codes(angle).copy()
        whole = swapped.shape[1] // 2 * 2
        swapped[:, :whole] = swapped[:, :whole].reshape(-1, 2)[:, ::-1].reshape(1, -1)
        wrong = {
            "degrees": self._codes(np.radians(angle)),
            "divisor": self._codes(np.repeat(index, self.pairs, axis=1)),
            "swapped": swapped,
            "from_one": self._codes(self._angles(index + 1)),
        }
        differing = {key: np.flatnonzero(row[0] != right).tolist() for key, row in wrong.items()}
        return [
            Slip(key, "position", own, places[0], float(wrong[key][0, places[0]]))
            for key, places in differing.items()
            if places
        ]

    def _angles(self, index: np.ndarray) -> np.ndarray:
        """The angles of positions [n, 1], unrounded: [n, pairs]."""
        return Angle().value(index, self.trace["position.divisor"].values)

    def _codes(self, angle: np.ndarray) -> np.ndarray:
        """The positions of other angles [n, pairs], rounded as the Trace's: [n, d_model]."""
        like, values = self.trace["position"], SineCosine(self.width).value(angle)
        return guarded(values, like.decimals or 0) if like.rounded else values

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.tokens[slip.i], "dimension": self.indexed("d", slip.j)}

    def telling(self) -> dict[str, str]:
        """Two positions and, where they differ most, their numbers: x, else the code alone."""
        one, *more = self.plan.places[:2]
        name, other = ("input", more[0]) if more else ("position", self.example_place())
        k = most_different(*(at.printed(self.trace, name) for at in (one, other)))
        a, b = (self.shown(at.prefix + name, at.row, k) for at in (one, other))
        x, y = (self.plain(at.position) for at in (one, other))
        return {"own": self.own, "dimension": self.indexed("d", k), "a": a, "b": b, "x": x, "y": y}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        own = self.plan.own
        yield from ((self.indexed("d", j), ("input", own, j)) for j in range(self.width))

    def hints(self) -> tuple[str, ...]:
        return ("radians", "pair", "input")

    def helps(self) -> tuple[Help, ...]:
        waves = zip(("fast", "slow"), range(self.width // 2), strict=False)
        return tuple(self._card(key, 2 * pair) for key, pair in waves)

    def _card(self, key: str, j: int) -> Help:
        own, like = self.plan.own, (self.plan.worked, j)
        both = self._both(self.divisor(j // 2).replace(",", "{,}"))
        formula = self.formula(f"3.help.{key}", both)
        return Help(key, formula, "position", own, j, like, self.word(own))

    def first(self, step: str, i: int, j: int) -> Markup:
        """As for every sheet; sine and cosine begin with their division, as the sheet prints it."""
        return self._waves(i, j, "= …") if step == "position" else super().first(step, i, j)

    def equation(self, step: str, i: int, j: int) -> Markup:
        """Sine and cosine of a division, each with what it gives."""
        both = ((self.relation(step, i, k), self.cell(step, i, k)) for k in (j, j + 1))
        return self._waves(i, j, *(Markup("{}\u00a0<b>{}</b>").format(*one) for one in both))

    def _waves(self, i: int, j: int, *ends: str) -> Markup:
        """Sine and cosine of a position, as the sheet prints their division, each with its end."""
        division = self.division(self._place("own", i), j // 2)
        waves = zip((j, j + 1), ends * 2, strict=False)
        lines = (Markup(f"{self.function(k)}({division}) ") + end for k, end in waves)
        return Markup(f" {self.catalogue.t('sheet.and')} ").join(lines)

    def _place(self, kind: str, row: int) -> WordAt:
        return WordAt(kind, "", row, float(self.trace["position.index"].values[row, 0]))


def most_different(one: np.ndarray, other: np.ndarray) -> int:
    """The column in which two rows [m] lie furthest apart; the first of equals."""
    return int(np.argmax(guarded(np.abs(one - other), GUARD)))
