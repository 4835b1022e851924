"""Computations for a workbook: what a class can still read, or cut to a few tabs.

What these tabs need from outside is then given.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from generator.engine.edits import Edits
from generator.engine.learning import Training
from generator.engine.model import recomputed
from generator.engine.predict import drawing_row
from generator.engine.scope import Run, Scope
from generator.engine.trace import Step, Trace
from generator.errors import message, require
from generator.render.workbook.file.package import LONGEST_TEXT
from generator.sheets.series import SERIES, SHEETS, in_workbook, require_sheet

MOST_TOKENS, STRATEGY = 30, "sampling.strategy"
MOST_STEPS = 5  # of training
WAY_OUT = message("tabs.way_out")


def played(trace: Trace, sheets: tuple[str, ...] | None, rounds: int = 1) -> Trace:
    """The same computation with what a class plays with in a workbook, cut to these sheets.

    Without sheets it stays whole. Raises `UserError` as `cut`, for rounds there cannot be, and for
    too many steps of training.
    """
    require_few_steps(trace.training)
    if sheets is not None:
        require(trace.training is None, "tabs.training", sheets=",".join(sheets))
        require(rounds <= 1, "tabs.rounds", sheets=",".join(sheets))
    again = {"controls": True, "rounds": rounds, "training": trace.training}
    whole = recomputed(trace, **again)
    whole = _drawing(whole, again) if rounds == 1 else whole
    return whole if sheets is None else cut(whole, sheets)


def _drawing(trace: Trace, again: Mapping[str, Any]) -> Trace:
    """With words that are drawn where a preset takes the likeliest one: else nothing is to draw.

    The next token stays: where the random number hits another one, it is the middle of its own
    interval.
    """
    if "sampling.strategy" not in trace or STRATEGY in trace.edits:
        return trace
    if trace[STRATEGY].values[0, 0] != "greedy":
        return trace
    edits = {**trace.edits, STRATEGY: "sample"}
    drawn = recomputed(trace, **again, edits=edits)
    chosen = trace["sampling.next"].values[0, 0]
    if drawn["sampling.next"].values[0, 0] == chosen:
        return drawn
    j = trace["vocabulary.words"].values[:, 0].tolist().index(chosen)
    ends = (drawn[f"sampling.{end}"].values[0, j] for end in ("from", "cumulative"))
    edits["sampling.random"] = round(math.fsum(ends) / 2, 2)
    drawn = recomputed(trace, **again, edits=edits)
    return drawn if drawn["sampling.next"].values[0, 0] == chosen else trace


def cut(trace: Trace, sheets: tuple[str, ...]) -> Trace:
    """The first round of a computation, only with the steps of these sheets.

    Numbers that come from other steps are given, with the values they have; nothing else changes.
    Raises `UserError` for an unknown sheet and for one of which the preset has nothing.
    """
    kept = {step.name for sheet in sheets for step in _steps_of(trace, sheet)}
    last = trace.steps.get("last")
    if last and not kept.issuperset(last.inputs):
        kept -= {"last"}  # the vector is given, not the whole table that it is a row of
    computed = [step for step in trace if step.kind == "computed" and step.name in kept]
    needed = kept.union(*(step.inputs for step in computed), {"tokens"})
    if "vocabulary.embedding" in needed or "output.matrix" in needed:
        needed |= {"vocabulary.words"}  # they name the rows
    changes = Edits(trace.edits, drawing_row(trace.preset))
    part = Scope(Run(trace.preset, trace.rounding, changes, trace.controls))
    for step in trace:
        if step.kind == "computed" and step.name in kept:
            _again(part, step)
        elif step.name in needed:
            part.give(step.name, step.values.copy(), **step.shown)
    for name, target in trace.aliases.items():
        if target in part:
            part.alias(name, target)
    for sheet in sheets:
        SERIES[sheet].own_steps(part, trace)
    cut_out, notices = Trace.of(part, trace.sentence), trace.notices
    return replace(cut_out, notices=notices, worked=trace.worked, exercise=trace.exercise)


def _steps_of(trace: Trace, sheet: str) -> list[Step]:
    require_sheet(sheet)
    kind = SERIES[sheet].kind
    require(kind.in_workbook, "tabs.none", sheet=sheet, known=", ".join(in_workbook(SHEETS)))
    steps = [step for step in trace if re.fullmatch(kind.steps, step.name)]
    some = kind.own_steps or any(step.kind == "computed" for step in steps)
    require(some, "tabs.nothing", preset=trace.preset, sheet=sheet)
    return steps


def _again(part: Scope, step: Step) -> None:
    """The same step, computed from the same inputs with the same rounding."""
    shown = {"rows": step.rows, "columns": step.columns}
    decimals = step.decimals if step.rounded else None
    part.apply(step.name, step.op, *step.inputs, **shown, decimals=decimals)


def require_few_steps(training: Training | None) -> None:
    """Raise a `UserError` for more steps of training than a class can look through."""
    few = training is None or 1 <= training.steps <= MOST_STEPS
    require(few, "tabs.steps", training=training, most=MOST_STEPS, way_out=WAY_OUT)


def check(trace: Trace) -> None:
    """Raise a `UserError` for a trace that makes no readable workbook; the message says why.

    Also raises ValueError for a trace without controls: the workbook's switches are its steps.
    """
    if not trace.controls:
        raise ValueError("found a trace without controls, expected compute(…, controls=True)")
    count = len(trace.tokens) + trace.rounds - 1
    rounds = f" and each of the {trace.rounds - 1} further rounds adds one"
    found = f"{len(trace.tokens)} tokens{rounds if trace.rounds > 1 else ''}"
    few = count <= MOST_TOKENS
    require(few, "tabs.tokens", found=found, most=MOST_TOKENS, way_out=WAY_OUT)
    for token in trace.tokens:
        names = {"start": token[:20], "found": len(token), "most": LONGEST_TEXT // 2}
        require(2 * len(token) <= LONGEST_TEXT, "tabs.token", **names)

    preset = trace.preset
    words = trace["vocabulary.words"].shape[0] if "vocabulary.words" in trace else 0
    attention, network = "attention" in preset.parts, "feedforward" in preset.parts
    for name, size, most in (  # what still makes tables that a class can read
        ("d_model", preset.d_model, 32),
        ("d_ff", preset.d_ff if network else 0, 64),
        ("heads", preset.heads if attention else 0, 12),
        ("blocks", preset.blocks, 6),
        ("heads × d_head", preset.heads * preset.d_head if attention else 0, 64),
        ("words in the vocabulary", words, 200),
    ):
        names = {"size": size, "name": name, "most": most, "way_out": WAY_OUT}
        require(size <= most, "tabs.wide", preset=preset, **names)
