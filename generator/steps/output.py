"""The kinds of steps from the last vector to the probabilities of all words."""

from generator.steps.kind import BESIDE, Asked, Kind, Letter, Shown, given, letter

LOGITS = letter("z")
ALL_LOGITS = letter("Z")  # a row for each token
DRAWN = Asked(1, row="drawn")
POWERS, LATE = Shown(group="powers"), Shown(order=6)


def _tempered(
    name: str,
    symbol: Letter,
    asked: Asked | None,
    shown: Shown = POWERS,
    *,
    live: bool = True,
    says: bool = False,
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
        rows="temperatures",
        by_word=name not in ("max", "sum"),
        shown=shown,
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
        by_word=name != "next",
        shown=LATE,
    )


KINDS = (
    Kind(
        "last",
        letter("y"),
        "logits",
        "output",
        asked=None,
        in_decimals=False,
        live=False,
        source="vector",
        rows="one",
        says=True,
    ),
    given("output.matrix", letter("W_U", "W_{U}"), "logits", "output", rows="words", shown=BESIDE),
    given("output.bias", letter("b_U", "b_{U}"), "logits", "output", shown=BESIDE),
    Kind(
        "output.logits",
        LOGITS,
        "logits",
        "output",
        asked=Asked(1, row="first"),
        in_decimals=True,
        live=True,
        rows="one",
        by_word=True,
        shown=Shown("logits"),
    ),
    given("temperature", letter("T"), "probabilities", "start"),
    _tempered("tempered", letter("z_T", "z_{T}"), Asked(3, row="drawn"), Shown("tempered")),
    _tempered("max", letter("max", r"\max"), None, BESIDE, live=False),
    _tempered("shifted", letter("z_0", "z_{0}"), None),
    _tempered("exp", letter("Exp", r"\mathrm{Exp}"), DRAWN, says=True),
    _tempered("sum", letter("Σ", r"\Sigma"), DRAWN, BESIDE),
    _tempered("probabilities", letter("P"), DRAWN, Shown(group="powers", chart="bars")),
    _all("logits", ALL_LOGITS, rounded=True),
    _all("compared", letter("Z_10", "Z_{10}")),
    _all("next", letter("next", r"\mathrm{next}")),
)
