"""What the template of sheet 2 may ask: the chosen words, the drawings' places, facts, slips.

Also here:

* What sheet 2 says of its own result, each sentence with what must be true of it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Trace
from generator.insight.attention_facts import leaders
from generator.insight.claims import Claim, Claims, Predicate
from generator.insight.similarity import (
    ROWS,
    SIMILARITY,
    TABLE,
    Nearest,
    doubled,
    nearest,
    slips,
)
from generator.insight.slips import Slip
from generator.notation.shown import number, shown_decimals
from generator.sheets.context import Context
from generator.sheets.geometry import arrow_head
from generator.sheets.maths import written_sum
from generator.sheets.sheet2 import vectors
from generator.sheets.sheet2.plan import Plan2
from generator.sheets.slots import fills

LINE_MM, PLANE_MM = 150.0, 56.0
MOST_PLANE_TICKS = 6
WIDTH_MM, LETTER_MM = 96.0, 4
NAMES_MM = 9, 33  # of a number and a token in the working table
RESULT_MM, PAGE_MM = 38, 170  # "Ähnlichkeit mit „Katze“" on one line, where there is room
MOST_TERMS = 4  # of the dot product, written out
LONGEST = 14  # letters on a line of the table
SLIM = 5  # more numbers than these take slim columns


class TableWidths(NamedTuple):
    """Widths in the working table, in millimetres; `total` is the table's."""

    id: float
    token: float
    number: float
    result: float
    total: float


def most(several: bool, alike: bool) -> Predicate:
    """Whether one other word is the most similar, or `several`; whether it is `alike` at all."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words = nearest(trace, plan.x)
        counts = (len(nearest_words.best) > 1) == several and nearest_words.best == _printed(
            trace, plan
        )
        return counts and (nearest_words.value > 0) == alike

    return holds


def none_is(trace: Trace, plan: Plan2) -> bool:
    """Whether all other words are as unlike."""
    nearest_words = nearest(trace, plan.x)
    return nearest_words.value <= 0 and len(nearest_words.best) == len(trace[ROWS].rows) - 1


def product_leads(several: bool) -> Predicate:
    """Whether one product adds more to the greatest similarity than any other, and something."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words = nearest(trace, plan.x)
        rows = trace[ROWS].values
        products = guarded(rows[plan.x] * rows[nearest_words.best[0]], GUARD)
        leads = products[nearest_words.factor] > 0 and (products == products.max()).sum() == 1
        return bool(leads) and nearest_words.value > 0 and (len(nearest_words.best) > 1) == several

    return holds


def itself(sign: int, twin: bool | None = None) -> Predicate:
    """Whether the own similarity is greater (1), less (-1) than the best other one, or equal."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        nearest_words, rows = nearest(trace, plan.x), trace[ROWS].values
        same = bool((rows[plan.x] == rows[nearest_words.best[0]]).all())
        wanted = twin is None or same == twin
        return wanted and np.sign(round(nearest_words.own - nearest_words.value, GUARD)) == sign

    return holds


def second(sign: int) -> Predicate:
    """Whether the similarity with the word to double is positive, negative or 0."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        value = trace[SIMILARITY].values[plan.x, plan.second or 0]
        return bool(np.sign(value) == sign)

    return holds


def many_dimensions(trace: Trace, plan: Plan2) -> bool:
    """Whether the figure leaves dimensions out."""
    return trace[TABLE].shape[1] > 2


def placed(kind: str, then: str) -> Predicate:
    """Whether positions are of that kind, attention follows and the sheet `then` can be filled."""

    def holds(trace: Trace, plan: Plan2) -> bool:
        attends = "block1.head1.scores" in trace and trace.preset.positions == kind
        return attends and fills(then)(trace, plan)

    return holds


def _printed(trace: Trace, plan: Plan2) -> tuple[int, ...]:
    others = (j for j in range(trace[SIMILARITY].shape[0]) if j != plan.x)
    return leaders(trace, SIMILARITY, plan.x, others)


ANSWER = "sheet2.answer"


