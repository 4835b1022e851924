"""What stands in the margins of a leaf, said as browsers understand it: boxes of named pages.

WeasyPrint moves an element of the page into the margin; a browser knows only texts there. So each
leaf becomes a page of its own name, whose boxes hold the leaf's texts and whose counters count its
pages, from 1 in each sheet and for each pupil.
"""

import base64
from copy import deepcopy
from typing import NamedTuple

from lxml.html import HtmlElement

from generator.sheets.page_tree import of_class, parsed

LEAF = '<section class="leaf'  # how each leaf begins
_PLAIN = frozenset("_ ,.·–-")  # signs that a CSS text has as they are, beside letters and digits
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
    count, sections = f"sheet{document}", _sections(html) if leaves else []
    margins = (Margins(*one) for one in zip(sections, leaves, names, strict=True))
    rules = (one.rules(count) for one in margins)
    return Leaf(head + body, "\n".join([NOTHING, *rules]))


NOTHING = f'@counter-style {_NOBODY} {{ system: cyclic; symbols: ""; suffix: "" }}'


def _sections(html: str) -> list[HtmlElement]:
    every = parsed(html).iter("section")
    return [one for one in every if one.get("class", "").startswith("leaf")]


class Margins(NamedTuple):
    """One leaf, as element and as text, and the name of its page."""

    leaf: HtmlElement
    html: str
    name: str

    def rules(self, count: str) -> str:
        """The rules of the leaf's page; `count` is the counter of the sheet's pages.

        The texts above a leaf's further pages are a way to write their number.
        """
        foot, again = self._said("furniture"), self._said("again")

        def content(*names: str) -> str:
            there = filter(None, map(foot.get, names))
            return f"content: {_string(chr(10).join(there), count)}"

        boxes, styles = dict[str, str](), list[str]()
        if foot:
            boxes["bottom-left"] = content("left", "batch")
            boxes["bottom-center"] = content("middle")
            boxes["bottom-right"] = content("right", "code")
        if "svg" in foot:
            boxes["bottom-right"] += f'; background-image: url("{_address(self._square())}")'
        for part, box, spaces in (("what", "top-left", 0), ("whose", "top-right", _LINE + 15)):
            if text := again.get(part):
                line = "\N{NO-BREAK SPACE}" * max(0, spaces - 3 * len(text))
                boxes[box] = f"content: counter({self.name}, {self.name}-{part})"
                written = _string(text + line, "")
                styles.append(
                    f"@counter-style {self.name}-{part} {{ system: cyclic; symbols: {written}; "
                    f'range: 2 infinite; fallback: {_NOBODY}; suffix: "" }}'
                )
        inside = "\n".join(f"  @{box} {{ {rules} }}" for box, rules in boxes.items())
        head = f"@page {self.name} {{\n  counter-increment: {count} {self.name};\n"
        return f"{head}{inside}\n}}\n{chr(10).join(styles)}".strip()

    def _said(self, name: str) -> dict[str, str]:
        """What the part of that class says; "svg" where it has a drawing."""
        part = next(of_class(self.leaf, {name}), None)
        return {} if part is None else _texts(part)

    def _square(self) -> str:
        """The footer's code, letter by letter: XML, unlike HTML, tells viewBox from viewbox."""
        begin = self.html.index("<svg", self.html.index("<footer"))
        return self.html[begin : self.html.index("</svg>", begin)] + "</svg>"


def _texts(part: HtmlElement) -> dict[str, str]:
    """By the first class of each element in it, its text; drawings have none, and are "svg"."""
    part, texts = deepcopy(part), dict[str, str]()
    for drawing in list(part.iter("svg")):
        drawing.drop_tree()
        texts["svg"] = ""
    for page in of_class(part, {"page"}):
        page.text = PAGE + (page.text or "")
    for one in part.iter("*"):
        if name := one.get("class", "").split(" ")[0]:
            texts[name] = texts.get(name, "") + one.text_content()
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _string(text: str, count: str) -> str:
    """A text as CSS writes it, safe within a page; the number of the page is the counter's."""
    parts = ('"' + "".join(map(_sign, part)) + '"' for part in text.split(PAGE))
    return f" counter({count}) ".join(parts)


def _sign(sign: str) -> str:
    return sign if sign.isalnum() or sign in _PLAIN else f"\\{ord(sign):x} "


def _address(svg: str) -> str:
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return "data:image/svg+xml;base64," + base64.b64encode(named.encode()).decode()
