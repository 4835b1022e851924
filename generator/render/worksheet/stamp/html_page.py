"""A worksheet's HTML taken apart: the tags that pupils share, and the texts of one of them."""

import re
from html import unescape
from typing import NamedTuple

NUMBER = "data-n"  # the attribute that numbers the elements of a page that is laid out
WITHOUT_END = frozenset({"br", "col", "img", "meta", "link"})
DIGITS = re.compile("[0-9]")
BAR_MM = 50.0  # of a bar in a layout: the pupil's own length is put in its place
_TAGS = re.compile(r"(<[^>]*>)")
_NAME = re.compile(r"</?([a-z0-9]+)")
_BAR = re.compile(r'(\bclass="fill\b[^"]*" style="width: )([0-9.]+)(?=mm")')
_CODE = re.compile(r'(<svg class="qr"[^>]*><title>QR</title><path d=")([^"]*)')
_SQUARE = re.compile(r"M(\d+) (\d+)h")
_NO_ANSWER = re.compile(r'(<span class="answer">)(?=</span>)')
_DIGIT_OF_TEXT = re.compile(r"(<[^>]*>|&[^;]*;)|[0-9]")
Squares = tuple[tuple[int, int], ...]


class DoesNotFit(ValueError):
    """A sheet that differs from its template in more than can be put in; the message says in what.

    No mistake of the user: the caller renders this one in full, see `template.stamped_or_rendered`.
    """


class HtmlPage(NamedTuple):
    """Texts and tags in turn, beginning with a text; the places count from 0.

    Left open in the tags: the widths of bars (in millimetres) and the QR code (its dark squares).
    """

    parts: list[str]
    widths: list[float]
    dark: Squares

    @classmethod
    def taken_apart(cls, html: str) -> "HtmlPage":
        """The page of a document."""
        widths = [float(width) for _, width in _BAR.findall(html)]
        codes = {path for _, path in _CODE.findall(html)}
        dark = tuple((int(x), int(y)) for path in codes for x, y in _SQUARE.findall(path))
        bare = _CODE.sub(r"\1", _BAR.sub(r"\1", html))
        return cls(_TAGS.split(bare), widths, dark)

    @property
    def bars(self) -> list[int]:
        """The places of the tags of bars."""
        return [k for k in range(1, len(self.parts), 2) if 'style="width: mm"' in self.parts[k]]

    def changed(self, other: "HtmlPage") -> list[int]:
        """The places of the texts that another page has otherwise.

        Raises `DoesNotFit` where it has other tags: another drawing, another row.
        """
        pairs = enumerate(zip(self.parts, other.parts, strict=False))
        places = [k for k, (one, another) in pairs if one != another]
        tag = next((k for k in places if k % 2), None)
        if tag is not None or len(self.parts) != len(other.parts):
            other_tag = other.parts[tag] if tag else "more or less"
            raise DoesNotFit(f"the page is built of other tags: {other_tag[:80]}")
        return places


def numbered(html: str) -> str:
    """The document with the place of each start tag in it.

    Its bars are all of one length, so that each is drawn and found, whoever's numbers these are.
    """
    parts = _TAGS.split(_BAR.sub(rf"\g<1>{BAR_MM:.2f}", html))
    for k in range(1, len(parts), 2):
        if name := name_of(parts[k]):
            parts[k] = f'<{name} {NUMBER}="{k}"{parts[k][1 + len(name) :]}'
    return "".join(parts)


def with_answers(html: str) -> str:
    """A solution with something in each answer: another pupil may have one where this has none."""
    return _NO_ANSWER.sub(r"\g<1>0", html)


def ends(parts: list[str]) -> dict[int, int]:
    """For the place of each start tag that of its end tag."""
    end_of: dict[int, int] = {}
    still_open: list[int] = []
    for k in range(1, len(parts), 2):
        if parts[k].startswith("</"):
            end_of[still_open.pop()] = k
        elif (name := name_of(parts[k])) and not (name in WITHOUT_END or parts[k].endswith("/>")):
            still_open.append(k)
    return end_of


def name_of(tag: str) -> str:
    """The name of a start tag; none of an end tag or a declaration."""
    match = _NAME.match(tag)
    return match[1] if match and not tag.startswith("</") else ""


def zeros(html: str) -> str:
    """The text with every digit a 0, which all have the same width."""
    return _DIGIT_OF_TEXT.sub(lambda match: match[1] or "0", html)


def plain(html: str) -> str:
    """The text without tags."""
    return unescape(_TAGS.sub("", html)).strip()
