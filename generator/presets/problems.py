"""A preset's problems: all are collected, their number and the first twenty are told at once."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.errors import UserError, first_of, first_private


class Problem(NamedTuple):
    """One thing that is wrong: the key, what was found, what was expected, a hint."""

    key: str
    found: str
    expected: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.key}: found {self.found}, expected {self.expected}{self.hint}"


class PresetError(UserError):
    """Everything that is wrong with one preset file."""

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        n = len(self.problems)
        lines = "\n".join(f"  {line}" for line in first_of(self.problems))
        super().__init__(f"{file}: {n:,} problem{'s' if n > 1 else ''}\n{lines}")


def shown(value: object) -> str:
    """A found value as a preset file would say it, short enough for one line."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def private_in(value: object, key: str = "") -> Iterator[Problem]:
    """Each text of a file's tables, or name in them, with a private-use character."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from private_in(str(name), key or "a key")
            yield from private_in(one, f"{key}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for one in value:
            yield from private_in(one, key)
    elif isinstance(value, str) and (sign := first_private(value)):
        yield Problem(
            key, f"the private-use character U+{ord(sign):04X}", "characters that fonts show"
        )
