"""The kinds of steps that choose the next token."""

from generator.steps.kind import Asked, Letter, StepKind, TabStyle, given, letter

CHOICE = "choice"  # the table of the intervals, read from left to right


def _setting(name: str, symbol: Letter) -> StepKind:
    return given(f"sampling.{name}", symbol, "choice", "start")


def _choosing(
    name: str,
    symbol: Letter,
    asked: Asked | None = None,
    shown: TabStyle = TabStyle(group=CHOICE),  # noqa: B008 (frozen)
    *,
    rounded: bool = False,
    says: bool = False,
) -> StepKind:
    return StepKind(
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
    _setting("strategy", letter("strat", r"\mathrm{strat}")),
    _setting("k", letter("k")),
    _setting("p", letter("p")),
    _setting("random", letter("rand", r"\mathrm{rand}")),
    _choosing("share", letter("P_T", "P_{T}"), shown=TabStyle("sampling", CHOICE)),
    _choosing("rank", letter("rk", r"\mathrm{rk}"), Asked(3, row="first")),
    _choosing("kept", letter("kept", r"\mathrm{kept}")),
    _choosing("renormalised", letter("P_kept", r"P_{\mathrm{kept}}"), rounded=True),
    _choosing(
        "cumulative",
        letter("cum", r"\mathrm{cum}"),
        shown=TabStyle(group=CHOICE, order=2),
        rounded=True,
    ),
    _choosing("from", letter("cum_0", r"\mathrm{cum}_{0}"), shown=TabStyle(group=CHOICE, order=1)),
    _choosing(
        "digits",
        letter("00–99", r"\text{00–99}"),
        shown=TabStyle(group=CHOICE, order=3, centred=True),
    ),
    _choosing(
        "next",
        letter("next", r"\mathrm{next}"),
        Asked(1, row="first"),
        TabStyle("line", order=4, result=True),
        says=True,
    ),
)
