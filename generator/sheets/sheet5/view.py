"""What the template of sheet 5 may ask: stages, formulas, checks, drawn places, slips.

Also here:

* The checks that pupils do on sheet 5: what a sum must be, and by how much rounding moves it.
* Where the tables and drawings of sheet 5 have their columns, ticks and boxes, in millimetres.
* What sheet 5 says of its own result, each sentence with what must be true of it.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.expr import Bin
from generator.engine.norms import FORMS, MEAN
from generator.engine.rounding import GUARD, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.add_norm import LEAST_SIGMA, Stage, StageRow, no_relu
from generator.insight.attention import CONCAT, only_joined
from generator.insight.claims import Claim, in_turn
from generator.insight.slips import Slip
from generator.insight.tolerances import VACUOUS, Rounding, cut, needs
from generator.locales.locale import locale_of
from generator.notation.shown import number, shown_value, shown_values
from generator.sheets.context import Context, Help
from generator.sheets.geometry import PAGE, FalkScheme, Grid, grid
from generator.sheets.sheet5.plan import AT, MOST_SQUARES, Plan5
from generator.sheets.slots import fills
from generator.steps import Letter, kind_of

GAP = 6.4  # an arrow between two boxes of the block
FIRST, START, END = 13.5, 6.5, 14  # the first box, the first skip, the room for both ends
PLUS, AFTER_PLUS, AFTER_NORM = 4.5, 10.4, 2.6
PAPER = 170
AXIS = 3  # the empty axis reaches from −3 to 3: d numbers whose squares have mean 1 lie within √d


class AxisSpot(NamedTuple):
    """A number on an axis: its label, its value and the height of its label, in lines."""

    label: str
    value: float
    line: int


OF_ROW = tuple(kind for form in FORMS.values() for kind in form.small)
ROUNDED = (
    *("residual", "deviations", "squares", "plain_squares", *OF_ROW),
    *("normalised", "norm", "hidden", "feedforward"),
)


class Axis(NamedTuple):
    """A horizontal axis with whole numbers from low to high; `long` is how far it reaches."""

    x: int
    y: int
    low: int
    high: int
    long: int

    def at(self, value: float) -> float:
        """The place of a number."""
        return self.x + (value - self.low) * self.unit

    @property
    def unit(self) -> float:
        """The length of 1."""
        return self.long / (self.high - self.low)

    @property
    def wholes(self) -> range:
        """The numbers below it."""
        return range(self.low, self.high + 1)

    def ticks(self) -> Iterator[tuple[float, float]]:
        """The place and the height of each small tick."""
        parts = 10 if self.high - self.low <= 7 else 2
        for k in range((self.high - self.low) * parts + 1):
            yield self.x + k * self.unit / parts, 1.2 if 2 * k % parts == 0 else 0.8


class DiagramBox(NamedTuple):
    """A box of the block diagram: its phrase, its number on the sheet, its place and width."""

    key: str
    part: int
    x: float
    width: float

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.x + (PLUS if self.key == "add" else self.width / 2)


class BlockDiagram(NamedTuple):
    """The block diagram: its boxes, where the last arrow begins, the skips from tap to plus."""

    parts: tuple[DiagramBox, ...]
    end: float
    skips: tuple[tuple[float, float], ...]

    @property
    def width(self) -> float:
        """The width of the drawing."""
        return max(END + math.fsum(part.width + GAP for part in self.parts), PAPER)


def zero_in(trace: Trace, *products: str) -> bool:
    """Whether a weight of the network's products is 0, and so printed in grey."""
    return any(0.0 in trace[trace[name].inputs[1]].values for name in products)


def outweighs(trace: Trace, plan: Plan5) -> tuple[list[int], list[int]]:
    """The columns in which old is larger than new, without signs and as printed; new than old."""
    old, new = (np.abs(shown_values(trace[k])[plan.own]) for k in plan.first[1:3])
    return np.flatnonzero(old > new).tolist(), np.flatnonzero(new > old).tolist()


