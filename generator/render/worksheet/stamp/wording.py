"""Texts as glyphs: a wording is set once with zeros, then any digits are put into it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.render.worksheet.stamp.harvest import Font, Glyph, Text
from generator.render.worksheet.stamp.html_page import DIGITS

GRID = 4096  # to a px
Fonts = dict[str, Font]


@dataclass(frozen=True)
class Run:
    """Glyphs in one font at a place relative to their block, with the places of their digits."""

    x: float
    y: float
    font: str
    size: float
    group: int
    shown: tuple[str, ...]
    digits: tuple[int, ...]
    width: float

    def pattern(self, x: float, y: float) -> bytes:
        """The operators that draw it with the block at x, y; a `%b` for each digit's glyph."""
        places = set(self.digits)
        text = "".join(f"%b{one[4:]}" if k in places else one for k, one in enumerate(self.shown))
        return (
            f"BT\n1 0 0 -1 {x + self.x:.6f} {y + self.y:.6f} Tm\n"
            f"/{self.font} {self.size:.6g} Tf\n[<{text}>] TJ\nET"
        ).encode()


@dataclass(frozen=True)
class Wording:
    """What a block says, set with zeros."""

    runs: tuple[Run, ...]
    height: float

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The inline elements in order, each once."""
        return tuple(dict.fromkeys(run.group for run in self.runs))


def wording(texts: Sequence[Text], height: float, fonts: Fonts) -> Wording:
    """A wording as it was laid out."""
    return Wording(tuple(_run(text, fonts) for text in texts), height)


def _run(text: Text, fonts: Fonts) -> Run:
    font = fonts[text.font]
    shown = tuple(f"{glyph:04x}{f'>{kern:g}<' if kern else ''}" for glyph, kern in text.glyphs)
    digits = tuple(k for k, one in enumerate(text.glyphs) if _is_digit(one, font))
    x, y, width = map(snapped, (text.x, text.y, text.width(fonts)))
    return Run(x, y, text.font, text.size, text.group, shown, digits, width)


def snapped(length: float) -> float:
    """The length in px on a grid that holds Pango's units (1/1024 px).

    A wording's place in its block is a difference of two places on a page: its last bits depend on
    what else was laid out on that page, and must not reach the file.
    """
    return round(length * GRID) / GRID


def _is_digit(glyph: Glyph, font: Font) -> bool:
    return bool(DIGITS.fullmatch(font.characters.get(glyph[0], "")))


def simple(text: str, like: Run, fonts: Fonts) -> Run:
    """A text without kerning, set in the font of another."""
    glyphs = tuple((fonts[like.font].glyphs[one], 0.0) for one in text)
    return _run(Text(like.x, like.y, like.font, like.size, glyphs, like.group), fonts)


def digit_glyphs(font: Font) -> dict[str, bytes]:
    """The glyphs of the digits as they stand in a text's operators."""
    return {one: b"%04x" % font.glyphs[one] for one in "0123456789" if one in font.glyphs}
