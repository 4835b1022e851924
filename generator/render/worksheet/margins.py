"""What stands in the margins of a leaf, said as browsers understand it: boxes of named pages.

WeasyPrint moves an element of the page into the margin; a browser knows only texts there. So each
leaf becomes a page of its own name, whose boxes hold the leaf's texts and whose counters count its
pages, from 1 in each sheet and for each pupil.
"""

import base64
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

LEAF = '<section class="leaf'  # how each leaf begins
_FOOTER = re.compile(r'<footer class="furniture.*?</footer>', re.DOTALL)
_AGAIN = re.compile(r'<div class="again">.*?</div>', re.DOTALL)
_SQUARE = re.compile(r"<svg.*?</svg>", re.DOTALL)
_PLAIN = re.compile(r"[\w ,.·–-]")
_LINE = 60  # spaces that are underlined: where to write a name; a letter takes the place of three
_NOBODY = "nothing"  # the counter style of a leaf's first page
PAGE = "\N{OBJECT REPLACEMENT CHARACTER}"  # where a text has the number of the page


class Leaf(NamedTuple):
    """A leaf's HTML, named for the page it is printed on, and the rules of that page."""

    html: str
    css: str


def printed(html: str, document: int = 1) -> Leaf:
    """The page, each leaf on a named page; `document` tells its names from those of others.

    What the margins hold stands in the page as well, hidden where it is printed: for screens, and
    for browsers without boxes in the margins.
    """
    head, *leaves = html.split(LEAF)
    names = [f"leaf{document}-{k}" for k in range(1, len(leaves) + 1)]
    named = (f'<section style="page: {name}" class="leaf' for name in names)
    body = "".join(f"{begin}{leaf}" for begin, leaf in zip(named, leaves, strict=True))
    count = f"sheet{document}"
    rules = (_rules(leaf, name, count) for leaf, name in zip(leaves, names, strict=True))
    return Leaf(head + body, "\n".join([NOTHING, *rules]))


NOTHING = f'@counter-style {_NOBODY} {{ system: cyclic; symbols: ""; suffix: "" }}'


def _rules(leaf: str, name: str, count: str) -> str:
    """The rules of one leaf's page."""
    boxes = {**_foot(leaf, count), **_again(leaf, name)}
    written = "\n".join(f"  @{box} {{ {rules} }}" for box, rules in boxes.items())
    styles = "\n".join(_later(leaf, name))
    return f"@page {name} {{\n  counter-increment: {count} {name};\n{written}\n}}\n{styles}".strip()


def _foot(leaf: str, count: str) -> dict[str, str]:
    footer = _FOOTER.search(leaf)
    if not footer:
        return {}
    texts = _texts(footer[0])

    def lines(*names: str) -> str:
        there = (texts[name] for name in names if texts.get(name))
        return f"content: {_string(chr(10).join(there), count)}"

    boxes = {
        "bottom-left": lines("left", "batch"),
        "bottom-center": lines("middle"),
        "bottom-right": lines("right", "code"),
    }
    if square := _SQUARE.search(footer[0]):
        boxes["bottom-right"] += f'; background-image: url("{_address(square[0])}")'
    return boxes


def _again(leaf: str, name: str) -> dict[str, str]:
    """The boxes above a leaf's further pages; `_later` has their texts."""
    texts = _again_texts(leaf)
    return {
        box: f"content: counter({name}, {name}-{part})"
        for box, part in (("top-left", "what"), ("top-right", "whose"))
        if texts.get(part)
    }


def _later(leaf: str, name: str) -> Iterator[str]:
    """The texts of a leaf's second page and of those behind, as a way to write their number."""
    for part, text in _again_texts(leaf).items():
        if part in ("what", "whose"):
            line = max(0, _LINE + 15 - 3 * len(text)) if part == "whose" else 0
            written = _string(text + "\N{NO-BREAK SPACE}" * line, "")
            yield (
                f"@counter-style {name}-{part} {{ system: cyclic; symbols: {written}; "
                f'range: 2 infinite; fallback: {_NOBODY}; suffix: "" }}'
            )


def _again_texts(leaf: str) -> dict[str, str]:
    match = _AGAIN.search(leaf)
    return _texts(match[0]) if match else {}


class _Reader(HTMLParser):
    """Collects the text of each element that has a class, and of what is inside of it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = (dict(attrs).get("class") or "").split(" ")[0]
        self.open.append(name)
        if name == "page":
            self.handle_data(PAGE)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for name in filter(None, self.open):
            self.texts[name] = self.texts.get(name, "") + data


def _texts(html: str) -> dict[str, str]:
    reader = _Reader()
    reader.feed(_SQUARE.sub("", html))
    return {name: " ".join(text.split()) for name, text in reader.texts.items()}


def _string(text: str, count: str) -> str:
    """A text as CSS writes it, safe within a page; the number of the page is the counter's."""
    parts = ('"' + "".join(map(_sign, part)) + '"' for part in text.split(PAGE))
    return f" counter({count}) ".join(parts)


def _sign(sign: str) -> str:
    return sign if _PLAIN.match(sign) else f"\\{ord(sign):x} "


def _address(svg: str) -> str:
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return "data:image/svg+xml;base64," + base64.b64encode(named.encode()).decode()
