"""What the template of sheet 4b may ask: the heads, what each token sees, slips, hints.

Also here:

* What sheet 4b says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.fitness import PREFIX
from generator.engine.rounding import GUARD, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import attention
from generator.insight.attention import CONCAT, AttentionRow
from generator.insight.behaviour import meant
from generator.insight.claims import Claim, Predicate, in_turn, mixes, of_trace
from generator.insight.slips import Slip
from generator.notation.shown import shown_values
from generator.sheets.context import Help
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheet4a.claims import of_own, sees
from generator.sheets.sheet4a.plan import EXAMPLE, OWN
from generator.sheets.sheet4a.view import SQUARE
from generator.sheets.sheet4b.plan import Plan4b, head, head_row
from generator.sheets.slots import fills

MOST_INTERPRETED = 5  # tokens of one head; the page has no room for more and a question
# In mm: what squares may take of the first page, by levels, and of the last one; less for a token
# in both tables of head 2, and where boxes for points stand; the least.
FIRST_PAGE, LAST_PAGE, POINTS_MM, LEAST_MM = {1: 85, 2: 68, 3: 93}, 155.0, 20, 15
SEEN_ROW = 18.6
SECOND_PAGE, END_MM, HINTS_MM = 141, 64, 21  # what head 2 leaves; the end of the leaf, with hints
# Tokens above which the question about the mask stands on page 2; what it takes there and here.
MOST_ON_FIRST, WHY_MM, TWO_LINES_MM = 11, 27, 18


class MaskRow(NamedTuple):
    """A token's Σ and its visible shares, as printed, in `old` without and in `new` with the mask.

    `whole` says that nothing is masked for it.
    """

    old: np.ndarray
    new: np.ndarray
    whole: bool

    @property
    def shrinks(self) -> bool:
        """Whether Σ gets smaller."""
        return bool(self.new[0] < self.old[0])

    @property
    def grows(self) -> bool:
        """Whether Σ gets smaller, and each share larger."""
        return self.shrinks and bool((self.new[1:] > self.old[1:]).all())

    @property
    def stays(self) -> bool:
        """Whether nothing changes."""
        return bool((self.new == self.old).all())


def unmasked_row(row: AttentionRow) -> AttentionRow:
    """The row as it is where the token sees all."""
    free = row.head._replace(free=True)
    return replace(row, head=free, visible=tuple(range(len(row.trace.tokens))))


def masked_row(row: AttentionRow) -> MaskRow:
    """What the mask of the first head does to a token's row."""
    both = (unmasked_row(row), row)
    shown = [[shown_values(one[k])[row.token] for k in ("sum", "weights")] for one in both]
    old, new = (np.append(total, shares[list(row.visible)]) for total, shares in shown)
    return MaskRow(old, new, whole=len(row.visible) == len(row.trace.tokens))


def of_example(holds: Callable[[MaskRow], bool]) -> Predicate:
    """Whether that is true of the row of the worked example."""
    return lambda trace, plan: holds(masked_row(plan.worked_row(trace)))


def heads_differ(rows: list[AttentionRow]) -> bool:
    """Whether a token looks most at others with its second head."""
    leaders = [set(row.leaders("weights")) for row in rows]
    return len(leaders) > 1 and not leaders[0] & leaders[1]


def apart(rows: list[AttentionRow]) -> list[int]:
    """The tokens whose shares in two heads are furthest apart, as printed; none where all agree."""
    first, second = (shown_values(row["weights"])[row.token] for row in rows)
    gaps = {j: guarded_number(abs(first[j] - second[j]), GUARD) for j in rows[0].visible}
    most = max(gaps.values())
    return [j for j, gap in gaps.items() if gap == most > 0]


def finds(kind: str) -> Predicate:
    """Whether, in numbers that mean something, another token leads, the own one, or nobody."""

    def holds(trace: Trace, plan: Plan4b) -> bool:
        first, *more = plan.own_row(trace).leaders("weights")
        found = "even" if more else "own" if first == plan.own else "other"
        return found == kind and meant(trace)

    return holds


