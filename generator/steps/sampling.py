"""The kinds of steps that choose the next token."""

from generator.steps.kind import Asked, Kind, Letter, Shown, given, letter

CHOICE = "choice"  # the table of the intervals, read from left to right


def _setting(name: str, symbol: Letter) -> Kind:
    return given(f"sampling.{name}", symbol, "choice", "start")


def _choosing(
    name: str,
    symbol: Letter,
    asked: Asked | None = None,
    shown: Shown = Shown(group=CHOICE),  # noqa: B008 (frozen)
    *,
    rounded: bool = False,
    says: bool = False,
) -> Kind:
    return Kind(
        f"sampling.{name}",
        symbol,
        "choice",
        "output",
        asked=asked,
        in_decimals=rounded,
        live=rounded,
        rows="one",
        by_word=shown.group == CHOICE,
        shown=shown,
        says=says,
    )


KINDS = (
    _setting("strategy", letter("s")),
    _setting("k", letter("k")),
    _setting("p", letter("p_min", r"p_{\min}")),
    _setting("random", letter("z")),
    _choosing("share", letter("p"), shown=Shown("sampling", CHOICE)),
    _choosing("rank", letter("r"), Asked(3, row="first")),
    _choosing("kept", letter("b")),
    _choosing("renormalised", letter("p′", "p'"), rounded=True),
    _choosing("cumulative", letter("F"), shown=Shown(group=CHOICE, order=2), rounded=True),
    _choosing("from", letter("F_0", "F_{0}"), shown=Shown(group=CHOICE, order=1)),
    _choosing(
        "digits",
        letter("z_00–99", r"z_{00\text{–}99}"),
        shown=Shown(group=CHOICE, order=3, centred=True),
    ),
    _choosing(
        "next",
        letter("next", r"\mathrm{next}"),
        Asked(1, row="first"),
        Shown("line", order=4, result=True),
        says=True,
    ),
)
