"""Facts about attention: who gets most of it and why, what mask and heads do, what slips give.

Also here:

* One token's row computed again from its scores with something done differently.
* One token's row taken apart: sums and products over what it sees, and their checks.
* Which numbers of a row are the largest, as a reader sees them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from generator.engine.fitness import FreeHead
from generator.engine.ops.attention import Contribution, Power, RowShare, RowSum
from generator.engine.ops.copying import SelectRow
from generator.engine.ops.linear import MatMul, MatMulT, Over, Plus
from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip, changing
from generator.notation.shown import longest, shown_decimals, shown_value, shown_values

FIRST, SECOND, CONCAT = "block1.head1", "block1.head2", "block1.concat"
OUTPUT_WEIGHT = "block1.weight.output"
MOST_ROUNDED = 0.03  # of a share: a slip whose number is rounded by more is no number to know it by


class AttentionFacts(NamedTuple):
    """Facts about one row: who gets most, and why.

    The token that gets most (`best`), its share, the dimension (`factor`) whose product of
    `query` and `key` sets it apart, and its share without the division by √d_head. `decisive`
    says whether that product lies above the average at all, and further than any other, and whether
    it decides: with it alone the token would lead, or another one would catch up without it.
    `largest` says that no other token's product in that dimension is as large; where it decides and
    is not the largest, another one would catch up without it.
    """

    best: int
    share: float
    factor: int
    query: float
    key: float
    unscaled: float
    decisive: bool
    largest: bool


class Contrast(NamedTuple):
    """The largest and the smallest power of a row, as they are written down."""

    high: float
    low: float

    @property
    def ratio(self) -> float:
        """The largest power divided by the smallest one, to two significant digits."""
        return two_digits(self.high / self.low)

    @property
    def differs(self) -> bool:
        """Whether the powers differ and have a ratio.

        Nothing finer is asked of them: that a sheet has a task may tell no more of its answer.
        """
        return self.high > self.low > 0


class RowAgain(NamedTuple):
    """A row computed again: shares [m] and output [d_head] over the tokens that take part."""

    shares: np.ndarray
    output: np.ndarray


@dataclass(frozen=True)
class AttentionRow:
    """The row of one token in a head, over the tokens that it sees."""

    trace: Trace
    head: FreeHead
    token: int
    visible: tuple[int, ...]

    def __getitem__(self, name: str) -> Step:
        """A step of the head, by its last name."""
        return self.trace[self.head.step(name)]

    def own(self, name: str) -> np.ndarray:
        """The token's row of a step, [1, m]."""
        return self[name].values[self.token : self.token + 1].copy()

    def among(self, name: str) -> np.ndarray:
        """Of the token's row the numbers about those that it sees, [1, visible]."""
        return self.own(name)[:, list(self.visible)]

    def seen(self, name: str) -> np.ndarray:
        """The rows of the tokens that it sees, [visible, d_head]."""
        return self[name].values[list(self.visible)]

    def leaders(self, name: str) -> tuple[int, ...]:
        """The tokens with the largest number, see `leaders`."""
        return leaders(self[name], self.token, self.visible)

    @property
    def leads(self) -> bool:
        """Whether one token alone gets most, as printed."""
        return len(self.leaders("weights")) == 1

    @property
    def by_share(self) -> list[int]:
        """The tokens seen, the largest share first; of equal ones the earlier."""
        shares = self.own("weights")[0]
        return sorted(self.visible, key=lambda j: (-shares[j], j))

    def share_cells(self) -> set[Cell]:
        """The cells of the shares, and of the sum that they are shares of."""
        weights, total = self.head.step("weights"), self.head.step("sum")
        return {(total, self.token, 0)} | {(weights, self.token, j) for j in self.visible}

    def output_cells(self, width: int) -> set[Cell]:
        """The cells of the first numbers of the output."""
        return {(self.head.step("output"), self.token, c) for c in range(width)}

    @cached_property
    def facts(self) -> AttentionFacts:
        """Who gets most, and why; ties go to the earlier token.

        The decisive dimension is the one in which the winner's product q·k lies furthest above
        the mean of the row.
        """
        shares = guarded(self.among("weights")[0], GUARD)
        place = int(np.argmax(shares))
        query, keys = self.own("query")[0], self.seen("key")
        advantage = guarded(query * (keys[place] - keys.mean(axis=0)), GUARD)
        factor = int(np.argmax(advantage))
        products = guarded(query[factor] * keys[:, factor], GUARD)
        without = guarded(keys @ query - query[factor] * keys[:, factor], GUARD)
        leads, caught = (np.delete(r, place) - r[place] for r in (products, without))
        one = bool(advantage[factor] > 0 and (advantage == advantage[factor]).sum() == 1)
        return AttentionFacts(
            best=self.visible[place],
            share=float(shares[place]),
            factor=factor,
            query=float(query[factor]),
            key=float(keys[place, factor]),
            unscaled=float(self.again(self.visible, 1.0).shares[place]),
            decisive=one and bool((leads < 0).all() or (caught >= 0).any()),
            largest=bool((leads < 0).all()),
        )

    def again(self, tokens: tuple[int, ...], divisor: float | None = None) -> RowAgain:
        """The shares and the output of the token where it sees `tokens`, by the engine's own rules.

        `divisor` replaces √d_head. Rounded as the Trace's arithmetic rounds those steps.
        """
        row, at = replace(self, head=FreeHead(self.head.at), visible=tokens), self.head.at
        chain = self.trace.scratch()
        scale = self.trace["scale"].values if divisor is None else np.array([[divisor]])
        chain.give("scale", scale.copy())
        chain.give(f"{at}.scores", row.among("scores"))
        value = chain.give(f"{at}.value", row.seen("value"))
        chain.apply(f"{at}.scaled", Over(), f"{at}.scores", "scale")
        power = Power(self.trace.preset.softmax_base, masked=False)
        exp = chain.apply(f"{at}.exp", power, f"{at}.scaled")
        total = chain.apply(f"{at}.sum", RowSum(), exp)
        weights = chain.apply(f"{at}.weights", RowShare(), exp, total)
        output = chain.apply(f"{at}.output", MatMul(), weights, value)
        return RowAgain(chain[weights].values[0], chain[output].values[0])

    def contrasts(self) -> tuple[Contrast, ...]:
        """The largest and the smallest power, with the division by √d_head and without it."""
        power = Power(self.trace.preset.softmax_base, masked=False)
        scores = self.among("scores")[0]
        plain = self.trace.rounded_as(self.head.step("exp"), power.value(scores))
        rows = self.among("exp")[0], plain
        return tuple(Contrast(float(row.max()), float(row.min())) for row in rows)

    def slips(self) -> list[Slip]:
        """The usual slips, seen in the number of the strongest partner.

        No √d_k, division by d_k, Σ replaced by the largest power, Σ forgotten in the output, query
        and key swapped, masked tokens counted. A slip that changes nothing here is left out.
        """
        token, best, everyone = self.token, self.facts.best, tuple(range(len(self.trace.tokens)))
        by_width = self._by_width(self.visible.index(best))
        wrong = {"no_scale": self.facts.unscaled, **by_width, "largest": 1.0}
        weights, scores = self.head.step("weights"), self.head.step("scores")
        candidates = [Slip(key, weights, token, best, share) for key, share in wrong.items()]
        total = self._as_shown("output", MatMul().value(self.among("exp"), self.seen("value")))
        candidates.append(Slip("no_sum", self.head.step("output"), token, 0, total))
        query = self["query"].values[best : best + 1]
        product = self._as_shown("scores", MatMulT().value(self.own("key"), query))
        candidates.append(Slip("swapped", scores, token, best, product))
        if self.visible != everyone:
            share = float(self.again(everyone).shares[best])
            candidates.append(Slip("unmasked", weights, token, best, share))
        return changing(self.trace, candidates)

    def _by_width(self, place: int) -> dict[str, float]:
        """What division by d_k gives; nothing where that is what coarse rounding makes of it."""
        width = float(self.trace.preset.d_head)
        share = float(self.again(self.visible, width).shares[place])
        power = Power(self.trace.preset.softmax_base, masked=False)
        powers = power.value(self.among("scores")[0] / width)
        exact = float(powers[place] / powers.sum())
        return {"wrong_scale": share} if abs(share - exact) <= MOST_ROUNDED else {}

    def mask_slips(self) -> list[Slip]:
        """Masked tokens counted in Σ, and shares of the old Σ. Needs the steps of `unmasked`."""
        free, best = replace(self, head=self.head._replace(free=True)), self.by_share[0]
        counted, old = float(free.own("sum")[0, 0]), float(free.own("weights")[0, best])
        candidates = [
            Slip("counted", self.head.step("sum"), self.token, 0, counted),
            Slip("old_sum", self.head.step("weights"), self.token, best, old),
        ]
        return changing(self.trace, candidates)

    def parts(self, prefix: str) -> tuple[Step, ...]:
        """The row taken apart, as further steps, and its checks.

        The steps are `<prefix>.sum` and `.output`, as the head has them; `.product` [visible,
        d_head], each share times value, in full; `.check.scores` and `.check.weights`, the
        sums of the written numbers; `.check.query`, which is q · Σk; `.check.outputs`, the sum of
        the outputs, and `.check.values`, Σ share · (sum of v).
        """
        chain, last = self.trace.scratch().within(prefix), self["output"].decimals
        cuts = {
            **dict.fromkeys(("exp", "weights", "scores"), self.among),
            "query": self.own,
            **dict.fromkeys(("key", "value"), self.seen),
        }
        part = {
            name: chain.give(name, cut(name), decimals=shown_decimals(self[name]))
            for name, cut in cuts.items()
        }
        chain.apply("sum", RowSum(), part["exp"], decimals=self["sum"].decimals)
        factors = part["weights"], part["value"]
        products = guarded(self.among("weights").T * self.seen("value"), GUARD)
        needed = longest(products) if self.trace.rounding == "paper" else None
        chain.apply("product", Contribution(0), *factors, decimals=needed)
        output = chain.apply("output", MatMul(), *factors, decimals=last)
        chain.apply("check.outputs", RowSum(), output, decimals=last)
        places = shown_decimals(self["value"])
        sums = chain.apply("sums", RowSum(), part["value"], decimals=places)
        chain.apply("check.values", MatMul(), part["weights"], sums, decimals=last)
        for name in ("scores", "weights"):
            chain.apply(f"check.{name}", RowSum(), part[name], decimals=self[name].decimals)
        ones = chain.give("once", np.ones((1, len(self.visible))))
        keys = chain.apply("keys", MatMul(), ones, part["key"], decimals=GUARD)
        scores = self["scores"].decimals
        chain.apply("check.query", MatMulT(), part["query"], keys, decimals=scores)
        return chain.new

    def without(self, covered: tuple[int, ...], name: str) -> tuple[Step, ...]:
        """The row with some of the tokens seen covered: steps `<name>.exp`, `.sum`, `.weights`.

        Of the head's own powers, so that what pupils have computed of these goes on.
        """
        chain, count = self.trace.scratch().within(name), len(self.trace.tokens)
        kept = chain.give("kept", np.diag([float(j not in covered) for j in range(count)]))
        row = chain.apply("row", SelectRow(self.token), self.head.step("exp"))
        powers = chain.apply("exp", MatMul(), row, kept)
        total = chain.apply("sum", RowSum(), powers)
        chain.apply("weights", RowShare(), powers, total)
        return chain.new

    def _as_shown(self, name: str, values: np.ndarray) -> float:
        """The first number as the step shows it."""
        decimals = self[name].decimals
        return float((values if decimals is None else guarded(values, decimals))[0, 0])


