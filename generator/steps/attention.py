"""The kinds of steps of a head, and of the heads together."""

from generator.steps.kind import Asked, Chapter, Kind, Letter, given, letter

SHARED = Asked(1, worked=3)  # what self-attention is about


def _head(name: str, symbol: Letter, chapter: Chapter, asked: Asked | None) -> Kind:
    """A step of a head that paper rounds."""
    return Kind(name, symbol, chapter, "head", asked=asked, in_decimals=True, live=True)


def _square(
    name: str,
    symbol: Letter,
    chapter: Chapter,
    asked: Asked | None,
    *,
    rounded: bool = True,
    live: bool = True,
    says: bool = False,
) -> Kind:
    """A table of tokens × tokens."""
    return Kind(
        name,
        symbol,
        chapter,
        "head",
        asked=asked,
        in_decimals=rounded,
        live=live,
        square=True,
        says=says,
    )


KINDS = (
    Kind(
        "scale",
        letter("√d_k", r"\sqrt{d_{k}}"),
        "scores",
        "head",
        asked=None,
        in_decimals=True,
        live=True,
        rows="one",
    ),
    given("weight.query", letter("W_Q", "W_{Q}"), "matrices", "head"),
    given("weight.key", letter("W_K", "W_{K}"), "matrices", "head"),
    given("weight.value", letter("W_V", "W_{V}"), "matrices", "head"),
    given("bias.query", letter("b_Q", "b_{Q}"), "matrices", "head"),
    given("bias.key", letter("b_K", "b_{K}"), "matrices", "head"),
    given("bias.value", letter("b_V", "b_{V}"), "matrices", "head"),
    _head("query", letter("Q"), "query", Asked(2)),
    _head("key", letter("K"), "key", Asked(3)),
    _head("value", letter("V"), "value", Asked(3)),
    _square("scores", letter("S"), "scores", SHARED),
    _square("scaled", letter("Z"), "scores", Asked(2)),
    _square("mask", letter("M"), "scores", None, rounded=False, live=False, says=True),
    _square("masked", letter("Z′", "Z'"), "scores", None, rounded=False),
    Kind("max", letter("m"), "softmax", "head", asked=Asked(3), in_decimals=False, live=False),
    _square("shifted", letter("Z″", "Z''"), "softmax", Asked(3)),
    _square("exp", letter("Exp", r"\mathrm{Exp}"), "softmax", SHARED, says=True),
    _head("sum", letter("Σ", r"\Sigma"), "softmax", SHARED),
    _square("weights", letter("α", r"\alpha"), "softmax", SHARED),
    Kind(
        "contribution",
        letter("B"),
        "sum",
        "head",
        asked=None,
        in_decimals=False,
        live=False,
        numbered="token",
    ),
    _head("output", letter("A"), "sum", Asked(1, worked=3, unless="attention")),
    Kind("concat", letter("C"), "heads", "attention", asked=None, in_decimals=False, live=False),
    given("weight.output", letter("W_O", "W_{O}"), "heads", "attention"),
    given("bias.output", letter("b_O", "b_{O}"), "heads", "attention"),
    Kind(
        "attention",
        letter("MH", r"\mathrm{MH}"),
        "heads",
        "attention",
        asked=Asked(2),
        in_decimals=True,
        live=True,
    ),
)
