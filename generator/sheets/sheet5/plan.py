"""Sheet 5: add & norm of one token's row, then the feed-forward network."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from generator.engine.activations import ACTIVATIONS
from generator.engine.norms import FORMS
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.add_norm import LEAST_SIGMA, Stage, addition, stage
from generator.notation.shown import shown_values
from generator.sheets import plan as plans
from generator.sheets.plan import Plan, both_tokens, demand, dot, require_shown, seconds

AT = "block1"
MOST = {1: 16, 2: 39, 3: 58}  # light numbers, so more of them than elsewhere
MOST_MINUTES = {1: (11, 18), 2: (20, 28), 3: (25, 34)}  # of computing, which must do; of all
LEAST_MODEL, MOST_MODEL, MOST_HIDDEN = 2, 6, 8
MOST_SQUARES = 4  # columns; in a wider table a square has no room
LEAST_PRODUCTS = 2  # asked of each product of the network; where time is short others are given
LEAST_SPREAD = 0.1  # below, a rounded σ is too coarse to divide by


@dataclass(frozen=True, kw_only=True)
class Plan5(Plan):
    """The two stages of add & norm and the network between them; what of it is asked.

    `sums` are the columns of old + new to compute, the others are given. `squares` says whether
    the squares are asked, `scales` whether gain and shift are. `network` is asked from the second
    level on, of the second stage (`again`) sum and result at the third. `hiddens`, `outputs` are
    the columns of the network's two products to compute; with full matrices others are given.
    `spread` says whether every token's root is `LEAST_SIGMA` at least, as a blank would tell the
    own one's.
    """

    first: Stage
    second: Stage
    hidden: str
    activation: str
    output: str
    network: bool
    again: bool
    hiddens: tuple[int, ...]
    outputs: tuple[int, ...]
    sums: tuple[int, ...] = ()
    squares: bool = False
    scales: bool = False
    spread: bool = False


@dataclass
class _Budget:
    """How many more numbers a level may ask; `take` says whether so many more fit."""

    left: int

    def take(self, count: int) -> bool:
        fits = 0 < count <= self.left
        self.left -= count if fits else 0
        return fits


def plan(trace: Trace, level: int) -> Plan5:
    """What sheet 5 shows and asks at a level, for this Trace's sentence.

    Block 1: add & norm, from level 2 on the network, at level 3 add & norm once more. Raises
    `UserError` where the preset has no such block, another activation than ReLU, or is too wide
    for paper, where the sentence has too few or more than 12 tokens or a row hardly any spread.
    """
    _require_fit(trace)
    worked, own = both_tokens(trace, "sheet.tokens", sheet="5")
    rows = (own, worked)
    ending = addition if trace.preset.norm == "pre" else stage
    stages = (
        stage(trace, f"{AT}.residual1", "norm1"),
        ending(trace, f"{AT}.residual2", "norm2"),  # a norm before each part: the next one's
    )
    _require_spread(trace, stages, rows)
    activation = trace[stages[1].new].inputs[0]  # a residual's second input is the network
    columns = (trace.preset.d_ff, trace.preset.d_model) if level >= 2 else (0, 0)
    bare = Plan5(
        sheet="5",
        level=level,
        worked=worked,
        own=own,
        asked=frozenset(),
        minutes=0,
        extra=tuple(step for part in stages for step in part.paper_steps(trace, rows)),
        spread=bool(shown_values(trace[stages[0].root]).min() >= LEAST_SIGMA),
        first=stages[0],
        second=stages[1],
        hidden=trace[activation].inputs[0],
        activation=activation,
        output=stages[1].new,
        network=level >= 2,
        again=level >= 3,
        hiddens=tuple(range(columns[0])),
        outputs=tuple(range(columns[1])),
    )
    return _in_time(trace, _most(trace, bare))


def _in_time(trace: Trace, full: Plan5) -> Plan5:
    """The most of a plan that can be asked within the minutes of its level, checks and all."""
    most, whole = MOST_MINUTES[full.level]
    for lighter in (full, *_lighter(trace, full)):
        asked = frozenset(_asked(trace, lighter))
        spent = _minutes(trace, asked, 1 + 2 * full.network + full.again)
        made = replace(lighter, asked=asked, minutes=spent, beside=_beside(trace, full))
        if spent <= most and made.in_all <= whole:
            break
    demand(spent <= most, "5.minutes", trace, spent=spent, most=most)
    return made


def _lighter(trace: Trace, plan: Plan5) -> Iterator[Plan5]:
    """Less and less to compute: products of the network in turn, at last no sum.

    Of the hidden values those that leave ReLU some to cut and some to keep, where there are such.
    """
    negative: list[bool] = (trace[plan.hidden].values[plan.own] < 0).tolist()

    def kinds_without(column: int) -> int:
        return len({negative[j] for j in plan.hiddens if j != column})

    while max(len(plan.hiddens), len(plan.outputs)) > LEAST_PRODUCTS:
        if len(plan.hiddens) >= len(plan.outputs):
            given = max(plan.hiddens, key=lambda j: (kinds_without(j), -j))
            plan = replace(plan, hiddens=tuple(j for j in plan.hiddens if j != given))
        else:
            plan = replace(plan, outputs=plan.outputs[1:])
        yield plan
    yield replace(plan, sums=())


def _most(trace: Trace, bare: Plan5) -> Plan5:
    """Sums first, then gains, then squares: what has no room is left out or, for sums, given."""
    width, first = trace.preset.d_model, bare.first
    least = (2 if first.mean else 1) * width + len(first.of_row)
    least += bare.network * (2 * trace.preset.d_ff + width * (2 if first.scaled else 1))
    least += bare.again * width * (2 if bare.second.normalised else 1)
    budget = _Budget(MOST[bare.level] - least)
    demand(budget.left >= 0, "5.numbers", trace, least=least, most=MOST[bare.level])
    sums = tuple(range(width - min(width, budget.left), width))
    budget.take(len(sums))
    scales = bool(first.scaled) and (bare.network or budget.take(width))
    squares = width <= MOST_SQUARES and budget.take(width)
    return replace(bare, sums=sums, squares=squares, scales=scales)


def _asked(trace: Trace, plan: Plan5) -> Iterator[Cell]:
    own, width = plan.own, range(trace.preset.d_model)
    part = plan.first
    yield from ((part.total, own, j) for j in plan.sums)
    yield from ((name, own, 0) for name in part.of_row)
    rows = {part.normalised: True, part.deviations: part.mean, part.scaled: plan.scales}
    yield from ((name, own, j) for name, wanted in rows.items() if wanted for j in width)
    yield from ((part.squares(own), 0, j) for j in width if plan.squares)
    if plan.network:
        yield from ((plan.hidden, own, j) for j in plan.hiddens)
        yield from ((plan.activation, own, j) for j in range(trace.preset.d_ff))
        yield from ((plan.output, own, j) for j in plan.outputs)
    if plan.again:
        names = (plan.second.total, plan.second.normalised)
        yield from ((name, own, j) for name in names if name for j in width)


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    parts = {"attention": "residual1", "feed-forward network": "residual2"}
    for part, residual in parts.items():
        demand(f"{AT}.{residual}" in trace, "5.residual", trace, part=part)
    demand(preset.norm != "none", "5.norm", trace)
    demand(ACTIVATIONS[preset.activation].crosses_out, "5.activation", trace)
    fits = LEAST_MODEL <= preset.d_model <= MOST_MODEL and preset.d_ff <= MOST_HIDDEN
    room = {"least": LEAST_MODEL, "most": MOST_MODEL, "hidden": MOST_HIDDEN}
    demand(fits, "5.wide", trace, **room)
    require_shown(trace)


def _require_spread(trace: Trace, stages: tuple[Stage, ...], rows: tuple[int, ...]) -> None:
    for part, row in ((part, row) for part in stages if part.normalised for row in rows):
        named = {"token": trace.tokens[row], "from_zero": "" if part.mean else "from 0 "}
        spreads = trace[part.root].values[row, 0] >= LEAST_SPREAD
        demand(spreads, "5.spread", trace, **named, root=part.root, least=LEAST_SPREAD)


def _beside(trace: Trace, plan: Plan5) -> float:
    """Of the results of the norm the sums and that of their squares; the sums of products.

    Those are checked at the third level only.
    """
    d, hidden = trace.preset.d_model, trace.preset.d_ff
    sums = 3 if plan.first.mean else 1
    struck = hidden * (not plan.network)  # given ones, or left
    spent = plans.practised(sum=sums * d, square=d, compare=sums, draw=d, copy=struck)
    spent += plans.practised(copy=d * plan.network)
    return spent + plan.again * plans.practised([d, hidden], sum=d + hidden, compare=2)


def _minutes(trace: Trace, asked: frozenset[Cell], tables: int) -> int:
    """Each table is a block: the stages, and the two products of the network."""
    table, form = seconds(), FORMS[trace.preset.norm_form]
    times = dict.fromkeys(form.small, trace.preset.d_model * table["sum"] + table["scale"])
    times |= {form.root.kind: table["root"], "normalised": table["scale"], "norm": dot(1)}
    times |= dict.fromkeys(("residual", "deviations"), table["add"])
    times |= dict.fromkeys(("squares", "plain_squares"), table["square"])
    times["activation"] = table["copy"]

    def cost(step: str, j: int) -> float:
        kind = step.rpartition(".")[2].rstrip("12")
        return times[kind] if kind in times else product(trace[step].inputs[1:], j)

    def product(factors: tuple[str, ...], j: int) -> float:
        """Of a row times a column: zeros cost a look only, a bias is one term more."""
        weight, *bias = (trace[name].values[:, j] for name in factors)
        filled = int(np.count_nonzero(weight))
        return dot(filled + len(bias)) + (table["copy"] if filled < len(weight) else 0.0)

    return plans.minutes(math.fsum(cost(step, j) for step, _, j in asked), tables)
