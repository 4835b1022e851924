"""Sheets 4a, 4b, 5, 6 and 7a as a pupil has them: printed numbers, boxes, how each is computed.

All arithmetic here is a pupil's own, from what is printed on the page, in plain NumPy and Decimal:
nothing of `generator.grading` is imported, and no operation of the engine is called. What
comes out of the mistakes that real pupils make says `drawn_slips`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property

import numpy as np

from generator.engine.trace import Trace
from generator.insight.output_layer import printed_draws

Row = np.ndarray
Held = Mapping[str, Row]  # what a pupil goes on with, by the short name of a line
Work = Callable[[Held], Row]


@dataclass(frozen=True)
class Line:
    """A row of boxes: its heading in the typed list, its decimals, how it is computed.

    `work` gives the boxes, or [boxes, terms] where each is a sum. `copied`: nothing is computed, so
    that not even the last decimal may differ.
    """

    heading: str
    decimals: int
    work: Work
    copied: bool = False

    def row(self, held: Held) -> Row:
        made = self.work(held)
        return made.sum(axis=1) if made.ndim == 2 else made


def rounded(value: float, decimals: int, how: str = ROUND_HALF_UP) -> float:
    """A number as a hand rounds it: half away from zero, or with `how` cut off."""
    if not abs(value) < 1e12:
        return float("nan")
    clean = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-10), ROUND_HALF_UP)
    return float(clean.quantize(Decimal(1).scaleb(-decimals), how)) + 0.0


class Printed:
    """What one pupil's sheets print: the numbers of a Trace that are given somewhere."""

    def __init__(self, trace: Trace, own: int | None = None, carries: bool = False) -> None:
        """Takes what is printed; what is asked is computed here. `own` is the pupil's row.

        `carries`: results of an earlier sheet are not printed on a later one but brought along.
        """

        def of(*names: str) -> Row:
            return next(trace[name].values for name in names if name in trace)

        row = trace.exercise if own is None else own
        assert row is not None
        self.own, self.before = row, trace.preset.norm == "pre"
        self.decimals = {n: s.decimals for n, s in trace.steps.items() if s.decimals is not None}
        self.key = {n: of(f"block1.head{n}.key") for n in (1, 2)}
        self.value = {n: of(f"block1.head{n}.value") for n in (1, 2)}
        self.w_query = {n: of(f"block1.head{n}.weight.query") for n in (1, 2)}
        self.query = {n: of(f"block1.head{n}.query")[self.own] for n in (1, 2)}
        self.root = float(of("scale")[0, 0])
        self.x, self.into = of("input")[row], of("block1.norm1" if self.before else "input")[row]
        self.heads = of("block1.attention", "block1.concat")[row]
        self.carries = carries
        self.brings_heads = carries and np.array_equal(self.heads, of("block1.concat")[row])
        self.w1, self.w2 = of("block1.weight.hidden"), of("block1.weight.feedforward")
        wide, deep = self.w1.shape
        self.b1 = trace["block1.bias.hidden"].values if self.before else np.zeros((1, deep))
        self.b2 = trace["block1.bias.feedforward"].values if self.before else np.zeros((1, wide))
        self.gain = trace["block1.gain2"].values[0] if self.before else None
        self.shift = trace["block1.beta2"].values[0] if "block1.beta2" in trace else np.zeros(wide)
        self.epsilon, self.most = trace.preset.epsilon, trace.preset.k or 3
        self.logits = of("output.logits")[0]
        self.temperatures = of("temperature")[:, 0]
        self.shares = of("output.probabilities")[1]
        self.last = of("last")[0]
        self.old = of("output.matrix", "vocabulary.embedding")
        self.old_bias = of("output.bias")[0] if "output.bias" in trace else None
        self.words = [str(w) for w in trace["output.logits"].columns]
        self.order = [int(k) for k in np.argsort(-self.shares, kind="stable")]
        self.target = self.order[1]  # the word that shall follow, on 7a: the second likeliest
        self.learned = [self.target, *[w for w in self.order if w != self.target][:2]]
        self.draws = [int(n) for n in printed_draws(trace, 20)]

    def new(self, held: Held) -> Row:
        """The row that the heads add on sheet 5: printed, or as it was found on 4b."""
        return held["4b.c"] if self.brings_heads else self.heads

    def powers(self, held: Held) -> Row:
        """The powers of the first head on 4b: printed, or as they were found on 4a."""
        return held["4a.e"] if self.carries else self.printed_powers

    @cached_property
    def printed_powers(self) -> Row:
        return worked_through(_head(self, "4a", 1, "unmasked.", len(self.key[1])))["4a.e"]


