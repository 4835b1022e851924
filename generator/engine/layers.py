"""The blocks: attention heads, residual connections, layer norms, feed-forward network.

Also here:

* A KV cache: the keys and values of earlier tokens, so that a new token's row is enough.
* Softmax in the steps of paper arithmetic: (max, shifted,) exp, sum, shares.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from generator.engine.masks import MASKS
from generator.engine.norms import FORMS, MEAN
from generator.engine.ops.attention import (
    Contribution,
    Mask,
    Masked,
    MinusRow,
    Power,
    Root,
    RowMax,
    RowShare,
    RowSum,
)
from generator.engine.ops.base import Op
from generator.engine.ops.copying import Append, Concat, ConcatIfOn
from generator.engine.ops.feedforward import (
    Activation,
    Deviation,
    GainShift,
    Normalise,
    NormaliseByRoot,
    RowMean,
)
from generator.engine.ops.linear import MatMul, MatMulT, Over, Plus
from generator.engine.scope import Scope
from generator.engine.step import Labels

STORED = ("key", "value")  # the kinds of steps whose rows are kept


class Cache:
    """Keys and values [earlier tokens, d_head] by step name, for a computation of the next token.

    Every step of that computation has one row, the new token's. `grown` holds the keys and values
    of all tokens afterwards.
    """

    def __init__(self, tokens: tuple[str, ...], stored: Mapping[str, np.ndarray]) -> None:
        self.tokens = tokens
        self.grown: dict[str, np.ndarray] = {}
        self._stored = stored

    def extended(self, at: Scope, kind: str, new: str) -> str:
        """The stored rows of `new`, the head's key or value, and below them the new one: [n, k]."""
        earlier = at.give(f"{kind}.stored", self._stored[new])
        whole = at.apply(f"{kind}.all", Append(), earlier, new)
        self.grown[new] = at[whole].values
        return whole


Inner: TypeAlias = Callable[[Scope, str], str]


@cache
def labels(letter: str, n: int) -> tuple[str, ...]:
    """The labels of n dimensions: q1, q2, …"""
    return tuple([f"{letter}{k + 1}" for k in range(n)])