def two_digits(value: float) -> float:
    """A positive number rounded to two significant digits, half away from zero."""
    digits, exponent = f"{value:.12e}".split("e")
    return float(f"{guarded_number(float(digits), 1)}e{exponent}")


def leaders(step: Step, row: int, among: Iterable[int]) -> tuple[int, ...]:
    """The columns with the largest number of a row: several where these are printed alike."""
    shown = {j: shown_value(step, row, j) for j in among}
    most = max(shown.values())
    return tuple(j for j, value in shown.items() if value == most)


def adds_most(products: Step, sums: Step) -> tuple[int, int] | None:
    """Which product [tokens, d_head] is the most of a sum [1, d_head] that all of them add to.

    Its place and column, from 0; None where there is none, as printed.
    """
    totals = shown_values(sums)[0]
    for c, column in enumerate(shown_values(products).T):
        most = column.max()
        if column.min() >= 0 and most < totals[c] and (column == most).sum() == 1:
            return int(column.argmax()), c
    return None


def heaviest(products: Step) -> list[int]:
    """The rows whose first number is largest, whatever its sign, as printed; none for zeros."""
    sizes = np.abs(shown_values(products)[:, 0])
    rows: list[int] = np.flatnonzero((sizes == sizes.max()) & (sizes > 0)).tolist()
    return rows


