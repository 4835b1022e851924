"""The kinds of steps from the last vector to the probabilities of all words.

Also here:

* The kinds of steps that say how good a guess was; their decimals are fixed.
* The kinds of steps of training: gradients, new weights, the learning rate.
"""

from generator.engine.place import Place
from generator.steps.kind import BESIDE, Asked, Chapter, Letter, StepKind, TabStyle, given, letter

LOGITS = letter("z")
ALL_LOGITS = letter("Z")  # a row for each token
DRAWN = Asked(1, row="drawn")
POWERS, LATE = TabStyle(group="powers"), TabStyle(order=6)


def _tempered(
    name: str,
    symbol: Letter,
    asked: Asked | None,
    shown: TabStyle = POWERS,
    *,
    live: bool = True,
    says: bool = False,
) -> StepKind:
    """A step with a row for each temperature."""
    return StepKind(
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


def _all(name: str, symbol: Letter, *, rounded: bool = False) -> StepKind:
    """A step with a row for each token, where every position predicts."""
    return StepKind(
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
    StepKind(
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
    StepKind(
        "output.logits",
        LOGITS,
        "logits",
        "output",
        asked=Asked(1, row="first"),
        in_decimals=True,
        live=True,
        rows="one",
        by_word=True,
        shown=TabStyle("logits"),
    ),
    given("temperature", letter("T"), "probabilities", "start"),
    _tempered("tempered", letter("z_T", "z_{T}"), Asked(3, row="drawn"), TabStyle("tempered")),
    _tempered("max", letter("max", r"\max"), None, BESIDE, live=False),
    _tempered("shifted", letter("z_0", "z_{0}"), None),
    _tempered("exp", letter("Exp", r"\mathrm{Exp}"), DRAWN, says=True),
    _tempered("sum", letter("Σ", r"\Sigma"), DRAWN, BESIDE),
    _tempered("probabilities", letter("P"), DRAWN, TabStyle(group="powers", chart="bars")),
    _all("logits", ALL_LOGITS, rounded=True),
    _all("compared", letter("Z_10", "Z_{10}")),
    _all("next", letter("next", r"\mathrm{next}")),
)


LINE = TabStyle("line", order=5)  # asked after the choice


def _of_loss(name: str, symbol: Letter, shown: TabStyle = LINE, *, live: bool = False) -> StepKind:
    return StepKind(
        f"loss.{name}",
        symbol,
        "choice",
        "output",
        asked=None,
        in_decimals=False,
        live=live,
        rows="one",
        shown=shown,
    )


def _each(name: str, plain: str, latex: str, *, live: bool = True) -> StepKind:
    """A step of the loss over every position; training alone has it."""
    return _of_loss(f"all.{name}", letter(plain, latex), LATEST, live=live)


LATEST = TabStyle(order=7)

LOSSES = (
    given("loss.target", letter("tok*", r"\mathrm{tok}^{*}"), "choice", "output", shown=LINE),
    _of_loss("onehot", letter("OH*", r"\mathrm{OH}^{*}"), TabStyle(order=5)),
    _of_loss("id", letter("ID*", r"\mathrm{ID}^{*}")),
    _of_loss("probability", letter("P*", "P^{*}")),
    _of_loss("cross_entropy", letter("CE", r"\mathrm{CE}"), live=True),
    _of_loss("perplexity", letter("PP", r"\mathrm{PP}"), live=True),
    _each("states", "Y*", "Y^{*}", live=False),
    _each("logits", "Z*", "Z^{*}"),
    _each("tempered", "Z*_T", "Z^{*}_{T}"),
    _each("max", "max*", r"\max^{*}", live=False),
    _each("shifted", "Z*_0", "Z^{*}_{0}"),
    _each("exp", "Exp*", r"\mathrm{Exp}^{*}"),
    _each("sum", "Σ*", r"\Sigma^{*}"),
    _each("probabilities", "P*_all", r"P^{*}_{\mathrm{all}}"),
    _each("target", "tok*", r"\mathrm{tok}^{*}", live=False),
    _each("onehot", "OH*", r"\mathrm{OH}^{*}", live=False),
    _each("id", "ID*", r"\mathrm{ID}^{*}", live=False),
    _each("probability", "P*", "P^{*}", live=False),
    _each("cross_entropy", "CE*", r"\mathrm{CE}^{*}"),
)


def _learned(
    name: str, symbol: Letter, chapter: Chapter, *, rounded: bool = True, says: bool = False
) -> StepKind:
    return StepKind(
        name,
        symbol,
        chapter,
        "learn",
        asked=None,
        in_decimals=rounded,
        live=rounded,
        rows="one",
        says=says,
    )


LEARNING = (
    given("learning.rate", letter("η", r"\eta"), "gradients", "learn"),
    _learned("grad", letter("∂", r"\partial"), "gradients", says=True),
    _learned("grad.average", letter("avg", r"\mathrm{avg}"), "gradients", rounded=False),
    _learned("grad.projection", letter("proj", r"\mathrm{proj}"), "gradients", rounded=False),
    _learned("update", letter("W⁺", "W^{+}"), "update"),
)


def letter_from(place: Place, base: Letter, use: Letter | None) -> Letter:
    """∂Q, short for ∂L/∂Q, from the letter of its step; ∂X(Q) for the part of one use; W_Q⁺."""
    if place.kind == "update":
        return Letter(f"{base.plain}⁺", f"{{{base.latex}}}^{{+}}")
    if use is None:
        return Letter(f"∂{base.plain}", rf"\partial {base.latex}")
    return Letter(f"∂{base.plain}({use.plain})", rf"\partial {base.latex}({use.latex})")
