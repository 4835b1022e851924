"""Which worksheets are left out, in one line: those with the same reason named together.

Also here:

* What a teacher should know of the token that runs through the sheets, where it is not quite fit.
"""

from collections.abc import Callable, Iterable, Mapping

from generator.engine.fitness import LEAST_CHANGE, LEAST_VISIBLE, Fitness
from generator.engine.trace import Trace

FILLS_ALL = "katze-trained"  # the preset whose own sentence fills every sheet but these
BUT = {"7d": "katze"}  # and the one that fills them; a test holds both to that


def left_out(reasons: Mapping[str, str], preset: str, by_preset: Callable[[str], bool]) -> str:
    """One line for the sheets that have a reason not to be made; "" where none has.

    `by_preset` says of a sheet whether the preset's own sentence cannot fill it either. A reason
    that several sheets share is told in short: what would work instead. Asked for by its name, a
    sheet says its own reason in full.
    """
    other_preset: list[str] = []
    by_way_out: dict[str, list[str]] = {}
    for sheet, reason in reasons.items():
        if reason and by_preset(sheet):
            other_preset.append(sheet)
        elif reason:
            by_way_out.setdefault(reason.rpartition(": ")[2], []).append(sheet)
    answers = {
        f"the sentence does not fit them: {way_out}": sheets
        for way_out, sheets in by_way_out.items()
    }
    if other_preset:
        answers[f"preset {preset!r} cannot fill them: take {_presets(other_preset)}"] = other_preset
    in_order = sorted(answers.items(), key=lambda one: list(reasons).index(one[1][0]))
    groups = [_group(sheets, why, reasons) for why, sheets in in_order]
    return f"left out: {'; '.join(groups)}" if groups else ""


def _presets(sheets: list[str]) -> str:
    """The preset that fills such sheets, and for the others theirs."""
    others = (f", for {sheet} {BUT[sheet]!r}" for sheet in sheets if sheet in BUT)
    return f"{FILLS_ALL!r}{''.join(others)}"


def _group(sheets: list[str], why: str, reasons: Mapping[str, str]) -> str:
    full = {reasons[sheet] for sheet in sheets}
    if len(full) == 1:
        return f"{', '.join(sheets)} ({full.pop()})"
    return f"{', '.join(sheets)} ({why}; --sheets {sheets[0]} says more)"


LONGER = "a sentence of four words or more has more to show"
OTHER_SENTENCE = "try another sentence"
OTHER = f"{OTHER_SENTENCE} or preset ({FILLS_ALL!r})"
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
    here = OTHER_SENTENCE if trace.preset.name == FILLS_ALL else OTHER
    return [message.replace(OTHER, here) for message in messages]
