"""What the template of sheet 1 may ask: strips of tokens, the figure's places, slips.

Also here:

* What sheet 1 says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.output_layer import WORDS as VOCABULARY
from generator.insight.slips import Slip
from generator.notation.shown import number
from generator.sheets.context import Context
from generator.sheets.sheet1.plan import (
    EXAMPLE,
    KNOWN,
    LISTED,
    MIXED,
    THERE,
    Lookups,
    Plan1,
    swap,
    written,
)
from generator.sheets.slots import fills

STRIP_MM, LARGE_STRIP_MM = 160.0, 156.0  # room for boxes beside the row's name
MOST_COLUMNS = 8
WORDS_IN_ROW = 6  # of the printed vocabulary; of short words more
ROWS_MM, WORD_MM, BOLD_MM, EDGE_MM = 158.0, 11.8, 2.15, 2.6  # room, least width, a letter, edges
MEANINGS = ("sheet1.alike", "sheet1.apart")  # pairs of tokens, with | between them
LETTER_MM = 4  # room for a written letter
LETTERS = 8  # of a word that has room in a pupil's own vocabulary
LEAST_MM, WIDEST = 19.5, 26.0
FIGURE_MM, LABEL_MM, BACK_MM = 170.0, 32.0, 52.0
GAP_MM, PIECE_MM, TYPE_MM = 5.0, 20.0, 2.35


class TokenPiece(NamedTuple):
    """A token of the figure: its row in the example, its left edge and its width in mm."""

    i: int
    x: float
    width: float


def cut(shown: Sequence[int], rows: int) -> list[Sequence[int]]:
    """So many rows of nearly the same length."""
    length = -(-len(shown) // rows)
    return [shown[k : k + length] for k in range(0, len(shown), length)]


def compared(trace: Trace) -> list[str]:
    """Two listed tokens of like meaning, neighbours if there are such, and two unlike neighbours.

    Empty where the list lacks either. The catalogue says which mean alike.
    """
    near = {frozenset(two) for two in pairwise(trace[KNOWN].values[:, 0])}
    listed, look = {*trace[f"{LISTED}.tokens"].values[:, 0]}, Lookups(trace)
    alike, apart = (map(str.split, look.phrase(key).split("|")) for key in MEANINGS)
    known = sorted((two for two in alike if listed >= {*two}), key=lambda two: {*two} not in near)
    beside = [two for two in apart if listed >= {*two} and {*two} in near]
    return [*known[0], *beside[0]] if known and beside else []


COMPARED = Claim(lambda trace, plan: bool(compared(trace)))
CLAIMS = {
    "sheet1.next": Claim(fills("bpe", "2"), "sheet1.next.general"),
    "sheet1.task.meaning": replace(COMPARED, otherwise="sheet.finding"),
    "sheet1.finding": replace(COMPARED, otherwise="sheet1.finding.general"),
    "sheet1.discuss.1.answer": replace(COMPARED, otherwise="sheet1.discuss.1.answer.general"),
}


class View1(Context):
    """The view of sheet 1 that its template has."""

    claims = CLAIMS

    plan: Plan1

    @property
    def boxes_mm(self) -> float:
        """The width in mm for boxes beside the row's name."""
        return LARGE_STRIP_MM if self.options.large_print else STRIP_MM

    def words(self, prefix: str) -> list[str]:
        """The tokens of a further sentence."""
        words: list[str] = self.trace[f"{prefix}.tokens"].values[:, 0].tolist()
        return words

    def strips(self, step: str, least: float = LEAST_MM) -> list[Sequence[int]]:
        """The rows of a step cut into strips of boxes that are at least so many mm wide."""
        columns = max(1, min(MOST_COLUMNS, int(self.boxes_mm // least)))
        return cut(range(n := self.size(step)[0]), -(-n // columns))

    def box_mm(self, strips: list[Sequence[int]]) -> str:
        """The width of a box in such strips, for CSS."""
        return f"{min(WIDEST, self.boxes_mm / len(strips[0])):.1f}mm"

    def word_mm(self) -> float:
        """The room that the longest everyday word needs when written by hand."""
        own = self.size(VOCABULARY)[0]
        written = self.trace[KNOWN].values[own:, 0]
        return min(self.boxes_mm, max(LEAST_MM, LETTER_MM * max(map(len, written), default=0)))

    def rows_of(self, shown: Sequence[int]) -> list[Sequence[int]]:
        """Printed IDs of the vocabulary row by row."""
        least = -(-len(shown) // WORDS_IN_ROW)
        fewer = () if self.options.large_print else range(1, least)
        layouts = (cut(shown, rows) for rows in fewer)
        return next((rows for rows in layouts if self._fit(rows)), cut(shown, least))

    def _fit(self, rows: list[Sequence[int]]) -> bool:
        words = self.words(LISTED)
        columns = zip_longest(*([len(words[j]) for j in row] for row in rows), fillvalue=0)
        return sum(max(WORD_MM, BOLD_MM * max(one) + EDGE_MM) for one in columns) <= ROWS_MM

    def sentence(self, prefix: str) -> str:
        """A further sentence as one writes it."""
        return written(self.words(prefix), self.trace.preset.tokenizer)

    def unknown(self) -> str:
        """A token that the vocabulary does not have."""
        known = self.trace[KNOWN].values[:, 0]
        listed = self.catalogue.t("sheet1.rule.unknown.list").split()
        return next((token for token in listed if token not in known), "".join(listed))

    def pieces(self) -> list[TokenPiece]:
        """The tokens of the figure from left to right."""
        x, pieces = LABEL_MM, []
        for i, token in enumerate(self.words(EXAMPLE)):
            width = max(PIECE_MM, TYPE_MM * len(token) + 7)
            pieces.append(TokenPiece(i, x, width))
            x += width + GAP_MM
        return pieces

    def figure_width(self) -> float:
        """The width of the figure's drawing in its own millimetres."""
        last = self.pieces()[-1]
        return max(FIGURE_MM, last.x + last.width + BACK_MM)

    def swapped(self) -> tuple[str, str]:
        """The two words that have changed places in the second task."""
        a, b = swap(self.tokens)
        return self.tokens[a], self.tokens[b]

    def sample(self) -> tuple[list[str], list[int], str]:
        """A vocabulary as pupils may make one up, IDs of a sentence, this. Only for solutions."""
        short = [word for word in self.words("task1") if len(word) <= LETTERS][: self.plan.free]
        known = sorted(set(short))
        return known, [*map(known.index, short)], written(short, self.trace.preset.tokenizer)

    def twins(self) -> tuple[str, str] | None:
        """Two words of the third task that differ in a capital letter only."""
        first, *others = self.words(MIXED) if self.plan.mixes else [""]
        return next(((first, word) for word in others if self._twin(word, first)), None)

    def show(self, step: str, value: float) -> str:
        return number(value, 0, self.options.language)

    def slips(self) -> list[Slip]:
        """The next ID of the printed list, place instead of ID, capital and small taken for one.

        The first shows in the second task, the others in the third, where there is one. A slip that
        changes nothing here is left out.
        """
        ids, entries = self.trace[f"{THERE}.ids"].values, f"{MIXED}.entries"
        last, listed = len(ids) - 1, self.trace[f"{LISTED}.ids"].values[:, 0].tolist()
        beside = [listed[k - 1] for k, one in enumerate(listed) if one == ids[last, 0]]
        candidates = [Slip("beside", f"{THERE}.ids", last, 0, float(one)) for one in beside]
        if self.plan.mixes:
            words = self.words(MIXED)
            place = max(k for k, word in enumerate(words) if word in words[:k])
            first = float(self.trace[f"{MIXED}.ids"].values[0, 0])
            twins = [k for k, word in enumerate(words) if self._twin(word, words[0])]
            candidates.append(Slip("place", entries, place, 0, float(place)))
            candidates += [Slip("case", entries, k, 0, first) for k in twins[:1]]
        return [slip for slip in candidates if self._entered(slip) != str(int(slip.wrong))]

    def _entered(self, slip: Slip) -> str:
        cell = self.trace[slip.step].values[slip.i, slip.j]
        return cell if isinstance(cell, str) else str(int(cell))

    def _twin(self, word: str, other: str) -> bool:
        """Whether two different words differ in capital and small letters only."""
        return word != other and word.lower() == other.lower()

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.words(slip.step.partition(".")[0])[slip.i]}

    def compared(self) -> dict[str, str]:
        """The tokens that the last task compares; without such, those with the first two IDs."""
        return dict(
            zip("abcd", compared(self.trace) or self.trace[KNOWN].values[:2, 0], strict=False)
        )

    def telling(self) -> dict[str, str]:
        """What the last task compares, with IDs, and the first token that is looked up."""
        known, token = self.trace[KNOWN].values[:, 0].tolist(), self.words(THERE)[0]
        its = {f"{name}_id": str(known.index(one)) for name, one in self.compared().items()}
        return {**self.compared(), **its, "token": token, "id": str(known.index(token))}

    def hints(self) -> tuple[str, ...]:
        return ("encode", "decode", *(("mixed",) if self.plan.mixes else ()))
