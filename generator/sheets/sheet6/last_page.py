"""What stands below the last task of sheet 6, so that it takes no page more than it must."""

from dataclasses import dataclass

# Millimetres, measured.
BELOW = {  # the last task, for 2 to 12 words at each level
    1: (189, 136, 136, 65, 58, 50, 136, 136, 136, 136, 136),
    2: (189, 136, 136, 55, 45, 189, 136, 136, 136, 136, 136),
    3: (136, 74, 64, 215, 189, 136, 136, 34, 27, 19, 12),
}
LOSS, HINTS, SKILLS, NEXT = 42, 26, 35, 10  # the last task, where there is one; what follows it
BROKEN, LOST = 20, 6  # lost where words break: millimetres, rows of squares
LABEL, SQUARE = 13, 5  # of the squares
FEWEST, MOST = 3, 24  # rows of squares
ABOVE, ASKED, GIVEN, SUMS = 80, 9.7, 7.2, 19  # the first table: its head, its rows, its foot
BARS, GROUP, MOST_GROUPS = 9, 14, 8  # the bars: their task and axis, a word's, the words
MOST_BELOW = 9  # words: so many need a second table on a page of its own
PAGE, SAFE = 277, 12  # its lower edge; a sentence of two lines, boxes for marks


@dataclass(frozen=True)
class LastPage:
    """What has room on the last page of a work leaf; `broken`: a word is longer than its column."""

    level: int
    words: int
    broken: bool
    loss: bool
    large: bool
    asked: int = 0  # words whose numbers are asked at the first temperature

    @property
    def hints_early(self) -> bool:
        """Whether the hints stand below the bars, where a page has room, as the last has none."""
        return not self.large and self.level < 3 and self._left(HINTS) < 0

    @property
    def first_rows(self) -> int:
        """How many rows of squares fill up the first page, where what follows has no room on it.

        These are the bars; at the third level the second table, of which so many words need a page.
        """
        table = ABOVE + ASKED * self.asked + GIVEN * (self.words - self.asked) + SUMS
        bars = BARS + GROUP * min(self.words, MOST_GROUPS)
        fits = self.words < MOST_BELOW if self.level == 3 else table + bars <= PAGE
        if self.large or self.broken or fits:
            return 0
        rows = int(PAGE - table - LABEL - SAFE) // SQUARE
        return min(rows, MOST) if rows >= FEWEST else 0

    @property
    def skills(self) -> bool:
        """Whether there is what pupils can tick; a known next word may take the room for it."""
        return not self.loss or self._below >= 0

    @property
    def next(self) -> bool:
        """Whether the sheet says how it goes on: not where this alone would take a page."""
        return self.large or not -NEXT <= self._below < 0

    @property
    def rows(self) -> int:
        """How many rows of squares fill up the page; 0 for too few.

        In large print the squares above the table are the only ones: these would take a page.
        """
        if self.large or -NEXT <= self._below < 0:
            return 0
        if self._below < 0 and self.skills:
            return MOST - LOST * self.broken  # what pupils can tick stands on a page of its own
        rows = (self._below + (0 if self.skills else SKILLS) - LABEL) // SQUARE
        return min(rows, MOST) if rows >= FEWEST else 0

    @property
    def _below(self) -> int:
        return self._left(0 if self.hints_early or self.level == 3 else HINTS)

    def _left(self, hints: int) -> int:
        lost = BROKEN * self.broken + LOSS * self.loss
        return BELOW[self.level][self.words - 2] - lost - hints - SKILLS