def asks_alike(trace: Trace, at: str, token: int) -> tuple[int, ...]:
    """The other tokens with the same query as a token, as repeated words have without positions.

    Computed again from what the queries are made of, as a sheet may ask for the queries themselves.
    """
    step = trace[f"{at}.query"]
    unrounded = step.op.value(*map(trace.values, step.inputs))  # [tokens, d_head]
    queries = guarded(trace.rounded_as(step.name, unrounded), GUARD)
    same = np.flatnonzero((queries == queries[token]).all(axis=1))
    return tuple(i for i in same.tolist() if i != token)


Sight: TypeAlias = Literal["none", "causal", "strict", "other"]


def sight(trace: Trace, at: str) -> Sight:
    """Who sees whom in a head: all everybody, only those before, not even oneself, otherwise.

    It is what the computation does, whatever the preset calls its mask.
    """
    everybody = np.ones((len(trace.tokens),) * 2, dtype=bool)
    visible = trace[f"{at}.mask"].values == 0.0 if f"{at}.mask" in trace else everybody
    kinds: dict[Sight, np.ndarray] = {
        "none": everybody,
        "causal": np.tri(len(visible), dtype=bool),
        "strict": np.tri(len(visible), k=-1, dtype=bool),
    }
    return next((kind for kind, seen in kinds.items() if (visible == seen).all()), "other")


