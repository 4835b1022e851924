"""The order in which the walk tells the steps, and the chapters they belong to."""

from collections.abc import Iterable

from generator.engine.ops import Copy, Power, Winner
from generator.engine.trace import Step, Trace
from generator.notation.letters import kind
from generator.notation.words import power_ending
from generator.text.catalogue import step_place

HEAD = ("matrices", "query", "key", "scores", "softmax", "value", "sum")

_MEMBERS = {
    "input": "tokens onehot ids embedding similarity position input",
    "matrices": "weight.query weight.key weight.value bias.query bias.key bias.value",
    "query": "query",
    "key": "key",
    "scores": "scores scale scaled mask masked",
    "softmax": "max shifted exp sum weights",
    "value": "value",
    "sum": "contribution output",
    "heads": "concat weight.output bias.output attention",
    "norm": "residual mean variance deviation normalised gain beta norm",
    "feedforward": "weight.hidden bias.hidden hidden activation weight.feedforward"
    " bias.feedforward feedforward",
    "logits": "last output.matrix output.bias output.logits",
    "probabilities": "temperature output.tempered output.max output.shifted output.exp output.sum"
    " output.probabilities",
}
_FAMILIES = {
    "switch.": "input",
    "vocabulary.": "input",
    "position.": "input",
    "output.all.": "logits",
    "sampling.": "choice",
    "loss.": "choice",
    "count.": "count",
}
_CHAPTERS = {member: name for name, members in _MEMBERS.items() for member in members.split()}


def chapter(name: str) -> str:
    """The chapter of a step; KeyError for a step that belongs to none."""
    for family, found in _FAMILIES.items():
        if name.startswith(family):
            return found
    return _CHAPTERS[kind(name)]


def ordered(trace: Trace) -> list[Step]:
    """All steps in an order of computation in which each is told when it is needed.

    As on source slides, a head's matrices come first and its values last, and √d_k is told where
    it divides for the first time.
    """
    result: list[Step] = []
    waiting: list[Step] = []
    for step in trace:
        if waiting and step_place(step.name)[:2] != step_place(waiting[0].name)[:2]:
            result += by_chapter(waiting)
            waiting = []
        is_head = step_place(step.name)[1] is not None
        (waiting if is_head else result).append(step)
    return _scale_when_needed(result + by_chapter(waiting))


def by_chapter(steps: Iterable[Step]) -> list[Step]:
    """The steps of one head, chapter by chapter."""
    return sorted(steps, key=lambda step: HEAD.index(chapter(step.name)))


def said(step: Step, trace: Trace) -> str:
    """The key of the sentence that says what happens in a step."""
    name = kind(step.name)
    match name:
        case "input":
            copied = ".copy" if isinstance(step.op, Copy) else ""
            return name + (".given" if step.kind == "given" else copied)
        case "position":
            return name + (".learned" if step.kind == "given" else "")
        case "last":
            return name + (".given" if step.kind == "given" else "")
        case "mask":
            return name + (".strict" if trace.preset.mask == "strict" else "")
        case "exp" | "output.exp" if isinstance(step.op, Power):
            return name + power_ending(step.op, step.name)
        case "activation":
            return f"{name}.{trace.preset.activation}"
        case "sampling.next":
            return name + (".greedy" if isinstance(step.op, Winner) else ".drawn")
        case _:
            return name


def _scale_when_needed(steps: list[Step]) -> list[Step]:
    scale = [step for step in steps if step.name == "scale"]
    rest = [step for step in steps if step.name != "scale"]
    users = (k for k, step in enumerate(rest) if "scale" in step.inputs)
    place = next(users, len(rest))
    return rest[:place] + scale + rest[place:]
