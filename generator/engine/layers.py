"""The blocks: attention heads, residual connections, layer norms, feed-forward network."""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from generator.engine.ops import (
    Activation,
    Concat,
    ConcatIfOn,
    Contribution,
    Deviation,
    GainShift,
    Mask,
    Masked,
    MatMul,
    MatMulT,
    Normalise,
    Op,
    Over,
    Plus,
    Root,
    RowMean,
    Variance,
)
from generator.engine.softmax import Rows, Shifts, softmax
from generator.engine.trace import Labels, Trace

Inner: TypeAlias = Callable[[str, str], str]


@cache
def labels(letter: str, n: int) -> tuple[str, ...]:
    """The labels of n dimensions: q1, q2, …"""
    return tuple([f"{letter}{k + 1}" for k in range(n)])


class Layers:
    """All blocks of a model, written into a Trace."""

    def __init__(self, trace: Trace, tokens: tuple[str, ...], shifts: Shifts) -> None:
        preset = trace.preset
        self.trace = trace
        self.preset = preset
        self.tokens = tokens
        self.shifts = shifts
        self.dimensions = labels("d", preset.d_model)
        self.names = {c: labels(c, preset.d_head) for c in "qkv"}
        self.hidden = labels("h", preset.d_ff)
        self.focus = sorted({k for k in (trace.worked, trace.exercise) if k is not None})

    def run(self, x: str) -> str:
        """The step `x` [n, d] through every block and the final norm; gives the last name back."""
        preset = self.preset
        if "attention" in preset.parts:
            root = Root(preset.d_head)
            self.trace.apply("scale", root, *self.switch("scale"), columns=("√d_k",))  # [1, 1]
        for b in range(1, preset.blocks + 1):
            x = self.block(x, f"block{b}")  # [n, d]
            self.trace.alias(f"block{b}.output", x)
        if preset.final_norm:
            x = self.norm(x, "final", "")  # [n, d]
        return x

    def block(self, x: str, at: str) -> str:
        """One block: attention, then the feed-forward network, each with residual and norm."""
        if "attention" in self.preset.parts:
            x = self.sublayer(x, at, "1", self.attention)  # [n, d]
        if "feedforward" in self.preset.parts:
            x = self.sublayer(x, at, "2", self.feedforward)  # [n, d]
        return x

    def sublayer(self, x: str, at: str, number: str, inner: Inner) -> str:
        """Post-norm (Vaswani et al. 2017): norm(x + inner(x)); pre-norm: x + inner(norm(x))."""
        kind = self.preset.norm
        y = inner(self.norm(x, at, number) if kind == "pre" else x, at)  # [n, d]
        if "residual" in self.preset.parts:
            y = self.write(f"{at}.residual{number}", Plus(), x, y)  # [n, d]
        return self.norm(y, at, number) if kind == "post" else y

    def norm(self, x: str, at: str, number: str) -> str:
        """Layer norm of each row, with gain and shift where the preset has them."""
        trace, rows = self.trace, self.tokens
        mean = trace.apply(f"{at}.mean{number}", RowMean(), x, rows=rows, columns=("μ",))
        variance = trace.apply(
            f"{at}.variance{number}", Variance(), x, mean, rows=rows, columns=("σ²",)
        )
        deviation = trace.apply(
            f"{at}.deviation{number}",
            Deviation(self.preset.epsilon),
            variance,
            rows=rows,
            columns=("σ",),
        )
        y = self.write(f"{at}.normalised{number}", Normalise(), x, mean, deviation)  # [n, d]
        gain = self.given(f"{at}.gain{number}", self.dimensions)
        shift = self.given(f"{at}.beta{number}", self.dimensions)
        if not gain and not shift:
            return y
        inputs = [name for name in (y, gain, shift) if name]
        return self.write(f"{at}.norm{number}", GainShift(bool(gain), bool(shift)), *inputs)

    def attention(self, x: str, at: str) -> str:
        """All heads side by side, times W_O where there is one: [n, d]."""
        trace, preset = self.trace, self.preset
        heads = [self.head(x, f"{at}.head{h}") for h in range(1, preset.heads + 1)]  # h × [n, k]
        columns = labels("c", preset.heads * preset.d_head)
        if len(heads) == 1:
            concat = trace.alias(f"{at}.concat", heads[0])
        else:
            switches = self.switch("heads")
            join = ConcatIfOn(int(at.removeprefix("block")) - 1) if switches else Concat()
            concat = trace.apply(
                f"{at}.concat", join, *switches, *heads, rows=self.tokens, columns=columns
            )  # [n, h·k]
        weight = self.given(f"{at}.weight.output", self.dimensions, columns)
        if not weight:
            return trace.alias(f"{at}.attention", concat)
        bias = self.given(f"{at}.bias.output", self.dimensions)
        return self.write(f"{at}.attention", MatMul(), *filter(None, (concat, weight, bias)))

    def head(self, x: str, at: str) -> str:
        """One head: query, key, value, scores, scaled, (masked,) softmax, output [n, k]."""
        trace, tokens, names = self.trace, self.tokens, self.names
        q, k, v = (self.project(x, at, kind) for kind in ("query", "key", "value"))  # 3 × [n, k]
        square = Labels(rows=tokens, columns=tokens)
        scores = trace.apply(f"{at}.scores", MatMulT(), q, k, **square)  # [n, n]
        scaled = trace.apply(f"{at}.scaled", Over(), scores, "scale", **square)  # [n, n]
        kind = self.preset.mask
        if kind != "none":
            hidden = Mask(len(tokens), kind == "strict")
            mask = trace.apply(f"{at}.mask", hidden, *self.switch("mask"), **square)  # [n, n]
            scaled = trace.apply(f"{at}.masked", Masked(), scaled, mask, **square)  # [n, n]
        rows = Rows(tokens, tokens, kind != "none", kind == "strict")
        weights = softmax(trace, scaled, at, "weights", rows, self.shifts)  # [n, n]
        for token in self.focus:
            name = f"{at}.contribution{token + 1}"
            trace.apply(name, Contribution(token), weights, v, rows=tokens, columns=names["v"])
        return trace.apply(f"{at}.output", MatMul(), weights, v, rows=tokens, columns=names["v"])

    def switch(self, name: str) -> tuple[str, ...]:
        """The switch of that name as an input; nothing where the trace has no controls."""
        name = f"switch.{name}"
        return (name,) if name in self.trace else ()

    def project(self, x: str, at: str, kind: str) -> str:
        """`x` times the head's matrix for query, key or value (plus bias): [n, k]."""
        columns = self.names[kind[0]]
        weight = self.trace.give(
            f"{at}.weight.{kind}",
            self.preset.weights[f"{at}.weight.{kind}"],
            rows=self.dimensions,
            columns=columns,
        )  # [d, k]
        bias = self.given(f"{at}.bias.{kind}", columns)
        inputs = (x, weight, bias) if bias else (x, weight)
        return self.trace.apply(
            f"{at}.{kind}", MatMul(), *inputs, rows=self.tokens, columns=columns
        )

    def feedforward(self, x: str, at: str) -> str:
        """activation(x · W₁ + b₁) · W₂ + b₂: [n, d]."""
        trace, hidden = self.trace, self.hidden
        w1 = self.given(f"{at}.weight.hidden", hidden, self.dimensions)  # [d, f]
        b1 = self.given(f"{at}.bias.hidden", hidden)
        inputs = filter(None, (x, w1, b1))
        h = trace.apply(f"{at}.hidden", MatMul(), *inputs, rows=self.tokens, columns=hidden)
        activation = Activation(self.preset.activation)
        a = trace.apply(
            f"{at}.activation", activation, h, rows=self.tokens, columns=hidden
        )  # [n, f]
        w2 = self.given(f"{at}.weight.feedforward", self.dimensions, hidden)  # [f, d]
        b2 = self.given(f"{at}.bias.feedforward", self.dimensions)
        return self.write(f"{at}.feedforward", MatMul(), *filter(None, (a, w2, b2)))  # [n, d]

    def write(self, name: str, op: Op, *inputs: str) -> str:
        """A step with a row for each token and a column for each dimension of the model."""
        return self.trace.apply(name, op, *inputs, rows=self.tokens, columns=self.dimensions)

    def given(self, name: str, columns: tuple[str, ...], rows: tuple[str, ...] = ("",)) -> str:
        """A weight of the preset as a given step; an empty name where the preset has none."""
        weight = self.preset.weights.get(name)
        return "" if weight is None else self.trace.give(name, weight, rows=rows, columns=columns)
