"""What sheet 4b says of its own result, each sentence with what must be true of it."""

from typing import NamedTuple

from generator.engine.trace import Trace
from generator.engine.unmasked import PREFIX
from generator.insight.claims import Claim
from generator.insight.general_claims import mixes
from generator.insight.leading import leaders
from generator.notation.shown import shown_value
from generator.sheets.filling import fills
from generator.sheets.sheet4a.claims import sees
from generator.sheets.sheet4b.plan import Plan4b, head


class Row(NamedTuple):
    """A token's Σ and its visible shares without and with the mask, as printed."""

    sums: tuple[float, float]
    shares: tuple[tuple[float, float], ...]

    @property
    def shrinks(self) -> bool:
        """Whether Σ gets smaller."""
        return self.sums[1] < self.sums[0]

    @property
    def grows(self) -> bool:
        """Whether each share gets larger."""
        return self.shrinks and all(new > old for old, new in self.shares)

    @property
    def stays(self) -> bool:
        """Whether nothing changes."""
        return len(set(self.sums)) == 1 and all(new == old for old, new in self.shares)


def masked_row(trace: Trace, row: int, visible: tuple[int, ...]) -> Row:
    """What the mask of the first head does to a token's row."""

    def both(name: str, j: int) -> tuple[float, float]:
        step = head(1, name)
        return shown_value(trace[PREFIX + step], row, j), shown_value(trace[step], row, j)

    return Row(both("sum", 0), tuple(both("weights", j) for j in visible))


def example(trace: Trace, plan: Plan4b) -> Row:
    """The row of the worked example."""
    return masked_row(trace, plan.worked, plan.worked_visible)


def own_grows(trace: Trace, plan: Plan4b) -> bool:
    """Whether Σ gets smaller in the row that pupils mask, and each visible share larger."""
    return masked_row(trace, plan.own, plan.visible).grows


def sees_all(trace: Trace, plan: Plan4b) -> bool:
    """Whether nothing is masked for the token of the example."""
    return len(plan.worked_visible) == len(trace.tokens)


def heads_differ(trace: Trace, plan: Plan4b) -> bool:
    """Whether the token of the example looks most at others with its second head."""
    if len(plan.heads) < 2:
        return False
    first, second = (_leaders(trace, h, plan.worked, plan.worked_visible) for h in (1, 2))
    return not set(first) & set(second)


def one_leads_each(trace: Trace, plan: Plan4b) -> bool:
    """Whether in both heads one token alone gets most of the own token's attention."""
    leaders = [_leaders(trace, h, plan.own, plan.visible) for h in plan.heads]
    return all(len(one) == 1 for one in leaders)


def _leaders(trace: Trace, number: int, row: int, visible: tuple[int, ...]) -> tuple[int, ...]:
    return leaders(trace, head(number, "weights"), row, visible)


CLAIMS = {
    "sheet4b.story.heads": Claim(heads_differ, "sheet4b.story.heads.again"),
    "sheet4b.mask.causal": Claim(sees("causal")),
    "sheet4b.mask.strict": Claim(sees("strict")),
    "sheet4b.triangle.causal": Claim(sees("causal")),
    "sheet4b.triangle.strict": Claim(sees("strict")),
    "sheet4b.example.grow": Claim(lambda t, p: example(t, p).grows, "sheet4b.example.rounded"),
    "sheet4b.example.rounded": Claim(lambda t, p: example(t, p).shrinks, "sheet4b.example.all"),
    "sheet4b.example.all": Claim(sees_all, "sheet4b.example.alike"),
    "sheet4b.example.alike": Claim(lambda t, p: example(t, p).stays),
    "sheet4b.closing.other": Claim(mixes, "sheet4b.closing.plain"),
    "sheet4b.after.other": Claim(mixes, "sheet4b.after.plain"),
    "sheet4b.answer.compare": Claim(one_leads_each, "sheet4b.answer.compare.even"),
    "sheet4b.discuss.1": Claim(own_grows, "sheet4b.discuss.1.general"),
    "sheet4b.discuss.1.answer": Claim(own_grows, "sheet4b.discuss.1.answer.general"),
    "sheet4b.board": Claim(sees("causal"), "sheet4b.board.strict"),
    "sheet4b.next": Claim(fills("5"), "sheet4b.next.bare"),
}
