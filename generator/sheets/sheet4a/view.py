"""What the template of sheet 4a may ask: visible tokens, facts about the shares, slips.

Also here:

* What sheet 4a says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from markupsafe import Markup

from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.attention import AttentionRow, Sight, asks_alike, sight
from generator.insight.behaviour import to_see
from generator.insight.claims import SHOWS, Claim, Claims, Predicate, of_trace, or_plain
from generator.insight.slips import Slip
from generator.insight.tolerances import Rounding, compared, cut, needs
from generator.locales.locale import locale_of
from generator.notation.shown import in_brackets, number, shown_decimals, shown_value, shown_values
from generator.sheets.attending import attended
from generator.sheets.context import Context, Help
from generator.sheets.geometry import PAGE, FalkScheme, Grid, grid
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, Plan4a, picked, powers
from generator.sheets.slots import fills

SHARE = r"{share} = \dfrac{{{power}}}{{\Sigma}}"  # on a help card, in words
ROLES = ("query", "key", "value")
ROUNDED = ("query", "scores", "scaled", "exp", "sum", "weights", "output")
RATIO_DECIMALS, SAME = 2, 1e-9
WIDTH = 170  # of the type area, in millimetres
GAP, SQUARE, LEAST_SQUARES = 4, 5, 5
LONGEST, WIDEST_INPUT = 14, 6  # letters of a token, numbers of x: more take further lines
MOST_COLUMNS = 10  # of a matrix to fill, so that a cell is 15 mm wide
RANKED = 44  # of a token and its share, in millimetres


def sees(*kinds: Sight) -> Predicate:
    """Whether the sheet's head has a mask of one of these kinds."""
    return lambda trace, plan: sight(trace, plan.at) in kinds


def shows_all(trace: Trace, plan: Plan4a) -> bool:
    """Whether the sheet shows its head without a mask, because it has none or comes later."""
    return plan.free or sees("none")(trace, plan)


def leaves_mask(trace: Trace, plan: Plan4a) -> bool:
    """Whether the model has a mask that sheet 4b brings, for this token or for another one.

    So the info leaf says the same to the whole class.
    """
    tokens = sorted(range(len(trace.tokens)), key=lambda k: k != plan.own)
    takes = fills("4b")
    return plan.free and any(takes(replace(trace, exercise=k), plan) for k in tokens)


def rows_differ(trace: Trace) -> bool:
    """Whether no two tokens have the same row x."""
    rows = trace[attended(trace)].values
    return len(np.unique(rows, axis=0)) == len(rows)


def of_own(holds: Callable[[AttentionRow], bool]) -> Predicate:
    """Whether that is true of the own token's row of attention."""
    return lambda trace, plan: holds(plan.own_row(trace))


def decided(row: AttentionRow) -> bool:
    """Whether one token leads, by one product that lies above the average more than others."""
    return row.leads and row.facts.decisive


def all_alike(row: AttentionRow) -> bool:
    """Whether all tokens get the same, as printed, and have the same score."""
    alike = all(row.leaders(name) == row.visible for name in ("weights", "scores"))
    return alike and len(row.visible) > 1


def spreads(row: AttentionRow) -> bool:
    """Whether the largest share is larger, as printed, where nobody divides by √d_k."""
    decimals = shown_decimals(row["weights"])
    unscaled, share = (guarded_number(x, decimals) for x in (row.facts.unscaled, row.facts.share))
    return unscaled > share


def exchanged(trace: Trace, plan: Plan4a) -> bool:
    """Whether the own token's score with the worked one is another one the other way round."""
    if plan.worked not in plan.visible or plan.own not in plan.worked_visible:
        return False
    scores = shown_values(trace[plan.head.step("scores")])
    return bool(scores[plan.own, plan.worked] != scores[plan.worked, plan.own])


def of_answers(sheet: str) -> dict[str, Claim]:
    """The claims in the answers that sheet 4a and the hand-out to the slides have in common."""
    return {
        f"{sheet}.discuss.2.answer": Claim(of_own(spreads), f"{sheet}.discuss.2.answer.general"),
        f"{sheet}.reality.masked": Claim(shows_all),
    }


