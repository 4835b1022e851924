"""Which of several ways a step is computed: the ending of the keys of its texts."""

from collections.abc import Mapping

from generator.engine.activations import ACTIVATIONS
from generator.engine.norms import dividing_by
from generator.engine.ops.attention import Mask, Power
from generator.engine.ops.base import Op
from generator.engine.ops.copying import Append, Copy, SizeProduct
from generator.engine.ops.feedforward import (
    Activation,
    Deviation,
    GainShift,
    NormaliseByRoot,
    RowMean,
)
from generator.engine.ops.learning import (
    ActivationSlope,
    ColumnDot,
    ColumnMean,
    Columns,
    ColumnSum,
    Descend,
    DescendIfOn,
    MatTMul,
    NormSlope,
    OverAt,
    PlaceRows,
    RowDot,
    ShareError,
    ShareSlope,
    Sum,
    WhenOn,
)
from generator.engine.ops.linear import MatMul, MatMulT, Over
from generator.engine.ops.sampling import Draw, Kept
from generator.engine.place import place_of
from generator.engine.trace import Step
from generator.steps import kind_of

BEGINS = ("either", "matrix", "vector")  # a model may begin with it, and says so


def variant(step: Step) -> str:
    """The ending, such as ".strict" for a mask; nothing where there is only one way."""
    if step.place.of:
        return _of_learning(step)
    if step.kind == "given":
        return ".given" if kind_of(step.name).source in BEGINS else ""
    match step.op:
        case MatMul() | MatMulT() if len(step.inputs) == 3:
            return ".bias"
        case Copy():
            return ".copied"
        case Append():
            return ".appended"
        case Mask(kind=kind):
            return f".{kind}"
        case Power() as power:
            over_visible = step.place.kind == "exp" and not power.masked
            return ("" if power.base is None else ".base") + (".seen" if over_visible else "")
        case Activation(kind=kind):
            return f".{kind}"
        case Deviation(epsilon=epsilon) if epsilon:
            return ".epsilon"
        case SizeProduct(factor=1) if step.place.kind == "count.norm":
            return ".scales"
        case NormaliseByRoot():
            return f".{dividing_by(place_of(step.inputs[-1]).kind)}"
        case GainShift(gain=gain, shift=shift) if not (gain and shift):
            return ".gain" if gain else ".shift"
        case Kept(strategy=strategy):
            return f".{strategy}"
        case Draw():
            return ".drawn"
        case ColumnMean():
            return ".mean"
        case _:
            return ""


# fmt: off
WAYS: Mapping[type[Op], str] = {
    ShareError: ".error", MatMul: ".product", MatMulT: ".product", MatTMul: ".columns",
    Copy: ".copied", Over: ".divided", OverAt: ".divided", ShareSlope: ".softmax",
    NormSlope: ".norm", PlaceRows: ".placed", Columns: ".head", GainShift: ".gain",
    ColumnDot: ".products", ColumnSum: ".bias", WhenOn: ".switch", Sum: ".sum",
    RowDot: "", Descend: "", DescendIfOn: "",
}
# fmt: on


def _of_learning(step: Step) -> str:
    """How a gradient is carried back."""
    if isinstance(step.op, ActivationSlope):
        return ".gate" if ACTIVATIONS[step.op.kind].crosses_out else ".slope"
    if step.place.kind == "grad.average":
        return ".norm" if isinstance(step.op, RowMean) else ""
    return WAYS[type(step.op)]
