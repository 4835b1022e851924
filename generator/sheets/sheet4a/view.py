"""What the template of sheet 4a may ask: visible tokens, facts about the shares, slips."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from markupsafe import Markup

from generator.engine.ops import Power
from generator.engine.step import Cell
from generator.insight.attention_facts import Attention, asks_alike, attention
from generator.insight.claims import Claims
from generator.insight.leading import leaders
from generator.insight.slips import Slip, slips
from generator.notation.numbers import MINUS, number
from generator.notation.shown import shown_decimals, shown_value
from generator.sheets.asked_before import has
from generator.sheets.geometry import bar_mm
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet4a.claims import CLAIMS
from generator.sheets.sheet4a.places import Places
from generator.sheets.sheet4a.plan import EXAMPLE, OWN

EXPONENTS = range(-3, 5)  # of a table of powers
ROLES = ("query", "key", "value")
ROUNDED = ("query", "scores", "scaled", "exp", "sum", "weights", "output")
MOST_DECIMALS = 3  # in it


@dataclass(frozen=True)
class View(Places):
    """The view of sheet 4a that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    @property
    def masked(self) -> bool:
        """Whether the sheet's head has a mask that the sheet shows."""
        return not self.plan.free and self.has(self.at("mask"))

    def part(self, row: int, name: str) -> str:
        """The full name of a part of the worked or the own row, see `row_parts`."""
        return f"{EXAMPLE if row == self.plan.worked else OWN}.{name}"

    @cached_property
    def brings(self) -> bool:
        """Whether pupils have the own row x from sheet 3."""
        return self.x == "input" and has(sheet3, self.trace, self.plan, ("input",))

    @property
    def normed(self) -> bool:
        """Whether these vectors have been through a norm already."""
        return self.x != "input"

    def sees(self, i: int, j: int) -> bool:
        """Whether token i may look at token j."""
        return not self.masked or bool(self.trace[self.at("mask")].values[i, j] == 0.0)

    def by_share(self) -> list[int]:
        """The tokens that the worked one sees, the largest share above."""
        shares = self.trace[self.at("weights")].values[self.plan.worked].tolist()
        return sorted(self.plan.worked_visible, key=lambda j: (-shares[j], j))

    def given_row(self, i: int) -> bool:
        """Whether a row of the class matrix is printed, as nobody else of the class computes it.

        One that equals the own row by the given numbers is not: it would be the answer.
        """
        if i == self.plan.own or i in self.options.others:
            return False
        return i == self.plan.worked or i not in asks_alike(self.trace, self.plan.at, self.plan.own)

    def class_row(self, i: int) -> tuple[str, ...]:
        """A row of the class matrix as text, for the board; – is masked."""
        step = self.trace[self.at("weights")]
        shares = ((j, self.show(step.name, value)) for j, value in enumerate(step.values[i]))
        return tuple(share if self.sees(i, j) else "–" for j, share in shares)

    def attention_formula(self) -> Markup:
        """Vaswani et al. 2017, equation 1, with the mask where the sheet has one."""
        mask = " + \\mathrm{Mask}" if self.masked else ""
        inner = f"\\frac{{Q K^{{\\top}}}}{{\\sqrt{{d_k}}}}{mask}"
        head = "\\mathrm{Attention}(Q{,}\\,K{,}\\,V) = \\mathrm{softmax}"
        latex = f"{head}\\!\\left({inner}\\right)\\, V"
        return self.formula("attention.masked" if self.masked else "attention", latex, inline=False)

    def picks(self, name: str) -> tuple[int, ...]:
        """The dimensions (from 1) that a weight matrix copies; empty where it does more."""
        weight = self.trace[self.at(f"weight.{name}")].values
        ones = bool(((weight == 0) | (weight == 1)).all() and (weight.sum(axis=0) == 1).all())
        return tuple((weight.argmax(axis=0) + 1).tolist()) if ones else ()

    def times(self, name: str) -> tuple[str, tuple[int, ...]]:
        """What a weight matrix takes from x: a factor, "" for 1, and dimensions from 1.

        No dimensions where it mixes several into one number.
        """
        weight = self.trace[self.at(f"weight.{name}")].values
        factor = float(weight.max())
        alone = bool(
            ((weight != 0).sum(axis=0) == 1).all() and (weight.sum(axis=0) == factor).all()
        )
        shown = "" if factor == 1 else number(factor, None, self.options.language)
        return shown, tuple((weight.argmax(axis=0) + 1).tolist()) if alone else ()

    def takes(self) -> bool:
        """Whether one of the three matrices takes single dimensions from x, so that it is said."""
        return any(self.times(name)[1] for name in ROLES)

    def places(self) -> str:
        """To how many decimals pupils round what is asked, step by step."""
        return self.rounded(ROUNDED, "4a")  # sheet 4b too

    def base(self) -> str:
        """The base of the powers: e, or the preset's number."""
        base = self.trace.preset.softmax_base
        return "e" if base is None else number(base, None, self.options.language)

    def powers(self) -> tuple[tuple[str, str], ...]:
        """Small exponents and their powers, where pupils look them up; nothing for e."""
        base, language = self.trace.preset.softmax_base, self.options.language
        if base is None:
            return ()
        exponents = np.arange(EXPONENTS.start, EXPONENTS.stop, dtype=np.float64)[None, :]
        power = Power(base, masked=False).value(exponents)  # [1, exponents]
        pairs = zip(exponents[0].tolist(), power[0].tolist(), strict=True)
        return tuple(
            (number(x, 0, language), number(y, None, language))
            for x, y in pairs
            if y == round(y, MOST_DECIMALS)
        )

    def by_which(self) -> str:
        """What pupils need for the powers: their calculator or the table."""
        return self.catalogue.t(f"sheet4a.powers.{'table' if self.powers() else 'key'}")

    def partner(self) -> int:
        """The token whose line the example writes out: its strongest, for the whole class."""
        shares = self.trace[self.at("weights")].values[self.plan.worked]
        return max(self.plan.worked_visible, key=lambda j: (shares[j], -j))

    def divisor(self) -> str:
        """√d_k as shown, with "=" or "≈" before it."""
        shown = shown_value(self.trace["scale"], 0, 0)
        true = float(np.sqrt(self.trace.preset.d_head))
        sign = "=" if abs(shown - true) < 1e-12 else "≈"
        return f"{sign} {self.divisor_number()}"

    def divisor_number(self) -> str:
        """√d_k as pupils divide by it."""
        step = self.trace["scale"]
        return number(shown_value(step, 0, 0), shown_decimals(step), self.options.language)

    def decimals(self, name: str) -> int:
        """How many decimals a step of the head shows."""
        return shown_decimals(self.trace[self.at(name)])

    def score_tolerance(self) -> str:
        """By how much the sum of the rounded scores may miss q·Σk: half a digit for each."""
        return self._tolerance("scores", self._exact_scores())

    def share_tolerance(self) -> str:
        """By how much the rounded shares may miss 1."""
        return self._tolerance("weights", exact=False)

    def key_sum(self, column: int) -> str:
        """The sum of a key column over the tokens that the own token sees."""
        step = self.trace[self.at("key")]
        values = [shown_value(step, j, column) for j in self.plan.visible]
        return number(sum(values), shown_decimals(step), self.options.language)

    def bar_mm(self, row: int, j: int, beside: bool = False) -> str:
        """The length of a bar, 1 mm for 1 per cent, for CSS."""
        return bar_mm(self.trace[self.at("weights")], row, j, beside)

    def facts(self) -> Attention:
        """Who gets most of the own token's attention, and why. Only for solutions."""
        return attention(self.trace, self.plan.head, self.plan.own, self.plan.visible)

    def why(self) -> str:
        """The answer to who gets most and why, as a pupil would say it. Only for solutions."""
        facts, plan = self.facts(), self.plan
        return self.catalogue.t(
            "sheet4a.answer.why.largest",
            token=self.tokens[facts.best],
            tokens=self.leading(),
            share=self.percent(self.at("weights"), plan.own, facts.best),
            q=self.indexed("q", facts.factor),
            k=self.indexed("k", facts.factor),
            query=in_brackets(self.show(self.at("query"), facts.query)),
            key=in_brackets(self.show(self.at("key"), facts.key)),
        )

    def leading(self) -> str:
        """The tokens that get most of the own token's attention, as printed. Only for solutions."""
        step, plan = self.at("weights"), self.plan
        return self.named_all(leaders(self.trace, step, plan.own, plan.visible))

    def named_all(self, tokens: Iterable[int]) -> str:
        """Some tokens in quotation marks, as one reads them aloud."""
        quoted = (self.catalogue.t("sheet.quoted", text=self.tokens[j]) for j in tokens)
        return f" {self.catalogue.t('sheet.and')} ".join(quoted)

    def slips(self) -> list[Slip]:
        best = self.facts().best
        return slips(self.trace, self.plan.head, self.plan.own, self.plan.visible, best)

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.tokens[slip.j]}

    def telling(self) -> dict[str, str]:
        facts = self.facts()
        shares = {"share": facts.share, "unscaled": facts.unscaled}
        shown = {name: self.show(self.at("weights"), value) for name, value in shares.items()}
        return {
            "token": self.tokens[facts.best],
            "base": self.base(),
            "powers": self.by_which(),
            **shown,
        }

    def ends(self) -> Iterator[tuple[str, Cell]]:
        own, step = self.plan.own, self.at("weights")
        yield from ((self.tokens[j], (step, own, j)) for j in self.plan.visible)

    def behaviour(self) -> str:
        """What there is to see in this model, for the teacher page."""
        return self.shows()

    def hints(self) -> tuple[str, ...]:
        return ("score", "power.table" if self.powers() else "power", "share", "output")

    def _exact_scores(self) -> bool:
        needed = self.decimals("query") + self.decimals("key")
        return needed <= self.decimals("scores")

    def _tolerance(self, name: str, exact: bool) -> str:
        if exact:
            return ""
        decimals = self.decimals(name)
        width = len(self.plan.visible) * 0.5 * 10.0**-decimals
        return number(round(width, decimals + 1), None, self.options.language)


def in_brackets(shown: str) -> str:
    """A number as it stands beside an operator: a negative one in brackets."""
    return f"({shown})" if shown.startswith(MINUS) else shown
