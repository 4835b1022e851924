"""What the template of sheet 7a may ask: words, rows that learn, formulas, slips.

Also here:

* What sheet 7a says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.attention import leaders
from generator.insight.behaviour import goes_on, meant
from generator.insight.claims import Claim
from generator.insight.output_layer import EXP, LOGITS, SHARES, TOTAL, by_logit
from generator.insight.output_step import BIAS, ERROR, NEW, NEW_BIAS, step_slips
from generator.insight.slips import Slip
from generator.insight.tolerances import Rounding, coarser, needs
from generator.sheets.geometry import Mm
from generator.sheets.sheet6.view import LONG_WORD, NextToken, squares
from generator.sheets.sheet7a.plan import Plan7
from generator.sheets.slots import fills

MOST_ON_ONE = 10  # words with which level ● fits one page …
ANSWER_LETTERS = 16  # … if these two words leave the answer on one line
ROOM, ASKED, GIVEN = 140, 9.7, 5.2  # mm: of errors and squares, of an error asked or given
MOST_ROWS = 22  # of squares below the errors
ONE_ROW = 92  # mm that a single row takes with its question, where it goes on and the hints
PAPER_MM, LABEL_MM, LARGE_MM, COLUMN_MM = 170.0, 46.0, 53.0, 19.0  # labels: LARGE_MM in large print


def one_wrong_leads(trace: Trace, plan: Plan7) -> bool:
    """Whether one of the wrong words alone gets the most, as printed."""
    wrong = [j for j in range(trace[SHARES].shape[1]) if j != plan.right]
    return len(leaders(trace[SHARES], plan.at, wrong)) == 1


def in_a_book(trace: Trace, plan: Plan7) -> bool:
    """Whether the right word really comes next, as far as the model has read."""
    return goes_on(trace, trace[LOGITS].columns[plan.right])


def relearns(trace: Trace, plan: Plan7) -> bool:
    """Whether the model has learned, for this sentence, that another word comes next."""
    right = trace[LOGITS].columns[plan.right]
    here, promises = ("predicts", trace.sentence), trace.preset.behaviour
    others = any(right not in one.at for one in promises if (one.rule, one.sentence) == here)
    return others and meant(trace) and not in_a_book(trace, plan)


BOOK = {
    f"sheet7a.{key}{end}": Claim(holds, f"sheet7a.{key}{then}")
    for key in ("right", "suppose")
    for end, holds, then in (("", in_a_book, ".anew"), (".anew", relearns, ".teacher"))
}
CLAIMS = {
    **BOOK,
    "sheet7a.answer.much": Claim(one_wrong_leads, "sheet7a.answer.much.general"),
    "sheet7a.next": Claim(fills("7b")),
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

    @property
    def whole(self) -> bool:
        """Whether the only row has room below the errors, so that the work leaf is one page."""
        larger = self.options.points or self.options.pupil or self.options.exam
        return len(self.plan.rows) == 1 and self._room >= ONE_ROW and not larger

    @property
    def first_rows(self) -> int:
        """How many rows of squares fill up the first page, before the rows that learn; or 0."""
        large = self.options.large_print or max(map(len, self.words)) > LONG_WORD
        return 0 if self.beside or self.whole or large else min(MOST_ROWS, squares(self._room))

    @property
    def _room(self) -> int:
        """What is left below the errors, in millimetres."""
        words, errors = len(self.words), len(self.plan.errors)
        return int(ROOM - ASKED * errors - GIVEN * (words - errors))

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
        error = self.shown(ERROR, 0, self.plan.right)
        return {"right": self.right, "wrong": self.words[self.other()], "error": error}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        for j in self.plan.rows:
            for k, label in enumerate(self.columns("last")):
                yield f"{self.words[j]} {label}", (NEW, j, k)
