"""The kinds of steps from the last vector to the probabilities of all words.

Also here:

* The kinds of steps that choose the next token.
* The kinds of steps that say how good a guess was; their decimals are fixed.
* The kinds of steps of training: gradients, new weights, the learning rate.
"""

from functools import partial

from generator.steps.kind import BESIDE, Asked, StepKind, TabStyle, computed, given, letter

DRAWN = Asked(1, row="drawn")
POWERS, BARS = TabStyle(group="powers"), TabStyle(group="powers", chart="bars")

_logits = partial(StepKind, chapter="logits", tab="output")
# A row for each token, where every position predicts.
_all = partial(_logits, shown=TabStyle(order=6))
# A row for each temperature.
_tempered = partial(
    computed, chapter="probabilities", tab="output", rows="temperatures", shown=POWERS
)
_by_word = partial(_tempered, by_word=True)

KINDS = (
    _logits("last", letter("y"), source="vector", rows="one", says=True),
    given("output.matrix", letter("W_U", "W_{U}"), "logits", "output", rows="words", shown=BESIDE),
    given("output.bias", letter("b_U", "b_{U}"), "logits", "output", shown=BESIDE),
    computed(
        *("output.logits", letter("z"), "logits", "output"),
        asked=Asked(1, row="first"),
        rows="one",
        by_word=True,
        shown=TabStyle("logits"),
    ),
    given("temperature", letter("T"), "probabilities", "start"),
    _by_word(
        *("output.tempered", letter("z_T", "z_{T}")),
        asked=Asked(3, row="drawn"),
        shown=TabStyle("tempered"),
    ),
    _tempered("output.max", letter("max", r"\max"), in_decimals=False, live=False, shown=BESIDE),
    _by_word("output.shifted", letter("z_0", "z_{0}")),
    _by_word("output.exp", letter("Exp", r"\mathrm{Exp}"), asked=DRAWN, says=True),
    _tempered("output.sum", letter("Σ", r"\Sigma"), asked=DRAWN, shown=BESIDE),
    _by_word("output.probabilities", letter("P"), asked=DRAWN, shown=BARS),
    _all("output.all.logits", letter("Z"), in_decimals=True, live=True, by_word=True),
    _all("output.all.compared", letter("Z_10", "Z_{10}"), by_word=True),
    _all("output.all.next", letter("next", r"\mathrm{next}")),
)


CHOICE = "choice"  # the table of the intervals, read from left to right

_setting = partial(given, chapter="choice", tab="start")
_choosing = partial(StepKind, chapter="choice", tab="output", rows="one")
_word = partial(_choosing, by_word=True, shown=TabStyle(group=CHOICE))
_rounded = partial(_word, in_decimals=True, live=True)

SAMPLING = (
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


LATE = TabStyle("line", order=5)  # asked after the choice

_loss = partial(StepKind, chapter="choice", tab="output", rows="one", shown=LATE)
# The loss over every position; training alone has it.
_each = partial(_loss, shown=TabStyle(order=7))
_each_live = partial(_each, live=True)

LOSSES = (
    given("loss.target", letter("tok*", r"\mathrm{tok}^{*}"), "choice", "output", shown=LATE),
    _loss("loss.onehot", letter("OH*", r"\mathrm{OH}^{*}"), shown=TabStyle(order=5)),
    _loss("loss.id", letter("ID*", r"\mathrm{ID}^{*}")),
    _loss("loss.probability", letter("P*", "P^{*}")),
    _loss("loss.cross_entropy", letter("CE", r"\mathrm{CE}"), live=True),
    _loss("loss.perplexity", letter("PP", r"\mathrm{PP}"), live=True),
    _each("loss.all.states", letter("Y*", "Y^{*}")),
    _each_live("loss.all.logits", letter("Z*", "Z^{*}")),
    _each_live("loss.all.tempered", letter("Z*_T", "Z^{*}_{T}")),
    _each("loss.all.max", letter("max*", r"\max^{*}")),
    _each_live("loss.all.shifted", letter("Z*_0", "Z^{*}_{0}")),
    _each_live("loss.all.exp", letter("Exp*", r"\mathrm{Exp}^{*}")),
    _each_live("loss.all.sum", letter("Σ*", r"\Sigma^{*}")),
    _each_live("loss.all.probabilities", letter("P*_all", r"P^{*}_{\mathrm{all}}")),
    _each("loss.all.target", letter("tok*", r"\mathrm{tok}^{*}")),
    _each("loss.all.onehot", letter("OH*", r"\mathrm{OH}^{*}")),
    _each("loss.all.id", letter("ID*", r"\mathrm{ID}^{*}")),
    _each("loss.all.probability", letter("P*", "P^{*}")),
    _each_live("loss.all.cross_entropy", letter("CE*", r"\mathrm{CE}^{*}")),
)


_gradient = partial(StepKind, chapter="gradients", tab="learn", rows="one")

LEARNING = (
    given("learning.rate", letter("η", r"\eta"), "gradients", "learn"),
    _gradient("grad", letter("∂", r"\partial"), in_decimals=True, live=True, says=True),
    _gradient("grad.average", letter("avg", r"\mathrm{avg}")),
    _gradient("grad.projection", letter("proj", r"\mathrm{proj}")),
    computed("update", letter("W⁺", "W^{+}"), "update", "learn", rows="one"),
)
