"""What the template of the projector's pages may ask."""

from dataclasses import dataclass
from typing import ClassVar

from generator.insight.claims import Claims
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheetslide.plan import EXAMPLE
from generator.sheets.sheetslides.claims import CLAIMS
from generator.sheets.sheetslides.plan import WORD, PlanSlides

PAGES = range(1, 10)
APPEARS = {  # on which page the numbers of a step appear
    "x": 1,
    "weight": 2,
    "query": 3,
    "key": 4,
    "scores": 5,
    "scaled": 5,
    "exp": 6,
    "sum": 6,
    "weights": 6,
    "value": 7,
    "output": 8,
}
BAR_MM = 0.72  # the length of 1 per cent


@dataclass(frozen=True)
class View(sheet4a.View):
    """The view of sheet slides that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: PlanSlides

    @property
    def pages(self) -> range:
        """The numbers of the pages."""
        return PAGES

    @property
    def word_mm(self) -> float:
        """The width of the column of words."""
        return WORD

    @property
    def board_mm(self) -> float:
        """The width of the board."""
        w, d, k = self.plan.widths, self.size(self.x)[1], self.size(self.at("key"))[1]
        vectors = self.word_mm + d * w["x"] + k * w["key"]
        return vectors + w["scores"] + w["scaled"] + w["exp"] + w["weights"] + k * w["value"]

    def state(self, name: str, page: int) -> str:
        """Whether the numbers of a step are "later", "new" or "old" on a page."""
        appears = APPEARS[name]
        return "later" if page < appears else "new" if page == appears else "old"

    def seen(self) -> str:
        """The catalogue's word for who sees whom: "none", "causal" or "strict"."""
        return self.trace.preset.mask

    def of_example(self, name: str) -> str:
        """A step of the worked token over the tokens that it sees."""
        return f"{EXAMPLE}.{name}"

    def bar_mm(self, row: int, j: int) -> str:
        """The length of a bar, for CSS."""
        return f"{self.trace[self.at('weights')].values[row, j] * 100 * BAR_MM:.2f}mm"
