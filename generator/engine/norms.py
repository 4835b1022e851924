"""The forms of a norm: the small steps of each, and what is learned after them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from generator.engine import choices
from generator.engine.ops.base import Op
from generator.engine.ops.feedforward import MeanSquare, Variance

MEAN = "mean"  # the step that a centred norm begins with


class Small(NamedTuple):
    """A step with one number for each row: its kind, and the sign above its column."""

    kind: str
    sign: str


@dataclass(frozen=True)
class NormForm:
    """What a row is divided by, and which rows of weights may follow.

    A `centred` norm first subtracts the row's mean. `squares` makes of a row, and of its mean if
    it is centred, the number below the root: [n, d] → [n, 1].
    """

    centred: bool
    squares: Op
    square: Small
    root: Small
    learned: tuple[str, ...]

    @property
    def small(self) -> tuple[str, ...]:
        """The kinds of the steps that have one number for each row, in their order."""
        return (*((MEAN,) if self.centred else ()), self.square.kind, self.root.kind)


FORMS: Final[Mapping[choices.NormForm, NormForm]] = MappingProxyType({
    # Ba, Kiros, Hinton 2016
    "layer": NormForm(
        centred=True,
        squares=Variance(),
        square=Small("variance", "σ²"),
        root=Small("deviation", "σ"),
        learned=("gain", "beta"),
    ),
    # Zhang, Sennrich 2019, equation 4
    "rms": NormForm(
        centred=False,
        squares=MeanSquare(),
        square=Small("square", "RMS²"),
        root=Small("rms", "RMS"),
        learned=("gain",),
    ),
})  # fmt: skip


def dividing_by(root: str) -> choices.NormForm:
    """The form whose steps of the kind `root` rows are divided by; LookupError for another."""
    for name, form in FORMS.items():
        if form.root.kind == root:
            return name
    raise LookupError(f"generator/engine/norms.py has no form that divides by a step {root!r}")
