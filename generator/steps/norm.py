"""The kinds of steps around the layers of a block: residual connection and norm.

Also here:

* The kinds of steps of the feed-forward network.
"""

from functools import partial

from generator.steps.kind import FACTOR, TABLE, Asked, Letter, TabStyle, computed, given, letter

ROW, LEARNED = TabStyle(group="norm"), TabStyle(group="learned")
ESSENTIAL = Asked(1, second=2)

# One for each layer of a block, one after all blocks.
_norm = partial(computed, chapter="norm", tab="layer", numbered="layer", shown=ROW)
_small = partial(_norm, asked=ESSENTIAL, layer_norm=True)
_learned = partial(
    given, chapter="norm", tab="layer", numbered="layer", layer_norm=True, shown=LEARNED
)

KINDS = (
    _norm("residual", letter("R"), asked=Asked(1)),
    _small("mean", letter("μ", r"\mu")),
    _small("variance", letter("σ²", r"\sigma^{2}"), second_letter=Letter("σ′²", r"{\sigma'}^{2}")),
    _small("deviation", letter("σ", r"\sigma")),
    _small(
        *("square", letter("RMS²", r"\mathrm{RMS}^{2}")),
        second_letter=Letter("RMS′²", r"{\mathrm{RMS}'}^{2}"),
    ),
    _small("rms", letter("RMS", r"\mathrm{RMS}")),
    _small("normalised", letter("Y"), says=True, unfinished=letter("Ŷ", r"\hat{Y}")),
    _learned("gain", letter("γ", r"\gamma")),
    _learned("beta", letter("β", r"\beta")),
    _small("norm", letter("Y"), asked=Asked(2), shown=TABLE, says=True),
)

_weight = partial(given, chapter="feedforward", tab="feedforward", shown=FACTOR)
_network = partial(
    computed, chapter="feedforward", tab="feedforward", asked=Asked(1, worked=3), shown=TABLE
)

FEEDFORWARD = (
    _weight("weight.hidden", letter("W₁", "W_{1}")),
    _weight("bias.hidden", letter("b₁", "b_{1}")),
    _network("hidden", letter("H")),
    _network("activation", letter("A"), says=True, shown=TabStyle(factor="left")),
    _weight("weight.feedforward", letter("W₂", "W_{2}")),
    _weight("bias.feedforward", letter("b₂", "b_{2}")),
    _network("feedforward", letter("F")),
)
