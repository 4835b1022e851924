"""The loss of every step of training, as a table and as a picture."""

from collections.abc import Iterator
from pathlib import Path

from generator.errors import UserError
from generator.locales.folders import ENGLISH
from generator.sheets.loss_chart import LossChart
from generator.training.descent import Moment

HEADER = "step,loss"
KINDS = (".csv", ".svg")


def require_kind(path: Path) -> None:
    """Raise a `UserError` for a file that is neither a table nor a picture."""
    if path.suffix not in KINDS:
        raise UserError(
            f"curve {path}: found {path.suffix or 'no ending'!r}, expected .csv (a table) or .svg "
            "(a picture, as any browser shows it)"
        )


class Curve:
    """Records the loss of each step, counted from 1."""

    def __init__(self) -> None:
        self.losses: list[float] = []

    def __call__(self, moment: Moment) -> None:
        """Take down the loss of a step."""
        self.losses.append(moment.look.loss)

    def content(self, path: Path) -> bytes:
        """The file of that name: one line a step with the numbers in full, or a picture."""
        text = self.csv() if path.suffix == ".csv" else self.svg()
        return text.encode("utf-8")

    def csv(self) -> str:
        """One line a step; the numbers in full."""
        return "".join(f"{line}\n" for line in self._lines())

    def svg(self) -> str:
        """The loss over the steps, whose axis has ten times as many steps in each part."""
        return LossChart(tuple(enumerate(self.losses, 1))).svg("step", "loss", ENGLISH)

    def _lines(self) -> Iterator[str]:
        yield HEADER
        for step, loss in enumerate(self.losses, start=1):
            yield f"{step},{loss!r}"
