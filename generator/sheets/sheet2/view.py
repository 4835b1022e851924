"""What the template of sheet 2 may ask: the chosen words, the drawings' places, facts, slips.

Also here:

* What sheet 2 says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.ops.linear import MatMulT
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Trace
from generator.engine.vocabulary import tokenize
from generator.insight.behaviour import meant
from generator.insight.claims import Claim, Predicate, in_turn, of_trace, or_plain
from generator.insight.slips import Slip, changing
from generator.insight.tolerances import needs
from generator.notation.shown import in_brackets, shown_decimals, shown_values
from generator.sheets.context import Context
from generator.sheets.maths import written_sum
from generator.sheets.sheet2 import vectors
from generator.sheets.sheet2.plan import ROWS, SIMILARITY, TABLE, Plan2
from generator.sheets.slots import fills

LINE_MM, PLANE_MM = 150.0, 56.0
MOST_PLANE_TICKS = 6
WIDTH_MM, LETTER_MM = 96.0, 4
NAMES_MM = 9, 33  # of a number and a token in the working table
RESULT_MM, PAGE_MM = 38, 170  # "Ähnlichkeit mit „Katze“" on one line, where there is room
MOST_TERMS = 4  # of the dot product, written out
SLIM = 5  # more numbers than these take slim columns


class TableWidths(NamedTuple):
    """Widths in the working table, in millimetres; `total` is the table's."""

    id: float
    token: float
    number: float
    result: float
    total: float


class Nearest(NamedTuple):
    """Facts about the own word among the chosen ones.

    The others that are most similar to it (`best`, several where equal) with their similarity,
    the dimensions (`factors`) that add most to it, none where nothing is added, and the word's
    similarity to itself. `leads` says whether one product adds more than any other, `twin` whether
    the first of them has the own word's row, `others` how many other words there are.
    """

    best: tuple[int, ...]
    value: float
    factors: tuple[int, ...]
    own: float
    twin: bool
    others: int

    @property
    def alone(self) -> bool:
        """Whether one other word is the most similar."""
        return len(self.best) == 1

    @property
    def leads(self) -> bool:
        """Whether one product adds more than any other."""
        return len(self.factors) == 1

    @property
    def gap(self) -> float:
        """By how much the word is more similar to itself than to the best other one."""
        return round(self.own - self.value, GUARD)


def nearest(trace: Trace, plan: Plan2) -> Nearest:
    """The facts about the own word; similarities are equal that are printed alike."""
    rows, row = trace[ROWS].values, shown_values(trace[SIMILARITY])[plan.x]
    others = [j for j in range(len(row)) if j != plan.x]
    value = max(row[others])
    best = tuple(j for j in others if row[j] == value)
    products = guarded(rows[plan.x] * rows[best[0]], GUARD)
    most = products.max()
    return Nearest(
        best=best,
        value=float(value),
        factors=tuple(np.flatnonzero((products == most) & (products > 0)).tolist()),
        own=float(row[plan.x]),
        twin=bool((rows[plan.x] == rows[best[0]]).all()),
        others=len(others),
    )


def about(holds: Callable[[Nearest], bool]) -> Predicate:
    """Whether that is true of the facts about the own word."""
    return lambda trace, plan: holds(nearest(trace, plan))


def second(sign: int) -> Predicate:
    """Whether the similarity with the word to double is positive, negative or 0."""

    return lambda trace, plan: np.sign(trace[SIMILARITY].values[plan.x, plan.second or 0]) == sign


def doubled(trace: Trace, plan: Plan2) -> float:
    """The own word's similarity with the word to double, once that has twice its numbers."""
    rows, second = trace[ROWS].values, plan.second or 0
    product = MatMulT().value(rows[plan.x : plan.x + 1], 2 * rows[second : second + 1])
    return float(trace.rounded_as(SIMILARITY, product)[0, 0])


def overtakes(trace: Trace, plan: Plan2) -> bool:
    """Whether that is more than every other similarity of the own word, as printed."""
    rest = np.delete(shown_values(trace[SIMILARITY])[plan.x], plan.second or 0)
    return second(1)(trace, plan) and doubled(trace, plan) > rest.max()


