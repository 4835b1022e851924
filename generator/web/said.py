"""Says in the words of the page what the program refuses or notes in English, for its users.

A `Message` is known by its name; what is passed on in English loses its command switches, as a
teacher has none.
"""

import re
from functools import cache

from generator.errors import LINE, Message
from generator.locales.catalogue import Catalogue
from generator.resources import table
from generator.web.form import FieldProblem

_SWITCH = re.compile(r"[,;:] (?:or )?[^,;:]*(?:--[a-z]|`)[^,;:]*")


def said(problem: FieldProblem, catalogue: Catalogue) -> str:
    """A problem in the words of the page."""
    if problem.message:
        return told(problem.message, catalogue)
    return catalogue.t(problem.phrase, **problem.names)


def told(message: str, catalogue: Catalogue) -> str:
    """A message in the words of the page; one that has none is passed on without its switches."""
    t = catalogue.t
    if isinstance(message, Message) and message.reason == LINE:
        lines, what = message.names["lines"], message.names["what"]
        return t("web.said.line", lines=lines, what=told(what, catalogue))
    if isinstance(message, Message) and message.reason in _phrases():
        names = message.names.items()  # a message may stand in another one
        plain = {k: told(one, catalogue) if isinstance(one, Message) else one for k, one in names}
        return t(f"web.said.{_phrases()[message.reason]}", **plain)
    return t("web.note", message=_SWITCH.sub("", message))


@cache
def _phrases() -> dict[str, str]:
    """The phrase of each message."""
    return {one: phrase for phrase, all in table("web/said.toml").items() for one in all}
