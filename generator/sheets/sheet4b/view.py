"""What the template of sheet 4b may ask: the heads, what each token sees, slips, hints."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from markupsafe import Markup

from generator.engine.step import Cell
from generator.engine.unmasked import PREFIX
from generator.insight.claims import Claims
from generator.insight.heads import CONCAT, concat_slips, favourite, head_slips, mask_slips
from generator.insight.slips import Slip
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheet4b.claims import CLAIMS
from generator.sheets.sheet4b.plan import Plan4b, head

SQUARES_ABOVE, FEWEST_SQUARES = 5, 3  # rows at six tokens; fewer than these help nobody
OUTPUT_WEIGHT, MIXED = "block1.weight.output", "block1.attention"


@dataclass(frozen=True)
class View(sheet4a.View):
    """The view of sheet 4b; `at` means the head of that number."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan4b
    number: int = 1

    def at(self, name: str) -> str:
        return head(self.number, name)

    def part(self, row: int, name: str) -> str:
        first, dot, last = super().part(row, name).partition(".")
        return f"{first}{self.number}{dot}{last}"

    def head(self, number: int) -> "View":
        """The same view, about another head."""
        return replace(self, number=number)

    def free(self, name: str) -> str:
        """The full name of a step of the head as it would be without the mask."""
        return PREFIX + self.at(name)

    @property
    def strict(self) -> bool:
        """Whether a token may not even see itself."""
        return self.plan.own not in self.plan.visible

    @property
    def concat(self) -> str:
        """The name of the step in which the heads stand side by side."""
        return CONCAT

    @property
    def closing(self) -> str:
        """What W_O does: "none" where there is none, "identity" where it changes nothing."""
        if not self.has(OUTPUT_WEIGHT):
            return "none"
        weight = self.trace[OUTPUT_WEIGHT].values
        same = weight.shape[0] == weight.shape[1] and bool((weight == np.eye(len(weight))).all())
        return "identity" if same else "other"

    def multihead(self) -> Markup:
        """Vaswani et al. 2017, section 3.2.2: all heads side by side, times W_O if there is one."""
        heads = "{,}\\,".join(
            f"\\mathrm{{Head}}_{h}" for h in range(1, self.trace.preset.heads + 1)
        )
        weight = "" if self.closing == "none" else "\\, W_O"
        key = "4b.multihead" if weight else "4b.multihead.plain"
        latex = f"\\mathrm{{MultiHead}}(X) = \\mathrm{{Concat}}({heads}){weight}"
        return self.formula(key, latex, inline=False)

    def halves(self) -> dict[int, str]:
        """Which of two pupils computes a token's power in head 2: A first ones, B others."""
        rows = self.plan.rows
        return {j: "A" if place < (len(rows) + 1) // 2 else "B" for place, j in enumerate(rows)}

    @property
    def splits(self) -> bool:
        """Whether joining the heads begins the second page: where only one head is computed."""
        one = len(self.plan.heads) > 1 and not self.plan.computed
        return one and not (self.options.large_print or self.options.exam)

    def squares_above(self) -> int:
        """How many rows of squares fill the first page of the work leaf; 0 where it is full."""
        rows = SQUARES_ABOVE - 2 * (len(self.tokens) - 6) - 2 * self.options.points
        return rows if self.splits and self.short and rows >= FEWEST_SQUARES else 0

    def squares_below(self) -> int:
        """How many rows of squares fill the last page of the work leaf; 0 where it is full."""
        full = bool(self.plan.computed) or len(self.plan.heads) == 1
        rows = len(self.plan.visible) + (not self.short)  # a long word takes a line more
        if len(self.tokens) > 8 and rows > 5 and 2 in self.plan.computed:
            full = False  # head 2 takes a page, the end of the leaf has one of its own
        return 0 if full or self.options.large_print else 14

    def hints(self) -> tuple[str, ...]:
        hints = ("sum", "share", "score", "concat")
        return hints if 2 in self.plan.computed else hints[:2]

    def leader(self, number: int) -> tuple[str, Markup]:
        """The token that gets most of the own token's attention in a head, and its share."""
        best = favourite(self.trace, head(number, "weights"), self.plan.own, self.plan.visible)
        return self.tokens[best], self.percent(head(number, "weights"), self.plan.own, best)

    def slips(self) -> list[Slip]:
        plan = self.plan
        slips = mask_slips(self.trace, plan.at, plan.own, plan.visible)
        if 2 in plan.computed:
            best = favourite(self.trace, head(2, "weights"), plan.own, plan.rows or plan.visible)
            slips += head_slips(self.trace, plan.own, best)
        if len(plan.heads) > 1:
            slips += concat_slips(self.trace, plan.own)
        return slips

    def named(self, slip: Slip) -> dict[str, str]:
        return {"row": self.tokens[slip.i], "token": self.tokens[min(slip.j, len(self.tokens) - 1)]}

    def telling(self) -> dict[str, str]:
        sums = {"old": self.head(1).free("sum"), "new": head(1, "sum")}
        shown = {
            name: self.show(step, self.trace[step].values[self.plan.own, 0])
            for name, step in sums.items()
        }
        return {"token": self.tokens[self.plan.own], **shown}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        plan, step = self.plan, head(1, "weights")
        yield from ((self.tokens[j], (step, plan.own, j)) for j in plan.visible)
        if len(plan.heads) > 1:
            joined = range(len(plan.heads) * plan.outputs)
            yield from ((self.indexed("c", k), (CONCAT, plan.own, k)) for k in joined)