def lines_of(g: Printed) -> dict[str, Line]:
    """All lines of boxes, in the order in which they are computed, by a short name each."""
    second = {"5.2r": _skip(g, 2)} if g.before else _norm(g, 2)
    return _sheet4(g) | _norm(g, 1) | _feed_forward(g) | second | _sheet6(g) | _sheet7a(g)


def _head(g: Printed, sheet: str, n: int, free: str, seen: int) -> dict[str, Line]:
    p, k, v = f"{sheet}.", g.key[n][:seen], g.value[n][:seen]

    def line(step: str, work: Work) -> Line:
        name = f"block1.head{n}.{step}"
        before = free if step in ("exp", "sum", "weights", "output") else ""
        return Line(f"{sheet} {before}{name} own", g.decimals[name], work)

    return {
        p + "q": line("query", lambda h: (g.into[:, None] * g.w_query[n]).T),
        p + "s": line("scores", lambda h: k * h[p + "q"]),
        p + "z": line("scaled", lambda h: h[p + "s"] / g.root),
        p + "e": line("exp", lambda h: np.exp(h[p + "z"])),
        p + "S": line("sum", lambda h: h[p + "e"][None]),
        p + "w": line("weights", lambda h: h[p + "e"] / h[p + "S"]),
        p + "o": line("output", lambda h: (h[p + "w"][:, None] * v).T),
    }


def _sheet4(g: Printed) -> dict[str, Line]:
    """Sheet 4a without the mask; 4b with it: Head 1 from given powers, Head 2 from its query."""
    seen = g.own + 1
    free = _head(g, "4a", 1, "unmasked.", len(g.key[1]))
    v = g.value[1][:seen]

    def line(name: str, work: Work) -> Line:
        return Line(f"4b block1.{name} own", g.decimals[f"block1.{name}"], work)

    masked = {
        "4b.S1": line("head1.sum", lambda h: g.powers(h)[None, :seen]),
        "4b.w1": line("head1.weights", lambda h: g.powers(h)[:seen] / h["4b.S1"]),
        "4b.o1": line("head1.output", lambda h: (h["4b.w1"][:, None] * v).T),
    }
    both = replace(line("concat", lambda h: np.r_[h["4b.o1"], h["4b.o"]]), copied=True)
    return free | masked | _head(g, "4b", 2, "", seen) | {"4b.c": both}


def _skip(g: Printed, n: int) -> Line:
    """The sum of old and new; before a norm that stands first, old is what was added last."""

    def parts(h: Held) -> Row:
        if n == 1:
            return np.array([g.x, g.new(h)]).T
        return np.array([h["5.1r" if g.before else "5.1y"], h["5.f"]]).T

    name = f"block1.residual{n}"
    return Line(f"5 {name} own", g.decimals[name], parts)