# Σ gets smaller in the row that pupils mask, and each visible share larger
GROWS = of_own(lambda row: masked_row(row).grows)
CLAIMS = {
    "sheet4b.story.heads": Claim(
        lambda trace, plan: heads_differ(plan.in_heads(trace, plan.worked)),
        "sheet4b.story.heads.again",
    ),
    "sheet4b.mask.causal": Claim(sees("causal")),
    "sheet4b.mask.strict": Claim(sees("strict")),
    "sheet4b.triangle.causal": Claim(sees("causal")),
    "sheet4b.triangle.strict": Claim(sees("strict")),
    "sheet4b.example.grow": Claim(of_example(lambda row: row.grows), "sheet4b.example.rounded"),
    "sheet4b.example.rounded": Claim(of_example(lambda row: row.shrinks), "sheet4b.example.all"),
    "sheet4b.example.all": Claim(of_example(lambda row: row.whole), "sheet4b.example.alike"),
    "sheet4b.example.alike": Claim(of_example(lambda row: row.stays)),
    "sheet4b.closing.other": Claim(mixes, "sheet4b.closing.plain"),
    "sheet4b.after.other": Claim(mixes, "sheet4b.after.plain"),
    "sheet4b.task.most": of_trace(meant),
    "sheet4b.task.compare.meant": of_trace(meant, "sheet4b.task.compare"),
    "sheet4b.answer.most": Claim(finds("other"), "sheet4b.answer.most.own"),
    "sheet4b.answer.most.own": Claim(finds("own"), "sheet4b.answer.most.even"),
    "sheet4b.answer.most.even": Claim(finds("even")),
    "sheet4b.answer.carries": Claim(finds("other")),
    "sheet4b.discuss.1": Claim(GROWS, "sheet4b.discuss.1.general"),
    "sheet4b.discuss.1.answer": Claim(GROWS, "sheet4b.discuss.1.answer.general"),
    "sheet4b.board": Claim(sees("causal"), "sheet4b.board.strict"),
    "sheet4b.next": Claim(fills("5"), "sheet4b.next.bare"),
} | in_turn(
    {
        "sheet4b.answer.compare": {
            "": lambda trace, plan: len(apart(plan.in_heads(trace, plan.own))) == 1,
            ".several": lambda trace, plan: bool(apart(plan.in_heads(trace, plan.own))),
            ".alike": lambda trace, plan: True,
        }
    }
)


