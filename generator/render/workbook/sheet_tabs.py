"""Computations for a workbook: what a class can still read, or cut to a few tabs.

What these tabs need from outside is then given.
"""

import re
from dataclasses import replace

from generator.engine.edits import Edits
from generator.engine.learning import Training
from generator.engine.model import recomputed
from generator.engine.predict import drawing_row
from generator.engine.scope import Run, Scope
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.render.workbook.file.package import LONGEST_TEXT
from generator.sheets.series import SERIES, SHEETS, in_workbook, require_sheet

MOST_TOKENS = 30
MOST_STEPS = 5  # of training
WAY_OUT = "take its numbers from `paperformer trace --format csv` (or json)"
RICHEST = "katze"  # a shipped preset that has all of them


def played(trace: Trace, sheets: tuple[str, ...] | None, rounds: int = 1) -> Trace:
    """The same computation with what a class plays with in a workbook, cut to these sheets.

    Without sheets it stays whole. Raises `UserError` as `cut`, for rounds there cannot be, and for
    too many steps of training.
    """
    require_few_steps(trace.training)
    if trace.training is not None and sheets is not None:
        raise UserError(
            f"--sheets {','.join(sheets)} leaves a workbook just the tabs of these, and training "
            "has tabs of its own: leave out --sheets, or --train; sheets 7a and 7b bring a step of "
            "their own"
        )
    if rounds > 1 and sheets is not None:
        raise UserError(
            f"--sheets {','.join(sheets)} leaves a workbook just the tabs of these, and each "
            "further round has tabs of its own: leave out --sheets, or --rounds"
        )
    whole = recomputed(trace, controls=True, rounds=rounds, training=trace.training)
    return whole if sheets is None else cut(whole, sheets)


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
    return replace(
        Trace.of(part, trace.sentence),
        notices=trace.notices,
        worked=trace.worked,
        exercise=trace.exercise,
    )


def _steps_of(trace: Trace, sheet: str) -> list[Step]:
    require_sheet(sheet)
    if not SERIES[sheet].kind.in_workbook:
        raise UserError(
            f"workbooks have no tab of sheet {sheet}; take one of the sheets "
            f"{', '.join(in_workbook(SHEETS))}, or, for the sheet itself, another output than xlsx"
        )
    kind = SERIES[sheet].kind
    steps = [step for step in trace if re.fullmatch(kind.steps, step.name)]
    if not (kind.own_steps or any(step.kind == "computed" for step in steps)):
        raise UserError(
            f"preset {trace.preset.name!r} computes nothing of sheet {sheet}; "
            f"take a preset that does, such as {RICHEST!r}"
        )
    return steps


def _again(part: Scope, step: Step) -> None:
    """The same step, computed from the same inputs with the same rounding."""
    decimals = step.decimals if step.rounded else None
    part.apply(
        step.name, step.op, *step.inputs, rows=step.rows, columns=step.columns, decimals=decimals
    )


def require_few_steps(training: Training | None) -> None:
    """Raise a `UserError` for more steps of training than a class can look through."""
    if training is not None and not 1 <= training.steps <= MOST_STEPS:
        raise UserError(
            f"train: found {training.steps} steps; a workbook unrolls 1 to {MOST_STEPS}, each on "
            "tabs of its own: train in smaller portions (the new weights can be copied over the "
            f"old ones), or {WAY_OUT}"
        )


def check(trace: Trace) -> None:
    """Raise a `UserError` for a trace that makes no readable workbook; the message says why.

    Also raises ValueError for a trace without controls: the workbook's switches are its steps.
    """
    if not trace.controls:
        raise ValueError("found a trace without controls, expected compute(…, controls=True)")
    count = len(trace.tokens) + trace.rounds - 1
    if count > MOST_TOKENS:
        more = f" and each of the {trace.rounds - 1} further rounds adds one"
        raise UserError(
            f"the sentence has {len(trace.tokens)} tokens{more if trace.rounds > 1 else ''}; a "
            f"workbook takes {MOST_TOKENS}, because each head fills tables of tokens × tokens that "
            f"must stay readable: shorten the sentence, or {WAY_OUT}"
        )
    for token in trace.tokens:
        if 2 * len(token) > LONGEST_TEXT:
            raise UserError(
                f"the token {token[:20]!r}… has {len(token)} characters; "
                f"a cell of a workbook takes {LONGEST_TEXT // 2}"
            )

    preset = trace.preset
    words = trace["vocabulary.words"].shape[0] if "vocabulary.words" in trace else 0
    attention, network = "attention" in preset.parts, "feedforward" in preset.parts
    for name, found, most in (  # what still makes tables that a class can read
        ("d_model", preset.d_model, 32),
        ("d_ff", preset.d_ff if network else 0, 64),
        ("heads", preset.heads if attention else 0, 12),
        ("blocks", preset.blocks, 6),
        ("heads × d_head", preset.heads * preset.d_head if attention else 0, 64),
        ("words in the vocabulary", words, 200),
    ):
        if found > most:
            raise UserError(
                f"preset {preset.name!r}: found {found} for {name}; a workbook takes {most}, "
                "because a wider table cannot be read on one tab: take a smaller model, cut one "
                "head and the first tokens out of this one with `paperformer presets cut`, "
                f"or {WAY_OUT}"
            )