def _norm(g: Printed, n: int) -> dict[str, Line]:
    """A skip and the norm after it, from r to the row that goes on."""
    p, row, size, at = f"5.{n}", g.own + 1, len(g.x), 2 if g.before else n

    def line(step: str, work: Work) -> Line:
        name = f"block1.{step}{at}"
        return Line(f"5 {name} own", g.decimals[name], work)

    fine = g.decimals[f"block1.mean{at}"]
    found = {
        p + "r": _skip(g, n),
        p + "m": line("mean", lambda h: h[p + "r"][None] / size),
        p + "d": Line(f"5 norm{n}.deviations {row}", fine, lambda h: h[p + "r"] - h[p + "m"]),
        p + "q": Line(f"5 norm{n}.token{row}.squares 1", 2 * fine, lambda h: h[p + "d"] ** 2),
        p + "v": line("variance", lambda h: h[p + "q"][None] / size),
        p + "s": line("deviation", lambda h: np.sqrt(h[p + "v"] + g.epsilon)),
    }
    share = line("normalised", lambda h: h[p + "d"] / h[p + "s"])
    if g.gain is None:
        return found | {p + "y": share}
    scaled = line("norm", lambda h: np.array([g.gain * h[p + "n"], g.shift]).T)
    return found | {p + "n": share, p + "y": scaled}


def _feed_forward(g: Printed) -> dict[str, Line]:
    def line(step: str, work: Work) -> Line:
        return Line(f"5 block1.{step} own", g.decimals[f"block1.{step}"], work)

    def times(row: Row, table: Row, bias: Row) -> Row:
        return np.concatenate([row[:, None] * table, bias]).T

    return {
        "5.h": line("hidden", lambda h: times(h["5.1y"], g.w1, g.b1)),
        "5.a": replace(line("activation", lambda h: np.maximum(h["5.h"], 0)), copied=True),
        "5.f": line("feedforward", lambda h: times(h["5.a"], g.w2, g.b2)),
    }


def _sheet6(g: Printed) -> dict[str, Line]:
    cumulative = Line("6 draw.cumulative 1", 2, lambda h: np.cumsum(g.shares))
    return _heated(g, 1) | _heated(g, 3) | {"6.c": cumulative}


def _heated(g: Printed, row: int) -> dict[str, Line]:
    p, t = f"6.{row}", g.temperatures[row - 1]

    def line(step: str, work: Work) -> Line:
        return Line(f"6 output.{step} {row}", g.decimals[f"output.{step}"], work)

    return {
        p + "z": line("tempered", lambda h: g.logits / t),
        p + "e": line("exp", lambda h: np.exp(h[p + "z"])),
        p + "S": line("sum", lambda h: h[p + "e"][None]),
        p + "p": line("probabilities", lambda h: h[p + "e"] / h[p + "S"]),
    }


def _sheet7a(g: Printed) -> dict[str, Line]:
    """The loss, P − target, and for each word of the sheet its gradient and its new row."""
    wanted = np.eye(len(g.words))[g.target]
    found = {
        "7a.l": Line("7a loss.cross_entropy 1", 2, lambda h: -np.log(g.shares[[g.target]])),
        "7a.d": Line("7a grad.output.tempered 1", 3, lambda h: g.shares - wanted),
    }
    for k, word in enumerate(g.learned):
        found |= _learned(g, k, word)
    if g.old_bias is not None:
        old = g.old_bias
        found["7a.b"] = Line("7a grad.output.bias 1", 3, lambda h: h["7a.d"])
        found["7a.c"] = Line("7a update.output.bias 1", 2, lambda h: old - 0.5 * h["7a.b"])
    return found


def _learned(g: Printed, k: int, word: int) -> dict[str, Line]:
    slope, new = f"7a grad.output.matrix {word + 1}", f"7a update.output.matrix {word + 1}"
    return {
        f"7a.g{k}": Line(slope, 3, lambda h: h["7a.d"][word] * g.last),
        f"7a.u{k}": Line(new, 2, lambda h: g.old[word] - 0.5 * h[f"7a.g{k}"]),
    }


def worked_through(lines: Mapping[str, Line]) -> dict[str, Row]:
    """Every line computed rightly and rounded as printed, from the ones before it."""
    held: dict[str, Row] = {}
    for name, line in lines.items():
        held[name] = np.array([rounded(v, line.decimals) for v in line.row(held)])
    return held