CLAIMS = {
    "sheet2.plane": Claim(many_dimensions, "sheet2.plane.flat"),
    f"{ANSWER}.why.one": Claim(most(False, True), f"{ANSWER}.why.several"),
    f"{ANSWER}.why.several": Claim(most(True, True), f"{ANSWER}.why.all.none"),
    f"{ANSWER}.why.all.none": Claim(none_is, f"{ANSWER}.why.one.none"),
    f"{ANSWER}.why.one.none": Claim(most(False, False), f"{ANSWER}.why.several.none"),
    f"{ANSWER}.why.several.none": Claim(most(True, False)),
    f"{ANSWER}.why.product": Claim(product_leads(False), f"{ANSWER}.why.product.of"),
    f"{ANSWER}.why.product.of": Claim(product_leads(True)),
    f"{ANSWER}.self.more": Claim(itself(1), f"{ANSWER}.self.twin"),
    f"{ANSWER}.self.twin": Claim(itself(0, twin=True), f"{ANSWER}.self.same"),
    f"{ANSWER}.self.same": Claim(itself(0, twin=False), f"{ANSWER}.self.less"),
    f"{ANSWER}.self.less": Claim(itself(-1)),
    f"{ANSWER}.double.more": Claim(second(1), f"{ANSWER}.double.less"),
    f"{ANSWER}.double.less": Claim(second(-1), f"{ANSWER}.double.zero"),
    f"{ANSWER}.double.zero": Claim(second(0)),
    "sheet2.next": Claim(placed("sinusoidal", "3"), "sheet2.next.places"),
    "sheet2.next.places": Claim(placed("learned", "4a"), "sheet2.next.further"),
}


