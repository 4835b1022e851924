"""The kinds of steps around the layers of a block: residual connection and norm.

Also here:

* The kinds of steps of the feed-forward network.
"""

from generator.steps.kind import FACTOR, TABLE, Asked, Letter, StepKind, TabStyle, given, letter

ROW, LEARNED = TabStyle(group="norm"), TabStyle(group="learned")


def _norm(
    name: str,
    symbol: Letter,
    asked: Asked,
    second: Letter | None = None,
    shown: TabStyle = ROW,
    says: bool = False,
    unfinished: Letter | None = None,
) -> StepKind:
    """A computed step of a layer norm: one for each layer of a block, one after all blocks."""
    return StepKind(
        name,
        symbol,
        "norm",
        "layer",
        asked=asked,
        in_decimals=True,
        live=True,
        numbered="layer",
        second_letter=second,
        unfinished=unfinished,
        layer_norm=True,
        shown=shown,
        says=says,
    )


def _learned(name: str, symbol: Letter) -> StepKind:
    return given(name, symbol, "norm", "layer", numbered="layer", layer_norm=True, shown=LEARNED)


ESSENTIAL = Asked(1, second=2)

KINDS = (
    StepKind(
        "residual",
        letter("R"),
        "norm",
        "layer",
        asked=Asked(1),
        in_decimals=True,
        live=True,
        numbered="layer",
        shown=ROW,
    ),
    _norm("mean", letter("μ", r"\mu"), ESSENTIAL),
    _norm(
        *("variance", letter("σ²", r"\sigma^{2}"), ESSENTIAL),
        second=Letter("σ′²", r"{\sigma'}^{2}"),
    ),
    _norm("deviation", letter("σ", r"\sigma"), ESSENTIAL),
    _norm(
        *("square", letter("RMS²", r"\mathrm{RMS}^{2}"), ESSENTIAL),
        second=Letter("RMS′²", r"{\mathrm{RMS}'}^{2}"),
    ),
    _norm("rms", letter("RMS", r"\mathrm{RMS}"), ESSENTIAL),
    _norm("normalised", letter("Y"), ESSENTIAL, says=True, unfinished=letter("Ŷ", r"\hat{Y}")),
    _learned("gain", letter("γ", r"\gamma")),
    _learned("beta", letter("β", r"\beta")),
    _norm("norm", letter("Y"), Asked(2), shown=TABLE, says=True),
)


def _network(name: str, symbol: Letter, *, says: bool = False, shown: TabStyle = TABLE) -> StepKind:
    """A computed step of the network."""
    return StepKind(
        name,
        symbol,
        "feedforward",
        "feedforward",
        asked=Asked(1, worked=3),
        in_decimals=True,
        live=True,
        says=says,
        shown=shown,
    )


FEEDFORWARD = (
    given("weight.hidden", letter("W₁", "W_{1}"), "feedforward", "feedforward", shown=FACTOR),
    given("bias.hidden", letter("b₁", "b_{1}"), "feedforward", "feedforward", shown=FACTOR),
    _network("hidden", letter("H")),
    _network("activation", letter("A"), says=True, shown=TabStyle(factor="left")),
    given("weight.feedforward", letter("W₂", "W_{2}"), "feedforward", "feedforward", shown=FACTOR),
    given("bias.feedforward", letter("b₂", "b_{2}"), "feedforward", "feedforward", shown=FACTOR),
    _network("feedforward", letter("F")),
)
