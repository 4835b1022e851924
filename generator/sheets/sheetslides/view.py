"""What the template of the projector's pages may ask.

Also here:

* What the projector's pages say of their own result, with what must be true of it.
"""

from typing import NamedTuple

from generator.insight.claims import GENERAL
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheetslide.view import of_mask
from generator.sheets.sheetslides.plan import WORD, PlanSlides

APPEARS = {  # on which page the numbers of a step appear
    name: page
    for page, names in enumerate(
        ("x", "weight", "query", "key", "scores scaled", "exp sum weights", "value", "output"), 1
    )
    for name in names.split()
}
ASKED = range(3, 9)  # the steps that a page asks for before the next one answers
LAST = 9
BAR_MM = 0.6  # the length of 1 per cent
BOARD_MM, MOST_ROW_MM, HEADS = 90.0, 13.2, 3  # of the board: its height, a row's, other rows


class SlidePage(NamedTuple):
    """One page: its step, counted from 1, and whether it asks for the step's numbers."""

    step: int
    asks: bool


CLAIMS = {"sheetslides.chosen": GENERAL["sheet.chosen"], **of_mask("sheetslides")}


class ViewSlides(sheet4a.View4a):
    """The view of sheet slides that its template has."""

    claims = CLAIMS

    plan: PlanSlides
    word_mm = WORD  # the width of the column of words

    @property
    def pages(self) -> list[SlidePage]:
        """The pages in order: what is computed is asked for first, then shown."""
        return [
            SlidePage(step, asks)
            for step in range(1, LAST + 1)
            for asks in (True, False)
            if step in ASKED or not asks
        ]

    @property
    def board_mm(self) -> float:
        """The width of the board."""
        w, d, k = self.plan.widths, self.size(self.x)[1], self.size(self.at("key"))[1]
        vectors = self.word_mm + d * w["x"] + k * w["key"]
        return vectors + w["scores"] + w["scaled"] + w["exp"] + w["weights"] + k * w["value"]

    def row_mm(self) -> str:
        """The height of a row of the board, for CSS: the board fills its part of the page."""
        return f"{min(MOST_ROW_MM, BOARD_MM / (len(self.tokens) + HEADS)):.2f}mm"

    def state(self, name: str, page: SlidePage) -> str:
        """Whether the numbers of a step are "later", "asked", "new" or "old" on a page."""
        appears = APPEARS[name]
        if page.step != appears:
            return "later" if page.step < appears else "old"
        return "asked" if page.asks else "new"

    def slide_bar_mm(self, row: int, j: int) -> str:
        """The length of a bar, for CSS."""
        return f"{self.trace[self.at('weights')].values[row, j] * 100 * BAR_MM:.2f}mm"
