"""The order in which the walk shows the steps, and the chapters they belong to."""

from collections.abc import Iterable

from generator.engine.trace import Step, Trace
from generator.steps import Chapter, kind_of
from generator.steps.variant import variant

HEAD = ("matrices", "query", "key", "scores", "softmax", "value", "sum")


def chapter(step: Step) -> Chapter:
    """The chapter of a step; LookupError for a step that the walk does not show."""
    own_chapter = kind_of(step.name).chapter
    if own_chapter is None:
        raise LookupError(f"the step {step.name!r} belongs to no chapter of the walk")
    return own_chapter if step.place.step == 1 or step.place.of else "again"


def ordered(trace: Trace) -> list[Step]:
    """All steps in an order of computation in which each is shown when it is needed.

    As on source slides, a head's matrices come first and its values last, and √d_k is told where
    it divides for the first time.
    """
    result: list[Step] = []
    waiting: list[Step] = []
    for step in trace:
        if waiting and (step.place[:3] != waiting[0].place[:3] or step.place.learning):
            result += by_chapter(waiting)
            waiting = []
        alone = step.place.head is None or step.place.learning  # told as it is computed
        (result if alone else waiting).append(step)
    return _scale_when_needed(result + by_chapter(waiting))


def by_chapter(steps: Iterable[Step]) -> list[Step]:
    """The steps of one head, chapter by chapter."""
    return sorted(steps, key=lambda step: HEAD.index(chapter(step)))


def said(step: Step) -> str:
    """The key of the sentence that says what happens in a step."""
    ending = variant(step) if kind_of(step.name).says else ""
    return f"walk.say.{step.place.kind}{ending}"


def _scale_when_needed(steps: list[Step]) -> list[Step]:
    scale = [step for step in steps if step.name == "scale"]
    rest = [step for step in steps if step.name != "scale"]
    users = (k for k, step in enumerate(rest) if "scale" in step.inputs)
    place = next(users, len(rest))
    return rest[:place] + scale + rest[place:]
