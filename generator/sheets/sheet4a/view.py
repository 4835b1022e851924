"""What the template of sheet 4a may ask: visible tokens, facts about the shares, slips."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from markupsafe import Markup

from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.insight.attention import AttentionRow, asks_alike, heaviest, leaders, sight
from generator.insight.claims import Claims
from generator.insight.slips import Slip
from generator.insight.tolerances import Rounding, compared, cut, needs
from generator.notation.shown import in_brackets, number, percent, shown_decimals, shown_value
from generator.sheets.attending import attended
from generator.sheets.context import Context, Help
from generator.sheets.geometry import PAGE, FalkScheme, Grid, grid
from generator.sheets.sheet4a.claims import CLAIMS, between, most_of_output
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, Plan4a, picked, powers

SHARE = r"{share} = \dfrac{{{power}}}{{\Sigma}}"  # on a help card, in words
ROLES = ("query", "key", "value")
SAME = 1e-9
ROUNDED = ("query", "scores", "scaled", "exp", "sum", "weights", "output")
WIDTH = 170  # of the type area, in millimetres
GAP, SQUARE, LEAST_SQUARES = 4, 5, 5
LONGEST, WIDEST_INPUT = 14, 6  # letters of a token, numbers of x: more take further lines
EARLY, FEWEST_ROWS = 10, 3  # tokens; rows of squares: fewer help nobody
# By tokens, rows of squares of 5 mm: on the first page, where the query is given or asked; on the
# last one, at the first level, at others, and where the query is asked. Looked at, as pages break.
ABOVE = {False: {4: 8, 5: 4, 6: 3, 8: 3, 10: 5, 11: 4}, True: {7: 6, 8: 4}}
BELOW = {
    1: {2: 20, 3: 20, 4: 11, 5: 8, 6: 6, 9: 28, 10: 16},
    2: {2: 16, 3: 16, 4: 4, 5: 4, 8: 24, 9: 24, 10: 12},
    3: {2: 20, 3: 16, 4: 9, 8: 16, 9: 14, 10: 12},
}
MOST_COLUMNS = 10  # of a matrix to fill, so that a cell is 15 mm wide
RANKED = 44  # of a token and its share, in millimetres


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
            return grid(32, columns, WIDTH - 32, 13.5 if self.short else 17)
        label = 32 if columns <= 6 else 24 if columns <= 8 else 20
        return grid(label, columns, WIDTH - label, 17 if columns <= 6 else 16)

    def has_room_beside(self) -> bool:
        """Whether the worked token's shares, sorted, stand beside the whole matrix."""
        whole = self.class_columns(len(self.tokens), full=True).total
        return whole + GAP + RANKED <= WIDTH and not self.options.large_print

    def squares_beside(self, width_mm: float) -> int:
        """How many squares of 5 mm have room on the right of a table; 0 for too few."""
        squares = int((WIDTH - GAP - width_mm) // SQUARE)
        return squares if squares >= LEAST_SQUARES and not self.options.large_print else 0

    @property
    def early(self) -> bool:
        """Whether the first page of the work leaf ends with hints, as the last one is full."""
        count = len(self.tokens)
        many = count >= EARLY or (count == 8 and self.plan.level == 1)
        return many and not (self.plan.projects or self.options.large_print)

    def squares_above(self) -> int:
        """How many rows of squares the first page of the work leaf has room for."""
        if self.options.large_print or not self.short:
            return 0
        count = len(self.tokens)
        lost = 3 * (self.options.points + bool(self.powers()))
        lost += 4 * ((self.early and count == 8) or (count > 10 and self.trace.preset.d_head > 2))
        rows = ABOVE[self.plan.projects].get(count, 0) - lost
        return rows if rows >= FEWEST_ROWS else 0

    def squares_below(self) -> int:
        """How many rows of squares fill the last page of the work leaf; 0 where it is full."""
        count = len(self.tokens)
        if self.options.large_print or not self.short:
            return 0
        rows = BELOW[1 if self.plan.level == 1 else 2 + self.plan.projects].get(count, 0)
        return max(0, rows - 3 * self.options.points)

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
        """The tokens that the worked one sees, the largest share first: its line is written out."""
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
        mask = " + M" if self.masked else ""
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
        """To how many decimals pupils round what is asked; products of an output stay unrounded."""
        said = self.rounded(ROUNDED, "4a")  # sheet 4b too
        products = self.catalogue.t("sheet4a.places.products")
        return f"{said} {products}".rstrip()

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
        return self.catalogue.t("sheet4a.answer.why.largest", **self.reasons())

    def strongest(self) -> str:
        """Who adds most to the own first output. Only for solutions."""
        name, t = f"{OWN}.product", self.catalogue.t
        found = heaviest(self.trace[name])
        tokens = [t("sheet.quoted", text=self.word(self.plan.visible[k])) for k in found]
        names = {"tokens": self.in_a_row(tokens), "product": self.shown(name, (*found, 0)[0], 0)}
        return t("sheet4a.answer.strongest", **names, count=len(found))

    def most_attended(self) -> str:
        """Whom most rows of the class's matrix look at most; counted are rows that have a choice.

        Only for solutions.
        """
        rows = range(len(self.tokens))
        led = Counter(j for i in rows for j in self.ahead(i))
        count = max(led.values(), default=0)
        looking = sum(sum(self.sees(i, j) for j in rows) > 1 for i in rows)
        most = sorted(j for j in led if led[j] == count)
        t = self.catalogue.t
        tokens = self.in_a_row([t("sheet.quoted", text=self.word(j)) for j in most])
        key = "sheet4a.answer.column" + {0: ".none", 1: "", 2: ".two"}.get(len(most), ".several")
        return t(key, tokens=tokens, tied=len(most), count=count, rows=looking)

    def ahead(self, i: int) -> tuple[int, ...]:
        """Whom a row of the class's matrix looks at most; nobody where all it sees get the same."""
        seen = [j for j in range(len(self.tokens)) if self.sees(i, j)]
        most = leaders(self.trace[self.at("weights")], i, seen) if seen else ()
        return most if len(most) < len(seen) else ()

    def reasons(self) -> dict[str, str]:
        """The names in that answer: who gets how much, and the decisive product."""
        facts = self.row.facts
        names = {"own": self.own, "token": self.word(facts.best), "tokens": self.leading()}
        names |= {letter: self.indexed(letter, facts.factor) for letter in "qk"}
        for name, value in {"query": facts.query, "key": facts.key}.items():
            names[name] = in_brackets(self.show(self.at(name), value))
        return {**names, "share": self.percent(self.at("weights"), self.plan.own, facts.best)}

    def leading(self, row: AttentionRow | None = None) -> str:
        """The tokens that get most of a row of attention, as printed. Only for solutions."""
        row, t = row or self.row, self.catalogue.t
        found = row.leaders("weights")
        if 2 < len(found) == len(row.visible):
            return t("sheet.all" if len(found) == len(self.tokens) else "sheet.all.seen")
        return self.in_a_row(t("sheet.quoted", text=self.word(j)) for j in found)

    def contrasts(self) -> Iterator[tuple[str, str, str]]:
        """The largest and the smallest power and their ratio, with √d_k and without it.

        Only for solutions.
        """
        for one in self.row.contrasts():
            ratio = number(one.ratio, int(one.ratio < 10), self.options.language)
            yield self.show(self.at("exp"), one.high), self.show(self.at("exp"), one.low), ratio

    def ratios(self) -> Iterator[str]:
        """How often the largest power has the smallest, with √d_k and without it, if not 0."""
        if all(one.low for one in self.row.contrasts()):
            yield from (ratio for *_, ratio in self.contrasts())

    def most_of_output(self) -> str:
        """Who adds most to an output of the example, and how much of it; empty for nobody."""
        found = most_of_output(self.trace)
        if found is None:
            return ""
        (place, column), plan = found, self.plan
        product, output = (self.part(plan.worked, name) for name in ("product", "output"))
        part = shown_value(self.trace[product], place, column)
        part /= shown_value(self.trace[output], 0, column)
        return self.catalogue.t(
            "sheet4a.example.most",
            token=self.word(plan.worked_visible[place]),
            o=self.indexed("o", column),
            product=self.shown(product, place, column),
            output=self.shown(output, 0, column),
            sign="=" if abs(guarded_number(part, 3) - part) < SAME else "≈",
            share=percent(part, 1, self.options.language),
        )

    def mixture(self) -> dict[str, str]:
        """The names in the answer about the output's first number. Only for solutions."""
        names, steps = ("output", "low", "high"), (self.at("output"), *(2 * (self.at("value"),)))
        found = zip(names, steps, between(self.plan.own_row(self.trace)), strict=True)
        told = {name: (self.show(step, value), self.word(j)) for name, step, (value, j) in found}
        words = {f"{name}_token": word for name, (_, word) in told.items()}
        return {name: number for name, (number, _) in told.items()} | words

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
            "tokens": self.leading(),
            "base": self.base(),
            "powers": self.by_which(),
            "share": self.show(weights, facts.share),
            "unscaled": self.show(weights, facts.unscaled),
            **dict(zip(("before", "after"), self.ratios(), strict=False)),
            **self.mixture(),
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
        asked = self.plan.rows or self.plan.visible
        given = [j for j in self.plan.visible if j not in asked]  # a card can begin with its power
        if self.powers():
            return ()
        power = self._card("power", r"{power} = e^{{{scaled}}}", "exp", asked[0])
        return (
            self.score_card(asked[0]),
            power,
            self._card("share", SHARE, "weights", (given or asked)[0]),
        )

    def score_card(self, j: int) -> Help:
        """How a score is computed, begun with the own numbers where these are given."""
        pairs = range(1, self.size(self.at("key"))[1] + 1)
        products = " + ".join(f"q_{k} {self.latex_times} k_{k}" for k in pairs)
        return self._card("score", f"{{score}} = {products}", "scores", j)

    def pressed(self) -> dict[str, str]:
        times, pairs = self.catalogue.t("sheet.times"), range(self.size(self.at("key"))[1])
        letters = ((self.indexed("q", k), self.indexed("k", k)) for k in pairs)
        return {"score": " + ".join(f"( {q} ) {times} ( {k} )" for q, k in letters)}

    def _card(self, key: str, latex: str, step: str, j: int) -> Help:
        columns = {"power": "exp", "scaled": "scaled", "share": "share", "score": "score"}
        words = {k: self.catalogue.t(f"sheet4a.column.{v}") for k, v in columns.items()}
        latex = latex.format(**{k: f"\\mathrm{{{word}}}" for k, word in words.items()})
        formula = self.formula(f"{self.plan.sheet}.help.{key}", latex)
        pair = step != "sum"
        like = self.plan.worked, self.by_share()[0] if pair else 0
        token = self.word(j) if pair else ""
        return Help(key, formula, self.at(step), self.plan.own, j, like, token)

    def hints(self) -> tuple[str, ...]:
        return ("score", "power.table" if self.powers() else "power", "share", "output")
