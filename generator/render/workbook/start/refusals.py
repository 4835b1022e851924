"""What may be typed in on the Start tab: a formula that gives "" or says why it is refused.

Also here:

* The Start tab on paper: one page A4 upright; a longer one on pages across, cut at its tables.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from openpyxl.worksheet.pagebreak import Break

from generator.engine.choices import STRATEGIES
from generator.engine.learning import LARGEST_RATE
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.notation.shown import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.controls import ControlEntry
from generator.render.workbook.layout.paper import PAGE_HEIGHT, PAGE_WIDTH, points_of
from generator.render.workbook.layout.start_layout import HEAD_ROW, LAST_COLUMN
from generator.render.workbook.layout.tabs import TWO_DIGITS, accepted
from generator.render.workbook.start.tab_map import WIDTH

COLDEST, HOTTEST = 0.1, 100.0  # beyond, e^(logit / T) runs out of what a cell can hold
BREAK = "CHAR(10)"  # stands between the words that a typed one is looked for in
END = "."
LONGEST_TEXT = 30_000  # of a cell, with room to spare
WORDS_A_CELL = 100


class CellLimits(NamedTuple):
    """The least and the greatest number that a cell takes."""

    least: float
    most: float


class Refusals:
    """The conditions and the messages, in the catalogue's language, for one trace."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace = trace
        self.t = catalogue.t
        self.language = catalogue.language

    def limits(self, kind: str) -> CellLimits:
        """Which numbers a control of that kind takes; what was delivered is always among them."""
        match kind:
            case "temperature":
                delivered = self.trace["temperature"].values
                return CellLimits(min(COLDEST, delivered.min()), max(HOTTEST, delivered.max()))
            case "k":
                words = len(self.trace["vocabulary.words"].values)
                return CellLimits(1, max(words, self.trace["sampling.k"].values[0, 0]))
            case "p":
                return CellLimits(0, max(1, self.trace["sampling.p"].values[0, 0]))
            case "random":
                return CellLimits(0, TWO_DIGITS)
            case "rate":
                return CellLimits(0, LARGEST_RATE)
            case _:
                return CellLimits(0, 1)

    def entry(self, entry: ControlEntry, own: str) -> str:
        """The message about what stands in the cell `own` of a control."""
        if entry.kind == "strategy":
            return self._strategy(own)
        least, most = (f"{bound:g}" for bound in self.limits(entry.kind))
        condition = {
            "switch": f"OR({own}=0,{own}=1)",
            "learns": f"OR({own}=0,{own}=1)",
            "rate": f"AND({own}>0,{own}<={most})",
            "k": f"AND({own}>=1,{own}<={most},{own}=INT({own}))",
            "p": f"AND({own}>0,{own}<={most})",
            "random": accepted(own),
        }.get(entry.kind, f"AND({own}>={least},{own}<={most})")
        return self._number(own, condition, self.reason(entry.kind))

    def reason(self, kind: str) -> str:
        """In words, which numbers a control of that kind takes."""
        least, most = (number(bound, None, self.language) for bound in self.limits(kind))
        key = {"learns": "switch", "rate": "p"}.get(kind, kind)
        return self.t(f"workbook.refused.{key}", least=least, most=most)

    def word(self, own: str, delivered: str, joined: Sequence[str]) -> str:
        """The message about a word: the one typed in, else the one delivered, must be known."""
        word = f'IF({own}="",{delivered},{own}&"")'
        tests = [f"ISNUMBER(FIND({BREAK}&{word}&{BREAK},{cell}))" for cell in joined]
        known = tests[0] if len(tests) == 1 else f"OR({','.join(tests)})"
        single = f"ISERROR(FIND({BREAK},{own}))"
        return _guarded(f"AND({known},{single})", self.t("workbook.refused.word"))

    def whole(self, own: str, least: int, most: int) -> str:
        """The message about a whole number: a setting, or which experiment."""
        condition = f"AND({own}>={least},{own}<={most},{own}=INT({own}))"
        return self._number(
            own, condition, self.t("workbook.refused.whole", least=least, most=most)
        )

    def _strategy(self, own: str) -> str:
        choices = ",".join(f'EXACT({own},"{name}")' for name in STRATEGIES)
        return _guarded(f'OR({own}="",{choices})', self.t("workbook.refused.strategy"))

    def _number(self, own: str, condition: str, reason: str) -> str:
        """The decimal sign is taken from the program that shows the sheet: half of 1 as text."""
        before, after = self.t("workbook.refused.text", sign="|").split("|")
        text = f'{quoted(before)}&MID(1/2&"",2,1)&{quoted(after)}'
        judged = f'IF({condition},"",{quoted(reason)})'
        return f'=IFERROR(IF({own}="","",IF(ISNUMBER({own}),{judged},{text})),{quoted(reason)})'


def chunks(words: Sequence[str]) -> Iterator[range]:
    """The vocabulary in parts whose words, joined, fit into a cell and into a formula."""
    start, length = 0, 0
    for k, word in enumerate(words):
        longer = length + len(word) + 2
        if k > start and (longer > LONGEST_TEXT or k - start == WORDS_A_CELL):
            yield range(start, k)
            start, longer = k, len(word) + 2
        length = longer
    yield range(start, len(words))


def join(addresses: Sequence[str]) -> str:
    """The formula that joins the words in these cells, with a line break around each.

    The dots at both ends keep LibreOffice from trimming the outer breaks of a stored value.
    """
    words = "&".join(f"{address}&{BREAK}" for address in addresses)
    return f'="{END}"&{BREAK}&{words}&"{END}"'


def joined(words: Sequence[str]) -> str:
    """What `join` gives for these words."""
    return f"{END}\n" + "".join(f"{word}\n" for word in words) + END


def quoted(text: str) -> str:
    """A text as it stands in a formula."""
    return '"' + text.replace('"', '""') + '"'


def _guarded(condition: str, reason: str) -> str:
    """ "" where the condition holds, else the reason; also where the entry is an error itself."""
    return f'=IFERROR(IF({condition},"",{quoted(reason)}),{quoted(reason)})'


SIDE = 0.4  # inches of the left and the right margin
UPRIGHT = 537.0, 758.0  # points inside the margins, across and down
SMALLEST = 0.6  # of the size on the screen: type of 6 points


def fit(draft: Draft) -> None:
    """As wide as the page; upright where one page takes all of it in legible type."""
    page = draft.start_page
    last = int(page.print_area.rpartition("$")[2])
    heights = [page.row_dimensions[row].height for row in range(1, last + 1)]
    wide = LAST_COLUMN * points_of(WIDTH)
    if min(UPRIGHT[0] / wide, UPRIGHT[1] / math.fsum(heights)) < SMALLEST:
        _breaks(draft, heights, PAGE_HEIGHT / min(1.0, PAGE_WIDTH / wide))
        return
    page.page_setup.orientation, page.page_setup.fitToHeight = "portrait", 1
    page.page_margins.left = page.page_margins.right = SIDE


def _breaks(draft: Draft, heights: list[float], page_height: float) -> None:
    """A new page before the tables or the map, where they would be cut."""
    start, page = draft.layout.start, draft.start_page
    used = 0.0
    for first, following in pairwise([1, start.tables_row, start.map_row, len(heights) + 1]):
        height = math.fsum(heights[first - 1 : following - 1])
        if used and used + height > page_height:
            page.row_breaks.append(Break(id=first - 1))
            used = math.fsum(heights[: HEAD_ROW - 1])
        used += height
