"""The sections of the complete run: which steps stand side by side, and which lines are worked."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.sheets.attending import visible_to
from generator.steps import kind_of

# In the order of the document that this page follows: query, key and value before the scores.
HEAD = ("matrices", "query", "key", "value", "scores", "softmax", "sum")
TOGETHER = {"key": "query", "value": "query"}
TOGETHER |= {"softmax": "scores", "sum": "scores", "choice": "probabilities"}
CHOSEN = ("probabilities", "choice")
# Words and positions label the rows of other tables, the mask is seen in the masked scores, terms
# of the output in its worked line; similarities and one-hot vectors lead nowhere.
ELSEWHERE = {
    *("tokens", "vocabulary.words", "onehot", "similarity", "mask", "contribution"),
    *("temperature", "sampling.share"),
}
COPIED = {"ids", "embedding", "masked", "concat", "last", "sampling.rank", "sampling.kept"}
WHOLE_ROWS = {"attention", "residual", "normalised", "norm", "hidden", "feedforward"}
MOST_LINES = 12


class Group(NamedTuple):
    """Steps that stand side by side, and below them the cells, by step, that are worked."""

    steps: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]


class Section(NamedTuple):
    """A part of the computation: the key of its title, where it is, its groups of steps."""

    key: str
    block: int | None
    head: int | None
    groups: tuple[Group, ...]


def sections(trace: Trace, worked: int) -> list[Section]:
    """The computation in the order of the document "Komplette Mathematik", source 000.

    `worked` is the token (from 0) whose arithmetic is printed where one row stands for all.
    """
    shown = [step for step in trace if _is_shown(step)]
    ordered = [step for one in _by_place(shown) for step in one]
    return [
        Section(*place, tuple(_groups(trace, list(steps), worked)))
        for place, steps in groupby(ordered, _section)
    ]


def _is_shown(step: Step) -> bool:
    kind = kind_of(step.name)
    hidden = kind.tab in ("count", "bpe") or kind.name.startswith(("loss.", "switch."))
    hidden |= step.place.learning or step.place.round > 1
    return not hidden and kind.name not in ELSEWHERE


def _by_place(steps: list[Step]) -> Iterator[list[Step]]:
    """The steps of one head together, its matrices first and its output last."""
    for head, own in groupby(steps, lambda step: (step.place.block, step.place.head)):
        steps_of_place = list(own)
        if head[1] is not None:
            steps_of_place.sort(key=lambda step: HEAD.index(str(kind_of(step.name).chapter)))
        yield steps_of_place


def _section(step: Step) -> tuple[str, int | None, int | None]:
    """The key of the section's title, its block and its head."""
    kind, place = kind_of(step.name), step.place
    if place.head is not None:
        return "head", place.block, place.head
    if kind.chapter == "input":
        return ("tokens" if kind.tab == "tokens" else "position"), None, None
    if kind.chapter == "norm":
        return f"norm.{'final' if place.final else place.number}", place.block, None
    if kind.chapter in CHOSEN:
        return "choice", None, None
    if kind.name == "scale":
        return "scale", None, None
    return str(kind.chapter), place.block, None


def _groups(trace: Trace, steps: list[Step], worked: int) -> Iterator[Group]:
    def chapter(step: Step) -> str:
        name = str(kind_of(step.name).chapter)
        return TOGETHER.get(name, name)

    for _, some in groupby(steps, chapter):
        side = list(some)
        lines = [(step.name, tuple(_lines(trace, step, worked))) for step in side]
        yield Group(tuple(step.name for step in side), tuple(one for one in lines if one[1]))


def _lines(trace: Trace, step: Step, worked: int) -> Iterator[Cell]:
    """The cells of a step that are worked: an example, where the source has it all of a kind."""
    kind = kind_of(step.name)
    if step.kind == "given" or step.text or kind.name in COPIED:
        return
    row = worked if kind.rows == "tokens" else 0
    if kind.name == "output":
        yield from ((step.name, i, 0) for i in range(step.shape[0]) if visible_to(trace, i))
    elif kind.name == "output.logits":
        yield from ((step.name, 0, j) for j in range(min(MOST_LINES, step.shape[1])))
    elif kind.name in WHOLE_ROWS:
        yield from ((step.name, row, j) for j in range(step.shape[1]))
    elif not kind.square or 0 in visible_to(trace, row):
        yield step.name, row, 0
