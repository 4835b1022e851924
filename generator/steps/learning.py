"""The kinds of steps of training: gradients, new weights, the learning rate."""

from generator.engine.place import Place
from generator.steps.kind import Chapter, Kind, Letter, given, letter


def _learned(
    name: str, symbol: Letter, chapter: Chapter, *, rounded: bool = True, says: bool = False
) -> Kind:
    return Kind(
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


KINDS = (
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
