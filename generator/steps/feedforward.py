"""The kinds of steps of the feed-forward network."""

from generator.steps.kind import FACTOR, TABLE, Asked, Kind, Letter, Shown, given, letter


def _network(name: str, symbol: Letter, *, says: bool = False, shown: Shown = TABLE) -> Kind:
    """A computed step of the network."""
    return Kind(
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


KINDS = (
    given("weight.hidden", letter("W₁", "W_{1}"), "feedforward", "feedforward", shown=FACTOR),
    given("bias.hidden", letter("b₁", "b_{1}"), "feedforward", "feedforward", shown=FACTOR),
    _network("hidden", letter("H")),
    _network("activation", letter("A"), says=True, shown=Shown(factor="left")),
    given("weight.feedforward", letter("W₂", "W_{2}"), "feedforward", "feedforward", shown=FACTOR),
    given("bias.feedforward", letter("b₂", "b_{2}"), "feedforward", "feedforward", shown=FACTOR),
    _network("feedforward", letter("F")),
)
