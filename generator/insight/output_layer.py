"""The output layer: check of the logits, effect of temperature, savings of a KV cache, slips.

Also here:

* Choosing the next token by hand: interval table, draws, top-k and top-p, by the engine's ops.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from generator.engine.arrays import column
from generator.engine.draws import draw
from generator.engine.masks import MASKS
from generator.engine.ops import sampling
from generator.engine.ops.attention import Power, RowShare, RowSum
from generator.engine.ops.linear import MatMul, OverEach
from generator.engine.rounding import GUARD, guarded
from generator.engine.scope import Scope
from generator.engine.trace import Labels, Trace
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals

LOGITS, TEMPERED, EXP, TOTAL, SHARES = (
    f"output.{name}" for name in ("logits", "tempered", "exp", "sum", "probabilities")
)


def matrix(trace: Trace | Scope) -> str:
    """The step whose rows the last vector is multiplied with."""
    return "output.matrix" if "output.matrix" in trace else "vocabulary.embedding"


def by_logit(trace: Trace) -> list[int]:
    """All words, the likeliest first: the order of the logits, which every temperature keeps."""
    logits = trace[LOGITS].values[0].tolist()
    return sorted(range(len(logits)), key=lambda j: (-logits[j], j))


class Heat(NamedTuple):
    """The likeliest word, and the rows of the lowest and the highest temperature."""

    best: int
    low: int
    high: int


def heat(trace: Trace, row: int) -> Heat:
    """What the temperatures do to the word that is likeliest in a row of probabilities."""
    shares = guarded(trace[SHARES].values[row], GUARD)
    temperatures = trace["temperature"].values[:, 0]
    return Heat(int(shares.argmax()), int(temperatures.argmin()), int(temperatures.argmax()))


def cached_products(trace: Trace) -> tuple[int, ...]:
    """The factors of the products that a KV cache saves at the next token, for K and V alone.

    Tokens, 2, d_model, width of all heads, blocks; empty where nothing may be kept, because there
    is no attention or earlier tokens see later ones, and where a token may not see itself, which
    is not what sheet 6 calls the causal mask.
    """
    preset = trace.preset
    mask = MASKS.get(preset.mask)
    if mask is None or mask.looks_ahead or mask.empty:
        return ()
    if "attention" not in preset.parts or preset.start == "vector":
        return ()
    return len(trace.tokens), 2, preset.d_model, preset.heads * preset.d_head, preset.blocks


def slips(trace: Trace, row: int, words: tuple[int, ...], *, ends: bool) -> list[Slip]:
    """The usual slips at one temperature, seen in the likeliest of the words asked.

    Not divided by T, multiplied by T, Σ replaced by the largest power, the sign of an exponent
    lost, rounded shares added up to interval ends. A slip that changes nothing is left out.
    """
    temperature = float(trace["temperature"].values[row, 0])
    best = max(words, key=lambda j: (trace[SHARES].values[row, j], -j))
    powers = trace[EXP].values[row]
    candidates = [
        Slip("not_divided", SHARES, row, best, _share(trace, 1.0, best)),
        Slip("multiplied", SHARES, row, best, _share(trace, 1 / temperature, best)),
        Slip("largest", SHARES, row, best, float(powers[best] / powers.max())),
        *_lost_sign(trace, row, words),
        *(added_up(trace, "draw") if ends else ()),
    ]
    return changing(trace, candidates)


def _share(trace: Trace, temperature: float, word: int) -> float:
    """The share of a word where all logits are divided by another temperature."""
    chain = trace.scratch()
    by = chain.give("other.temperature", np.array([[temperature]]))
    tempered = chain.apply("other.output.tempered", OverEach(), LOGITS, by)
    power = Power(trace.preset.softmax_base, masked=False)
    exp = chain.apply("other.output.exp", power, tempered)
    total = chain.apply("other.output.sum", RowSum(), exp)
    shares = chain.apply("other.output.probabilities", RowShare(), exp, total)
    return float(chain[shares].values[0, word])


def _lost_sign(trace: Trace, row: int, words: tuple[int, ...]) -> list[Slip]:
    exponents = trace[TEMPERED].values[row]
    lowest = min(words, key=lambda j: (exponents[j], j))
    if exponents[lowest] >= 0:
        return []
    power = Power(trace.preset.softmax_base, masked=False)
    wrong = power.value(-exponents[None, lowest : lowest + 1])
    return [Slip("negative", EXP, row, lowest, float(wrong[0, 0]))]


DIGITS = 2  # draws from 00 to 99
TICK = "✓"
WORDS = "vocabulary.words"
STRIP = {"A": 0.204, "B": 0.513, "C": 0.283}  # rounding each share first would give other ends


@dataclass(frozen=True)
class OutputSteps:
    """The steps that sheet 6 adds to a computation; `row` is that of the temperature drawn with."""

    chain: Scope
    row: int

    def checks(self) -> None:
        """The sum of the logits two ways: `check.sum` of them, `check.logits` = x · column sums.

        Also what pupils find when they check: `check.exponents` and `.shares` [temperatures, 1].
        """
        chain = self.chain
        table, last = chain[matrix(chain)], chain[LOGITS]
        turned = chain.give("check.turned", table.values.T.copy())
        columns = chain.apply("check.columns", RowSum(), turned, decimals=shown_decimals(table))
        inputs, decimals = ["last", columns], shown_decimals(last)
        if "output.bias" in chain:
            bias = shown_decimals(chain["output.bias"])
            inputs.append(chain.apply("check.bias", RowSum(), "output.bias", decimals=bias))
        chain.apply("check.logits", MatMul(), *inputs, decimals=decimals)
        chain.apply("check.sum", RowSum(), LOGITS, decimals=decimals)
        for name, step in (("exponents", TEMPERED), ("shares", SHARES)):
            chain.apply(f"check.{name}", RowSum(), step, decimals=shown_decimals(chain[step]))

    def draws(self, numbers: list[int], *, by_number: bool) -> None:
        """The interval table of one row of probabilities, and what these printed draws give.

        `draw.share`, `draw.cumulative` (rounded sums, not sums of rounded shares), `draw.digits`,
        `draw.number` and `draw.token`: the word drawn, or with `by_number` its ID.
        """
        chain = self.chain
        labels = Labels(rows=("",), columns=chain[SHARES].columns)
        chain.apply("draw.share", sampling.Compared(self.row), SHARES, **labels)
        intervals(chain, "draw")
        words, ends = chain[WORDS].values, chain["draw.cumulative"].values
        answers = column([str(k) for k in range(len(words))]) if by_number else words
        draws = (np.array([[number / 100]]) for number in numbers)
        drawn = [str(sampling.Draw().value(ends, one, answers)[0, 0]) for one in draws]
        chain.give("draw.number", column([f"{number:02d}" for number in numbers]))
        chain.give("draw.token", column(drawn))

    def limits(self, k: int, p: float) -> None:
        """Which words top-k and top-p leave: `topk.kept` and `topp.kept`, and as ticks `….tick`.

        `….shared` are the probabilities that the words left are drawn with.
        """
        chain, shares = self.chain, self.chain[SHARES]
        labels = Labels(rows=("",), columns=shares.columns)
        chain.apply("topk.share", sampling.Compared(self.row), SHARES, **labels)
        chain.apply("topk.rank", sampling.Rank(), "topk.share", **labels)
        topk, topp = sampling.Kept("top-k"), sampling.Kept("top-p")
        for at, keep, name, value in (("topk", topk, "k", float(k)), ("topp", topp, "p", p)):
            chain.give(f"{at}.{name}", np.array([[value]]))
            inputs = ("topk.share", "topk.rank", f"{at}.{name}")
            kept = chain.apply(f"{at}.kept", keep, *inputs, **labels)
            self._shared(at, "topk.share", kept)
            ticks = [TICK if one else "" for one in chain[kept].values[0].tolist()]
            chain.give(f"{at}.tick", column(ticks).T.copy(), **labels)

    def extremes(self) -> None:
        """What the shares tend to, each word counted as one: `cold.shared` and `hot.shared`.

        As T goes to 0, all is the largest logit's, or of equal ones each has as much; as T grows
        without end, all words have as much.
        """
        chain, last = self.chain, guarded(self.chain[LOGITS].values[:1], GUARD)
        labels = Labels(rows=("",), columns=chain[LOGITS].columns)
        chain.give("hot.kept", np.ones_like(last), **labels)
        chain.give("cold.kept", (last == last.max()).astype(np.float64), **labels)
        for at in ("cold", "hot"):
            self._shared(at, "hot.kept", f"{at}.kept")

    def strip(self) -> None:
        """A small interval table of three made-up shares, for the explanation."""
        labels = Labels(rows=("",), columns=tuple(STRIP))
        self.chain.give("strip.share", np.array([list(STRIP.values())]), **labels)
        intervals(self.chain, "strip")

    def _shared(self, at: str, *inputs: str) -> None:
        shares, even = self.chain[SHARES], sampling.Renormalise()
        labels = Labels(rows=("",), columns=shares.columns)
        self.chain.apply(f"{at}.shared", even, *inputs, **labels, decimals=shares.decimals)


def printed_draws(trace: Trace, count: int) -> list[int]:
    """So many numbers from 0 to 99, the same for the same preset seed and sentence."""
    return [draw("sheet6", trace.preset.seed, trace.sentence, n, 100) for n in range(count)]


def intervals(chain: Scope, at: str) -> None:
    """Write the interval table of `{at}.share` [1, v]: `.kept`, `.cumulative`, `.from`, `.digits`.

    The ends are rounded sums, not sums of rounded shares.
    """
    share = chain[f"{at}.share"]
    apply = partial(chain.apply, rows=("",), columns=share.columns)
    kept = apply(f"{at}.kept", sampling.Kept("sample"), share.name, share.name)
    ends = apply(f"{at}.cumulative", sampling.Cumulative(), share.name, kept, decimals=DIGITS)
    start = apply(f"{at}.from", sampling.IntervalStart(), ends)
    apply(f"{at}.digits", sampling.TwoDigits(), start, ends)


class WordSlice(NamedTuple):
    """A word's part: from where to where of 1, and its throws of two ten-sided dice."""

    word: str
    start: float
    end: float
    digits: str


def word_slices(chain: Scope, shares: str, row: int) -> tuple[WordSlice, ...]:
    """Each word's part by a row of shares; that of a word without a throw is empty."""
    labels = Labels(rows=("",), columns=chain[shares].columns)
    chain.apply("play.share", sampling.Compared(row), shares, **labels)
    intervals(chain, "play")
    words = chain[WORDS].values[:, 0].tolist()
    ends = chain["play.cumulative"].values[0].tolist()
    digits = chain["play.digits"].values[0].tolist()
    parts = zip(words, [0.0, *ends], ends, digits, strict=False)
    return tuple(WordSlice(str(w), a, b, str(d)) for w, a, b, d in parts)


def added_up(trace: Trace, at: str) -> list[Slip]:
    """The slip of adding up rounded shares: the first end of an interval table that it misses."""
    right = trace[f"{at}.cumulative"]
    wrong = guarded(np.cumsum(guarded(trace[f"{at}.share"].values, DIGITS), axis=1), DIGITS)
    missed = np.flatnonzero(guarded(wrong - right.values, GUARD)[0])
    return [Slip("added", right.name, 0, int(j), float(wrong[0, j])) for j in missed[:1]]
