"""The user's mistakes: one clear message each, exit code 1."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from unicodedata import category

from generator.resources import table

MOST_SAID = 20  # problems in one message
NO_ROOM = "free some space, or name another folder in the variable TMPDIR"  # for temporary files


class Sendable(Exception):
    """An exception that another process gets as it is, whatever it is made from."""

    def __reduce__(self) -> tuple[object, ...]:
        return _made_again, (type(self), self.args, dict(vars(self)))


def _made_again(
    kind: type[Exception], arguments: tuple[object, ...], state: dict[str, object]
) -> Exception:
    error = kind.__new__(kind, *arguments)
    vars(error).update(state)
    return error


class UserError(Sendable):
    """Something the user can mend: what, where, what was found, what would work."""

    exit_code = 1


def message(reason: str, **names: object) -> str:
    """A text of `refusals.toml`, named "table.key"."""
    return unfilled(reason).format(**names)


def unfilled(reason: str) -> str:
    """The same before its names are put in."""
    part, _, key = reason.partition(".")
    return str(table("refusals.toml")[part][key])


def refused(reason: str, **names: object) -> UserError:
    """The error with the `message` of that name."""
    return UserError(message(reason, **names))


def require(holds: object, reason: str, **names: object) -> None:
    """Raise the error of that name, see `refused`, unless something holds."""
    if not holds:
        raise refused(reason, **names)


def private_use(what: str, text: str) -> str:
    """A message that names the first private-use character of a text; "" where there is none.

    No font has them, and worksheets mark the places of numbers with two of them.
    """
    sign = first_private(text)
    if not sign:
        return ""
    return message("text.private", what=what, code=ord(sign), place=text.index(sign) + 1)


def first_private(text: str) -> str:
    """The first private-use character of a text, "" where there is none."""
    return next((sign for sign in text if category(sign) == "Co"), "")


def require_shown(what: str, text: str) -> None:
    """Raise a `UserError` for a text with a private-use character."""
    if problem := private_use(what, text):
        raise UserError(problem)


def first_of(problems: Sequence[object]) -> list[str]:
    """The first twenty problems and how many more there are: thousands would hide the first."""
    more = len(problems) - MOST_SAID
    return [*map(str, problems[:MOST_SAID]), *([f"and {more:,} more"] if more > 0 else [])]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint "; did you mean 'x'?" for the nearest known name in any case, or ""."""
    folded = {candidate.casefold(): candidate for candidate in reversed(list(known))}
    close = get_close_matches(name.casefold(), list(reversed(folded)), n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def require_known(what: str, found: str, known: tuple[str, ...]) -> None:
    """Raise a `UserError` that names the known ones unless `found` is one of them."""
    if found not in known:
        hint = did_you_mean(found, known)
        raise UserError(f"there is no {what} {found!r}{hint}; choose from: {', '.join(known)}")
