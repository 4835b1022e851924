"""What a teacher should know of the token that runs through the sheets, where it is not quite fit.

Which token it is, `engine.focus` decides once for a computation; all sheets work with
`Trace.worked` and `Trace.exercise`. Where a sentence has no token whose tasks all say something,
the sheets are made all the same, and a note names what is missing and what would do better.
"""

from collections.abc import Iterable

from generator.engine.fitness import LEAST_CHANGE, LEAST_VISIBLE, Fitness
from generator.engine.trace import Trace

LONGER = "a sentence of four words or more has more to show"
OTHER = "try another sentence or preset ('katze-trained')"
SAYS = {  # by the name of a condition in `engine.fitness`; the sheet that it is about comes first
    "similar": ("2", f"is equally similar to all other words; {OTHER}"),
    "weighs": ("4a", f"gives all tokens the same attention; {OTHER}"),
    "enough": ("4b", f"sees fewer than {LEAST_VISIBLE} tokens under the mask; {LONGER}"),
    "changed": (
        "4b",
        f"has no attention weight that the mask changes by {LEAST_CHANGE:g} or more; {OTHER}",
    ),
    "weighs seen": ("4b", f"gives all tokens that it sees the same attention; {OTHER}"),
    "moved": ("5", f"gets only zeros from the feed-forward network; {OTHER}"),
}


PAIRED = {"3", "4a", "4b", "5"}  # sheets on which the example would be the solution


def notes(trace: Trace, sheets: Iterable[str]) -> list[str]:
    """A message for each task of these sheets that says little about the asked token."""
    if trace.exercise is None:
        return []
    wanted, token = set(sheets), trace.tokens[trace.exercise]
    fitness = Fitness(trace)
    unmet = [SAYS[name] for name in fitness.unmet(trace.exercise, wanted) if name in SAYS]
    messages = [f"sheet {sheet}: {token!r} {what}" for sheet, what in unmet if sheet in wanted]
    paired = trace.worked is not None and not wanted.isdisjoint(PAIRED)
    if paired and fitness.copies(trace.exercise, trace.worked or 0):
        messages.append(f"{token!r} starts from the same row as the example; {OTHER}")
    return messages
