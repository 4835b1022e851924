"""The exam edition of a page: what helps, checks or is done together is taken out.

It is made from the page of the lesson, so that there is no second copy of a sheet.
"""

import re
from collections.abc import Iterator
from itertools import count

from generator.engine.step import Cell
from generator.sheets.worth import with_light

# Checks, what comes next, hints, the story, what pupils say of themselves; and `lesson`: what a
# class shares, and drawings, which have no marks. And squares: they stand with the cover, so that
# no page of a paper has nothing but squares; in large print the cover has no room for them.
HELP = frozenset({"probe", "next", "hints", "story", "told", "stations", "skills", "lesson"})
LEFT_OUT = HELP | {"scratch"}
_OPENING = re.compile(r'<(p|div|aside|table)\b[^>]*?\bclass="([^"]*)"[^>]*>')
_NUMBER = re.compile(r'(?<=<b class="no">)\d+(?=</b>)')


def edition(html: str, asked: frozenset[Cell], *, squares: bool = False) -> str:
    """A work leaf without what an exam leaves out; tasks are numbered anew, asked cells count."""
    numbers = count(1)
    kept = with_light("".join(_kept(html, HELP if squares else LEFT_OUT)), asked)
    return _NUMBER.sub(lambda match: str(next(numbers)), kept)


def _kept(html: str, left_out: frozenset[str]) -> Iterator[str]:
    done = 0
    for match in _OPENING.finditer(html):
        if match.start() >= done and left_out & set(match[2].split()):
            yield html[done : match.start()]
            done = _end(html, match[1], match.end())
    yield html[done:]


def _end(html: str, name: str, start: int) -> int:
    """Behind the closing tag of an element whose opening tag ends at `start`."""
    depth = 1
    for tag in re.compile(rf"<(/?){name}\b[^>]*>").finditer(html, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    raise ValueError(f"a <{name}> is not closed")