def of_one_kind(trace: Trace, plan: Plan2) -> bool:
    """Whether the numbers mean something and the word's nearest points in a similar direction.

    That is, by less than 60° apart. On a blank the own row is asked, so the given table says it.
    """
    ids = trace["chosen.ids"].values[[plan.x, plan.near], 0].astype(int)
    return meant(trace) and round(vectors.cosine(*trace[TABLE].values[ids]), GUARD) > 0.5


def written_after(trace: Trace, plan: Plan2) -> tuple[str, ...]:
    """The words after which both the own word and its nearest stand in texts the model writes."""
    preset, words = trace.preset, trace["chosen.words"].values[[plan.x, plan.near], 0]
    texts = (text for one in preset.behaviour if one.rule == "writes" for text in one.at)
    split = (tokenize(text, preset.tokenizer, preset.words).tokens for text in texts)
    pairs = [pair for tokens in split for pair in pairwise(tokens)]
    both = [dict.fromkeys(a for a, b in pairs if b == word) for word in words]
    return tuple(word for word in both[0] if word in both[1])


def outdone(trace: Trace) -> tuple[int, int] | None:
    """The first of the chosen words that is more similar to another one than to itself, and it."""
    shown = np.array(shown_values(trace[SIMILARITY]))
    pairs = zip(*np.nonzero(shown > shown.diagonal()[:, None]), strict=True)
    return next(((int(i), int(j)) for i, j in pairs), None)


def placed(kind: str, then: str) -> Predicate:
    """Whether positions are of that kind, attention follows and the sheet `then` can be filled."""

    def attends(trace: Trace) -> bool:
        return "block1.head1.scores" in trace and trace.preset.positions == kind

    return lambda trace, plan: attends(trace) and fills(then)(trace, plan)


def with_signs(trace: Trace, plan: Plan2) -> bool:
    """Whether a word of the sheet has a negative number."""
    ids = trace["chosen.ids"].values[:, 0].astype(int)
    return bool((trace[TABLE].values[ids] < 0).any())


CLAIMS = {
    "sheet2.prerequisites": Claim(lambda _, plan: plan.beside_it("1"), "sheet2.prerequisites.ids"),
    **or_plain(with_signs, "sheet2.hint.product", "sheet2.hint.nearest"),
    "sheet2.plane": of_trace(lambda trace: trace[TABLE].shape[1] > 2, "sheet2.plane.flat"),
    "sheet2.task.why": Claim(lambda trace, plan: plan.whole, "sheet2.task.why.here"),
    "sheet2.task.meaning": Claim(of_one_kind),
    "sheet2.finding.fits": Claim(
        lambda trace, plan: meant(trace) and nearest(trace, plan).value > 0, "sheet2.finding.apart"
    ),
    "sheet2.finding.apart": Claim(about(lambda n: n.value <= 0)),
    "sheet2.next": Claim(placed("sinusoidal", "3"), "sheet2.next.places"),
    "sheet2.next.places": Claim(placed("learned", "4a"), "sheet2.next.further"),
    "sheet2.discuss.2.answer.here": of_trace(lambda trace: outdone(trace) is not None),
} | in_turn(
    {
        "sheet2.answer.meaning": {
            ".after": lambda trace, plan: (
                of_one_kind(trace, plan) and bool(written_after(trace, plan))
            ),
            "": of_one_kind,
        },
        "sheet2.answer.why": {
            ".one": about(lambda n: n.alone and n.value > 0),
            ".all": about(lambda n: 2 < len(n.best) == n.others and n.value > 0),
            ".several": about(lambda n: not n.alone and n.value > 0),
            ".all.none": about(lambda n: n.value <= 0 and len(n.best) == n.others),
            ".one.none": about(lambda n: n.alone and n.value <= 0),
            ".several.none": about(lambda n: not n.alone and n.value <= 0),
        },
        "sheet2.answer.why.product": {
            "": about(lambda n: n.leads and n.alone and n.value > 0),
            ".of": about(lambda n: n.leads and not n.alone and n.value > 0),
            ".tied": about(lambda n: len(n.factors) > 1 and n.alone and n.value > 0),
        },
        "sheet2.answer.self": {
            ".more": about(lambda n: n.gap > 0),
            ".twin": about(lambda n: n.gap == 0 and n.twin and n.alone),
            ".same": about(lambda n: n.gap == 0 and n.alone),
            ".same.several": about(lambda n: n.gap == 0),
            ".less": about(lambda n: n.gap < 0 and n.alone),
            ".less.several": about(lambda n: n.gap < 0),
        },
        "sheet2.answer.double": {
            ".wins": overtakes,
            ".more": second(1),
            ".less": second(-1),
            ".zero": second(0),
        },
    }
)


