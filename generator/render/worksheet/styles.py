"""The style sheets of the worksheets, by their names."""

from collections.abc import Iterable, Iterator
from functools import cache

from generator.resources import template


@cache
def style(name: str = "worksheet.css") -> str:
    """A style sheet of the worksheets."""
    return template(name).read_text(encoding="utf-8")


def also_html(names: Iterable[str]) -> Iterator[str]:
    """Style sheets, each with the one that is for the HTML edition alone, where it has one."""
    for name in names:
        yield name
        if template(own := name.replace(".css", "-html.css")).is_file():
            yield own
