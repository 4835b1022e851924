"""What the template of the projector's pages may ask.

Also here:

* What the projector's pages say of their own result, with what must be true of it.
"""

from typing import NamedTuple

from generator.insight.claims import GENERAL
from generator.sheets.geometry import Mm
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheetslide.view import of_mask
from generator.sheets.sheetslides.plan import LINE, WIDTH, WORD, PlanSlides

APPEARS = {  # on which page the numbers of a step appear
    name: page
    for page, names in enumerate(
        ("x", "weight", "query", "key", "scores scaled", "exp sum weights", "value", "output"), 1
    )
    for name in names.split()
}
ASKED = (*range(3, 9), 10, 11)  # the steps that a page asks for before the next one answers
OWN, LAST = 10, 11  # the page of the own token, for which the shares are computed once more
AGAIN = ("scores", "scaled", "exp", "sum", "weights")
BAR_MM = 1.2  # the length of 1 per cent
GROUPS = (  # the columns that a page has: what its step is made from, and the step itself
    "", "x", "x", "x", "x key", "key scores scaled", "scaled exp weights", "x value",
    "weights value", "", "key scores scaled exp weights",
)  # fmt: skip
EXTRA = (0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 2)  # lines of the query above it, of sums below
TALL, TOLD, GAP = 138.0, 96.0, 8.0  # mm for the board; at least, what is told beside it; between
FILLED, WIDEST_ROW = 112.0, 42.0  # mm above a page's finding; of a row there
HYPHENED = LINE - 3  # letters on a line of a word that is hyphenated
LINE_MM, MOST_ROW_MM, LARGEST = 8.6, 22.0, 2.2  # of 20 pt; a row's; how far all of it may grow


class SlidePage(NamedTuple):
    """One page: its step, counted from 1, and whether it asks for the step's numbers."""

    step: int
    asks: bool


CLAIMS = {
    "sheetslides.chosen": GENERAL["sheet.chosen"],
    **of_mask("sheetslides"),
}


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

    def columns_of(self, page: SlidePage) -> list[tuple[str, int]]:
        """The steps that have columns on a page, each with how many."""
        counts = {"x": self.width, **dict.fromkeys(("key", "value"), self.trace.preset.d_head)}
        return [(name, counts.get(name, 1)) for name in GROUPS[page.step].split()]

    def before(self, page: SlidePage, name: str) -> int:
        """How many columns of numbers a page has before those of a step."""
        columns = self.columns_of(page)
        return sum(n for _, n in columns[: [one for one, _ in columns].index(name)])

    def board_mm(self, page: SlidePage) -> float:
        """The width of a page's board in type of 20 pt."""
        return WORD + sum(n * self.plan.widths[name] for name, n in self.columns_of(page))

    def _room(self, page: SlidePage) -> float:
        """The height of a line of a page's board if it fills its part of the page."""
        rows = (-(-len(one) // HYPHENED) if len(one) > LINE else 1 for one in self.tokens)
        return TALL / (1 + EXTRA[page.step] + sum(rows))

    def grown(self, page: SlidePage) -> float:
        """How many times larger than type of 20 pt a page's board is."""
        across = (WIDTH - TOLD - GAP) / self.board_mm(page)
        return max(1.0, min(across, self._room(page) / LINE_MM, LARGEST))

    def left_mm(self, page: SlidePage) -> Mm:
        """The width of a page's board and the gap beside it."""
        return Mm(self.grown(page) * self.board_mm(page) + GAP)

    def right_mm(self, page: SlidePage) -> Mm:
        """The width of what is told beside it."""
        return Mm(WIDTH - self.left_mm(page))

    def row_of(self, rows: int) -> Mm:
        """The height of each of so many rows that fill a page above its finding."""
        return Mm(min(WIDEST_ROW, FILLED / rows))

    def row_mm(self, page: SlidePage) -> str:
        """The height of a row of a page's board, for CSS."""
        return f"{min(MOST_ROW_MM, self._room(page)):.2f}mm"

    def state(self, name: str, page: SlidePage) -> str:
        """Whether the numbers of a step are "later", "asked", "new" or "old" on a page."""
        appears = OWN if page.step == OWN and name in AGAIN else APPEARS[name]
        if page.step != appears:
            return "later" if page.step < appears else "old"
        return "asked" if page.asks else "new"

    def slide_bar_mm(self, row: int, j: int) -> str:
        """The length of a bar, for CSS."""
        return f"{self.trace[self.at('weights')].values[row, j] * 100 * BAR_MM:.2f}mm"