class View2(Context):
    """The view of sheet 2 that its template has."""

    claims = CLAIMS

    plan: Plan2

    def word(self, j: int) -> str:
        """The token alone: an embedding knows no position."""
        return self.tokens[j]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The chosen words."""
        return tuple(self.trace["chosen.words"].values[:, 0].tolist())

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """Their rows in the vocabulary."""
        return tuple(int(i) for i in self.trace["chosen.ids"].values[:, 0])

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

    def tolerance(self) -> str:
        """By how much the sum of the similarities may miss the check; empty if none is rounded."""
        rounded = needs(self.trace, SIMILARITY, (TABLE, TABLE))
        return self.slack((len(self.words) - 1, SIMILARITY)) if rounded else ""

    def given_rows(self) -> np.ndarray:
        """The given embeddings of the chosen words, [words, d_model]."""
        return self.trace[TABLE].values[list(self.ids)]

    @cached_property
    def dimensions(self) -> tuple[int, int]:
        """The two dimensions that the figure shows: neighbours are seen to be neighbours."""
        plan, rows = self.plan, self.given_rows()
        pairs = ((plan.x, plan.near), (plan.left, plan.right))
        alike = [(a, b) for a, b in pairs if rows[a] @ rows[b] > 0]
        return vectors.plane(rows, alike)

    @cached_property
    def flat(self) -> np.ndarray:
        """The given embeddings in these dimensions, [words, 2]."""
        return self.given_rows()[:, list(self.dimensions)]

    @cached_property
    def plane(self) -> vectors.Plane:
        """The figure's scales across and upwards, a unit as long on both."""
        spans = [(min(0.0, float(c.min())), max(0.0, float(c.max()))) for c in self.flat.T]
        scales = [vectors.scale(low, high, 1.0, MOST_PLANE_TICKS) for low, high in spans]
        step = max(scale.step for scale in scales)
        across, up = (scale.by(step) for scale in scales)
        unit = PLANE_MM / max(across.length, up.length)
        return vectors.Plane(across.times(unit), up.times(unit), self.type_mm)

    def arrows(self) -> list[vectors.Arrow]:
        """The figure's arrows, one for each different vector."""
        return self.plane.arrows(self.words, self.flat, self.catalogue.t("sheet.separator"))

    def plane_mm(self) -> float:
        """The height of the figure: a name that has no place but below the axis is seen, too."""
        lowest = max(arrow.label.y for arrow in self.arrows()) + 0.4 * self.type_mm
        return max(self.plane.up.length + 12, lowest + 6)

    def line_scale(self) -> vectors.Scale:
        """The empty number line; its ends come from the given vectors, not from an answer.

        No product is larger than the own length times the longest other one, and none is larger
        than the own numbers times the largest of each column; 0 is on the line.
        """
        rows = np.delete(self.given_rows(), self.plan.x, axis=0)
        own = self.given_rows()[self.plan.x]
        most = float(np.linalg.norm(own) * np.linalg.norm(rows, axis=1).max())
        ends = own * rows.min(axis=0), own * rows.max(axis=0)
        low, high = (float(of(*ends).sum()) for of in (np.minimum, np.maximum))
        return vectors.scale(min(0.0, max(low, -most)), max(0.0, min(high, most)), LINE_MM)

    def places_on_line(self) -> dict[str, float]:
        """Where the other words' similarities lie on the number line. Only for solutions."""
        scale, row = self.line_scale(), self.trace[SIMILARITY].values[self.plan.x].tolist()
        return {w: scale.at(row[j]) for j, w in enumerate(self.words) if j != self.plan.x}

    def names_on_line(self) -> list[vectors.WordLabel]:
        """The other words above the number line. Only for solutions."""
        places = [(vectors.short(word), x) for word, x in self.places_on_line().items()]
        return vectors.rows_of_marks(places, LINE_MM, self.type_mm)

    def nearest_names(self) -> set[str]:
        """Those of them that are most similar to the own word. Only for solutions."""
        return {vectors.short(self.words[j]) for j in self.facts.best}

    @cached_property
    def facts(self) -> Nearest:
        """Which word is most similar to the own one, and why. Only for solutions."""
        return nearest(self.trace, self.plan)

    def best(self) -> str:
        """The words that are most similar to the own one, each in quotation marks."""
        quoted = (self.catalogue.t("sheet.quoted", text=self.words[j]) for j in self.facts.best)
        return self.in_a_row(quoted)

    def why(self) -> str:
        """The expected answer on the most similar word."""
        facts, rows = self.facts, self.trace[ROWS].values
        best, most, times = facts.best[0], (*facts.factors, 0)[0], self.catalogue.t("sheet.times")
        pairs = (f"{self.indexed('u', k)} {times} {self.indexed('w', k)}" for k in facts.factors)
        names = {
            **self.telling(),
            "x": self.indexed("u", most),
            "y": self.indexed("w", most),
            "a": in_brackets(self.show(TABLE, rows[self.plan.x, most])),
            "b": in_brackets(self.show(TABLE, rows[best, most])),
            "word": self.words[best],
            "products": self.in_a_row(list(pairs)),
        }
        keys = ("sheet2.answer.why.one", "sheet2.answer.why.product")
        return " ".join(filter(None, (self.catalogue.t(key, **names) for key in keys)))

    def itself(self) -> str:
        """The expected answer on the own word's similarity to itself."""
        return self.catalogue.t("sheet2.answer.self.more", **self.telling())

    def meaning(self) -> str:
        """The expected answer on what the own word and the most similar one have in common."""
        words = written_after(self.trace, self.plan)
        before = [self.catalogue.t("sheet.quoted", text=word) for word in words]
        return self.catalogue.t("sheet2.answer.meaning.after", before=self.in_a_row(before))

    def doubling(self) -> str:
        """The expected answer on a vector of twice the length."""
        value = self.trace[SIMILARITY].values[self.plan.x, self.plan.second or 0]
        twice = doubled(self.trace, self.plan)
        shown = {"value": self.show(SIMILARITY, value), "twice": self.show(SIMILARITY, twice)}
        return self.catalogue.t("sheet2.answer.double.wins", **shown)

    def finding(self) -> str:
        parts = (super().finding(), self.catalogue.t("sheet2.finding.fits"))
        return " ".join(filter(None, parts))

    def slips(self) -> list[Slip]:
        """The usual slips: the next row read off, sums multiplied, numbers added.

        They show in the similarity of the own word and the best; a slip that changes nothing here
        is left out. The next row is that of the sheet: the table's next ID may not be on it.
        """
        own, other, rows = self.plan.x, self.facts.best[0], self.trace[ROWS].values
        x, y = rows[own], rows[other]
        place = own + 1 if own + 1 < len(rows) else own - 1
        wrong = {"next_row": rows[place] @ y, "sums": x.sum() * y.sum(), "added": (x + y).sum()}
        slips = [Slip(key, SIMILARITY, own, other, float(v)) for key, v in wrong.items()]
        return changing(self.trace, slips)

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.words[slip.j]}

    def telling(self) -> dict[str, str]:
        numbers = {"self": self.facts.own, "value": self.facts.value}
        shown = {key: self.show(SIMILARITY, value) for key, value in numbers.items()}
        return {"token": self.own, "best": self.best(), **shown, "here": self._outdone()}

    def _outdone(self) -> str:
        """A sentence with the words of the board of which a longer one wins; "" for none."""
        i, j = outdone(self.trace) or (0, 0)
        values = shown_values(self.trace[SIMILARITY])
        said = {name: self.show(SIMILARITY, values[i][k]) for name, k in (("own", i), ("more", j))}
        return self.catalogue.t(
            "sheet2.discuss.2.answer.here", word=self.words[i], longer=self.words[j], **said
        )

    def hints(self) -> tuple[str, ...]:
        return ("product", "nearest")
