"""The kinds of steps that choose the next token."""

from functools import partial

from generator.steps.kind import Asked, StepKind, TabStyle, given, letter

CHOICE = "choice"  # the table of the intervals, read from left to right

_setting = partial(given, chapter="choice", tab="start")
_choosing = partial(StepKind, chapter="choice", tab="output", rows="one")
_word = partial(_choosing, by_word=True, shown=TabStyle(group=CHOICE))
_rounded = partial(_word, in_decimals=True, live=True)

KINDS = (
    _setting("sampling.strategy", letter("strat", r"\mathrm{strat}")),
    _setting("sampling.k", letter("k")),
    _setting("sampling.p", letter("p")),
    _setting("sampling.random", letter("rand", r"\mathrm{rand}")),
    _word("sampling.share", letter("P_T", "P_{T}"), shown=TabStyle("sampling", CHOICE)),
    _word("sampling.rank", letter("rk", r"\mathrm{rk}"), asked=Asked(3, row="first")),
    _word("sampling.kept", letter("kept", r"\mathrm{kept}")),
    _rounded("sampling.renormalised", letter("P_kept", r"P_{\mathrm{kept}}")),
    _rounded(
        "sampling.cumulative", letter("cum", r"\mathrm{cum}"), shown=TabStyle(group=CHOICE, order=2)
    ),
    _word(
        "sampling.from", letter("cum_0", r"\mathrm{cum}_{0}"), shown=TabStyle(group=CHOICE, order=1)
    ),
    _word(
        *("sampling.digits", letter("00–99", r"\text{00–99}")),
        shown=TabStyle(group=CHOICE, order=3, centred=True),
    ),
    _choosing(
        *("sampling.next", letter("next", r"\mathrm{next}")),
        asked=Asked(1, row="first"),
        shown=TabStyle("line", order=4, result=True),
        says=True,
    ),
)
