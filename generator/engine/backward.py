"""Backpropagation: for each operation the rule that carries a gradient back to its inputs.

A rule gives, for each number that an operation took in, the operation that says how the loss
changes with it. These are mostly the operations of the forward pass again (a product's gradient is
a product), so that formulas, worked arithmetic and cells come from the same expressions. A softmax
and a norm are taken as a whole, as textbooks have it: their own small steps have no gradient.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from generator.engine.ops import (
    Activation,
    ActivationSlope,
    ColumnDot,
    Columns,
    ColumnSum,
    Concat,
    ConcatIfOn,
    Copy,
    FirstRows,
    GainShift,
    Gather,
    Masked,
    MatMul,
    MatMulT,
    MatTMul,
    MinusRow,
    Normalise,
    NormaliseByRoot,
    NormSlope,
    Op,
    Over,
    OverAt,
    OverEach,
    PlaceRows,
    Plus,
    PlusIfOn,
    Power,
    RowDot,
    RowMean,
    RowShare,
    SelectRow,
    ShareSlope,
    WhenOn,
)
from generator.engine.step import Step

AVERAGE, PROJECTION = "average", "projection"

Helper: TypeAlias = Callable[[str, Op, tuple[str, ...]], str]
Steps: TypeAlias = Mapping[str, Step]


class Part(NamedTuple):
    """What one use of a step adds to its gradient: an operation on other steps."""

    of: str
    op: Op
    inputs: tuple[str, ...]


def parts(step: Step, g: str, steps: Steps, helper: Helper, row: int) -> Iterator[Part]:
    """The parts of the gradients of a step's inputs; `g` is the gradient of the step itself.

    `helper` writes a small step that a rule needs first; `row` is that of the temperature that the
    loss is about. Raises `TypeError` for an operation that nothing can be learned through.
    """
    names = step.inputs
    match step.op:
        case MatMul():
            yield Part(names[0], MatMulT(), (g, names[1]))
            yield Part(names[1], MatTMul(), (names[0], g))
            yield from (Part(bias, ColumnSum(), (g,)) for bias in names[2:])
        case MatMulT():
            yield Part(names[0], MatMul(), (g, names[1]))
            yield Part(names[1], MatTMul(), (g, names[0]))
            yield from (Part(bias, ColumnSum(), (g,)) for bias in names[2:])
        case Plus():
            yield from (Part(name, Copy(), (g,)) for name in names)
        case PlusIfOn():
            yield Part(names[0], Copy(), (g,))
            yield Part(names[1], WhenOn(), (g, names[2]))
        case Masked() | Copy():
            yield Part(names[0], Copy(), (g,))
        case Over() | OverAt():
            yield Part(names[0], step.op, (g, names[1]))
        case OverEach():
            yield Part(names[0], OverAt(row), (g, names[1]))
        case Activation(kind=kind):
            yield Part(names[0], ActivationSlope(kind), (g, names[0]))
        case RowShare():
            yield _softmax(step, g, steps, helper)
        case Normalise() | NormaliseByRoot():
            yield _norm(step, g, helper)
        case GainShift():
            yield from _gain_shift(step.op, names, g)
        case _:
            yield from _copying(step, g, steps)


def _copying(step: Step, g: str, steps: Steps) -> Iterator[Part]:
    """The rules of operations that only move numbers: gradients move back to where these were."""
    names = step.inputs
    match step.op:
        case SelectRow(index=index):
            yield Part(names[0], PlaceRows(index, steps[names[0]].shape[0]), (g,))
        case FirstRows():
            yield Part(names[0], PlaceRows(0, steps[names[0]].shape[0]), (g,))
        case Concat():
            yield from _heads(names, (), 0, g, steps)
        case ConcatIfOn(block=block):
            yield from _heads(names[1:], names[:1], block, g, steps)
        case Gather():
            onehot = steps[names[0]].inputs[0]  # its columns say which tokens are a word
            yield Part(names[1], MatTMul(), (onehot, g))
        case _:
            raise TypeError(f"{step.name}: nothing is learned through {type(step.op).__name__}")


def _heads(
    heads: tuple[str, ...], switches: tuple[str, ...], block: int, g: str, steps: Steps
) -> Iterator[Part]:
    start = 0
    for h, head in enumerate(heads):
        width = steps[head].shape[1]
        yield Part(head, Columns(start, width, (block, h)), (g, *switches))
        start += width


def _softmax(step: Step, g: str, steps: Steps, helper: Helper) -> Part:
    """From shares to what the powers were taken of; a shift of a row changes no share."""
    power = steps[step.inputs[0]]
    source = steps[power.inputs[0]]
    before = source.inputs[0] if isinstance(source.op, MinusRow) else source.name
    if not isinstance(power.op, Power):
        raise TypeError(f"{step.name}: found {type(power.op).__name__}, expected powers to share")
    average = helper(AVERAGE, RowDot(), (g, step.name))
    return Part(before, ShareSlope(power.op.base), (g, step.name, average))


def _norm(step: Step, g: str, helper: Helper) -> Part:
    """From normalised rows to the rows before: without average and without the part along y."""
    x, divisor = step.inputs[0], step.inputs[-1]
    projection = helper(PROJECTION, RowDot(mean=True), (g, step.name))
    if isinstance(step.op, NormaliseByRoot):
        return Part(x, NormSlope(centred=False), (g, step.name, projection, divisor))
    average = helper(AVERAGE, RowMean(), (g,))
    return Part(x, NormSlope(centred=True), (g, step.name, projection, average, divisor))


def _gain_shift(op: GainShift, names: tuple[str, ...], g: str) -> Iterator[Part]:
    if op.gain:
        yield Part(names[0], GainShift(gain=True, shift=False), (g, names[1]))
        yield Part(names[1], ColumnDot(), (g, names[0]))
    else:
        yield Part(names[0], Copy(), (g,))
    if op.shift:
        yield Part(names[-1], ColumnSum(), (g,))
