"""Sheet 5: add & norm of one token's row, then the feed-forward network."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.engine.activations import ACTIVATIONS
from generator.engine.norms import FORMS
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.add_norm import Stage, addition, paper_steps, stage
from generator.sheets.plan import Plan, counted, dot, minutes, require_level, require_shown, seconds

SHEET = "5"
AT = "block1"
MOST = {1: 16, 2: 39, 3: 58}  # light numbers, so more of them than elsewhere
MOST_MINUTES = {1: 11, 2: 20, 3: 25}
LEAST_MODEL, MOST_MODEL, MOST_HIDDEN = 2, 6, 8
MOST_SQUARES = 4  # columns; in a wider table a square has no room
LEAST_PRODUCTS = 2  # asked of each product of the network; where time is short others are given
LEAST_SPREAD = 0.1  # below, a rounded σ is too coarse to divide by
FITTING = "take 'katze'"


@dataclass(frozen=True, kw_only=True)
class Plan5(Plan):
    """The two stages of add & norm and the network between them; what of it is asked.

    `sums` are the columns of old + new to compute, the others are given. `squares` says for each
    stage whether its squares are asked, `scales` whether gain and shift are. `network` is asked
    from the second level on, the second stage (`again`) at the third. `hiddens` and `outputs` are
    the columns of the network's two products to compute; with full matrices the first are given.
    """

    first: Stage
    second: Stage
    hidden: str
    activation: str
    output: str
    network: bool
    again: bool
    sums: tuple[int, ...]
    squares: tuple[bool, bool]
    scales: tuple[bool, bool]
    hiddens: tuple[int, ...]
    outputs: tuple[int, ...]


class _Choice(NamedTuple):
    """What of the sheet a level asks, see `Plan5`."""

    network: bool
    again: bool
    sums: tuple[int, ...]
    squares: tuple[bool, bool]
    scales: tuple[bool, bool]
    hiddens: tuple[int, ...]
    outputs: tuple[int, ...]


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
    require_level(level)
    _require_parts(trace)
    _require_size(trace)
    own, worked = rows = _rows(trace)
    ending = addition if trace.preset.norm == "pre" else stage
    stages = (
        stage(trace, f"{AT}.residual1", "norm1"),
        ending(trace, f"{AT}.residual2", "norm2"),  # a norm before each part: the next one's
    )
    _require_spread(trace, stages, rows)
    choice = _in_time(trace, level, own, stages)
    asked = _asked(trace, own, stages, choice)
    hidden, activation, output = _network(trace)
    return Plan5(
        sheet=SHEET,
        level=level,
        worked=worked,
        own=own,
        asked=asked,
        minutes=_minutes(trace, asked, choice),
        extra=tuple(step for part in stages for step in paper_steps(trace, part, rows)),
        first=stages[0],
        second=stages[1],
        hidden=hidden,
        activation=activation,
        output=output,
        **choice._asdict(),
    )


def _rows(trace: Trace) -> tuple[int, int]:
    """The asked and the worked token."""
    if trace.worked is None or trace.exercise is None:
        raise UserError(
            f"sheet 5 works through one token and asks for another; {trace.sentence!r} has "
            f"{counted(trace)}: write a longer sentence"
        )
    return trace.exercise, trace.worked


def _in_time(trace: Trace, level: int, own: int, stages: tuple[Stage, Stage]) -> _Choice:
    """The most that a level can ask within its minutes."""
    choice = _choice(trace, level, *stages)
    for lighter in (choice, *_lighter(choice)):
        spent = _minutes(trace, _asked(trace, own, stages, lighter), lighter)
        if spent <= MOST_MINUTES[level]:
            return lighter
    raise UserError(
        f"preset {trace.preset.name!r} would need {spent} minutes on sheet 5 with its full "
        f"matrices, which has {MOST_MINUTES[level]}: {FITTING}"
    )


def _lighter(choice: _Choice) -> Iterator[_Choice]:
    """Less and less to compute: the sums are given, then products of the network in turn."""
    choice = choice._replace(sums=())
    yield choice
    while max(len(choice.hiddens), len(choice.outputs)) > LEAST_PRODUCTS:
        if len(choice.hiddens) >= len(choice.outputs):
            choice = choice._replace(hiddens=choice.hiddens[1:])
        else:
            choice = choice._replace(outputs=choice.outputs[1:])
        yield choice


def _choice(trace: Trace, level: int, first: Stage, second: Stage) -> _Choice:
    """Gains first, then squares, then sums: what has no room is left out or, for sums, given."""
    width, network, again = trace.preset.d_model, level >= 2, level >= 3
    least = _least(trace, first, second, level)
    budget = _Budget(MOST[level] - least)
    if budget.left < 0:
        raise UserError(
            f"preset {trace.preset.name!r} would need {least} numbers on sheet 5, "
            f"which asks at most {MOST[level]}: {FITTING}"
        )
    scaled = bool(first.scaled) and (network or budget.take(width))
    scales = (scaled, again and bool(second.scaled) and budget.take(width))
    one = width <= MOST_SQUARES and budget.take(width)
    squares = (one, again and bool(second.normalised) and one and budget.take(width))
    sums = tuple(range(width - min(width, budget.left), width))
    hiddens, outputs = (
        tuple(range(count)) if network else () for count in (trace.preset.d_ff, width)
    )
    return _Choice(network, again, sums, squares, scales, hiddens, outputs)


def _least(trace: Trace, first: Stage, second: Stage, level: int) -> int:
    """How many numbers a level asks before squares and sums: these can be left out."""
    preset = trace.preset
    chain = (2 if first.mean else 1) * preset.d_model + len(first.of_row)
    network = 2 * preset.d_ff + preset.d_model * (2 if first.scaled else 1)
    again = preset.d_model + (chain if second.normalised else 0)
    return chain + (network if level >= 2 else 0) + (again if level >= 3 else 0)


def _asked(trace: Trace, own: int, stages: tuple[Stage, Stage], choice: _Choice) -> frozenset[Cell]:
    width = trace.preset.d_model
    cells = {(stages[0].total, own, j) for j in choice.sums}
    for k, part in enumerate(stages[: 2 if choice.again else 1]):
        cells |= _norm_cells(part, own, width, choice.squares[k], choice.scales[k])
    if choice.network:
        hidden, activation, output = _network(trace)
        cells |= {(hidden, own, j) for j in choice.hiddens}
        cells |= _cells(own, (activation, trace.preset.d_ff))
        cells |= {(output, own, j) for j in choice.outputs}
    if choice.again:
        cells |= _cells(own, (stages[1].total, width))
    return frozenset(cells)


def _network(trace: Trace) -> tuple[str, str, str]:
    """Hidden values, activation and output of the network; a residual's second input is it."""
    output = trace[trace[f"{AT}.residual2"].inputs[1]]
    activation = output.inputs[0]
    return trace[activation].inputs[0], activation, output.name


