"""The kinds of steps around the layers of a block: residual connection and norm."""

from generator.steps.kind import TABLE, Asked, Kind, Letter, Shown, given, letter

ROW, LEARNED = Shown(group="norm"), Shown(group="learned")


def _norm(
    name: str,
    symbol: Letter,
    asked: Asked,
    second: Letter | None = None,
    shown: Shown = ROW,
    says: bool = False,
    unfinished: Letter | None = None,
) -> Kind:
    """A computed step of a layer norm: one for each layer of a block, one after all blocks."""
    return Kind(
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


def _learned(name: str, symbol: Letter) -> Kind:
    return given(name, symbol, "norm", "layer", numbered="layer", layer_norm=True, shown=LEARNED)


ESSENTIAL = Asked(1, second=2)

KINDS = (
    Kind(
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
