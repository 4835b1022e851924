"""Parts of a computation for a workbook with a few tabs: what they need from outside is given."""

import re

from generator.engine.bpe_live import write_live
from generator.engine.edits import Edits
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.trace import Step, Trace
from generator.errors import UserError, did_you_mean
from generator.sheets.sheetbpe import plan as sheetbpe

SHEETS = ("1", "bpe", "2", "3", "4a", "4b", "5", "6")  # as the worksheets are called
BPE = "bpe"  # has a corpus of its own instead of steps of the computation
RICHEST = "katze"  # a shipped preset that has all of them

_SECOND = r"(hidden|activation|feedforward|weight\.(hidden|feedforward)|bias\.(hidden|feedforward))"
_NORM = r"(residual|mean|variance|deviation|normalised|gain|beta|norm)[12]"
_STEPS = {
    "1": r"vocabulary\..+|onehot|ids",
    "2": r"embedding|similarity",
    "3": r"position(\..+)?|input",
    "4a": r"scale|block1\.head1\..+",
    "4b": r"scale|block1\.(head\d+\..+|concat|attention|weight\.output|bias\.output)",
    "5": rf"block1\.({_NORM}|{_SECOND})",
    "6": r"last|output\..+|sampling\..+",
}


def played(trace: Trace, sheets: tuple[str, ...] | None, rounds: int = 1) -> Trace:
    """The same computation with what a class plays with in a workbook, cut to these sheets.

    Without sheets it stays whole. Raises `UserError` as `cut`, and for rounds there cannot be.
    """
    whole = compute(
        trace.preset,
        trace.sentence,
        rounding=trace.rounding,
        edits=trace.edits,
        controls=True,
        rounds=rounds,
    )
    whole.worked, whole.exercise = trace.worked, trace.exercise
    return whole if sheets is None else cut(whole, sheets)


def cut(trace: Trace, sheets: tuple[str, ...]) -> Trace:
    """The first round of a computation, only with the steps of these sheets.

    Numbers that come from other steps are given, with the values they have; nothing else changes.
    Raises `UserError` for an unknown sheet and for one of which the preset has nothing.
    """
    kept = {step.name for sheet in sheets if sheet != BPE for step in _steps_of(trace, sheet)}
    last = trace.steps.get("last")
    if last and not kept.issuperset(last.inputs):
        kept -= {"last"}  # the vector is given, not the whole table that it is a row of
    computed = [step for step in trace if step.kind == "computed" and step.name in kept]
    needed = kept.union(*(step.inputs for step in computed), {"tokens"})
    if "vocabulary.embedding" in needed or "output.matrix" in needed:
        needed |= {"vocabulary.words"}  # they name the rows
    part = _empty(trace)
    for step in trace:
        if step.kind == "computed" and step.name in kept:
            _again(part, step)
        elif step.name in needed:
            part.give(step.name, step.values.copy(), step.rows, step.columns, step.decimals)
    for name, target in trace.aliases.items():
        if target in part:
            part.alias(name, target)
    if BPE in sheets:
        corpus = sheetbpe.corpus_of(trace)
        write_live(part, corpus.words, sheetbpe.MOST_ROUNDS, corpus.new)
    return part


def _steps_of(trace: Trace, sheet: str) -> list[Step]:
    if sheet not in SHEETS:
        hint = did_you_mean(sheet, SHEETS)
        raise UserError(f"there is no sheet {sheet!r}{hint}; choose from: {', '.join(SHEETS)}")
    found = [step for step in trace if re.fullmatch(_STEPS[sheet], step.name)]
    if not any(step.kind == "computed" for step in found):
        raise UserError(
            f"preset {trace.preset.name!r} computes nothing of sheet {sheet}; "
            f"take a preset that does, such as {RICHEST!r}"
        )
    return found


def _empty(trace: Trace) -> Trace:
    """A Trace of the same computation without steps."""
    part = Trace(trace.preset, trace.sentence, trace.rounding, Edits(trace.edits))
    part.set_temperature_row(drawing_row(trace.preset))
    part.language, part.notices = trace.language, trace.notices
    part.worked, part.exercise = trace.worked, trace.exercise
    part.controls = trace.controls
    return part


def _again(part: Trace, step: Step) -> None:
    """The same step, computed from the same inputs with the same rounding."""
    decimals = step.decimals if step.rounded else None
    part.apply(
        step.name, step.op, *step.inputs, rows=step.rows, columns=step.columns, decimals=decimals
    )
