"""The registry of steps: what a kind of step is called, shown and asked stands here, once.

In `kinds.toml`; `kind_of` finds the entry of a step, and a step that has none stops.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from generator.engine.place import Place, place_of
from generator.engine.trace import Trace
from generator.errors import did_you_mean
from generator.resources import table
from generator.steps.kind import Asked, Chapter, Letter, StepKind, TabStyle

__all__ = [
    "KINDS",
    "Asked",
    "Chapter",
    "Letter",
    "StepKind",
    "kind_of",
    "letter_of",
    "named",
    "shaped_as",
]

Entry = Mapping[str, Any]  # of the table
# What stands in it as a list or a table is for these keys.
PARTS: Final[Mapping[str, Callable[[Any], object]]] = {
    **dict.fromkeys(("letter", "second_letter", "unfinished"), Letter._make),
    "asked": lambda said: Asked(**said),
    "shown": lambda said: TabStyle(**said),
}


def _read() -> Iterator[StepKind]:
    """The entries of `kinds.toml`, each with what it has in common with others."""
    said = table("steps/kinds.toml")
    for name, own in said["kinds"].items():
        keys = _whole(own, said["like"])
        parts = {key: PARTS[key](keys[key]) for key in PARTS.keys() & keys.keys()}
        yield StepKind(name=name, **{**keys, **parts})


def _whole(own: Entry, shared: Mapping[str, Entry]) -> Entry:
    """An entry with the keys that it shares."""
    return {**_whole(shared[own["like"]], shared), **own} if "like" in own else own


KINDS: Final[Mapping[str, StepKind]] = MappingProxyType({kind.name: kind for kind in _read()})


def kind_of(step: str) -> StepKind:
    """What a step of that name says of itself; LookupError for a kind that says nothing."""
    return named(place_of(step).kind)


def named(kind: str) -> StepKind:
    """The entry of that name; LookupError where there is none."""
    entry = KINDS.get(kind)
    if entry is None:
        hint = did_you_mean(kind, KINDS)
        raise LookupError(f"generator/steps has no kind of step {kind!r}{hint}: write its entry")
    return entry


def shaped_as(step: str) -> StepKind:
    """The entry that says what rows and columns stand for: of a gradient that of its step."""
    return kind_of(place_of(step).of or step)


def letter_of(step: str, trace: Trace | None = None) -> Letter:
    """The symbol of a step, primed in the second layer; LookupError for one that has none.

    With the Trace a norm that gain and shift follow has another one than their result.
    """
    kind, place = kind_of(step), place_of(step)
    if place.kind in ("grad", "update"):
        return _of_learning(place, letter_of(place.of, trace), trace)
    symbol = kind.unfinished if trace and kind.unfinished and _goes_on(step, trace) else kind.letter
    if symbol is None:
        raise LookupError(f"the step {step!r} has no symbol, so nothing can print its formula")
    if kind.numbered != "layer" or place.number != 2:
        return symbol
    return kind.second_letter or Letter(f"{symbol.plain}′", f"{symbol.latex}'")


def _of_learning(place: Place, base: Letter, trace: Trace | None) -> Letter:
    """∂Q, short for ∂L/∂Q, from the letter of its step; ∂X(Q) for the part of one use; W_Q⁺.

    A use has the number of its head, where it has one.
    """
    if place.kind == "update":
        return Letter(f"{base.plain}⁺", f"{{{base.latex}}}^{{+}}")
    if not place.use:
        return Letter(f"∂{base.plain}", rf"\partial {base.latex}")
    (plain, latex), head = letter_of(place.use, trace), place_of(place.use).head
    if head is not None:
        raised = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(head))
        plain, latex = f"{plain}⁽{raised}⁾", f"{{{latex}}}^{{({head})}}"
    return Letter(f"∂{base.plain}({plain})", rf"\partial {base.latex}({latex})")


def _goes_on(step: str, trace: Trace) -> bool:
    """Whether gain and shift follow a norm: the finished step is there as well."""
    return step.replace("normalised", "norm") in trace
