"""The kinds of steps of the feed-forward network."""

from generator.steps.kind import Asked, Kind, Letter, given, letter


def _network(name: str, symbol: Letter, *, says: bool = False) -> Kind:
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
    )


KINDS = (
    given("weight.hidden", letter("W₁", "W_{1}"), "feedforward", "feedforward"),
    given("bias.hidden", letter("b₁", "b_{1}"), "feedforward", "feedforward"),
    _network("hidden", letter("H")),
    _network("activation", letter("G"), says=True),
    given("weight.feedforward", letter("W₂", "W_{2}"), "feedforward", "feedforward"),
    given("bias.feedforward", letter("b₂", "b_{2}"), "feedforward", "feedforward"),
    _network("feedforward", letter("F")),
)