def others_differ(trace: Trace, plan: Plan5) -> bool:
    """Whether ReLU crosses out other hidden values for some other token."""
    out = trace[plan.hidden].values < 0
    return bool((out != out[plan.own]).any())


def crosses(trace: Trace, plan: Plan5) -> bool:
    """Whether ReLU crosses out a hidden value of the own token."""
    return bool((trace[plan.hidden].values[plan.own] < 0).any())


def unbiased(trace: Trace, plan: Plan5) -> bool:
    """Whether the network has no bias, so that all h change sign with y."""
    return all(len(trace[name].inputs) == 2 for name in (plan.hidden, plan.output))


def turns_otherwise(trace: Trace, plan: Plan5) -> bool:
    """Whether some h is crossed out, and f of −y is not −f: both add up to the sizes of h by W₂."""
    sizes = np.abs(trace[plan.hidden].values[plan.own])
    apart = (sizes @ trace[trace[plan.output].inputs[1]].values).any()
    return bool(apart) and unbiased(trace, plan) and crosses(trace, plan)


def from_heads(trace: Trace, plan: Plan5) -> bool:
    """Whether the new row is the joined heads of sheet 4b times W, and nothing else."""
    several = CONCAT in trace and trace.preset.heads > 1
    return several and "block1.bias.output" not in trace and fills("4b")(trace, plan)


CLAIMS = {
    "sheet5.node.attention.how": Claim(
        lambda _, p: p.beside_it("4b"), "sheet5.node.attention.how.one"
    ),
    **{
        key: Claim(lambda t, p: from_heads(t, p) and only_joined(t), f"{key}{other}")
        for key, other in (("sheet5.add.name", ".product"), ("sheet5.row.new.1", ".general"))
    },
    "sheet5.add.name.product": Claim(from_heads, "sheet5.add.name.general"),
    "sheet5.task.relu.why": Claim(unbiased, "sheet5.task.relu.why.biased"),
    "sheet5.relu.turned": Claim(unbiased),
    "sheet5.answer.relu": Claim(turns_otherwise, "sheet5.answer.relu.cut"),
    "sheet5.answer.turned": Claim(crosses, "sheet5.answer.turned.none"),
    "sheet5.answer.relu.cut": Claim(crosses, "sheet5.answer.relu.none"),
    "sheet5.network.zeros": Claim(lambda t, p: zero_in(t, p.hidden, p.output)),
    "sheet5.falk.unused": Claim(lambda t, _: not t[f"{AT}.weight.feedforward"].values.any(1).all()),
    "sheet5.task.hidden": Claim(lambda t, p: zero_in(t, p.hidden), "sheet5.task.hidden.full"),
    # the old row holds the word's place, too
    "sheet5.answer.why": Claim(lambda t, _: "position" in t, "sheet5.answer.why.word"),
    "sheet5.probe.norm": Claim(lambda _, p: p.spread, "sheet5.probe.norm.if"),
    "sheet5.discuss.2.answer": Claim(
        lambda trace, plan: plan.network and others_differ(trace, plan),
        "sheet5.discuss.2.answer.general",
    ),
    "sheet5.phase.secure": Claim(lambda _, plan: plan.network, "sheet5.phase.secure.norm"),
    "sheet5.reality": Claim(lambda t, _: t.preset.norm == "post", "sheet5.reality.pre"),
    "sheet5.reality.pre": Claim(  # it stretches as GPT-2's does
        lambda t, p: t.preset.norm == "pre" and bool(p.first.scaled), "sheet5.reality.plain"
    ),
    "sheet5.next": Claim(fills("6"), "sheet5.next.general"),
} | in_turn(
    {
        "sheet5.finding": {
            "": lambda trace, plan: all(outweighs(trace, plan)),
            ".old": lambda trace, plan: bool(outweighs(trace, plan)[0]),
            ".new": lambda trace, plan: bool(outweighs(trace, plan)[1]),
            ".alike": lambda trace, plan: True,
        }
    }
)


