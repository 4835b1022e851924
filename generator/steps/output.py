"""The kinds of steps from the last vector to the probabilities of all words."""

from generator.steps.kind import Asked, Kind, Letter, given, letter

LOGITS = letter("L")
DRAWN = Asked(1, row="drawn")


def _tempered(
    name: str, symbol: Letter, asked: Asked | None, *, live: bool = True, says: bool = False
) -> Kind:
    """A step with a row for each temperature."""
    return Kind(
        f"output.{name}",
        symbol,
        "probabilities",
        "output",
        asked=asked,
        in_decimals=live,
        live=live,
        rows="one",
        says=says,
    )


def _all(name: str, symbol: Letter, *, rounded: bool = False) -> Kind:
    """A step with a row for each token, where every position predicts."""
    return Kind(
        f"output.all.{name}",
        symbol,
        "logits",
        "output",
        asked=None,
        in_decimals=rounded,
        live=rounded,
    )


KINDS = (
    Kind(
        "last",
        letter("x"),
        "logits",
        "output",
        asked=None,
        in_decimals=False,
        live=False,
        source="vector",
        rows="one",
        says=True,
    ),
    given("output.matrix", letter("W_U", "W_{U}"), "logits", "output", rows="words"),
    given("output.bias", letter("b_U", "b_{U}"), "logits", "output"),
    Kind(
        "output.logits",
        LOGITS,
        "logits",
        "output",
        asked=Asked(1, row="first"),
        in_decimals=True,
        live=True,
        rows="one",
    ),
    given("temperature", letter("T"), "probabilities", "output"),
    _tempered("tempered", letter("Z"), Asked(3, row="drawn")),
    _tempered("max", letter("m"), None, live=False),
    _tempered("shifted", letter("Z″", "Z''"), None),
    _tempered("exp", letter("Exp", r"\mathrm{Exp}"), DRAWN, says=True),
    _tempered("sum", letter("Σ", r"\Sigma"), DRAWN),
    _tempered("probabilities", letter("P"), DRAWN),
    _all("logits", LOGITS, rounded=True),
    _all("compared", letter("L′", "L'")),
    _all("next", letter("next", r"\mathrm{next}")),
)
