"""Which worksheets are left out, in one line: those with the same reason named together."""

from collections.abc import Callable, Mapping

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