class Layers:
    """All blocks of a model, written into a scope.

    With a `cache` the tokens are the new one alone.
    """

    def __init__(self, scope: Scope, cache: Cache | None = None) -> None:
        preset = scope.preset
        self.scope = scope
        self.preset = preset
        self.tokens = scope.tokens
        self.cache = cache
        self.dimensions = labels("d", preset.d_model)
        self.names = {c: labels(c, preset.d_head) for c in "qkvo"}
        self.hidden = labels("h", preset.d_ff)
        self.active = labels("a", preset.d_ff)
        first = scope.round_number == scope.step_number == 1
        self.detailed = scope.run.detailed if first else ()

    def run(self, x: str) -> str:
        """The step `x` [n, d] through every block and the final norm; gives the last name back."""
        preset = self.preset
        if "attention" in preset.parts:
            root = Root(preset.d_head)
            self.scope.apply("scale", root, *self.switch("scale"), columns=("√d_k",))  # [1, 1]
        for b in range(1, preset.blocks + 1):
            at = self.scope.block(b)
            if "attention" in preset.parts:
                x = self.sublayer(at, x, "1", self.attention)  # [n, d]
            if "feedforward" in preset.parts:
                x = self.sublayer(at, x, "2", self.feedforward)  # [n, d]
            at.alias("output", x)
        if preset.final_norm:
            x = self.norm(self.scope.within("final"), x, "")  # [n, d]
        return x

    def sublayer(self, at: Scope, x: str, number: str, inner: Inner) -> str:
        """Post-norm (Vaswani et al. 2017): norm(x + inner(x)); pre-norm: x + inner(norm(x))."""
        kind = self.preset.norm
        y = inner(at, self.norm(at, x, number) if kind == "pre" else x)  # [n, d]
        if "residual" in self.preset.parts:
            y = self.write(at, f"residual{number}", Plus(), x, y)  # [n, d]
        return self.norm(at, y, number) if kind == "post" else y

    def norm(self, at: Scope, x: str, number: str) -> str:
        """Each row normalised, with gain and shift where the preset has them: [n, d]."""
        y = self.normalised(at, x, number)  # [n, d]
        gain = self.given(at, f"gain{number}", self.dimensions)
        shift = self.given(at, f"beta{number}", self.dimensions)
        if not gain and not shift:
            return y
        inputs = [name for name in (y, gain, shift) if name]
        return self.write(at, f"norm{number}", GainShift(bool(gain), bool(shift)), *inputs)

    def normalised(self, at: Scope, x: str, number: str) -> str:
        """Each row, without its mean if the form is centred, divided by its root: [n, d]."""
        form, rows = FORMS[self.preset.norm_form], self.tokens

        def small(kind: str, sign: str, op: Op, *inputs: str) -> str:
            return at.apply(f"{kind}{number}", op, *inputs, rows=rows, columns=(sign,))  # [n, 1]

        row = (x, small(MEAN, "μ", RowMean(), x)) if form.centred else (x,)
        square = small(*form.square, form.squares, *row)
        root = small(*form.root, Deviation(self.preset.epsilon), square)
        divided = Normalise() if form.centred else NormaliseByRoot()
        return self.write(at, f"normalised{number}", divided, *row, root)

    def attention(self, at: Scope, x: str) -> str:
        """All heads side by side, times W_O where there is one: [n, d]."""
        preset = self.preset
        heads = [self.head(at.head(h), x) for h in range(1, preset.heads + 1)]  # h × [n, k]
        columns = labels("c", preset.heads * preset.d_head)
        if len(heads) == 1:
            concat = at.alias("concat", heads[0])
        else:
            switches = self.switch("heads")
            join = ConcatIfOn(at.block_number - 1) if switches else Concat()
            table = Labels(rows=self.tokens, columns=columns)
            concat = at.apply("concat", join, *switches, *heads, **table)  # [n, h·k]
        weight = self.given(at, "weight.output", self.dimensions, columns)
        if not weight:
            return at.alias("attention", concat)
        bias = self.given(at, "bias.output", self.dimensions)
        return self.write(at, "attention", MatMul(), *filter(None, (concat, weight, bias)))

    def head(self, at: Scope, x: str) -> str:
        """One head: query, key, value, scores, scaled, (masked,) softmax, output [n, k]."""
        tokens, names = self.tokens, self.names
        q, k, v = (self.project(at, x, kind) for kind in ("query", "key", "value"))  # 3 × [n, k]
        in_sight = tokens
        if self.cache:
            k, v = self.cache.extended(at, "key", k), self.cache.extended(at, "value", v)
            in_sight = (*self.cache.tokens, *tokens)
        square = Labels(rows=tokens, columns=in_sight)
        scores = at.apply("scores", MatMulT(), q, k, **square)  # [n, n]
        scaled = at.apply("scaled", Over(), scores, "scale", **square)  # [n, n]
        kind = self.preset.mask
        form = MASKS.get(kind)
        if form:
            hidden = Mask(len(in_sight), kind, len(in_sight) - len(tokens))
            mask = at.apply("mask", hidden, *self.switch("mask"), **square)  # [n, n]
            scaled = at.apply("masked", Masked(), scaled, mask, **square)  # [n, n]
        rows = SoftmaxRows(tokens, in_sight, form is not None, form is not None and form.empty)
        weights = softmax(at, scaled, "weights", rows)  # [n, n]
        for token in self.detailed:
            name = f"contribution{token + 1}"
            at.apply(name, Contribution(token), weights, v, rows=tokens, columns=names["o"])
        return at.apply("output", MatMul(), weights, v, rows=tokens, columns=names["o"])

    def switch(self, name: str) -> tuple[str, ...]:
        """The switch of that name as an input; nothing where there are no controls."""
        name = f"switch.{name}"
        return (name,) if name in self.scope else ()

    def project(self, at: Scope, x: str, kind: str) -> str:
        """`x` times the head's matrix for query, key or value (plus bias): [n, k]."""
        columns = self.names[kind[0]]
        weight = self.given(at, f"weight.{kind}", columns, self.dimensions)  # [d, k]
        bias = self.given(at, f"bias.{kind}", columns)
        inputs = filter(None, (x, weight, bias))
        return at.apply(kind, MatMul(), *inputs, rows=self.tokens, columns=columns)

    def feedforward(self, at: Scope, x: str) -> str:
        """activation(x · W₁ + b₁) · W₂ + b₂: [n, d]."""
        table = Labels(rows=self.tokens, columns=self.hidden)
        w1 = self.given(at, "weight.hidden", self.hidden, self.dimensions)  # [d, f]
        b1 = self.given(at, "bias.hidden", self.hidden)
        h = at.apply("hidden", MatMul(), *filter(None, (x, w1, b1)), **table)  # [n, f]
        after = Labels(rows=self.tokens, columns=self.active)
        a = at.apply("activation", Activation(self.preset.activation), h, **after)  # [n, f]
        w2 = self.given(at, "weight.feedforward", self.dimensions, self.active)  # [f, d]
        b2 = self.given(at, "bias.feedforward", self.dimensions)
        return self.write(at, "feedforward", MatMul(), *filter(None, (a, w2, b2)))  # [n, d]

    def write(self, at: Scope, name: str, op: Op, *inputs: str) -> str:
        """A step with a row for each token and a column for each dimension of the model."""
        return at.apply(name, op, *inputs, rows=self.tokens, columns=self.dimensions)

    def given(
        self, at: Scope, name: str, columns: tuple[str, ...], rows: tuple[str, ...] = ("",)
    ) -> str:
        """A weight of the preset as a given step; an empty name where the preset has none."""
        weight = at.weight(name)
        return "" if weight is None else at.give(name, weight, rows=rows, columns=columns)


class SoftmaxRows(NamedTuple):
    """The rows of a softmax: their labels, whether cells are masked, whether a row may be empty."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    masked: bool = False
    empty: bool = False


def softmax(scope: Scope, x: str, shares: str, rows: SoftmaxRows) -> str:
    """Write exp, sum and the shares of each row of the step `x`; gives the shares' name back.

    With a shift, `max` and `shifted` come first.
    """
    base, labels = scope.preset.softmax_base, Labels(rows=rows.rows, columns=rows.columns)
    if scope.shifts.needed(scope, x):
        largest = scope.apply("max", RowMax(), x, rows=rows.rows, columns=("max",))
        x = scope.apply("shifted", MinusRow(rows.masked), x, largest, **labels)
    power = scope.apply("exp", Power(base, rows.masked), x, **labels)  # [rows, columns]
    total = scope.apply("sum", RowSum(), power, rows=rows.rows, columns=("Σ",))  # [rows, 1]
    return scope.apply(shares, RowShare(rows.empty), power, total, **labels)
