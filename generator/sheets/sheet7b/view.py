"""What the template of sheet 7b may ask: words, bars before and after, rates, slips.

Also here:

* What sheet 7b says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

from generator.engine.rounding import GUARD, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.output_layer import SHARES
from generator.insight.output_step import AFTER, CHANCE, HERE, OTHERS, RATE, after_slips
from generator.insight.slips import Slip
from generator.notation.shown import shown_value, shown_values
from generator.sheets.geometry import Mm
from generator.sheets.sheet6.plan import barred
from generator.sheets.sheet6.view import CLAIMS as OUTPUT
from generator.sheets.sheet7a.plan import Plan7
from generator.sheets.sheet7a.view import PAPER_MM
from generator.sheets.sheet7a.view import View7a as View7a
from generator.sheets.sheet7b.plan import POWER, SHARE, SPREAD, TOTAL, Z
from generator.sheets.slots import fills

MOST_BARS = 6
ALMOST_NONE = 0.05  # of a loss
OWN_ROW = 2  # of the table of rates: before learning, a tenth, the own one, a huge one
WORD_MM, RESULT_MM = Mm(34.0), Mm(23.0)  # of the words beside their rows; of logit, power, share


def gains(trace: Trace, plan: Plan7) -> bool:
    """Whether the right word is likelier after the step, as printed."""
    after, before = (shown_value(trace[name], 0, 0) for name in (f"{AFTER}{CHANCE}", CHANCE))
    return after > before


def balances(trace: Trace, plan: Plan7) -> bool:
    """Whether the others lose, as printed, exactly what the right word gains."""
    return gains(trace, plan) and guarded_number(sum(lost(trace, plan)), GUARD) == 0


def others_suffer(trace: Trace, plan: Plan7) -> bool:
    """Whether the huge rate makes the loss at the other places larger than it is otherwise."""
    if OTHERS not in trace:
        return False
    *less, huge = trace[OTHERS].values[:, 0].tolist()
    return bool(huge > max(less)) and trace[HERE].values[-1, 0] < ALMOST_NONE


def lost(trace: Trace, plan: Plan7) -> list[float]:
    """By how much each word's share falls, as printed."""
    before, after = (shown_values(trace[name])[plan.at] for name in (SHARES, SHARE))
    return [guarded_number(one, GUARD) for one in (before - after).tolist()]


def one_loses_most(trace: Trace, plan: Plan7) -> bool:
    """Whether one word alone loses most, as printed."""
    *_, second, most = sorted(lost(trace, plan))
    return most > max(second, 0.0)


def own_rate_hurts(trace: Trace, plan: Plan7) -> bool:
    """Whether the class's own rate makes the loss at the other places larger, as printed."""
    printed = [shown_value(trace[OTHERS], i, 0) for i in (0, OWN_ROW)] if OTHERS in trace else []
    return others_suffer(trace, plan) and printed[0] < printed[1]


CLAIMS = {
    "sheet7b.finding": Claim(gains, "sheet7b.finding.general"),
    "sheet7b.answer.loser": Claim(one_loses_most),
    "sheet7b.answer.huge.own": Claim(own_rate_hurts),
    "sheet7b.answer.learned": Claim(balances, "sheet7b.answer.learned.rounded"),
    "sheet7b.answer.learned.rounded": Claim(gains),
    "sheet6.calculator": OUTPUT["sheet6.calculator"],
    "sheet7b.answer.huge": Claim(others_suffer, "sheet7b.answer.huge.general"),
    "sheet7b.task.huge.table": Claim(others_suffer, "sheet7b.task.huge"),
    "sheet7b.next": Claim(fills("8")),
    "sheet7b.story.close": Claim(fills("8"), "sheet7b.story.close.general"),
}


class View7b(View7a):
    """The view of sheet 7b that its template has."""

    claims = CLAIMS

    def bars(self) -> list[int]:
        """The words that bars are drawn for: the likeliest before, and the right one."""
        first = barred(self.trace, self.plan.at)[:MOST_BARS]
        return first if self.plan.right in first else [*first[:-1], self.plan.right]

    def brings(self, *cell: *Cell) -> bool:
        """Whether pupils bring a new number from sheet 7a."""
        return self.carries and self.had("7a", cell)

    def widths(self) -> dict[str, Mm]:
        """The widths of the table of all new rows and of its columns: long words break there."""
        room, count = PAPER_MM - WORD_MM - 3 * RESULT_MM, len(self.numbers())
        number = min(15.0, room / count)
        total = WORD_MM + number * count + 3 * RESULT_MM
        return {"word": WORD_MM, "number": Mm(number), "result": RESULT_MM, "total": Mm(total)}

    def rates(self) -> range:
        """The rows of the table of learning rates; without any where there is no such table."""
        return range(len(self.trace[RATE].values) if RATE in self.trace else 0)

    def rate_of(self, row: int) -> str:
        """A rate of that table; 0 is before learning."""
        return self.plain(round(float(self.trace[RATE].values[row, 0]), 3))

    @property
    def elsewhere(self) -> bool:
        """Whether the table says what becomes of the sentence's other places."""
        return OTHERS in self.trace

    def share_tolerance(self) -> str:
        """By how much the new rounded shares may miss 1."""
        return self.share_slack(SHARE, POWER, TOTAL, len(self.words))

    def slips(self) -> list[Slip]:
        return after_slips(self.trace, self.plan.at, self.plan.right)

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.words[slip.j]} if slip.step in (SHARE, Z) else {}

    def hints(self) -> tuple[str, ...]:
        return ("logits", "loss")

    def telling(self) -> dict[str, str]:
        cell = self.plan.at, self.plan.right
        shares = {"before": self.share(SHARES, *cell), "after": self.share(SHARE, *cell)}
        falls = lost(self.trace, self.plan)
        j = falls.index(max(falls))
        for key, name in {"loser_before": SHARES, "loser_after": SHARE}.items():
            shares[key] = self.share(name, self.plan.at, j)
        rows = {"elsewhere": (OTHERS, 0), "worse": (OTHERS, OWN_ROW)} if self.elsewhere else {}
        rows |= {"wide": (SPREAD[0], 0), "narrow": (SPREAD[1], 0)}
        there = {key: self.cell(name, i, 0) for key, (name, i) in rows.items()}
        return {"right": self.right, "loser": self.words[j], **shares, **there}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        yield from ((self.words[j], (SHARE, self.plan.at, j)) for j in self.plan.words)
