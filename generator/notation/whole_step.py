"""One expression that stands for all cells of a step, for formulas such as S = Q · Kᵀ.

Mostly it is that of the first cell; here stand the operations whose first cell does not say it.
"""

import math

from generator.engine.choices import STRATEGIES, Strategy
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Operand, Text
from generator.engine.masks import MASKS
from generator.engine.ops.attention import Mask
from generator.engine.ops.copying import Append, Concat, ConcatIfOn, Gather, SelectRow
from generator.engine.ops.learning import (
    ColumnDot,
    Columns,
    Descend,
    DescendIfOn,
    MatTMul,
    PlaceRows,
    RowDot,
)
from generator.engine.ops.linear import Divisor, SineCosine
from generator.engine.ops.sampling import IntervalStart, Kept, KeptBy, Rank, TwoDigits
from generator.engine.trace import Trace

PAIR = "m"  # counts the pairs of dimensions that share an angle


def meaning(trace: Trace, name: str) -> Expr:
    """The expression that stands for all cells of a step."""
    step = trace[name]
    inputs = trace.operands(step)
    match step.op:
        case Mask(kind=kind):
            return MASKS[kind].cell(Text("i"), Text("j"), Num(0), Num(-math.inf))
        case Divisor():
            return Bin("^", Num(10000), Bin("/", Text(f"2{PAIR}"), Text("d_model")))
        case SineCosine():
            angle = inputs[0].at(0, 0)
            return Bin("&", Call(Fn.SIN, (angle,)), Call(Fn.COS, (angle,)))
        case Concat() | Append() | TwoDigits():
            return _joined(inputs)
        case ConcatIfOn():
            return _joined(inputs[1:])
        case IntervalStart():
            return inputs[0].at(0, 0)
        case DescendIfOn():
            return Descend().cell(0, 0, *inputs[:3])
        case KeptBy():
            own = trace["sampling.strategy"].values[0, 0]
            return _kept(next(one for one in STRATEGIES if one == own), inputs)
        case Gather():
            return Call(Fn.INDEX, (inputs[1].column(0), inputs[0].at(0, 0)))
        case MatTMul() | ColumnDot():
            return Dot(*(Area(one.step, 0, 2, 0, 1) for one in inputs))  # columns
        case RowDot(mean=mean):
            both = Bin("*", inputs[0].at(0, 0), inputs[1].at(0, 0))
            row = Call(Fn.SUM, (both,))
            return Bin("/", row, Num(inputs[0].width)) if mean else row
        case PlaceRows() | Columns():
            return inputs[0].at(0, 0)
        case SelectRow(index=index):
            return Call(Fn.INDEX, (inputs[0].column(0), Num(index + 1)))
        case Rank():
            return Call(Fn.RANK, (Text("p_j"), inputs[0].row(0)))
        case Kept(strategy=strategy):
            return _kept(strategy, inputs)
        case _:
            return trace.cell(step.name, 0, 0)


def _kept(strategy: Strategy, inputs: list[Operand]) -> Expr:
    share, rank, *limits = inputs  # (strategy, k and p, or only the limit that is needed)
    if strategy == "top-p":
        larger = Call(Fn.SUM_BELOW, (rank.row(0), Text("r_j"), share.row(0)))
        return If(Bin("<", larger, limits[-1].at(0, 0)), Num(1), Num(0))
    return Kept(strategy).cell(0, 0, share, rank, *(limits[-2:-1] or limits))


def _joined(tables: list[Operand]) -> Expr:
    result: Expr = tables[0].at(0, 0)
    for table in tables[1:]:
        result = Bin("&", result, table.at(0, 0))
    return result
