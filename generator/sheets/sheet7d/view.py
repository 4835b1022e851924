"""What the template of sheet 7d may ask: groups, the rows of the board, slips.

Also here:

* What sheet 7d says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

import numpy as np

from generator.engine.rounding import GUARD
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.engine.vocabulary import joined
from generator.insight.claims import Claim, in_turn
from generator.insight.class_step import AFTER, BEFORE, MEAN, NEW, SUM, class_slips, own, renewed
from generator.insight.output_step import ERROR, GRADIENT, LOSS
from generator.insight.slips import Slip
from generator.notation.shown import shown_value
from generator.sheets.sheet6.view import NextToken
from generator.sheets.sheet7d.plan import Plan7d
from generator.sheets.titles import LETTERS

SQUARES = {1: 24, 2: 20, 3: 20}  # rows of 5 mm of a group's page, less one a word
HEAD, BOARD = (4, 3), (27, 4)  # a head takes so many, marks; on the board, less so many a group


def mean_falls(trace: Trace, plan: Plan7d) -> bool:
    """Whether the mean loss of the class is smaller after the step, as printed."""
    after, before = (shown_value(trace[f"{at}.mean"], 0, 0) for at in (AFTER, BEFORE))
    return after < before


def _losses(trace: Trace, plan: Plan7d) -> list[tuple[float, float]]:
    """Each group's loss before the step and after it, as printed."""
    steps = ((own(k, LOSS), renewed(k, LOSS)) for k in range(len(plan.groups)))
    return [(shown_value(trace[a], 0, 0), shown_value(trace[b], 0, 0)) for a, b in steps]


def someone_loses(trace: Trace, plan: Plan7d) -> bool:
    """Whether the loss of some group is larger after the step."""
    return any(after > before for before, after in _losses(trace, plan))


def contested(trace: Trace, plan: Plan7d) -> tuple[int, int] | None:
    """The number on the board about which groups disagree most, as printed; None for no such one.

    How much they disagree is the smaller one of what is to be added and what is to be taken away.
    """
    found = {
        (j, d): min(-values[values < 0].sum(), values[values > 0].sum())
        for j in plan.rows
        for d in range(plan.width)
        for values in (_wishes(trace, plan, j, d),)
    }
    place = max(found, key=lambda at: (round(found[at], GUARD), -at[0], -at[1]))
    return place if found[place] > 0 else None


def _wishes(trace: Trace, plan: Plan7d, j: int, d: int) -> np.ndarray:
    """What each group has for a number of the board, as printed, [groups]."""
    groups = range(len(plan.groups))
    return np.array([shown_value(trace[own(k, GRADIENT)], j, d) for k in groups])


CLAIMS = {
    "sheet7d.answer.learned": Claim(mean_falls),
    "sheet7d.finding": Claim(mean_falls, "sheet7d.finding.general"),
    "sheet7d.answer.against": Claim(
        lambda trace, plan: contested(trace, plan) is not None, "sheet7d.answer.against.none"
    ),
} | in_turn(
    {
        "sheet7d.answer.each": {
            "": someone_loses,
            ".all": lambda t, p: all(after < before for before, after in _losses(t, p)),
            ".general": lambda trace, plan: not someone_loses(trace, plan),
        }
    }
)


class View7d(NextToken):
    """The view of sheet 7d that its template has."""

    claims = CLAIMS

    plan: Plan7d

    @property
    def groups(self) -> range:
        """The groups, from 0."""
        return range(len(self.plan.groups))

    def letter(self, k: int) -> str:
        """What a group is called."""
        return LETTERS[k]

    def reads(self, k: int) -> str:
        """What a group's sentence begins with, as it is written."""
        return joined(self.plan.groups[k].tokens, self.trace.preset.tokenizer)

    mine = staticmethod(own)  # a step of a group
    after = staticmethod(renewed)  # a step of a group's prediction with the new rows

    def named_rows(self) -> str:
        """The words whose rows go to the board."""
        t = self.catalogue.t
        return self.in_a_row(t("sheet.quoted", text=self.words[j]) for j in self.plan.rows)

    def against(self) -> str:
        """The expected answer on which groups want opposite things. Only for solutions."""
        j, d = contested(self.trace, self.plan) or (self.plan.rows[0], 0)
        signs = _wishes(self.trace, self.plan, j, d)
        names = {
            "less": self.in_a_row([LETTERS[k] for k in np.flatnonzero(signs > 0)]),
            "more": self.in_a_row([LETTERS[k] for k in np.flatnonzero(signs < 0)]),
            "label": self.indexed("d", d),
            "word": self.words[j],
            "mean": self.shown(MEAN, j, d),
        }
        return self.catalogue.t("sheet7d.answer.against", **names)

    def squares(self, k: int | None = None) -> int:
        """How many rows of squares there are for working on a group's page, or on the board's."""
        own = SQUARES[self.plan.level] - len(self.words) + 2 * (k == self.leading)
        rows = BOARD[0] - BOARD[1] * len(self.groups) if k is None else own
        heads = k == self.leading or (k is None and not self.plan.pages), self.options.points
        return max(0, rows - sum(n for n, is_there in zip(HEAD, heads, strict=True) if is_there))

    @property
    def leading(self) -> int:
        """The first group that has a page here; the first of all beside the board alone."""
        return self.plan.pages[0] if self.plan.pages else 0

    def slips(self) -> list[Slip]:
        plan, groups = self.plan, len(self.groups)
        slips = class_slips(self.trace, plan.rows[0], plan.rate, groups, self.leading)
        return [slip for slip in slips if plan.board or slip.step == own(self.leading, ERROR)]

    def named(self, slip: Slip) -> dict[str, str]:
        at = slip.j if slip.step == own(self.leading, ERROR) else slip.i
        return {"token": self.words[at], "letter": LETTERS[self.leading]}

    def place(self, slip: Slip) -> str:
        steps = {own(self.leading, ERROR): "error", SUM: "sum", NEW: "new"}
        key = steps.get(slip.step, "mean")
        return self.catalogue.t(f"sheet7d.slip.in.{key}", **self.named(slip))

    def hints(self) -> tuple[str, ...]:
        return ("mean", "new") if self.plan.board else ()

    def telling(self) -> dict[str, str]:
        names = {"before": f"{BEFORE}.mean", "after": f"{AFTER}.mean"}
        losses = {key: self.shown(name, 0, 0) for key, name in names.items()}
        rose = enumerate(after > before for before, after in _losses(self.trace, self.plan))
        losses["worse"] = self.in_a_row([LETTERS[k] for k, worse in rose if worse])
        return {**losses, "count": str(len(self.groups)), "rate": self.plain(self.plan.rate)}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        step = NEW if self.plan.board else own(self.leading, GRADIENT)
        if not self.plan.board:
            yield "CE", (renewed(self.leading, LOSS), 0, 0)
        for j in self.plan.rows:
            for c, label in enumerate(self.columns("last")):
                yield f"{self.words[j]} {label}", (step, j, c)
