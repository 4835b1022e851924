"""What the template of sheet 6 may ask: temperatures, origin of the last vector, bars, slips."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from markupsafe import Markup

from generator.engine.rounding import GUARD, guarded
from generator.engine.step import Cell
from generator.insight import loss_slips
from generator.insight.claims import Claims
from generator.insight.output_layer import (
    EXP,
    LOGITS,
    SHARES,
    TEMPERED,
    Heat,
    by_logit,
    cached_products,
    heat,
    matrix,
    slips,
)
from generator.insight.slips import Slip
from generator.locales.locale import locale_of
from generator.notation.html import NO_BREAK
from generator.notation.latex import OPERATORS
from generator.notation.numbers import number, percent
from generator.notation.shown import shown_decimals
from generator.sheets.asked_before import has
from generator.sheets.context import Help
from generator.sheets.geometry import AXIS_MM, bar_mm
from generator.sheets.next_token import NextToken
from generator.sheets.sheet5 import plan as sheet5
from generator.sheets.sheet6.claims import CLAIMS
from generator.sheets.sheet6.last_page import LastPage
from generator.sheets.sheet6.plan import Plan6
from generator.sheets.sheet6.skills import Skill, skills

MOST_BARS = 8  # words: more would not stand on one page
LONG_WORD = 12
VECTOR_MM, VECTORS_MM = 11.0, 62.0  # one column of the vector and its table, all of them
BROUGHT_MM = 56.0  # all of them where pupils write the vector
NUMBER_MM, SLIM_MM, SLIM = 21, 18, 6  # a column from logit to P; a slim one, beside longer vectors
ROUNDED = (
    "tempered",
    "exp",
    "sum",
    "probabilities",
    "probability",
    "cross_entropy",
    "perplexity",
)


@dataclass(frozen=True)
class View(NextToken):
    """The view of sheet 6 that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan6

    @property
    def best(self) -> int:
        """The likeliest word at the temperature that is given: the one of the worked lines."""
        return self.heat().best

    @property
    def best_is_long(self) -> bool:
        """Whether a sentence with the likeliest word needs a line more."""
        return len(self.words[self.best]) > LONG_WORD

    def heat(self) -> Heat:
        """The likeliest word, and the rows of the lowest and the highest temperature."""
        return heat(self.trace, self.plan.drawn)

    def likeliest(self) -> list[int]:
        """The words that bars are drawn for: the likeliest above, as on the slide of source 004.

        The order is that of the logits, which every temperature keeps.
        """
        return by_logit(self.trace)[:MOST_BARS]

    def table(self) -> str:
        """The step whose rows the last vector is multiplied with."""
        return matrix(self.trace)

    def temperature(self, row: int) -> str:
        """A temperature as it is printed."""
        step = self.trace["temperature"]
        value = float(step.values[row, 0])
        return number(value, shown_decimals(step), self.options.language)

    def base(self) -> str:
        """The base of the powers: e, or the preset's number."""
        base = self.trace.preset.softmax_base
        return "e" if base is None else number(base, None, self.options.language)

    def origin(self) -> str:
        """Where the last vector is from, as the end of a catalogue key."""
        trace = self.trace
        if trace.preset.start == "vector":
            return "given"
        if any(step.place.final for step in trace):
            return "final"
        return "block" if any(step.place.block == 1 for step in trace) else "input"

    @property
    def brings(self) -> bool:
        """Whether pupils bring the last vector: sheet 5 ends with it if it is about this token."""
        if not self.carries or not self.trace["last"].inputs:
            return False
        return has(sheet5, self.trace, self.plan, self.trace["last"].inputs)

    def tied(self) -> bool:
        """Whether the logits use the embeddings again."""
        return self.trace.preset.output == "tied"

    def vector_mm(self) -> str:
        """The width of one column of the last vector, for CSS."""
        return f"{self._vector_mm():.2f}mm"

    def word_mm(self) -> str:
        """The width of the column of words beside the vectors, for CSS."""
        width = self._vector_mm() * self.size("last")[1] + 4 * self.number_mm()
        return f"{170 - width - (14 if self.has('output.bias') else 0):.2f}mm"

    def number_mm(self) -> int:
        """The width of a column from logit to P, in mm: long vectors take some of it."""
        return SLIM_MM if self.size("last")[1] > SLIM else NUMBER_MM

    def saved(self) -> str:
        """The multiplications that a KV cache saves at the next token, or ""."""
        factors = cached_products(self.trace)
        if not factors:
            return ""
        shown = [f for k, f in enumerate(factors) if k < 4 or f != 1]
        line = f" {locale_of(self.options.language).signs.times} ".join(map(str, shown))
        return f"{line} = {prod(factors)}".replace(" ", NO_BREAK)

    def logit_tolerance(self) -> str:
        """By how much the rounded logits may miss y · Σ embeddings; "" where none is rounded."""
        decimals = shown_decimals(self.trace[LOGITS])
        needed = shown_decimals(self.trace["last"]) + shown_decimals(self.trace[self.table()])
        return "" if needed <= decimals else self.slack(LOGITS, len(self.words))

    def exponent_tolerance(self, row: int) -> str:
        """By how much the exponents may miss Σ logits : T; "" where none is rounded."""
        decimals = shown_decimals(self.trace[TEMPERED])
        quotients = self.trace[LOGITS].values / self.trace["temperature"].values[row, 0]
        exact = bool((guarded(quotients, decimals) == guarded(quotients, GUARD)).all())
        return "" if exact else self.slack(TEMPERED, len(self.words))

    def share_tolerance(self) -> str:
        """By how much the rounded shares may miss 1."""
        return self.slack(SHARES, len(self.words))

    def bar_mm(self, row: int, j: int, beside: bool = False) -> str:
        """The length of a bar, 1 mm for 1 per cent, for CSS."""
        return bar_mm(self.trace[SHARES], row, j, beside)

    def strip_mm(self, j: int) -> str:
        """The width of a word's part of the strip from 00 to 99, for CSS."""
        ends, starts = (self.trace[f"strip.{name}"].values[0, j] for name in ("cumulative", "from"))
        return f"{(ends - starts) * AXIS_MM:.2f}mm"

    def skills(self) -> list[Skill]:
        """What pupils can tick, if there is room for it."""
        all_skills = skills(self.trace, self.plan, self.catalogue)
        return list(all_skills) if self.last_page.skills else []

    @property
    def last_page(self) -> LastPage:
        """What has room below the last task of the work leaf."""
        broken = max(map(len, (*self.words, self.own))) > LONG_WORD
        plan, large, words = self.plan, self.options.large_print, len(self.words)
        return LastPage(plan.level, words, broken, plan.loss, large, asked=len(plan.words))

    def target(self) -> str:
        """The word that really comes next."""
        return str(self.trace["loss.target"].values[0, 0])

    def entropy_formula(self) -> Markup:
        """The cross-entropy of one word, and its perplexity."""
        return self.formula(
            "6.entropy", "\\mathrm{CE} = -\\ln P \\qquad \\mathrm{PP} = e^{\\mathrm{CE}}"
        )

    def keeps(self, at: str, j: int) -> bool:
        """Whether a way of choosing leaves a word. Only for solutions."""
        return bool(self.trace[f"{at}.kept"].values[0, j])

    def tally(self, j: int) -> int:
        """How often the printed draws hit a word. Only for solutions."""
        name = str(j) if self.plan.by_number else self.words[j]
        return Counter(self.trace["draw.token"].values[:, 0].tolist())[name]

    def slips(self) -> list[Slip]:
        plan = self.plan
        usual = slips(self.trace, plan.heated[0], plan.words, ends=plan.ends)
        return [*usual, *loss_slips.slips(self.trace)]

    def named(self, slip: Slip) -> dict[str, str]:
        names = {"token": self.words[slip.j]}
        if slip.step.startswith("output."):
            names["t"] = self.temperature(slip.i)
        return names

    def telling(self) -> dict[str, str]:
        best, low, high = self.heat()
        shown = {"low": low, "high": high}
        names = {"token": self.words[best], "count": str(len(self.words))}
        names |= {f"t_{key}": self.temperature(row) for key, row in shown.items()}
        return names | {key: self._percent(row, best) for key, row in shown.items()}

    def ends(self) -> Iterator[tuple[str, Cell]]:
        row = self.plan.heated[0]
        yield from ((word, (SHARES, row, j)) for j, word in enumerate(self.words))

    def behaviour(self) -> str:
        """What there is to see in this model, for the teacher page."""
        return self.shows()

    def decimals(self) -> str:
        """To how many decimals pupils round, said before the first task."""
        return self.rounded(ROUNDED)

    def hints(self) -> tuple[str, ...]:
        return ("temper", "exp", "share", "ticks")

    def helps(self) -> tuple[Help, ...]:
        row, j = self.plan.heated[0], self.plan.words[0]
        power = self.formula("6.exp", f"\\Sigma = {self.base()}^{{z_1 {self._over} T}} + \\dots")
        return (
            Help("exp", power, EXP, row, j),
            Help("share", self.share_formula(), SHARES, row, j),
        )

    def pressed(self) -> dict[str, str]:
        return {"base": self.base()}

    def logit_formula(self) -> Markup:
        """The logit of a word: the last vector times the word's row."""
        bias = " + b" if self.has("output.bias") else ""
        key = "6.logit.bias" if bias else "6.logit"
        return self.formula(key, f"z = y \\cdot w{bias}")

    def temper_formula(self) -> Markup:
        """The exponent: a logit over the temperature."""
        return self.formula("6.temper", "\\dfrac{z}{T}")

    def share_formula(self) -> Markup:
        """The share of a word."""
        power = f"{self.base()}^{{z {self._over} T}}"
        return self.formula("6.share", f"P = \\dfrac{{{power}}}{{\\Sigma\\, {power}}}")

    @property
    def _over(self) -> str:
        return OPERATORS[locale_of(self.options.language).signs.divided]

    def _vector_mm(self) -> float:
        """As wide as the numbers need, or as there is room where pupils write them."""
        columns = self.size("last")[1]
        spare = 4 * (NUMBER_MM - self.number_mm())
        width_mm = (BROUGHT_MM if self.brings else VECTORS_MM) + spare
        return width_mm / columns if self.brings else min(VECTOR_MM, width_mm / columns)

    def _percent(self, row: int, j: int) -> str:
        step = self.trace[SHARES]
        decimals = max(0, shown_decimals(step) - 2)
        return percent(float(step.values[row, j]), decimals, self.options.language)
