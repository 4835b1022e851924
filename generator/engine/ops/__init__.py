"""The operations: each says what its array is and, beside it, what one cell is."""

from generator.engine.ops.attention import (
    Contribution,
    Mask,
    Masked,
    MinusRow,
    Power,
    Root,
    RowMax,
    RowShare,
    RowSum,
)
from generator.engine.ops.base import Given, Op, RowProblem
from generator.engine.ops.copying import Concat, Copy, Gather, Ids, OneHot, SelectRow
from generator.engine.ops.counting import SizeProduct, TimesSize, Total
from generator.engine.ops.feedforward import Activation
from generator.engine.ops.linear import MatMul, MatMulT, Over, OverEach, Plus
from generator.engine.ops.norm import Deviation, GainShift, Normalise, RowMean, Variance
from generator.engine.ops.positions import Angle, Divisor, SineCosine
from generator.engine.ops.sampling import (
    BestOfRow,
    Compared,
    Cumulative,
    Draw,
    Kept,
    Rank,
    Renormalise,
    Winner,
)

__all__ = [
    "Activation",
    "Angle",
    "BestOfRow",
    "Compared",
    "Concat",
    "Contribution",
    "Copy",
    "Cumulative",
    "Deviation",
    "Divisor",
    "Draw",
    "GainShift",
    "Gather",
    "Given",
    "Ids",
    "Kept",
    "Mask",
    "Masked",
    "MatMul",
    "MatMulT",
    "MinusRow",
    "Normalise",
    "OneHot",
    "Op",
    "Over",
    "OverEach",
    "Plus",
    "Power",
    "Rank",
    "Renormalise",
    "Root",
    "RowMax",
    "RowMean",
    "RowProblem",
    "RowShare",
    "RowSum",
    "SelectRow",
    "SineCosine",
    "SizeProduct",
    "TimesSize",
    "Total",
    "Variance",
    "Winner",
]
