"""The fonts of the sheets: which there are, which characters they have, and that no other is used.

Left alone, Pango would take any system font for a character that ours lack; then the same sheet
looks different on every machine. So a missing character is an error that names it, and fontconfig
is shown an empty system while the PDF renderer starts.

Also here:

* The fonts inside an HTML file: cut to the characters of European languages and of mathematics.
"""

import base64
import io
import os
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from fontTools.ttLib import TTFont

from generator.errors import UserError, message
from generator.resources import templates

SCHEME = "paperformer-font:"  # answered by the PDF renderer's fetcher, by nobody else
LAYOUT = frozenset("\t\n\r\f")  # white space of the HTML source, never drawn


@dataclass(frozen=True)
class Face:
    """One font file, the CSS descriptors under which a style sheet finds it, and a cut of it."""

    file: str
    family: str
    cut: str = ""
    style: str = "normal"
    weight: int = 400


TEXT = (
    Face("SourceSans3-Regular.ttf", "Source Sans 3", "PaperformerSans-Regular.woff2"),
    Face("SourceSans3-It.ttf", "Source Sans 3", "PaperformerSans-It.woff2", style="italic"),
    Face("SourceSans3-Semibold.ttf", "Source Sans 3", "PaperformerSans-Semibold.woff2", weight=600),
    Face("SourceSans3-Bold.ttf", "Source Sans 3", "PaperformerSans-Bold.woff2", weight=700),
)
MATHS = Face("STIXTwoMath-Regular.ttf", "STIX Two Math", "PaperformerSymbols-Regular.woff2")
HANZI = Face("PaperformerHanzi-Regular.ttf", "Paperformer Hanzi")
CODE = Face(  # of programs alone
    "SourceCodePro-Regular.ttf", "Source Code Pro", "PaperformerCode-Regular.woff2"
)
STACK = (*TEXT, MATHS, HANZI)
FACES = (*STACK, CODE)
FONT_FILES = tuple(file for face in FACES for file in (face.file, face.cut) if file)


class MissingGlyph(UserError):
    """A text holds characters that none of the sheet's fonts can draw."""

    def __init__(self, characters: Iterable[str], where: str) -> None:
        named = ", ".join(describe(character) for character in characters)
        super().__init__(message("fonts.glyph", where=where, named=named))


def describe(character: str) -> str:
    """The character with its code point and name: `'√' (U+221A SQUARE ROOT)`."""
    name = unicodedata.name(character, "no name")
    return f"{character!r} (U+{ord(character):04X} {name})"


@cache
def font_bytes(file: str) -> bytes:
    """A font file, unmodified or cut; raises KeyError for a file that is not one of ours."""
    if file not in FONT_FILES:
        raise KeyError(file)
    return (templates() / "fonts" / file).read_bytes()


def missing_glyphs(text: str, faces: Iterable[Face] = STACK) -> list[str]:
    """The characters of the text that no given face can draw, each once, in order of appearance."""
    have = _characters_of(tuple(faces))
    return [character for character in dict.fromkeys(text) if character not in have]


@cache
def _characters_of(faces: tuple[Face, ...]) -> frozenset[str]:
    return LAYOUT.union(*(_characters(face.file) for face in faces))


def require_glyphs(text: str, where: str) -> None:
    """Raises MissingGlyph, naming each character and `where` it stands, unless all can be drawn."""
    if missing := missing_glyphs(text):
        raise MissingGlyph(missing, where)


def font_face_css() -> str:
    """The @font-face rules for the PDF; their addresses have a meaning only for its fetcher."""
    return "\n".join(_rule(face, SCHEME + face.file, ' format("truetype")') for face in FACES)


@contextmanager
def no_system_fonts() -> Iterator[None]:
    """Within it, fontconfig starts without any font; undone for the sake of child processes."""
    before = os.environ.get("FONTCONFIG_FILE")
    os.environ["FONTCONFIG_FILE"] = str(templates() / "fonts" / "fonts.conf")
    try:
        yield
    finally:
        del os.environ["FONTCONFIG_FILE"]
        if before is not None:
            os.environ["FONTCONFIG_FILE"] = before


@cache
def _characters(file: str) -> frozenset[str]:
    with TTFont(io.BytesIO(font_bytes(file)), lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap()))


# Latin, Greek, punctuation, indices, currencies, letters as symbols, arrows, mathematics, shapes.
KEPT = (
    (0x20, 0x17F), (0x18F, 0x18F), (0x192, 0x192), (0x218, 0x21B), (0x259, 0x259), (0x2B0, 0x2FF),
    (0x300, 0x30C), (0x327, 0x328), (0x386, 0x3CE), (0x3D1, 0x3D5), (0x1E9E, 0x1EF9),
    (0x2000, 0x209F), (0x20A0, 0x20BF), (0x2100, 0x214F), (0x2190, 0x23FF), (0x25A0, 0x27EF),
)  # fmt: skip


def kept(character: str) -> bool:
    """Whether the cut fonts have a character that the whole ones have."""
    return any(first <= ord(character) <= last for first, last in KEPT)


def embedded_font_face_css(text: str) -> str:
    """The @font-face rules for an HTML file that stands alone, with the fonts inside.

    The mathematical font and the Chinese one come along only where `text` has a character that
    needs them; formulas do not, they are drawings. That of programs comes with one.
    """
    faces = [*TEXT, *([CODE] if "<code" in text else [])]
    for face in (MATHS, HANZI):
        lacking = missing_glyphs(text, faces)
        if len(missing_glyphs("".join(lacking), [face])) < len(lacking):
            faces.append(face)
    cut = all(map(kept, set(text) - {"\n", "\t"}))
    return "\n".join(_rule(face, _address(face, cut)) for face in faces)


def linked(html: str, address: str) -> str:
    """An HTML file that stands alone, its fonts no longer inside but below an address.

    So a page that is shown again and again loads them once.
    """
    for face in STACK:
        for cut in (True, False):
            file = face.cut if cut and face.cut else face.file
            html = html.replace(_address(face, cut), address + file)
    return html


def _rule(face: Face, address: str, form: str = "") -> str:
    return (
        f'@font-face {{ font-family: "{face.family}"; font-style: {face.style}; '
        f'font-weight: {face.weight}; src: url("{address}"){form}; }}'
    )


@cache
def _address(face: Face, cut: bool) -> str:
    kind, file = ("woff2", face.cut) if cut and face.cut else ("ttf", face.file)
    return f"data:font/{kind};base64,{base64.b64encode(font_bytes(file)).decode('ascii')}"