def _norm_cells(part: Stage, own: int, width: int, squares: bool, scaled: bool) -> set[Cell]:
    if not part.normalised:
        return set()
    cells = {(name, own, 0) for name in part.of_row} | _cells(own, (part.normalised, width))
    if part.mean:
        cells |= _cells(own, (part.deviations, width))
    if squares:
        cells |= _cells(0, (part.squares(own), width))
    if scaled:
        cells |= _cells(own, (part.scaled, width))
    return cells


def _cells(row: int, *steps: tuple[str, int]) -> set[Cell]:
    return {(name, row, j) for name, width in steps for j in range(width)}


def _require_parts(trace: Trace) -> None:
    preset = trace.preset
    for step, what in (
        (f"{AT}.residual1", "no attention with a residual connection"),
        (f"{AT}.residual2", "no feed-forward network with a residual connection"),
    ):
        if step not in trace:
            raise UserError(f"preset {preset.name!r} has {what}; sheet 5 needs one: {FITTING}")
    if preset.norm == "none":
        raise UserError(f"preset {preset.name!r} has no layer norm; sheet 5 needs one: {FITTING}")
    if not ACTIVATIONS[preset.activation].crosses_out:
        raise UserError(
            f"preset {preset.name!r} has the activation {preset.activation!r}; on sheet 5 pupils "
            f"cross out what is negative, which is ReLU: {FITTING}"
        )


def _require_size(trace: Trace) -> None:
    preset = trace.preset
    if not LEAST_MODEL <= preset.d_model <= MOST_MODEL or preset.d_ff > MOST_HIDDEN:
        raise UserError(
            f"preset {preset.name!r} has d_model = {preset.d_model} and d_ff = {preset.d_ff}; on "
            f"paper sheet 5 takes d_model {LEAST_MODEL} to {MOST_MODEL} and d_ff up to "
            f"{MOST_HIDDEN}: {FITTING}, or make the workbook with --only xlsx"
        )
    require_shown(trace)


def _require_spread(trace: Trace, stages: tuple[Stage, ...], rows: tuple[int, ...]) -> None:
    for part in stages:
        for row in rows:
            if part.normalised and trace[part.root].values[row, 0] < LEAST_SPREAD:
                raise UserError(
                    f"the numbers of {trace.tokens[row]!r} hardly differ "
                    f"{'' if part.mean else 'from 0 '}({part.root} is "
                    f"below {LEAST_SPREAD}), so that rounding would drown what sheet 5 shows: "
                    f"write another sentence or {FITTING}"
                )


def _minutes(trace: Trace, asked: frozenset[Cell], choice: _Choice) -> int:
    """Each table is a block: the stages, and the two products of the network."""
    spent = math.fsum(_cost(trace, name, j) for name, _, j in asked)
    return minutes(spent, 1 + 2 * choice.network + choice.again)


def _cost(trace: Trace, name: str, j: int) -> float:
    """Seconds for the cell in column j of a step, known by the last part of its name."""
    table, form = seconds(), FORMS[trace.preset.norm_form]
    match name.rpartition(".")[2].rstrip("12"):
        case form.root.kind:
            return table["root"]
        case kind if kind in form.small:
            return trace.preset.d_model * table["sum"] + table["scale"]
        case "residual" | "deviations":
            return table["add"]
        case "squares" | "plain_squares":
            return table["square"]
        case "normalised":
            return table["scale"]
        case "norm":
            return dot(1)
        case "activation":
            return table["copy"]
        case _:
            return _product(trace, name, j)


def _product(trace: Trace, name: str, j: int) -> float:
    """Seconds for a row times a column: zeros cost a look only, a bias is one term more."""
    weight, *bias = (trace[n].values[:, j] for n in trace[name].inputs[1:])
    filled = int(np.count_nonzero(weight))
    look = seconds()["copy"] if filled < len(weight) else 0.0
    return dot(filled + len(bias)) + look
