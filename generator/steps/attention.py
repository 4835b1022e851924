"""The kinds of steps of a head, and of the heads together."""

from functools import partial

from generator.steps.kind import FACTOR, LINE, Asked, StepKind, TabStyle, computed, given, letter

SHARED = Asked(1, worked=3)  # what self-attention is about
SOFTMAX = TabStyle(group="softmax")
SHARES = TabStyle(group="softmax", chart="shares")

_weight = partial(given, chapter="matrices", tab="head", shown=FACTOR)
_head = partial(computed, tab="head")
_scores = partial(StepKind, chapter="scores", tab="head", square=True, shown=SOFTMAX)
_softmax = partial(_head, chapter="softmax", shown=SOFTMAX)
_heads = partial(given, chapter="heads", tab="attention", shown=FACTOR)

KINDS = (
    _head("scale", letter("√d_k", r"\sqrt{d_{k}}"), "scores", rows="one", shown=LINE),
    _weight("weight.query", letter("W_Q", "W_{Q}")),
    _weight("weight.key", letter("W_K", "W_{K}")),
    _weight("weight.value", letter("W_V", "W_{V}")),
    _weight("bias.query", letter("b_Q", "b_{Q}")),
    _weight("bias.key", letter("b_K", "b_{K}")),
    _weight("bias.value", letter("b_V", "b_{V}")),
    _head("query", letter("Q"), "query", asked=Asked(2)),
    _head("key", letter("K"), "key", asked=Asked(3)),
    _head("value", letter("V"), "value", asked=Asked(3)),
    _head("scores", letter("S"), "scores", asked=SHARED, square=True, shown=TabStyle("scores")),
    _head(
        *("scaled", letter("Ŝ", r"\hat{S}"), "scores"), asked=Asked(2), square=True, shown=SOFTMAX
    ),
    _scores("mask", letter("M"), says=True),
    _scores("masked", letter("Ŝ_M", r"\hat{S}_{M}"), live=True),
    _softmax("max", letter("max", r"\max"), asked=Asked(3), in_decimals=False, live=False),
    _softmax("shifted", letter("Ŝ_0", r"\hat{S}_{0}"), asked=Asked(3), square=True),
    _softmax("exp", letter("Exp", r"\mathrm{Exp}"), asked=SHARED, square=True, says=True),
    _softmax("sum", letter("Σ", r"\Sigma"), asked=SHARED),
    _softmax("weights", letter("α", r"\alpha"), asked=SHARED, square=True, shown=SHARES),
    StepKind("contribution", letter("B"), "sum", "head", numbered="token", shown=SOFTMAX),
    _head("output", letter("O"), "sum", asked=Asked(1, worked=3, unless="attention")),
    StepKind("concat", letter("C"), "heads", "attention", shown=TabStyle(factor="left")),
    _heads("weight.output", letter("W_O", "W_{O}")),
    _heads("bias.output", letter("b_O", "b_{O}")),
    computed("attention", letter("MH", r"\mathrm{MH}"), "heads", "attention", asked=Asked(2)),
)