@dataclass(frozen=True)
class View4b(sheet4a.View4a):
    """The view of sheet 4b; `at` means the head of that number."""

    claims = CLAIMS

    plan: Plan4b
    number: int = 1
    concat = CONCAT

    def at(self, name: str) -> str:
        return f"block1.head{self.number}.{name}"

    def part(self, row: int, name: str) -> str:
        return f"{EXAMPLE if row == self.plan.worked else OWN}{self.number}.{name}"

    def head(self, number: int) -> "View4b":
        """The same view, about another head."""
        return replace(self, number=number)

    def free(self, name: str) -> str:
        """The full name of a step of the head as it would be without the mask."""
        return f"{PREFIX}block1.head{self.number}.{name}"

    @property
    def closing(self) -> str:
        """What W_O does: "none" where there is none, "identity" where it changes nothing."""
        if not self.has(attention.OUTPUT_WEIGHT):
            return "none"
        weight = self.trace[attention.OUTPUT_WEIGHT].values
        return "identity" if attention.is_identity(weight) else "other"

    def multihead(self) -> Markup:
        """Vaswani et al. 2017, section 3.2.2: all heads side by side, times W_O if there is one."""
        count = self.trace.preset.heads
        heads = "{,}\\,".join(f"\\mathrm{{Head}}_{h}" for h in range(1, count + 1))
        weight = "" if self.closing == "none" else "\\, W_O"
        key = "4b.multihead" if weight else "4b.multihead.plain"
        latex = f"\\mathrm{{MultiHead}}(X) = \\mathrm{{Concat}}({heads}){weight}"
        return self.formula(key, latex, inline=False)

    @property
    def splits(self) -> bool:
        """Whether joining the heads begins the second page: where only one head is computed."""
        one = len(self.plan.heads) > 1 and not self.plan.computed
        return one and not (self.options.large_print or self.options.exam)

    @property
    def interprets(self) -> bool:
        """Whether pupils say what the shares mean: where there is no second head to compare."""
        fits = len(self.tokens) <= MOST_INTERPRETED - self.options.points or self.plan.explains
        return bool(fits) and len(self.plan.heads) == 1 and self.holds("sheet4b.task.most")

    @property
    def full(self) -> bool:
        """Whether the first page of the work leaf has no room for the question about the mask."""
        return len(self.tokens) > MOST_ON_FIRST

    @property
    def fills_matrix(self) -> bool:
        """Whether the own row is entered in the class's matrix, which shows the triangle."""
        return self.splits and len(self.class_blocks(full=False)) == 1

    def found(self, key: str) -> str:
        """The expected answer, or a part of it, on what the own token takes most from."""
        share = self.percent(head(1, "weights"), self.plan.own, self.row.by_share[0])
        names = {"share": share, "token": self.word(self.plan.own)}
        names |= dict.fromkeys(("one", "tokens"), self.leading())
        return self.catalogue.t(f"sheet4b.answer.{key}", **names)

    @property
    def early(self) -> bool:
        """Whether the first page of the work leaf ends with hints, squares above them or none."""
        return self.splits and self.short and len(self.tokens) + 2 * self.options.points <= 10

    def squares_above(self) -> int:
        """How many rows of squares fill the first page of the work leaf; 0 where it is full."""
        wide, both = self.options.large_print or self.options.exam, 2 in self.plan.computed
        if wide or not self.short or not (self.splits or both):
            return 0
        count = len(self.tokens)  # above 7 there is a line less to write on
        free = FIRST_PAGE[self.plan.level] - 10 * (count - (self.splits and count > 7))
        free -= POINTS_MM * self.options.points + WHY_MM * len(self.plan.explains)
        return free // SQUARE if free >= LEAST_MM else 0

    def squares_below(self) -> int:
        """How many rows of squares fill the last page of the work leaf; 0 where it is full."""
        count, rows = len(self.tokens), len(self.plan.visible) + (not self.short)
        free = LAST_PAGE - POINTS_MM * self.options.points
        if self.splits or self.options.large_print:
            return 0
        # of many tokens, or where there are more of them, questions begin a page
        if len(self.plan.heads) == 1 and not self.options.exam:
            more = self.plan.explains
            return (28 if count < 8 else 14) - 4 * self.options.points if more else 34 * (count > 7)
        if 2 not in self.plan.computed:
            return 0
        if count > 8:  # head 2 may take a page, the end of the leaf has one of its own then
            return 12 if rows > 6 or self._left() < END_MM else 0
        free -= 88 + SEEN_ROW * rows  # a long word takes a line more
        return int(free) // SQUARE if free >= LEAST_MM else 0

    def _left(self) -> float:
        """How much of its second page head 2 leaves where a sentence is long, in mm."""
        count, rows = len(self.tokens), len(self.plan.visible) + (not self.short)
        return SECOND_PAGE - SEEN_ROW * rows - TWO_LINES_MM * (count > 10)

    def helps(self) -> tuple[Help, ...]:
        rows = self.plan.rows if 2 in self.plan.computed else ()
        return (
            self._card("sum", r"\Sigma = {power} + {power} + \dots", "sum", 0),
            self._card("share", sheet4a.SHARE, "weights", self.plan.visible[0]),
            *(self.head(2).score_card(j) for j in rows[:1]),
        )

    def hints(self) -> tuple[str, ...]:
        if 2 not in self.plan.computed:
            more = self.splits or self.plan.explains or not self.interprets
            return ("sum", "share") if more else ("sum",)
        wide = self.options.large_print or len(self.tokens) <= 8  # else no page for these alone
        alone = END_MM <= self._left() < END_MM + HINTS_MM
        return ("sum", "share", "score", "concat") if wide or not alone else ()

    def compared(self) -> str:
        """The expected answer on what both heads look at. Only for solutions."""
        own = self.plan.own
        found = apart(self.plan.in_heads(self.trace, own)) or [own]
        shares = {f"head{k}": self.percent(head(k, "weights"), own, found[0]) for k in (1, 2)}
        tokens = self.in_a_row(self.catalogue.t("sheet.quoted", text=self.word(j)) for j in found)
        return self.catalogue.t("sheet4b.answer.compare", **shares, tokens=tokens)

    def slips(self) -> list[Slip]:
        plan, slips = self.plan, self.row.mask_slips()
        if 2 in plan.computed:
            row = replace(head_row(self.trace, 2, plan.own), visible=plan.rows or plan.visible)
            slips += attention.head_slips(self.trace, plan.own, row.by_share[0])
        if len(plan.heads) > 1:
            slips += attention.concat_slips(self.trace, plan.own)
        return slips

    def named(self, slip: Slip) -> dict[str, str]:
        return {"row": self.word(slip.i), "token": self.word(min(slip.j, len(self.tokens) - 1))}

    def telling(self) -> dict[str, str]:
        told = {"token": self.word(self.plan.own), **self.alone()}
        for name, row in {"old": unmasked_row(self.row), "new": self.row}.items():
            cells = {"": ("sum", 0), "_share": ("weights", row.leaders("weights")[0])}
            for end, (step, j) in cells.items():
                told[name + end] = self.shown(row.head.step(step), row.token, j)
            told[f"{name}_first"] = self.leading(row)
        return told

    def alone(self) -> dict[str, str]:
        """The token that sees one only, and that one: the first one under either mask."""
        return {"one": self.word(int(self.mask() == "strict")), "seen": self.word(0)}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        plan, step = self.plan, head(1, "weights")
        yield from ((self.word(j), (step, plan.own, j)) for j in plan.visible)
        if len(plan.heads) > 1:
            joined = range(len(plan.heads) * plan.outputs)
            yield from ((self.indexed("c", k), (CONCAT, plan.own, k)) for k in joined)