SIGNED = ("sheet4a.calculator", "sheet4a.hint.score", "sheet4a.hint.power")
WHY = "sheet4a.answer.why"
CLAIMS = {
    **of_answers("sheet4a"),
    SHOWS: Claim(lambda trace, plan: plan.seen and to_see(trace)),
    "sheet4a.shows.masked": Claim(lambda trace, plan: not plan.seen and to_see(trace)),
    "sheet.rounding.text": Claim(
        lambda trace, plan: trace.rounding == "paper" and plan.mind.rounded, "sheet.rounding.none"
    ),
    "sheet.rounding.none": Claim(
        lambda trace, plan: trace.rounding == "paper", "sheet.rounding.exact"
    ),
    **or_plain(lambda _, plan: plan.mind.negative, *SIGNED),
    "sheet4a.simplified.text": Claim(
        lambda trace, plan: plan.mind.looked_up, "sheet4a.simplified.text.calculator"
    ),
    "sheet4a.same_weights.differ": of_trace(rows_differ, "sheet4a.same_weights.alike"),
    "sheet4a.example.later": Claim(leaves_mask, "sheet4a.example.unmasked"),
    "sheet4a.example.unmasked": Claim(shows_all),
    f"{WHY}.largest": Claim(of_own(lambda row: decided(row) and row.facts.largest), f"{WHY}.above"),
    f"{WHY}.above": Claim(of_own(decided), f"{WHY}.score"),
    f"{WHY}.score": Claim(of_own(lambda row: row.leads), f"{WHY}.equal"),
    f"{WHY}.equal": Claim(of_own(all_alike), f"{WHY}.even"),
    f"{WHY}.even": Claim(of_own(lambda row: not row.leads)),
    "sheet4a.task.unscaled": Claim(lambda _, plan: plan.compares, "sheet4a.task.unscaled.open"),
    "sheet4a.answer.ratio": Claim(lambda _, plan: plan.compares),
    "sheet4a.discuss.2": Claim(exchanged, "sheet4a.discuss.2.root"),
    "sheet4a.discuss.2.answer": Claim(exchanged, "sheet4a.discuss.2.answer.root"),
    "sheet4a.discuss.2.answer.root": Claim(of_own(spreads), "sheet4a.discuss.2.answer.general"),
    "sheet4a.answer.unscaled": Claim(of_own(spreads), "sheet4a.answer.unscaled.alike"),
    # sheet 4b can be filled and shows another head
    "sheet4a.next": Claim(
        lambda trace, plan: trace.preset.heads > 1 and fills("4b")(trace, plan), "sheet4a.next.mask"
    ),
    "sheet4a.next.mask": Claim(fills("4b"), "sheet4a.next.general"),
}


