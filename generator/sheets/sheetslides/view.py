"""What the template of the projector's pages may ask.

Also here:

* What the projector's pages say of their own result, with what must be true of it.
"""

from typing import NamedTuple

from generator.insight.claims import GENERAL
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
ASKED = range(3, 9)  # the steps that a page asks for before the next one answers
LAST = 9
BAR_MM = 0.6  # the length of 1 per cent
GROUPS = (  # the columns that a page has: what its step is made from, and the step itself
    "", "x", "x", "x key", "x key", "key scores scaled", "scaled exp weights", "x value",
    "weights value",
)  # fmt: skip
QUERY = (3, 4, 5)  # pages on which the query stands above the keys
EXTRA = (0, 0, 0, 1, 1, 1, 1, 0, 1)  # lines of it, or of sums below
TALL, LOW = 100.0, 84.0  # mm for the board, and on pages with matrices below it
MATRICES = (2, 3, 4, 7)
LINE_MM, MOST_ROW_MM, LARGEST = 8.6, 17.0, 1.7  # of 20 pt; a row's; how far all of it may grow


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

    def columns_of(self, page: SlidePage) -> list[tuple[str, int]]:
        """The steps that have columns on a page, each with how many."""
        d, k = self.size(self.x)[1], self.size(self.at("key"))[1]
        counts = {"x": d, "key": k, "value": k}
        return [(name, counts.get(name, 1)) for name in GROUPS[page.step].split()]

    def before(self, page: SlidePage, name: str) -> int:
        """How many columns of numbers a page has before those of a step."""
        columns = self.columns_of(page)
        return sum(n for _, n in columns[: [one for one, _ in columns].index(name)])

    def has_query(self, page: SlidePage) -> bool:
        """Whether the query stands above the keys on a page."""
        return page.step in QUERY

    def board_mm(self, page: SlidePage) -> float:
        """The width of a page's board in type of 20 pt."""
        return WORD + sum(n * self.plan.widths[name] for name, n in self.columns_of(page))

    def _room(self, page: SlidePage) -> float:
        """The height of a line of a page's board if it fills its part of the page."""
        lines = sum(-(-len(token) // LINE) for token in self.tokens) + 1
        lines += EXTRA[page.step]
        return (LOW if page.step in MATRICES else TALL) / lines

    def grown(self, page: SlidePage) -> float:
        """How many times larger than type of 20 pt a page's board is."""
        return min(WIDTH / self.board_mm(page), self._room(page) / LINE_MM, LARGEST)

    def row_mm(self, page: SlidePage) -> str:
        """The height of a row of a page's board, for CSS."""
        return f"{min(MOST_ROW_MM, self._room(page)):.2f}mm"

    def state(self, name: str, page: SlidePage) -> str:
        """Whether the numbers of a step are "later", "asked", "new" or "old" on a page."""
        appears = APPEARS[name]
        if page.step != appears:
            return "later" if page.step < appears else "old"
        return "asked" if page.asks else "new"

    def slide_bar_mm(self, row: int, j: int) -> str:
        """The length of a bar, for CSS."""
        return f"{self.trace[self.at('weights')].values[row, j] * 100 * BAR_MM:.2f}mm"
