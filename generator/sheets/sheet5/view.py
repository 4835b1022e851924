"""What the template of sheet 5 may ask: stages, zeros, checks, drawn places, slips."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from generator.engine.norms import FORMS, MEAN
from generator.engine.step import Cell
from generator.insight.add_norm import Stage
from generator.insight.claims import Claims
from generator.insight.heads import CONCAT, only_joined
from generator.insight.norm_slips import furthest, no_relu, slips, without_old
from generator.insight.slips import Slip
from generator.notation.numbers import number
from generator.notation.shown import shown_value
from generator.sheets.asked_before import has
from generator.sheets.context import Help
from generator.sheets.geometry import Grid, Scheme
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet4b import plan as sheet4b
from generator.sheets.sheet5 import drawing
from generator.sheets.sheet5.claims import CLAIMS
from generator.sheets.sheet5.formulas import Formulated
from generator.sheets.sheet5.plan import MOST_SQUARES, Plan5

AXIS = 3  # the empty axis reaches from −3 to 3: d numbers whose squares have mean 1 lie within √d


class Spot(NamedTuple):
    """A number on an axis: its label, its value and the height of its label, in lines."""

    label: str
    value: float
    line: int


OF_ROW = tuple(kind for form in FORMS.values() for kind in form.small)
ROUNDED = (
    *("residual", "deviations", "squares", "plain_squares", *OF_ROW),
    *("normalised", "norm", "hidden", "feedforward"),
)


@dataclass(frozen=True)
class View(Formulated):
    """The view of sheet 5 that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan5

    @property
    def spread(self) -> str:
        """The steps that the task about squares and root asks for, of whatever form the norm is."""
        both = (f"{kind}{n}" for kind in OF_ROW if kind != MEAN for n in (1, 2))
        return " ".join(("squares", "plain_squares", *both))

    @property
    def pre(self) -> bool:
        """Whether the norm stands before each part."""
        return self.trace.preset.norm == "pre"

    @cached_property
    def brings_old(self) -> bool:
        """Whether pupils have the old row from sheet 3."""
        return self.plan.first.old == "input" and has(sheet3, self.trace, self.plan, ("input",))

    @cached_property
    def brings_new(self) -> bool:
        """Whether pupils have the new row from sheet 4b: W_O must leave what stands there."""
        joined = self.trace[CONCAT].name
        return only_joined(self.trace) and has(sheet4b, self.trace, self.plan, (joined,))

    def bringing(self) -> str:
        """What pupils are told to bring along; "" for nothing."""
        which = {(True, True): "", (True, False): ".old", (False, True): ".new"}
        key = which.get((self.brings_old, self.brings_new))
        return "" if key is None else self.catalogue.t(f"sheet5.carry{key}")

    def tall(self) -> bool:
        """Whether the tables are taller than those of four columns without gain and bias."""
        plan = self.plan
        biased = any(len(self.inputs(name)) > 2 for name in (plan.hidden, plan.output))
        return self.width > MOST_SQUARES or bool(plan.first.scaled) or biased

    def block(self) -> drawing.Block:
        """The block from left to right; parts by their number, 0 for those of another sheet."""
        attention = [("norm", 0), ("attention", 0)] if self.pre else [("attention", 0)]
        again = [("add", 3)] + ([("norm", 3)] if self.plan.second.normalised else [])
        middle = [("add", 1), ("norm", 1), ("network", 2)]
        nodes = (*attention, *middle, *again)
        return drawing.block(nodes, self.pre, self.options.large_print)

    def stage_columns(self) -> Grid:
        """The columns of an add & norm."""
        return drawing.stage(self.width, self.options.large_print)

    def expanding(self) -> Scheme:
        """The columns of the network's first product."""
        return drawing.expanding(self.width, len(self.halves()[0]))

    def shrinking(self) -> Scheme:
        """The columns of the network's second product."""
        return drawing.shrinking(self.trace.preset.d_ff, self.width)

    def board_columns(self) -> Grid:
        """The columns of the board."""
        return drawing.board(self.width)

    def open_axis(self) -> drawing.Axis:
        """The axis to draw on: it reaches equally far to both sides of 0."""
        return drawing.Axis(8, 13, -AXIS, AXIS, 150)

    def shows_squares(self, part: Stage, row: int) -> bool:
        """Whether a stage's table has a row of squares: the example where there is room."""
        if row == self.plan.own:
            return self.asks(part.squares(row), 0, 0)
        return self.width <= MOST_SQUARES

    def shows_scaled(self, part: Stage, row: int) -> bool:
        """Whether a stage's table has rows for gain and shift."""
        return bool(part.scaled) and (row != self.plan.own or self.asks(part.scaled, row, 0))

    def zero(self, step: str, i: int, j: int) -> str:
        """The class of a weight that is 0."""
        return "zero" if not self.trace[step].values[i, j] else ""

    def crossed(self, i: int, j: int) -> str:
        """The class of a hidden value that is struck through: in the example, and as an answer."""
        answered = self.asks(self.plan.hidden, i, j) and not self.blank
        return "out" if (answered or i != self.plan.own) and self.negative(i, j) else ""

    def negative(self, i: int, j: int) -> bool:
        """Whether ReLU makes 0 of a hidden value."""
        return bool(self.trace[self.plan.hidden].values[i, j] < 0)

    def halves(self) -> tuple[range, ...]:
        """The columns of the first matrix, at most four together."""
        d_ff = self.trace.preset.d_ff
        half = d_ff if d_ff <= 4 else (d_ff + 1) // 2
        return tuple(range(a, min(a + half, d_ff)) for a in range(0, d_ff, half))

    def spots(self, step: str, row: int) -> tuple[Spot, ...]:
        """The numbers of a row for an axis, labels of near ones on different lines."""
        values = [shown_value(self.trace[step], row, j) for j in range(self.width)]
        order = sorted(range(self.width), key=lambda j: (values[j], j))
        line = {j: k % 2 for k, j in enumerate(order)}
        return tuple(Spot(self.indexed("d", j), values[j], line[j]) for j in range(self.width))

    def axis(self, part: Stage, row: int) -> drawing.Axis:
        """An axis with room for a row before and after the norm."""
        names = (part.total, part.normalised)
        values = [shown_value(self.trace[n], row, j) for n in names for j in range(self.width)]
        low, high = math.floor(min(*values, -1.0)), math.ceil(max(*values, 1.0))
        return drawing.Axis(26, 30, low, high, 136)

    @property
    def line_mm(self) -> float:
        """The height of a line of labels above an axis."""
        return 4.6 if self.options.large_print else 4

    def whole(self, value: int) -> str:
        """A whole number below an axis."""
        return number(value, 0, self.options.language)

    def crossed_out(self) -> int:
        """How many of the own hidden values ReLU crosses out. Only for solutions."""
        return int((self.trace[self.plan.hidden].values[self.plan.own] < 0).sum())

    def slips(self) -> list[Slip]:
        plan = self.plan
        all_slips = slips(self.trace, plan.first, plan.own)
        if plan.network:
            all_slips += no_relu(self.trace, plan.hidden, plan.output, plan.own)
        return all_slips

    def named(self, slip: Slip) -> dict[str, str]:
        return {"dimension": self.indexed("d", slip.j)}

    def telling(self) -> dict[str, str]:
        first, own = self.plan.first, self.plan.own
        j = furthest(self.trace, first, own)
        alone = without_old(self.trace, first, own)
        right = float(self.trace[first.normalised].values[own, j])
        wrong = right if alone is None else float(alone[j])
        return {
            "dimension": self.indexed("d", j),
            "right": self.show(first.normalised, right),
            "wrong": self.show(first.normalised, wrong),
            "own": self.own,
            "crossed": str(self.crossed_out()),
            "hidden": str(self.trace.preset.d_ff),
            "width": str(self.width),
        }

    def ends(self) -> Iterator[tuple[str, Cell]]:
        """The last row that the level asks."""
        plan = self.plan
        last = plan.output if plan.network else plan.first.normalised
        if plan.again:
            last = plan.second.normalised or plan.second.total
        yield from ((self.indexed("d", j), (last, plan.own, j)) for j in range(self.width))

    def decimals(self) -> str:
        """To how many decimals pupils round, said before the first task."""
        return self.rounded(ROUNDED)

    def hints(self) -> tuple[str, ...]:
        return ("spread", "norm", *(("network", "output") if self.plan.network else ()))

    def helps(self) -> tuple[Help, ...]:
        first, own = self.plan.first, self.plan.own
        *_, variance, _, quotient = self.formulas_of_norm()
        return (
            Help("spread", variance, first.square, own, 0),
            Help("norm", quotient, first.normalised, own, 0),
        )

    def pressed(self) -> dict[str, str]:
        return {"width": str(self.width)}
