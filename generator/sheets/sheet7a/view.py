"""What the template of sheet 7a may ask: words, rows that learn, formulas, slips.

Also here:

* What sheet 7a says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.attention import leaders
from generator.insight.behaviour import goes_on
from generator.insight.claims import Claim
from generator.insight.output_layer import EXP, LOGITS, SHARES, TOTAL, by_logit
from generator.insight.output_step import BIAS, ERROR, NEW, NEW_BIAS, step_slips
from generator.insight.slips import Slip
from generator.insight.tolerances import Rounding, coarser, needs
from generator.sheets.context import NextToken
from generator.sheets.geometry import Mm
from generator.sheets.sheet7a.plan import Plan7

MOST_ON_ONE = 10  # words with which level ● fits one page …
ANSWER_LETTERS = 16  # … if these two words leave the answer on one line
PAPER_MM, LABEL_MM, LARGE_MM, COLUMN_MM = 170.0, 46.0, 53.0, 19.0  # labels: LARGE_MM in large print


def one_wrong_leads(trace: Trace, plan: Plan7) -> bool:
    """Whether one of the wrong words alone gets the most, as printed."""
    wrong = [j for j in range(trace[SHARES].shape[1]) if j != plan.right]
    return len(leaders(trace[SHARES], plan.at, wrong)) == 1


def in_a_book(trace: Trace, plan: Plan7) -> bool:
    """Whether the right word really comes next, as far as the model has read."""
    return goes_on(trace, trace[LOGITS].columns[plan.right])


BOOK = {"sheet7a.right": Claim(in_a_book, "sheet7a.right.teacher")}
CLAIMS = {
    **BOOK,
    "sheet7a.suppose": Claim(in_a_book, "sheet7a.suppose.teacher"),
    "sheet7a.answer.much": Claim(one_wrong_leads, "sheet7a.answer.much.general"),
}


class View7a(NextToken):
    """The view of sheet 7a that its template has."""

    claims = CLAIMS

    plan: Plan7

    @property
    def right(self) -> str:
        """The word that really comes next."""
        return self.words[self.plan.right]

    def other(self) -> int:
        """The ID of the likeliest wrong word."""
        return next(j for j in self.likeliest() if j != self.plan.right)

    def likeliest(self) -> list[int]:
        """The words by their logit before learning, which sheet 6 gives: the likeliest first."""
        return by_logit(self.trace)

    @property
    def beside(self) -> bool:
        """Whether the squares stand beside the only row, so that the work leaf is one page."""
        options = self.options
        larger = options.large_print or options.points or options.pupil or options.exam
        few = len(self.words) <= MOST_ON_ONE and len(self.numbers()) <= 4
        short = len(self.right + self.words[self.other()]) <= ANSWER_LETTERS
        return len(self.plan.rows) == 1 and few and short and not larger

    def numbers(self) -> list[tuple[str, str, int | None]]:
        """The columns of a word's row: label, step of its new number, dimension or None (bias)."""
        bias = [("b", NEW_BIAS, None)] if BIAS in self.trace else []
        return [*((label, NEW, k) for k, label in enumerate(self.columns("last"))), *bias]

    def widths(self) -> dict[str, Mm]:
        """The widths of the table of a word's row and of its columns: long words break there."""
        label, count = LARGE_MM if self.options.large_print else LABEL_MM, len(self.numbers())
        column = min(COLUMN_MM, (PAPER_MM - label) / count)
        return {"label": Mm(label), "column": Mm(column), "row": Mm(label + column * count)}

    def error_tolerance(self) -> str:
        """By how much the errors may miss 0: as P, whose Σ was rounded, misses 1, and more."""
        trace, count = self.trace, len(self.words)
        if trace.rounding == "exact":
            return self.slack((count, ERROR))
        sigma = float(trace[TOTAL].values[self.plan.at, 0])
        roundings: list[Rounding] = [(count, SHARES)]
        roundings += [(count, ERROR)] if needs(trace, ERROR, (SHARES,)) else []
        roundings += [(1 / sigma, TOTAL)] if coarser(trace, TOTAL, EXP) else []
        return self.telling_slack(*roundings)

    def slips(self) -> list[Slip]:
        return step_slips(self.trace, self.plan.rows[0], self.other(), self.plan.rate)

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.words[slip.i if slip.step == NEW else slip.j]}

    def hints(self) -> tuple[str, ...]:
        return ("error", "row")

    def telling(self) -> dict[str, str]:
        return {"right": self.right, "wrong": self.words[self.other()]}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        for j in self.plan.rows:
            for k, label in enumerate(self.columns("last")):
                yield f"{self.words[j]} {label}", (NEW, j, k)
