"""What sheet 5 says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.norm_slips import furthest, without_old
from generator.notation.shown import shown_value
from generator.sheets.filling import fills
from generator.sheets.sheet5.plan import Plan5


def zeros(trace: Trace, plan: Plan5) -> bool:
    """Whether a weight of the network is 0, and so printed in grey."""
    names = (trace[name].inputs[1] for name in (plan.hidden, plan.output))
    return any(bool((trace[name].values == 0).any()) for name in names)


def zeros_first(trace: Trace, plan: Plan5) -> bool:
    """Whether a weight of the network's first matrix is 0."""
    return bool((trace[trace[plan.hidden].inputs[1]].values == 0).any())


def old_counts(trace: Trace, plan: Plan5) -> bool:
    """Whether the result would be another, as printed, if nobody added the old row."""
    name = plan.first.normalised
    alone = without_old(trace, plan.first, plan.own)
    if alone is None:
        return False
    j = furthest(trace, plan.first, plan.own)
    step = trace[name]
    other = step._replace(values=alone[None, :])
    return shown_value(step, plan.own, j) != shown_value(other, 0, j)


def place_counts(trace: Trace, plan: Plan5) -> bool:
    """Whether that old row holds the word's place, too."""
    return "position" in trace and old_counts(trace, plan)


def others_differ(trace: Trace, plan: Plan5) -> bool:
    """Whether ReLU crosses out other hidden values for some other token."""
    out = trace[plan.hidden].values < 0
    return bool((out != out[plan.own]).any())


def stretched(trace: Trace, plan: Plan5) -> bool:
    """Whether the norm stands before each part, and stretches as GPT-2's does."""
    return trace.preset.norm == "pre" and bool(plan.first.scaled)


CLAIMS = {
    "sheet5.network.zeros": Claim(zeros),
    "sheet5.task.hidden": Claim(zeros_first, "sheet5.task.hidden.full"),
    "sheet5.answer.why": Claim(place_counts, "sheet5.answer.why.word"),
    "sheet5.answer.why.word": Claim(old_counts, "sheet5.answer.why.general"),
    "sheet5.discuss.2.answer": Claim(others_differ, "sheet5.discuss.2.answer.general"),
    "sheet5.reality": Claim(lambda t, _: t.preset.norm == "post", "sheet5.reality.pre"),
    "sheet5.reality.pre": Claim(stretched, "sheet5.reality.plain"),
    "sheet5.next": Claim(fills("6"), "sheet5.next.general"),
}
