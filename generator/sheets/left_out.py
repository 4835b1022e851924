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
    groups: dict[str, list[str]] = {}
    for sheet, reason in reasons.items():
        if reason:
            way_out = reason.rpartition(": ")[2]
            key = f"the sentence does not fit them: {way_out}"
            if by_preset(sheet):
                key = f"preset {preset!r} cannot fill them: take {FILLS_ALL!r}"
            groups.setdefault(key, []).append(sheet)
    told = (_group(sheets, why, reasons) for why, sheets in groups.items())
    return f"left out: {'; '.join(told)}" if groups else ""


def _group(sheets: list[str], why: str, reasons: Mapping[str, str]) -> str:
    full = {reasons[sheet] for sheet in sheets}
    if len(full) == 1:
        return f"{', '.join(sheets)} ({full.pop()})"
    if why.endswith(repr(FILLS_ALL)):
        why += "".join(f", for {sheet} {BUT[sheet]!r}" for sheet in sheets if sheet in BUT)
    return f"{', '.join(sheets)} ({why}; --sheets {sheets[0]} says more)"
