"""Which worksheets are left out, in one line: those with the same reason named together.

Also here:

* What a teacher should know of the token that runs through the sheets, where it is not quite fit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from generator.engine.fitness import LEAST_CHANGE, LEAST_VISIBLE, Fitness
from generator.engine.trace import Trace
from generator.errors import message
from generator.resources import table

FILLS_ALL = "katze-trained"  # the preset whose own sentence fills every sheet, as a test proves


def left_out(reasons: Mapping[str, str], preset: str, by_preset: Callable[[str], bool]) -> str:
    """One line for the sheets that have a reason not to be made; "" where none has.

    `by_preset` says of a sheet whether the preset's own sentence cannot fill it either. A reason
    that several sheets share is told in short: what would work instead. Asked for by its name, a
    sheet says its own reason in full.
    """
    groups: dict[str | None, list[str]] = {}  # by the way out; None: another preset
    for sheet, reason in reasons.items():
        if reason:
            way_out = None if by_preset(sheet) else reason.rpartition(": ")[2]
            groups.setdefault(way_out, []).append(sheet)
    said = []
    for way_out, sheets in groups.items():
        why = f"the sentence does not fit them: {way_out}"
        if way_out is None:
            why = f"preset {preset!r} cannot fill them: take {FILLS_ALL!r}"
        in_short = f"{why}; --sheets {sheets[0]} says more"
        full = {reasons[sheet] for sheet in sheets}
        said.append(f"{', '.join(sheets)} ({full.pop() if len(full) == 1 else in_short})")
    return f"left out: {'; '.join(said)}" if said else ""


OTHER = "try another sentence"
SAYS: Mapping[str, Sequence[str]] = table("sheets/left_out.toml")["says"]
PAIRED = {"3", "4a", "4b", "5"}  # sheets on which the example would be the solution


def notes(trace: Trace, sheets: Iterable[str]) -> list[str]:
    """A message for each task of these sheets that says little about the asked token."""
    if trace.exercise is None:
        return []
    wanted, token = set(sheets), trace.tokens[trace.exercise]
    fitness = Fitness(trace)
    unmet = [SAYS[name] for name in fitness.unmet(trace.exercise, wanted) if name in SAYS]
    other = OTHER if trace.preset.name == FILLS_ALL else f"{OTHER} or preset ({FILLS_ALL!r})"
    names = {"other": other, "least": LEAST_VISIBLE, "change": LEAST_CHANGE}
    messages: list[str] = [
        message("fit.sheet", sheet=sheet, token=token, what=what.format(**names))
        for sheet, what in unmet
        if sheet in wanted
    ]
    paired = trace.worked is not None and not wanted.isdisjoint(PAIRED)
    if paired and fitness.copies(trace.exercise, trace.worked or 0):
        messages.append(message("fit.copied", token=token, other=other))
    return messages