@dataclass(frozen=True)
class View2(Context):
    """The view of sheet 2 that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan2

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The chosen words."""
        return tuple(self.trace["chosen.words"].values[:, 0].tolist())

    @property
    def broken(self) -> bool:
        """Whether a word takes more than one line of the table."""
        return max(map(len, self.words)) > LONGEST

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """Their rows in the vocabulary."""
        return tuple(int(i) for i in self.trace["chosen.ids"].values[:, 0])

    @property
    def width(self) -> int:
        """How many numbers an embedding has."""
        return self.size(TABLE)[1]

    @property
    def partial(self) -> bool:
        """Whether the sheet shows only a part of the vocabulary."""
        return len(self.ids) < self.size(TABLE)[0]

    @property
    def type_mm(self) -> float:
        """The height of type in drawings, in mm before large print is enlarged."""
        return vectors.LARGE_MM if self.options.large_print else vectors.TYPE_MM

    def columns_mm(self) -> TableWidths:
        """The widths of the working table; said in full, each program lays it out alike."""
        results = 1 if self.plan.second is None else 2
        wanted = max(20, LETTER_MM * (shown_decimals(self.trace[TABLE]) + 3))
        number_mm = min(wanted, (WIDTH_MM if results == 1 else WIDTH_MM - 24) / self.width)
        left = sum(NAMES_MM) + self.width * round(number_mm, 1)
        result = round(min(RESULT_MM, (PAGE_MM - left) / results), 1)
        return TableWidths(*NAMES_MM, number_mm, result, left + results * result)

    def vector(self, step: str, i: int) -> Markup:
        """A row vector in brackets as the language writes it."""
        between = Markup(self.catalogue.t("sheet2.vector.between"))
        cells = between.join(self.cell(step, i, k) for k in range(self.width))
        return Markup(self.catalogue.t("sheet2.vector", numbers=cells))

    @property
    def slim(self) -> bool:
        """Whether the table of embeddings takes slim columns, to stand beside the figure."""
        return self.width > SLIM and shown_decimals(self.trace[TABLE]) < 2

    def product_formula(self) -> Markup:
        """The dot product of two rows, written out."""
        times = self.latex_times
        terms = [f"u_{k} {times} w_{k}" for k in range(1, self.width + 1)]
        key = f"2.product.{self.width}" if self.width <= MOST_TERMS else "2.product"
        return self.formula(key, f"u \\cdot w = {written_sum(terms, MOST_TERMS)}", inline=False)

    def unrounded(self) -> bool:
        """Whether no similarity needs rounding."""
        return 2 * shown_decimals(self.trace[TABLE]) <= shown_decimals(self.trace[SIMILARITY])

    def tolerance(self) -> str:
        """By how much the sum of the rounded similarities may miss the check."""
        if self.unrounded():
            return ""
        decimals = shown_decimals(self.trace[SIMILARITY])
        width = (len(self.words) - 1) * 0.5 * 10.0**-decimals
        return number(round(width, decimals + 1), None, self.options.language)

    def given_rows(self) -> np.ndarray:
        """The given embeddings of the chosen words, [words, d_model]."""
        return self.trace[TABLE].values[list(self.ids)]

    @cached_property
    def dimensions(self) -> tuple[int, int]:
        """The two dimensions that the figure shows."""
        return vectors.plane(self.given_rows())

    @cached_property
    def axes(self) -> tuple[vectors.Scale, vectors.Scale]:
        """The figure's scales across and upwards, a unit as long on both."""
        flat = self.given_rows()[:, list(self.dimensions)]
        spans = [(min(0.0, float(c.min())), max(0.0, float(c.max()))) for c in flat.T]
        across, up = (vectors.scale(low, high, 1.0, MOST_PLANE_TICKS) for low, high in spans)
        step = max(across.step, up.step)
        unit = PLANE_MM / max(across.high - across.low, up.high - up.low)
        return across.drawn(step, unit), up.drawn(step, unit)

    def arrows(self) -> list[vectors.Arrow]:
        """The figure's arrows, one for each different vector."""
        flat = self.given_rows()[:, list(self.dimensions)]
        joint = self.catalogue.t("sheet.separator")
        return vectors.arrows(self.words, flat, *self.axes, joint, self.type_mm)

    def plane_mm(self) -> float:
        """The height of the figure: a name that has no place but below the axis is seen, too."""
        length = self.axes[1].length
        lowest = max(arrow.label.y for arrow in self.arrows()) + 0.4 * self.type_mm
        return max(length + 12, lowest + 6)

    def head(self, arrow: vectors.Arrow) -> str:
        """The head of an arrow of the figure; "" for the vector of zeros."""
        across, up = self.axes
        return arrow_head((across.at(0.0), up.length - up.at(0.0)), (arrow.x, arrow.y))

    def line_scale(self) -> vectors.Scale:
        """The empty number line; its ends come from the given vectors, not from an answer."""
        most = float((self.given_rows() ** 2).sum(axis=1).max())
        low = -most if (self.given_rows() < 0).any() else 0.0
        return vectors.scale(low, most, LINE_MM)

    def names_on_line(self) -> list[vectors.WordLabel]:
        """The other words above the number line, where their similarities lie. Only solutions."""
        scale, row = self.line_scale(), self.trace[SIMILARITY].values[self.plan.x]
        places = [(w, scale.at(row[j])) for j, w in enumerate(self.words) if j != self.plan.x]
        short = [(vectors.short(word), x) for word, x in places]
        return vectors.rows_of_marks(short, LINE_MM, self.type_mm)

    def marks_on_line(self) -> list[float]:
        """The places of the other words' similarities on the number line. Only for solutions."""
        scale, row = self.line_scale(), self.trace[SIMILARITY].values[self.plan.x]
        return sorted({scale.at(row[j]) for j in range(len(row)) if j != self.plan.x})

    def plain(self, value: float) -> str:
        """A number of an axis, as short as it is."""
        return number(value, None, self.options.language)

    def facts(self) -> Nearest:
        """Which word is most similar to the own one, and why. Only for solutions."""
        return nearest(self.trace, self.plan.x)

    def best(self) -> str:
        """The words that are most similar to the own one, each in quotation marks."""
        t = self.catalogue.t
        names = [t("sheet.quoted", text=self.words[j]) for j in self.facts().best]
        head, last = names[:-1], names[-1]
        return f"{t('sheet.separator').join(head)} {t('sheet.and')} {last}" if head else last

    def why(self) -> str:
        """The expected answer on the most similar word."""
        facts = self.facts()
        best = facts.best[0]
        rows = self.trace[ROWS].values
        names = {
            "best": self.best(),
            "value": self.show(SIMILARITY, facts.value),
            "x": self.indexed("u", facts.factor),
            "y": self.indexed("w", facts.factor),
            "a": self.bracketed(rows[self.plan.x, facts.factor]),
            "b": self.bracketed(rows[best, facts.factor]),
            "word": self.words[best],
        }
        answers = (
            self.catalogue.t(f"sheet2.answer.why.{key}", **names) for key in ("one", "product")
        )
        return " ".join(filter(None, answers))

    def itself(self) -> str:
        """The expected answer on the own word's similarity to itself."""
        facts = self.facts()
        shown = {
            k: self.show(SIMILARITY, v) for k, v in (("self", facts.own), ("value", facts.value))
        }
        return self.catalogue.t(
            "sheet2.answer.self.more", token=self.own, best=self.best(), **shown
        )

    def doubling(self) -> str:
        """The expected answer on a vector of twice the length."""
        second = self.plan.second or 0
        value = float(self.trace[SIMILARITY].values[self.plan.x, second])
        twice = doubled(self.trace, self.plan.x, second)
        shown = {k: self.show(SIMILARITY, v) for k, v in (("value", value), ("twice", twice))}
        return self.catalogue.t("sheet2.answer.double.more", **shown)

    def bracketed(self, value: float) -> str:
        """A number of a row, in brackets where it is negative."""
        shown = self.show(TABLE, value)
        return shown if value >= 0 else f"({shown})"

    def slips(self) -> list[Slip]:
        return slips(self.trace, self.plan.x, self.facts().best[0])

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.words[slip.j]}

    def telling(self) -> dict[str, str]:
        facts = self.facts()
        shown = {
            k: self.show(SIMILARITY, v) for k, v in (("self", facts.own), ("value", facts.value))
        }
        return {"token": self.own, "best": self.best(), **shown}

    def hints(self) -> tuple[str, ...]:
        return ("product", "nearest")
