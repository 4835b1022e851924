"""Which of several files of one pupil for one sheet counts: the latest, or the one that earns most.

The latest is what the teacher typed from paper, else the one saved last by its own account, else
the one with more cells filled; one in which nothing was typed only where there is no other.
"""

import datetime
from collections.abc import Iterable

from generator.errors import UserError
from generator.grading.entries import CSV, Entries, Stray
from generator.grading.marks import Marks

_NEVER = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)


def require_apart(entries: Iterable[Entries], versions: int) -> None:
    """Raise a `UserError` where files differ that have one code, which several pupils have."""
    first: dict[tuple[str | None, tuple[str, ...]], Entries] = {}
    for one in entries:
        other = first.setdefault((one.source.code, one.source.sheets), one)
        if one.typed != other.typed:
            raise UserError(
                f"{other.source.file} and {one.source.file} have the code {one.source.code}, which "
                f"several pupils have: the batch was made with --versions {versions}, so nobody "
                "can tell whose they are. Put each pupil's files into a folder of its own and "
                "grade one folder after the other; for a class that hands in files make the batch "
                "with --vary groups=N: N sets of numbers, and everybody has a code"
            )


def chosen(entries: Iterable[Entries], stray: list[Stray]) -> list[Entries]:
    """The latest for each pupil and sheet, in the order of codes; the others become stray."""
    groups: dict[tuple[str, tuple[str, ...]], list[Entries]] = {}
    for one in entries:
        groups.setdefault((one.source.code or "", one.source.sheets), []).append(one)
    latest = []
    for key in sorted(groups):
        best = max(groups[key], key=weight)
        latest.append(best)
        for one in groups[key]:
            if one is not best:
                stray.append(Stray(one.source.file, _why_not(one, best)))
    return latest


def best_of(marks: Iterable[Marks], stray: list[Stray]) -> list[Marks]:
    """The marks of the file that earns most for each sheet; the others become stray.

    Of equal ones the last counts, so they must come with the latest last.
    """
    groups: dict[tuple[str, ...], list[Marks]] = {}
    for one in marks:
        groups.setdefault(one.source.sheets, []).append(one)
    best_files = []
    for some in groups.values():
        best = max(reversed(some), key=lambda one: one.points)
        best_files.append(best)
        for one in some:
            if one is not best:
                stray.append(Stray(one.source.file, _earns_less(one, best)))
    return best_files


def weight(one: Entries) -> tuple[bool, bool, datetime.datetime, int, str]:
    """What makes a file the latest: it comes last when files are sorted by it."""
    typed_by_teacher = one.source.kind == CSV
    return bool(one.typed), typed_by_teacher, time_of(one.changed), len(one.typed), one.source.file


def _taken(best: Entries | Marks) -> str:
    return f"{best.source.file} of the same pupil is taken"


def _earns_less(one: Marks, best: Marks) -> str:
    earned = f"{best.points:g} of {best.most:g} points"
    return f"{_taken(best)}, which earns {earned} (this one: {one.points:g})"


def _why_not(one: Entries, best: Entries) -> str:
    taken = _taken(best)
    if one.typed == best.typed:
        return f"{taken}, in which the same was typed"
    if not one.typed:
        return f"nothing was typed in; {taken}"
    if best.source.kind == CSV:
        return f"{taken}, typed from paper"
    if time_of(one.changed) < time_of(best.changed):
        return f"{taken}, saved later ({best.changed}; this one: {one.changed or 'not said'})"
    return f"{taken}, with more cells filled"


def time_of(changed: str | None) -> datetime.datetime:
    """When a file was saved by its own account; a time without a zone counts as UTC's.

    The beginning of time where it does not say.
    """
    try:
        time = datetime.datetime.fromisoformat(changed or "")
    except ValueError:
        return _NEVER
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
