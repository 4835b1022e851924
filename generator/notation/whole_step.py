"""One expression that stands for all cells of a step, for formulas such as S = Q · Kᵀ.

Mostly it is that of the first cell; here stand the operations whose first cell does not say it.
"""

import math
from functools import reduce

from generator.engine.choices import STRATEGIES, Strategy
from generator.engine.expr import Area, Bin, Dot, Expr, Fn, If, Num, Operand, Text
from generator.engine.masks import MASKS
from generator.engine.ops import attention, copying, learning, linear, sampling
from generator.engine.trace import Trace

PAIR = "m"  # counts the pairs of dimensions that share an angle


def meaning(trace: Trace, name: str) -> Expr:
    """The expression that stands for all cells of a step."""
    step = trace[name]
    inputs = trace.operands(step)
    match step.op:
        case attention.Mask(kind=kind):
            return MASKS[kind].cell(Text("i"), Text("j"), Num(0), Num(-math.inf))
        case linear.Divisor():
            return Num(10000) ** (Text(f"2{PAIR}") / Text("d_model"))
        case linear.SineCosine():
            return Bin("&", Fn.SIN(inputs[0][0, 0]), Fn.COS(inputs[0][0, 0]))
        case copying.Concat() | copying.Append() | sampling.TwoDigits():
            return _joined(inputs)
        case copying.ConcatIfOn():
            return _joined(inputs[1:])
        case sampling.IntervalStart() | learning.PlaceRows() | learning.Columns():
            return inputs[0][0, 0]
        case learning.DescendIfOn():
            return learning.Descend().cell(0, 0, *inputs[:3])
        case sampling.KeptBy():
            own = trace["sampling.strategy"].values[0, 0]
            return _kept(next(one for one in STRATEGIES if one == own), *inputs)
        case sampling.Kept(strategy=strategy):
            return _kept(strategy, *inputs)
        case copying.Gather():
            return Fn.INDEX(inputs[1][:, 0], inputs[0][0, 0])
        case learning.MatTMul() | learning.ColumnDot():
            return Dot(*(Area(one.step, 0, 2, 0, 1) for one in inputs))  # columns
        case learning.RowDot(mean=mean):
            row = Fn.SUM(inputs[0][0, 0] * inputs[1][0, 0])
            return row / inputs[0].width if mean else row
        case copying.SelectRow(index=index):
            return Fn.INDEX(inputs[0][:, 0], Num(index + 1))
        case sampling.Rank():
            return Fn.RANK(Text("p_j"), inputs[0][0, :])
        case _:
            return trace.cell(step.name, 0, 0)


def _kept(strategy: Strategy, share: Operand, rank: Operand, *limits: Operand) -> Expr:
    """`limits` are strategy, k and p, or only the one that is needed."""
    if strategy == "top-p":
        larger = Fn.SUM_BELOW(rank[0, :], Text("r_j"), share[0, :])
        return If(Bin("<", larger, limits[-1][0, 0]), Num(1), Num(0))
    return sampling.Kept(strategy).cell(0, 0, share, rank, *(limits[-2:-1] or limits))


def _joined(tables: list[Operand]) -> Expr:
    cells: list[Expr] = [table[0, 0] for table in tables]
    return reduce(lambda left, right: Bin("&", left, right), cells)
