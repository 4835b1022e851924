"""Which of several ways a step is computed: the ending of the keys of its texts."""

from collections.abc import Mapping

from generator.engine.activations import ACTIVATIONS
from generator.engine.norms import dividing_by
from generator.engine.ops import attention, copying, feedforward, learning, linear, sampling
from generator.engine.ops.base import Op
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
        case linear.MatMul() | linear.MatMulT() if len(step.inputs) == 3:
            return ".bias"
        case copying.Copy():
            return ".copied"
        case copying.Append():
            return ".appended"
        case attention.Mask(kind=kind):
            return f".{kind}"
        case attention.Power() as power:
            over_visible = step.place.kind == "exp" and not power.masked
            return ("" if power.base is None else ".base") + (".seen" if over_visible else "")
        case feedforward.Activation(kind=kind):
            return f".{kind}"
        case feedforward.Deviation(epsilon=epsilon) if epsilon:
            return ".epsilon"
        case copying.SizeProduct(factor=1) if step.place.kind == "count.norm":
            return ".scales"
        case feedforward.NormaliseByRoot():
            return f".{dividing_by(place_of(step.inputs[-1]).kind)}"
        case feedforward.GainShift(gain=gain, shift=shift) if not (gain and shift):
            return ".gain" if gain else ".shift"
        case sampling.Kept(strategy=strategy):
            return f".{strategy}"
        case sampling.Draw():
            return ".drawn"
        case learning.ColumnMean():
            return ".mean"
        case _:
            return ""


WAYS: Mapping[type[Op], str] = {
    linear.MatMul: ".product",
    linear.MatMulT: ".product",
    linear.Over: ".divided",
    copying.Copy: ".copied",
    feedforward.GainShift: ".gain",
    learning.OverAt: ".divided",
    learning.ShareError: ".error",
    learning.MatTMul: ".columns",
    learning.ShareSlope: ".softmax",
    learning.NormSlope: ".norm",
    learning.PlaceRows: ".placed",
    learning.Columns: ".head",
    learning.ColumnDot: ".products",
    learning.ColumnSum: ".bias",
    learning.WhenOn: ".switch",
    learning.Sum: ".sum",
    learning.RowDot: "",
    learning.Descend: "",
    learning.DescendIfOn: "",
}


def _of_learning(step: Step) -> str:
    """How a gradient is carried back."""
    if isinstance(step.op, learning.ActivationSlope):
        return ".gate" if ACTIVATIONS[step.op.kind].crosses_out else ".slope"
    if step.place.kind == "grad.average":
        return ".norm" if isinstance(step.op, feedforward.RowMean) else ""
    return WAYS[type(step.op)]
