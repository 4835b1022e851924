"""What sheet 8 says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.learned import CHANCE, EVEN_LOSS, LOSS, first_below
from generator.sheets.sheet8.plan import Plan8

ONE = 1.0  # a loss to look for on the curve


def texts_differ(trace: Trace, plan: Plan8) -> bool:
    """Whether no two of the three points write the same, so that each can be told."""
    return len({text.greedy for text in plan.texts}) == len(plan.texts)


def passes_one(trace: Trace, plan: Plan8) -> bool:
    """Whether the curve comes from above 1 and goes below."""
    return first_below(plan.history, ONE) is not None


def reads_better(trace: Trace, plan: Plan8) -> bool:
    """Whether the right token has more P at the end than in the middle, and the texts differ."""
    _, middle, end = trace[CHANCE].values[:, 0]
    return texts_differ(trace, plan) and bool(end > middle)


def worse_than_even(trace: Trace, plan: Plan8) -> bool:
    """Whether the loss of a die, as printed, lies between those of start and end."""
    start, _, end = trace[LOSS].values[:, 0]
    return bool(start > trace[EVEN_LOSS].values[0, 0] > end)


def never_worse(trace: Trace, plan: Plan8) -> bool:
    """Whether even the first loss is not above that of a die, and the last one is smaller still."""
    start, _, end = trace[LOSS].values[:, 0]
    return bool(trace[EVEN_LOSS].values[0, 0] >= start > end)


CLAIMS = {
    "sheet8.answer.compare": Claim(reads_better, "sheet8.answer.compare.general"),
    "sheet8.task.match": Claim(texts_differ, "sheet8.task.texts"),
    "sheet8.task.compare": Claim(reads_better, "sheet8.task.compare.general"),
    "sheet8.task.read": Claim(passes_one),
    "sheet8.answer.even": Claim(worse_than_even, "sheet8.answer.even.better"),
    "sheet8.answer.even.better": Claim(never_worse),
}