def only_joined(trace: Trace) -> bool:
    """Whether the output of the attention is the heads side by side: W_O, if any, is I."""
    if OUTPUT_WEIGHT not in trace:
        return True
    return is_identity(trace[OUTPUT_WEIGHT].values) and "block1.bias.output" not in trace


def is_identity(weight: np.ndarray) -> bool:
    """Whether a matrix changes nothing."""
    return np.array_equal(weight, np.eye(*weight.shape)) and weight.shape[0] == weight.shape[1]


def head_slips(trace: Trace, token: int, partner: int) -> list[Slip]:
    """The query of the first head used in the second."""
    query = trace[f"{FIRST}.query"].values[token : token + 1]
    product = MatMulT().value(query, trace[f"{SECOND}.key"].values[partner : partner + 1])
    scores = f"{SECOND}.scores"
    wrong = float(trace.rounded_as(scores, product)[0, 0])
    return changing(trace, [Slip("other_query", scores, token, partner, wrong)])


def concat_slips(trace: Trace, token: int) -> list[Slip]:
    """Both outputs added instead of put side by side, and the second head put first."""
    first, second = (trace[f"{at}.output"].values[token : token + 1] for at in (FIRST, SECOND))
    total: np.ndarray = trace.rounded_as(CONCAT, Plus().value(first, second))
    wrong = {"added": total, "turned": second}
    slips = [Slip(key, CONCAT, token, 0, float(row[0, 0])) for key, row in wrong.items()]
    return changing(trace, slips)
