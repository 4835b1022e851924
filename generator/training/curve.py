"""The loss of every step of training, as a table and as a picture."""

from collections.abc import Iterator
from pathlib import Path

from generator.errors import UserError
from generator.locales.folders import ENGLISH
from generator.render import pictures
from generator.sheets.loss_chart import PAGE, TALL, LossChart
from generator.sheets.maths import Formulas
from generator.training.descent import Moment

HEADER = "step,loss"
KINDS = (".csv", ".svg", ".png")
WIDTH = 1280  # pixels of a PNG
FIT = f"@page {{ size: {PAGE:g}mm {TALL:g}mm; margin: 0 }} svg {{ display: block }}"


def require_kind(path: Path) -> None:
    """Raise a `UserError` for a file that is neither a table nor a picture that can be made here.

    It comes before the training: nobody waits for a curve that cannot be written.
    """
    if path.suffix not in KINDS:
        raise UserError(
            f"curve {path}: found {path.suffix or 'no ending'!r}, expected .csv (a table), .svg "
            "(a picture, as any browser shows it) or .png"
        )
    if path.suffix == ".png":
        png('<svg xmlns="http://www.w3.org/2000/svg"/>')


def png(svg: str) -> bytes:
    """A picture of the size of a loss chart in dots: a page with it, drawn as the gallery draws."""
    from generator.render.worksheet.pdf import document_css, to_pdf

    pictures.versions()
    html = f'<html lang="en"><body>{svg}</body></html>'
    page = to_pdf(html, (document_css(), FIT), Formulas(), where="curve", tagged=False)
    return pictures.first_page(page, WIDTH)


class Curve:
    """Records the loss of each step, counted from 1."""

    def __init__(self) -> None:
        self.losses: list[float] = []

    def __call__(self, moment: Moment) -> None:
        """Take down the loss of a step."""
        self.losses.append(moment.look.loss)

    def content(self, path: Path) -> bytes:
        """The file of that name: one line per step with the numbers in full, or a picture."""
        if path.suffix == ".png":
            return png(self.svg())
        text = self.csv() if path.suffix == ".csv" else self.svg()
        return text.encode("utf-8")

    def csv(self) -> str:
        """One line per step; the numbers in full."""
        return "".join(f"{line}\n" for line in self._lines())

    def svg(self) -> str:
        """The loss over the steps, whose axis has ten times as many steps in each part."""
        return LossChart(tuple(enumerate(self.losses, 1))).svg("step", "loss", ENGLISH)

    def _lines(self) -> Iterator[str]:
        yield HEADER
        for step, loss in enumerate(self.losses, start=1):
            yield f"{step},{loss!r}"