class View4a(Context):
    """The view of sheet 4a that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan4a

    def at(self, name: str) -> str:
        """The full name of a step of the sheet's head."""
        return self.plan.head.step(name)

    @property
    def x(self) -> str:
        """The step that query, key and value are computed from: the input, or its norm."""
        return attended(self.trace)

    def scheme(self, x: str, products: Sequence[str], row: int, slim: bool) -> FalkScheme:
        """The columns of a Falk scheme; wider where results are to be written."""
        width, count = self.size(x)[1], sum(self.size(name)[1] for name in products)
        given = min(11.6, 80 / width) if width <= 6 else 8.4
        asked = self.asks(products[0], row, 0)
        result = min(21.5, (PAGE - width * given) / count) if asked else 11.6
        if count == 4 and width <= 4:
            given, result = 9.4, 9.4
        elif slim:
            given, result = 7.4, 9
        return FalkScheme(width, count, given, result)

    def class_blocks(self, full: bool) -> tuple[tuple[int, ...], ...]:
        """The columns of the matrix of all shares; two tables where one is too narrow to fill."""
        columns = tuple(range(len(self.tokens)))
        if full or len(columns) <= MOST_COLUMNS:
            return (columns,)
        half = (len(columns) + 1) // 2
        return columns[:half], columns[half:]

    def class_columns(self, columns: int, full: bool) -> Grid:
        """The widths of one of these tables; where it is `full`, nobody writes into it."""
        if full:
            return grid(32, columns, WIDTH - 32, 13.5)
        label = 32 if columns <= 6 else 24 if columns <= 8 else 20
        return grid(label, columns, WIDTH - label, 17 if columns <= 6 else 16)

    def has_room_beside(self) -> bool:
        """Whether the worked token's shares, sorted, stand beside the whole matrix."""
        whole = self.class_columns(len(self.tokens), full=True).total
        return whole + GAP + RANKED <= WIDTH and not self.options.large_print

    def squares_beside(self) -> int:
        """How many squares of 5 mm have room on the right of the matrix to fill; 0 for too few."""
        columns = len(self.tokens)
        width_mm = WIDTH - GAP - self.class_columns(columns, full=False).total
        squares = int(width_mm // SQUARE)
        return squares if squares >= LEAST_SQUARES and not self.options.large_print else 0

    @property
    def early(self) -> bool:
        """Whether the first page of the work leaf ends with hints: two tables fill the last one."""
        many = len(self.tokens) > MOST_COLUMNS
        return many and not (self.plan.projects or self.options.large_print)

    def squares_above(self) -> int:
        """How many rows of squares stand above these hints; 0 where they are not there."""
        return 4 if self.early and len(self.tokens) == 11 and not self.options.points else 0

    def squares_below(self) -> int:
        """How many rows of squares fill the last page of the work leaf; 0 where it is full."""
        count = len(self.tokens)
        if self.options.large_print:
            return 5
        if count > MOST_COLUMNS or (self.plan.projects and 4 <= count <= 7):
            return 0
        return {2: 20, 3: 18, 4: 7, 5: 4, 6: 0}.get(count, 11)

    @property
    def short(self) -> bool:
        """Whether each token has room on one line of a table."""
        return max(map(len, self.tokens)) <= LONGEST

    @property
    def roomy(self) -> bool:
        """Whether a page of the info leaf has room for the whole example, bars included."""
        count, (width, head) = len(self.tokens), (self.size(self.x)[1], self.trace.preset.d_head)
        return self.short and width <= WIDEST_INPUT and count <= (7 if head <= 2 else 6)

    @cached_property
    def row(self) -> AttentionRow:
        """The own token's row of attention; its facts only for solutions."""
        return self.plan.own_row(self.trace)

    @property
    def masked(self) -> bool:
        """Whether the sheet's head has a mask that the sheet shows."""
        return not self.plan.free and self.has(self.at("mask"))

    def part(self, row: int, name: str) -> str:
        """The full name of a part of the worked or the own row, see `AttentionRow.parts`."""
        return f"{EXAMPLE if row == self.plan.worked else OWN}.{name}"

    @cached_property
    def brings(self) -> bool:
        """Whether pupils have the own row x from sheet 3."""
        return self.x == "input" and self.had("3", *self.row_of_own("input"))

    @property
    def normed(self) -> bool:
        """Whether these vectors have been through a norm already."""
        return self.x != "input"

    def mask(self) -> str:
        """The catalogue's word for who sees whom: "none", "causal", "strict" or "other"."""
        return sight(self.trace, self.plan.at)

    def sees(self, i: int, j: int) -> bool:
        """Whether token i may look at token j."""
        return not self.masked or bool(self.trace[self.at("mask")].values[i, j] == 0.0)

    def by_share(self) -> list[int]:
        """The tokens that the worked one sees, the largest share above.

        The line of the first one is written out for the whole class.
        """
        return self.plan.worked_row(self.trace).by_share

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
        return picked(self.trace[self.at(f"weight.{name}")].values)

    def times(self, name: str) -> tuple[str, tuple[int, ...]]:
        """What a weight matrix takes from x: a factor, "" for 1, and dimensions from 1.

        No dimensions where it mixes several into one number.
        """
        weight = self.trace[self.at(f"weight.{name}")].values
        factor, used = float(weight.max()), (weight != 0).sum(axis=0)
        alone = (used == 1).all() and (weight.sum(axis=0) == factor).all()
        shown = "" if factor == 1 else self.plain(factor)
        return shown, tuple((weight.argmax(axis=0) + 1).tolist()) if alone else ()

    def takes(self) -> bool:
        """Whether one of the three matrices takes single dimensions from x, so that it is said."""
        return any(self.times(name)[1] for name in ROLES)

    def places(self) -> str:
        """To how many decimals pupils round what is asked, step by step."""
        return self.rounded(ROUNDED, "4a")  # sheet 4b too

    def powers(self) -> tuple[tuple[str, str], ...]:
        """Small exponents and their powers, where pupils look them up; nothing for e."""
        table = powers(self.trace.preset.softmax_base) if self.plan.mind.looked_up else ()
        return tuple((number(x, 0, self.options.language), self.plain(y)) for x, y in table)

    def by_which(self) -> str:
        """What pupils need for the powers: their calculator or the table."""
        return self.catalogue.t(f"sheet4a.powers.{'table' if self.powers() else 'key'}")

    def divisor(self) -> str:
        """√d_k as shown, with "=" or "≈" before it."""
        shown = shown_value(self.trace["scale"], 0, 0)
        true = float(np.sqrt(self.trace.preset.d_head))
        sign = "=" if abs(shown - true) < 1e-12 else "≈"
        return f"{sign} {self.shown('scale', 0, 0)}"

    def score_tolerance(self) -> str:
        """By how much the sum of the rounded scores may miss q·Σk, which is printed as short."""
        query, key, scores = map(self.at, ("query", "key", "scores"))
        seen, exact = list(self.plan.visible), self.exact
        roundings: list[Rounding] = []
        if self.trace.rounding == "exact":  # what is printed is shorter than what was computed
            sums = exact[key].values[seen].sum(axis=0)
            numbers = exact[query].values[self.plan.own] * len(seen)
            both = ((sums, query), (numbers, key))
            roundings = [(float(abs(x).sum()), step) for x, step in both if cut(exact, step)]
        if roundings or needs(self.trace, scores, (query, key)):
            roundings.append((compared(self.trace, len(seen)), scores))
        return self.slack(*roundings)

    def share_tolerance(self) -> str:
        """By how much the rounded shares may miss 1."""
        shares, exp, total = map(self.at, ("weights", "exp", "sum"))
        return self.share_slack(shares, exp, total, len(self.plan.visible))

    def key_sum(self, column: int) -> str:
        """The sum of a key column over the tokens that the own token sees."""
        step = self.trace[self.at("key")]
        values = [shown_value(step, j, column) for j in self.plan.visible]
        return number(sum(values), shown_decimals(step), self.options.language)

    def why(self) -> str:
        """The answer to who gets most and why, as a pupil would say it. Only for solutions."""
        facts = self.row.facts
        return self.catalogue.t(
            "sheet4a.answer.why.largest",
            token=self.word(facts.best),
            tokens=self.leading(),
            share=self.percent(self.at("weights"), self.plan.own, facts.best),
            q=self.indexed("q", facts.factor),
            k=self.indexed("k", facts.factor),
            query=in_brackets(self.show(self.at("query"), facts.query)),
            key=in_brackets(self.show(self.at("key"), facts.key)),
        )

    def leading(self, row: AttentionRow | None = None) -> str:
        """The tokens that get most of a row of attention, as printed. Only for solutions."""
        row, t = row or self.row, self.catalogue.t
        found = row.leaders("weights")
        if 2 < len(found) == len(row.visible):
            return t("sheet.all" if len(found) == len(self.tokens) else "sheet.all.seen")
        return self.in_a_row(t("sheet.quoted", text=self.word(j)) for j in found)

    def ratio(self, scaled: bool) -> str:
        """The largest power divided by the smallest one, as a line. Only for solutions."""
        step, divided = self.at("exp"), locale_of(self.options.language).signs.divided
        pair = self.row.extremes()[not scaled]
        exact = float(pair[0] / pair[1])
        rounded = guarded_number(exact, RATIO_DECIMALS)
        terms = f" {divided} ".join(self.show(step, value) for value in pair)
        sign = "=" if abs(rounded - exact) < SAME else "≈"
        return f"{terms} {sign} {self.plain(rounded)}"

    def slips(self) -> list[Slip]:
        return self.row.slips()

    def named(self, slip: Slip) -> dict[str, str]:
        return {"token": self.word(slip.j)}

    def telling(self) -> dict[str, str]:
        facts, weights, plan = self.row.facts, self.at("weights"), self.plan
        return {
            "own": self.word(plan.own),
            "worked": self.word(plan.worked),
            "there": self.shown(self.at("scores"), plan.own, plan.worked),
            "back": self.shown(self.at("scores"), plan.worked, plan.own),
            "token": self.word(facts.best),
            "base": self.base(),
            "powers": self.by_which(),
            "share": self.show(weights, facts.share),
            "unscaled": self.show(weights, facts.unscaled),
        }

    def ends(self) -> Iterator[tuple[str, Cell]]:
        own, step = self.plan.own, self.at("weights")
        yield from ((self.word(j), (step, own, j)) for j in self.plan.visible)

    def shows(self) -> str:
        """What there is to see in this model: here, or only with the mask of sheet 4b."""
        told = self.trace.preset.shows.get(self.options.language, "")
        return super().shows() or (told and self.catalogue.t("sheet4a.shows.masked", shows=told))

    def behaviour(self) -> str:
        """What there is to see in this model, for the teacher page."""
        return self.shows()

    def helps(self) -> tuple[Help, ...]:
        """None where the powers are looked up in a table."""
        j = (self.plan.rows or self.plan.visible)[0]
        if self.powers():
            return ()
        power = self._card("power", r"{power} = e^{{{scaled}}}", "exp", j)
        return power, self._card("share", SHARE, "weights", j)

    def _card(self, key: str, latex: str, step: str, j: int) -> Help:
        columns = {"power": "exp", "scaled": "scaled", "share": "share"}
        words = {k: self.catalogue.t(f"sheet4a.column.{v}") for k, v in columns.items()}
        latex = latex.format(**{k: f"\\mathrm{{{word}}}" for k, word in words.items()})
        formula = self.formula(f"{self.plan.sheet}.help.{key}", latex)
        return Help(key, formula, self.at(step), self.plan.own, j)

    def hints(self) -> tuple[str, ...]:
        return ("score", "power.table" if self.powers() else "power", "share", "output")
