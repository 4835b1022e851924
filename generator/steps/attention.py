"""The kinds of steps of a head, and of the heads together."""

from generator.steps.kind import (
    FACTOR,
    LINE,
    TABLE,
    Asked,
    Chapter,
    Letter,
    StepKind,
    TabStyle,
    given,
    letter,
)

SHARED = Asked(1, worked=3)  # what self-attention is about
SOFTMAX = TabStyle(group="softmax")


def _head(name: str, symbol: Letter, chapter: Chapter, asked: Asked | None) -> StepKind:
    """A step of a head that paper rounds."""
    shown = SOFTMAX if chapter == "softmax" else TABLE
    return StepKind(
        name, symbol, chapter, "head", asked=asked, in_decimals=True, live=True, shown=shown
    )


def _square(
    name: str,
    symbol: Letter,
    chapter: Chapter,
    asked: Asked | None,
    *,
    rounded: bool = True,
    live: bool = True,
    says: bool = False,
    shown: TabStyle = SOFTMAX,
) -> StepKind:
    """A table of tokens × tokens."""
    return StepKind(
        name,
        symbol,
        chapter,
        "head",
        asked=asked,
        in_decimals=rounded,
        live=live,
        square=True,
        shown=shown,
        says=says,
    )


KINDS = (
    StepKind(
        "scale",
        letter("√d_k", r"\sqrt{d_{k}}"),
        "scores",
        "head",
        asked=None,
        in_decimals=True,
        live=True,
        rows="one",
        shown=LINE,
    ),
    given("weight.query", letter("W_Q", "W_{Q}"), "matrices", "head", shown=FACTOR),
    given("weight.key", letter("W_K", "W_{K}"), "matrices", "head", shown=FACTOR),
    given("weight.value", letter("W_V", "W_{V}"), "matrices", "head", shown=FACTOR),
    given("bias.query", letter("b_Q", "b_{Q}"), "matrices", "head", shown=FACTOR),
    given("bias.key", letter("b_K", "b_{K}"), "matrices", "head", shown=FACTOR),
    given("bias.value", letter("b_V", "b_{V}"), "matrices", "head", shown=FACTOR),
    _head("query", letter("Q"), "query", Asked(2)),
    _head("key", letter("K"), "key", Asked(3)),
    _head("value", letter("V"), "value", Asked(3)),
    _square("scores", letter("S"), "scores", SHARED, shown=TabStyle("scores")),
    _square("scaled", letter("Ŝ", r"\hat{S}"), "scores", Asked(2)),
    _square("mask", letter("M"), "scores", None, rounded=False, live=False, says=True),
    _square("masked", letter("Ŝ_M", r"\hat{S}_{M}"), "scores", None, rounded=False),
    StepKind(
        "max",
        letter("max", r"\max"),
        "softmax",
        "head",
        asked=Asked(3),
        in_decimals=False,
        live=False,
        shown=SOFTMAX,
    ),
    _square("shifted", letter("Ŝ_0", r"\hat{S}_{0}"), "softmax", Asked(3)),
    _square("exp", letter("Exp", r"\mathrm{Exp}"), "softmax", SHARED, says=True),
    _head("sum", letter("Σ", r"\Sigma"), "softmax", SHARED),
    _square(
        *("weights", letter("α", r"\alpha"), "softmax", SHARED),
        shown=TabStyle(group="softmax", chart="shares"),
    ),
    StepKind(
        "contribution",
        letter("B"),
        "sum",
        "head",
        asked=None,
        in_decimals=False,
        live=False,
        numbered="token",
        shown=SOFTMAX,
    ),
    _head("output", letter("O"), "sum", Asked(1, worked=3, unless="attention")),
    StepKind(
        "concat",
        letter("C"),
        "heads",
        "attention",
        asked=None,
        in_decimals=False,
        live=False,
        shown=TabStyle(factor="left"),
    ),
    given("weight.output", letter("W_O", "W_{O}"), "heads", "attention", shown=FACTOR),
    given("bias.output", letter("b_O", "b_{O}"), "heads", "attention", shown=FACTOR),
    StepKind(
        "attention",
        letter("MH", r"\mathrm{MH}"),
        "heads",
        "attention",
        asked=Asked(2),
        in_decimals=True,
        live=True,
    ),
)
