"""Worksheets for tests: rendered, tampered with, rasterised, taken apart."""

import io
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pypdfium2
from lxml.html import fromstring

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.presets.load import shipped
from generator.render.worksheet.pdf import Leaves
from generator.render.worksheet.worksheet import planned
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import VARIANTS, SheetOptions
from tests.support.memo import computed, once
from tests.support.views import page, render, view

TWELVE_WORDS = "die Katze sitzt auf der Matte und die Maus schläft auf Gras"


def traces(preset: str, language: str, sentence: str | None = None) -> tuple[Trace, Trace]:
    """The computation as the preset rounds it, and without rounding."""
    make = computed if preset in shipped() else computed.__wrapped__  # a file may be another soon
    return make(sentence, preset, language, None), make(sentence, preset, language, "exact")


def html(
    trace: Trace, exact: Trace, options: SheetOptions, *, blank: bool, sheet: str = "4a"
) -> str:
    """The HTML of a sheet before it becomes a PDF."""
    plan = planned(sheet, trace, options)
    return page(plan, trace, exact, options, Formulas(), blank=blank)


def html_of(
    sheet: str, preset: str = "katze", language: str = "de", *, blank: bool = True,
    sentence: str | None = None, **options: Any,
) -> str:  # fmt: skip
    """The HTML of a preset's sheet, with these options."""
    both, chosen = traces(preset, language, sentence), SheetOptions(language=language, **options)
    return html(*both, chosen, blank=blank, sheet=sheet)


def pdf_of(
    sheet: str, preset: str = "katze", language: str = "de", variant: str = "blank", *,
    sentence: str | None = None, **options: Any,
) -> bytes:  # fmt: skip
    """A preset's sheet as PDF, with these options."""
    both, chosen = traces(preset, language, sentence), SheetOptions(language=language, **options)
    return pdf(*both, chosen, variant, sheet)


def solved(
    sheet: str, preset: str, level: int, language: str = "de", sentence: str | None = None
) -> Context:
    """What the template of a sheet's solution may ask."""
    trace, exact = traces(preset, language, sentence)
    options = SheetOptions(language=language, level=level)
    plan = planned(sheet, trace, options)
    return view(plan, trace, exact, options, Formulas(), blank=False)


def pdf(
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    variant: str,
    sheet: str = "4a",
    leaves: Leaves | None = None,
) -> bytes:
    """A sheet as PDF, rendered once in a run; `leaves` keep what its other variant shares."""
    return once(
        lambda: render(sheet, trace, exact, options, variant=variant, leaves=leaves),
        *(sheet, trace, exact, options, variant),
    )


def both(
    trace: Trace, exact: Trace, options: SheetOptions, sheet: str = "4a"
) -> tuple[bytes, bytes]:
    """A sheet blank and solved, as `make` writes both: what they share is laid out once."""
    leaves: Leaves = {}
    blank, solution = (pdf(trace, exact, options, one, sheet, leaves) for one in VARIANTS)
    return blank, solution


@dataclass(frozen=True)
class Paper:
    """A sheet at hand: its computation and options, its plan, its view, its pages."""

    sheet: str
    trace: Trace
    exact: Trace
    options: SheetOptions

    @property
    def given(self) -> tuple[str, Trace, Trace, SheetOptions]:
        """What the checks of `tests.support.battery` take."""
        return self.sheet, self.trace, self.exact, self.options

    @cached_property
    def plan(self) -> Any:
        """What is shown and asked, of the sheet's own class."""
        return planned(self.sheet, self.trace, self.options)

    @cached_property
    def view(self) -> Any:
        """What the template of the solution may ask; its Trace has the sheet's own steps."""
        return view(self.plan, *self.given[1:], Formulas(), blank=False)

    @cached_property
    def blank(self) -> str:
        """The HTML of the blank."""
        return html(*self.given[1:], blank=True, sheet=self.sheet)

    @cached_property
    def solution(self) -> str:
        """The HTML of the solution."""
        return html(*self.given[1:], blank=False, sheet=self.sheet)

    @cached_property
    def shown(self) -> dict[Cell, str]:
        """What the solution prints for each cell."""
        return {cell: value for cell, _, value in Cells(self.solution).found}

    def row(self, step: str, i: int, columns: int) -> str:
        """The first numbers of a step's row as the solution prints them."""
        return " ".join(self.shown[step, i, j] for j in range(columns))

    def pdf(self, variant: str = "solution") -> bytes:
        """The PDF of the blank or the solution."""
        return pdf(*self.given[1:], variant, self.sheet)


def paper(sheet: str, preset: str = "katze", language: str = "de", sentence: str | None = None,
          **options: Any) -> Paper:  # fmt: skip
    """A sheet of a shipped preset."""
    chosen = SheetOptions(language=language, **options)
    return Paper(sheet, *traces(preset, language, sentence), chosen)


def pictures(document: bytes, dpi: int = 90) -> list[np.ndarray]:
    """The pages of a PDF as arrays [height, width, 3]."""
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    return [np.asarray(p.render(scale=dpi / 72).to_pil().convert("RGB")) for p in pages]


def text(document: bytes) -> str:
    """All text of a PDF."""
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    return "\n".join(p.get_textpage().get_text_range() for p in pages)


class Cells:
    """The cell, whether it is asked and the text of every element that names a cell, in order."""

    def __init__(self, document: str) -> None:
        self.found: list[tuple[Cell, bool, str]] = []
        for element in fromstring(document).iterfind(".//*[@data-cell]"):
            step, i, j = element.get("data-cell").split("|")
            ask = bool({"ask", "box"} & set(element.get("class", "").split()))
            self.found.append(((step, int(i), int(j)), ask, element.text_content().strip()))