class View5(Context):
    """The view of sheet 5 that its template has."""

    claims = CLAIMS
    least_sigma = LEAST_SIGMA

    plan: Plan5

    def deviations_tolerance(self, part: Stage) -> str:
        """By how much the deviations may miss 0: the mean was rounded by half a digit."""
        return self.slack((self.width, part.mean)) if part.mean else ""

    def normalised_tolerance(self, part: Stage) -> str:
        """By how much Σ y may miss 0; empty where no mean is subtracted."""
        return self._ceiled(part.off_zero(self.trace)) if part.mean else ""

    def square_tolerance(self, part: Stage) -> str:
        """By how much Σ y² may miss d; empty where that is so much that any numbers would do."""
        off = part.off_count(self.trace)
        return self._ceiled(off) if off < VACUOUS * self.width else ""

    def product_tolerance(self, name: str) -> str:
        """By how much the sum of a rounded product may miss its check; empty where it cannot."""
        x, weight, *bias = self.trace[name].inputs
        cut_off: list[Rounding] = []
        if self.trace.rounding == "exact" and cut(self.exact, x):
            cut_off = [(float(abs(self.trace[weight].values.sum(axis=1)).sum()), x)]
        rounded = cut_off or needs(self.trace, name, (x, weight), *((one,) for one in bias))
        return self.slack((self.size(name)[1], name), *cut_off) if rounded else ""

    def product_check(self, name: str, letter: str) -> Markup:
        """What the sum of a product must be: each factor times the sum of its row of W."""
        _, weight, *bias = self.trace[name].inputs
        sums = (guarded_number(float(s), GUARD) for s in self.trace[weight].values.sum(axis=1))
        terms = [
            self._term(s, f"<i>{letter}</i><sub>{k}</sub>") for k, s in enumerate(sums, 1) if s
        ]
        constant = guarded_number(sum(float(self.trace[b].values.sum()) for b in bias), GUARD)
        terms += [self.plain(constant)] if constant else []
        return Markup(" + ".join(terms).replace("+ −", "− ") or "0")

    def product_sides(self, name: str) -> dict[str, str]:
        """What both sides of the check of a product come to. Only for solutions."""
        x, weight, *bias = (self.trace[one].values for one in self.trace[name].inputs)
        row = self.plan.own
        product = float(x[row] @ weight.sum(axis=1)) + sum(float(one.sum()) for one in bias)
        sides = {"sum": float(self.trace[name].values[row].sum()), "product": product}
        return {side: self.show(name, value) for side, value in sides.items()}

    def check_sum(self, part: Stage, step: str) -> str:
        """What belongs into a row's box of the check. Only for solutions."""
        return self.show(step, StageRow(self.trace, part, self.plan.own).check_sum(step))

    def _term(self, factor: float, symbol: str) -> str:
        if abs(factor) != 1.0:
            times = locale_of(self.options.language).signs.times
            symbol = f"{self.plain(abs(factor))} {times} {symbol}"
        return f"−{symbol}" if factor < 0 else symbol

    def _ceiled(self, value: float) -> str:
        """The next tenth, for a tolerance that is easy to keep in mind."""
        return number(math.ceil(guarded_number(value * 10, 6)) / 10, 1, self.options.language)

    def epsilon(self) -> str:
        """What is added below the root; empty where nothing is."""
        added = self.trace.preset.epsilon
        return self.plain(added) if added else ""

    def letter(self, step: str) -> Letter:
        """The letter of a step of a norm, without the prime of a block's second one."""
        found = kind_of(step).letter
        assert found is not None
        return found

    def formulas_of_norm(self) -> tuple[Markup, ...]:
        """How what is below the root, the root and the quotient come about; first the mean."""
        part, d = self.plan.first, self.width
        dots = "" if d == 2 else r" + \dots"
        plus = r" + \varepsilon" if self.trace.preset.epsilon else ""
        minus = r" - \mu" if part.mean else ""
        one, last = (f"({r}{minus})" if minus else r for r in ("r_1", f"r_{d}"))
        squares, root = f"{one}^2{dots} + {last}^2", self.letter(part.root).latex
        step = self.trace[part.square]
        if isinstance(step.op.cell(0, 0, *self.trace.operands(step)), Bin):  # a mean, no plain sum
            squares = rf"\dfrac{{{squares}}}{{{d}}}"
        mean = self.formula("5.mean", rf"\mu = \dfrac{{r_1{dots} + r_{d}}}{{{d}}}")
        key, y = ("5.quotient.hat", r"\hat{y}") if part.scaled else ("5.quotient", "y")
        return (
            *((mean,) if part.mean else ()),
            self.formula("5.variance", f"{root}^2 = {squares}"),
            self.formula("5.deviation.more" if plus else "5.deviation",
                         rf"{root} = \sqrt{{{root}^2{plus}}}"),
            self.formula(key, rf"{y} = \dfrac{{r{minus}}}{{{root}}}"),
        )  # fmt: skip

    def network_formula(self) -> Markup:
        """Vaswani et al. 2017, equation 2, with the biases that the preset has."""
        first, second = (
            f" + b_{k}" if len(self.trace[name].inputs) > 2 else ""
            for k, name in ((1, self.plan.hidden), (2, self.plan.output))
        )
        key = "5.network.bias" if first or second else "5.network"
        latex = rf"f = \mathrm{{ReLU}}(y \cdot W_1{first}) \cdot W_2{second}"
        return self.formula(key, latex)

    @property
    def spread(self) -> str:
        """The steps that the task about squares and root asks for, of whatever form the norm is."""
        return " ".join(("squares", "plain_squares", *(f"{one}1" for one in OF_ROW if one != MEAN)))

    @property
    def pre(self) -> bool:
        """Whether the norm stands before each part."""
        return self.trace.preset.norm == "pre"

    @cached_property
    def brings_old(self) -> bool:
        """Whether pupils have the old row from sheet 3."""
        return self.plan.first.old == "input" and self.had("3", *self.row_of_own("input"))

    @cached_property
    def brings_new(self) -> bool:
        """Whether pupils have the new row from sheet 4b: W_O must leave what stands there."""
        return only_joined(self.trace) and self.had("4b", *self.row_of_own(self.trace[CONCAT].name))

    def bringing(self) -> str:
        """What pupils are told to bring along; "" for nothing."""
        which = {(True, True): "", (True, False): ".old", (False, True): ".new"}
        key = which.get((self.brings_old, self.brings_new))
        return "" if key is None else self.catalogue.t(f"sheet5.carry{key}")

    def tall(self) -> bool:
        """Whether the tables are taller than those of four columns without gain and bias."""
        tall = self.width > MOST_SQUARES or bool(self.plan.first.scaled)
        return tall or not unbiased(self.trace, self.plan)

    def block(self) -> BlockDiagram:
        """The block from left to right; parts by their number, 0 for those of another sheet.

        Before each part of a pre-norm block the old row is tapped.
        """
        wide = {"attention": 33 if self.options.large_print else 29, "network": 33}
        wide |= {"norm": 17, "add": 9}
        nodes = [("norm", 0)] if self.pre else []
        nodes += [("attention", 0), ("add", 1), ("norm", 1), ("network", 2), ("add", 3)]
        nodes += [("norm", 3)] if self.plan.second.normalised else []
        parts, x = [], FIRST
        for key, place in nodes:
            parts.append(DiagramBox(key, place, x, wide[key]))
            x = x + wide[key] + GAP
        plus = [part for part in parts if part.key == "add"]
        if self.pre:
            taps = [part.x + AFTER_PLUS for part in plus]
        else:
            taps = [part.x + part.width + AFTER_NORM for part in parts if part.key == "norm"]
        skips = zip([START, *taps], (part.middle for part in plus), strict=False)
        return BlockDiagram(tuple(parts), x, tuple(skips))

    def stage_columns(self) -> Grid:
        """The columns of an add & norm."""
        label = 47 if self.options.large_print else 36
        return grid(label, self.width, 128 - label, 26, rest=42)

    def expanding(self) -> FalkScheme:
        """The network's first product in Falk's scheme, its columns below each other if many."""
        columns, given = len(self.halves()[0]), min(14, 78 / self.width)
        result = min(22, (PAGE - self.width * given) / columns)
        return FalkScheme(self.width, columns, given, result)

    def shrinking(self) -> FalkScheme:
        """The network's second product in Falk's scheme."""
        hidden, result = self.trace.preset.d_ff, 11.6
        result = min(16, 58 / self.width) if self.width < 5 else result
        given = min(16, (PAGE - self.width * result) / hidden)
        return FalkScheme(hidden, self.width, given, result)

    def board_columns(self) -> Grid:
        """The columns of the board: the rows of all tokens, twice."""
        return Grid(36, 2 * self.width, min(12, 66 / self.width))

    def open_axis(self) -> Axis:
        """The axis to draw on: it reaches equally far to both sides of 0."""
        return Axis(8, 13, -AXIS, AXIS, 150)

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

    def spots(self, step: str, row: int) -> tuple[AxisSpot, ...]:
        """The numbers of a row for an axis, labels of near ones on different lines."""
        values = [shown_value(self.trace[step], row, j) for j in range(self.width)]
        order = sorted(range(self.width), key=lambda j: (values[j], j))
        line = {j: k % 2 for k, j in enumerate(order)}
        return tuple(AxisSpot(self.indexed("d", j), values[j], line[j]) for j in range(self.width))

    def axis(self, part: Stage, row: int) -> Axis:
        """An axis with room for a row before and after the norm."""
        names = (part.total, part.normalised)
        values = [shown_value(self.trace[n], row, j) for n in names for j in range(self.width)]
        low, high = math.floor(min(*values, -1.0)), math.ceil(max(*values, 1.0))
        return Axis(26, 26 if self.tall() else 30, low, high, 136)

    def slips(self) -> list[Slip]:
        plan = self.plan
        slips = StageRow(self.trace, plan.first, plan.own).slips()
        if plan.network and plan.outputs:
            slips += no_relu(self.trace, plan.hidden, plan.output, plan.own, plan.outputs)
        return slips

    def named(self, slip: Slip) -> dict[str, str]:
        return {"dimension": self.indexed("d", slip.j)}

    def telling(self) -> dict[str, str]:
        crossed = np.flatnonzero(self.trace[self.plan.hidden].values[self.plan.own] < 0).tolist()
        older, newer = outweighs(self.trace, self.plan)
        return {
            "kept": self.in_a_row([self.indexed("h", k) for k in crossed] or [""]),
            "older": self.in_a_row([self.indexed("d", k) for k in older] or [""]),
            "newer": self.in_a_row([self.indexed("d", k) for k in newer] or [""]),
            "own": self.own,
            "crossed": str(len(crossed)),
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
        first, own, worked = self.plan.first, self.plan.own, self.plan.worked
        *_, variance, _, quotient = self.formulas_of_norm()
        cards = (
            Help("spread", variance, first.square, own, 0, (worked, 0)),
            Help("norm", quotient, first.normalised, own, 0, (worked, 0)),
        )
        if not self.plan.network:
            return cards
        hidden, times = self.plan.hidden, self.latex_times
        terms = np.count_nonzero(self.trace[self.trace[hidden].inputs[1]].values, axis=0)
        j = max(self.plan.hiddens, key=lambda j: int(terms[j]))
        product = self.formula("5.hidden", rf"h = y_1 {times} w_1 + y_2 {times} w_2 + \dots")
        return *cards, Help("hidden", product, hidden, own, j, (worked, j))

    def pressed(self) -> dict[str, str]:
        return {"width": str(self.width)}
