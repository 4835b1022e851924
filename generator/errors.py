"""The user's mistakes: one clear message each, exit code 1."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Something the user can mend: what, where, what was found, what would work."""

    exit_code = 1


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint "; did you mean 'x'?" for the nearest known name in any case, or ""."""
    folded = {candidate.casefold(): candidate for candidate in reversed(list(known))}
    close = get_close_matches(name.casefold(), list(reversed(folded)), n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""
