"""The user's mistakes: one clear message each, known by its name, exit code 1."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any
from unicodedata import category

from generator.resources import table

MOST_SAID = 20  # problems in one message
MOST_PLACES = 3  # of one problem
LINE = "line"  # what a problem of some lines is called
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

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))

    @property
    def message(self) -> str:
        """Its text; a `Message` where it was refused with one."""
        one = self.args[0] if len(self.args) == 1 else None
        return one if isinstance(one, Message) else str(self)


def said_by(error: Exception) -> str:
    """What an error says, as a `Message` where it is one."""
    return error.message if isinstance(error, UserError) else str(error)


class Message(str):
    """A text that knows its name in `refusals.toml`, and the texts and numbers that stand in it.

    So it can be said in another language. A problem of some lines of a file, see `at`, is `LINE`.
    """

    reason: str
    names: Mapping[str, Any]


def message(reason: str, **names: object) -> Message:
    """A text of `refusals.toml`, named "table.key"."""
    plain = {name: one for name, one in names.items() if isinstance(one, str | int)}
    return _known(unfilled(reason).format(**names), reason, plain)


def at(lines: object, what: object, said: str = "") -> Message:
    """A problem of some lines: their numbers, what is wrong, and how the places are said."""
    return _known(f"{said or f'line {lines}'}: {what}", LINE, {"lines": lines, "what": what})


def reworded(message: str, text: str) -> str:
    """Another text for a message, under the same name."""
    return _known(text, message.reason, message.names) if isinstance(message, Message) else text


def _known(text: str, reason: str, names: Mapping[str, object]) -> Message:
    told = Message(text)
    told.reason, told.names = reason, names
    return told


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
    said = [one if isinstance(one, str) else str(one) for one in problems[:MOST_SAID]]
    return [*said, *([f"and {more:,} more"] if more > 0 else [])]


def together(problems: Iterable[str]) -> list[str]:
    """The problems, a line each; what several places have in common is said once, with the first.

    A problem is "line 7: what is wrong", see `at`; the places come before the colon.
    """
    same: dict[str, list[str]] = {}
    for problem in problems:
        where, colon, reason = problem.partition(": ")
        same.setdefault(reason if colon else where, []).append(problem)
    return first_of([_with_places(reason, told) for reason, told in same.items()])


def _with_places(reason: str, told: Sequence[str]) -> str:
    """One problem of several places."""
    first, more = told[0], len(told) - MOST_PLACES
    if len(told) == 1 or first == reason:
        return first
    places = [one.removesuffix(f": {reason}") for one in told[:MOST_PLACES]]
    some = ", ".join(places) + (f" and {more:,} more" if more > 0 else "")
    if isinstance(first, Message) and first.reason == "batch.place":
        return message("batch.place", place=some, why=first.names["why"])
    if not isinstance(first, Message) or first.reason != LINE:
        return f"{some}: {reason}"
    lines = ", ".join(place.removeprefix("line ") for place in places) + "…" * (more > 0)
    return at(lines, first.names["what"], some)


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
