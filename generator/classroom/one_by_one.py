"""Papers that can fail one by one, so that the others are there all the same."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from generator.errors import UserError
from generator.render.worksheet.pdf import RenderError

# What may be wrong with one pupil's or one file's content; all else is wrong with the program.
FAILURES = (UserError, RenderError)


class Papers(NamedTuple):
    """Files by path, or the problem that kept them from being made."""

    files: Mapping[str, bytes]
    problem: str = ""


def attempted(what: str, make: Callable[[], Mapping[str, bytes]]) -> Papers:
    """The files of a call, or its problem, which begins with what they are."""
    try:
        return Papers(make())
    except FAILURES as error:
        return Papers({}, f"{what}: {error}")
