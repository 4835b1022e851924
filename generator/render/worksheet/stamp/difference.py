"""A worksheet's page as a tree, and in which texts two pages of the same elements differ."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from lxml import etree

from generator.sheets.page_tree import written

NUMBER = "data-n"  # the attribute that numbers the elements of a page that is laid out
BARS = ("fill", "fill answer")  # classes of a bar
BAR_MM = 50.0  # of a bar in a layout, so that each is drawn; the pupil's length comes in its place
DIGITS = re.compile("[0-9]")
PARSER = etree.HTMLParser(remove_comments=True)  # quicker than that of `page_tree`: bare elements
Squares = tuple[tuple[int, int], ...]
Said = tuple[str, ...]  # the texts of one block


class DoesNotFit(ValueError):
    """A sheet that differs from its template in more than can be put in; the message says in what.

    No mistake of the user: the caller renders this one in full, see `template.stamped_or_rendered`.
    """


class StampTree(NamedTuple):
    """A page: its elements, their texts, and what is left open in them.

    Of element k the text behind its start tag is at 2k of `texts`, that behind its end tag at
    2k + 1. `elements` are all of `root`, in order. `shape` says of each its name, attributes and
    number of children. In it the lengths of `bars` (in millimetres, by their elements) and the QR
    code are open: `dark` squares.
    """

    root: Any
    elements: list[Any]
    shape: list[object]
    texts: list[str]
    bars: dict[int, float]
    dark: Squares

    @classmethod
    def of(cls, html: str, *, answered: bool = False) -> "StampTree":
        """The page of a document; `answered`: with something in each answer of a solution.

        For another pupil may have an answer where this one has none.
        """
        root, dark = etree.fromstring(html, PARSER), Squares()
        shape, texts, bars = list[object](), list[str](), dict[int, float]()
        elements = list(root.iter("*"))
        for k, one in enumerate(elements):
            kind = one.get("class")
            if kind in BARS:
                bars[k] = float(one.get("style").removeprefix("width: ").removesuffix("mm"))
                one.set("style", f"width: {BAR_MM:.2f}mm")
            if answered and kind == "answer" and not len(one) and not one.text:
                one.text = "0"
            attributes = one.items()
            if one.tag == "path" and one.getparent().get("class") == "qr":
                dark, attributes = _squares(one.get("d")), []
            shape += (one.tag, len(one), *attributes)
            texts += (one.text or "", one.tail or "")
        return cls(root, elements, shape, texts, bars, dark)

    def changed(self, other: "StampTree") -> list[int]:
        """The places of the texts that another page has otherwise.

        Raises `DoesNotFit` where it has other tags: another drawing, another row.
        """
        if self.shape != other.shape:
            pairs = zip(self.shape, other.shape, strict=False)
            tag = next((other for one, other in pairs if one != other), "more or less")
            raise DoesNotFit(f"the page is built of other tags: {tag}")
        both = zip(self.texts, other.texts, strict=True)
        return [k for k, (one, another) in enumerate(both) if one != another]

    def numbered(self) -> str:
        """The document with the number of each element in it."""
        root = deepcopy(self.root)
        for k, one in enumerate(root.iter("*")):
            one.set(NUMBER, str(k))
        return written(root)


def _squares(path: str) -> Squares:
    """The places of the dark squares of a QR code, each drawn as "M3 4h1v1h-1z"."""
    places = (one.partition("h")[0].split() for one in path.split("M")[1:])
    return tuple((int(x), int(y)) for x, y in places)


def zeros(said: Said) -> Said:
    """The texts with every digit a 0, which all have the same width."""
    return tuple([DIGITS.sub("0", text) for text in said])


def slots(element: Any) -> Iterator[tuple[Any, str]]:
    """The places of the texts within an element, as one reads: "text" or "tail" of which."""
    yield element, "text"
    for child in element:
        yield from slots(child)
        yield child, "tail"
