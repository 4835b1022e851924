"""Formulas: LaTeX becomes an image on the line of text, drawn by ziamath in STIX Two Math.

For the PDF the outlines are turned into PDF operators once and handed to WeasyPrint through its
public `cache=`: about six times faster than giving it the SVG, and in the text's own colour.
"""

import base64
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from markupsafe import Markup

from generator.sheets.fonts import MATHS, MissingGlyph, missing_glyphs
from generator.versions import require_tested

require_tested("ziamath")  # it is imported at the first formula, in the middle of a set

SIZE = 20.0  # units to 1 em in the drawings
SMALLEST = 0.62  # of the size of a formula: its indices, and theirs, can be read
MARGIN = 0.5  # units around the ink, so that no anti-aliased edge is cut off
LEFTOVERS = frozenset("\\{}")  # LaTeX that ziamath did not understand and would print as text


def written_sum(terms: Sequence[str], most: int) -> str:
    """The sum of these terms; of more than `most` of them the first ones, dots and the last."""
    if len(terms) > most:
        terms = (*terms[: max(1, most - 2)], "\\dots", terms[-1])
    return " + ".join(terms)


def full_size(latex: str) -> str:
    """A formula whose fractions are not set smaller within a line: an index in them is read."""
    return latex.replace(r"\frac", r"\dfrac")


class Outline(BasePen):
    """Collects outlines as PDF path operators; quadratic curves become cubic on the way."""

    def __init__(self) -> None:
        super().__init__(glyphSet=None)
        self.operators: list[bytes] = []

    def rectangle(self, *box: float) -> None:
        """Adds a filled rectangle given as x, y, width, height."""
        self.operators += [_operator("re", *box), b"f"]

    def fill(self) -> None:
        """Paints what was drawn; shape by shape, for overlaps of two windings would stay white."""
        self.operators.append(b"f")

    def _moveTo(self, pt: tuple[float, float]) -> None:
        self.operators.append(_operator("m", *pt))

    def _lineTo(self, pt: tuple[float, float]) -> None:
        self.operators.append(_operator("l", *pt))

    def _curveToOne(self, *points: tuple[float, float]) -> None:
        self.operators.append(_operator("c", *(x for point in points for x in point)))

    def _closePath(self) -> None:
        self.operators.append(b"h")


@dataclass(frozen=True)
class Formula:
    """One typeset formula: its SVG, its box `[left, top, width, height]` in units, y downwards."""

    svg: ET.Element

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The drawing's box; the baseline of the text is y = 0."""
        left, top, width, height = map(float, self.svg.attrib["viewBox"].split())
        return left, top, width, height

    @cached_property
    def depth(self) -> float:
        """How far the box reaches below the baseline, in em."""
        _, top, _, height = self.box
        return (top + height) / SIZE

    @cached_property
    def operators(self) -> bytes:
        """The outlines as PDF operators, without a colour."""
        pen = Outline()
        for shape in self.svg:
            _draw(shape, pen)
        return b"\n".join(pen.operators)

    @cached_property
    def data_uri(self) -> str:
        """The SVG as an address that needs no file."""
        return "data:image/svg+xml;base64," + base64.b64encode(ET.tostring(self.svg)).decode()

    def get_intrinsic_size(self, resolution: float, font_size: float) -> tuple[float, float, float]:
        """WeasyPrint asks an image for width, height and their ratio; both grow with the font."""
        _, _, width, height = self.box
        scale = font_size / SIZE
        return width * scale, height * scale, width / height

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """WeasyPrint lets an image draw itself: in the colour of the text around it."""
        left, top, own_width, own_height = self.box
        x, y = width / own_width, height / own_height
        stream.transform(a=x, d=y, e=-left * x, f=-top * y)
        stream.set_color(style["color"])
        stream.stream.append(self.operators)


class Formulas:
    """The formulas of one document; `cache` goes to the PDF renderer with the finished HTML.

    `embed` makes images that stand alone (for the HTML edition: black, no cache needed).
    """

    def __init__(self, *, embed: bool = False) -> None:
        self.embed = embed
        self.cache: dict[str, Formula] = {}
        self._addresses: dict[tuple[str, bool], str] = {}

    def image(self, latex: str, alt: str, inline: bool = True) -> Markup:
        """An <img> on the baseline of the text; `alt` says the formula in the sheet's language.

        A formula with `inline=False` stands in its own centred line. Raises ValueError for an
        empty `alt` and for LaTeX that cannot be set, MissingGlyph for an unknown character.
        """
        if not alt.strip():
            raise ValueError(f"formula {latex!r} needs an alternative text that can be read aloud")
        formula = typeset(latex, inline)
        height = formula.box[3] / SIZE
        picture = Markup('<img class="formula" src="{}" alt="{}" style="{}">').format(
            self._address(latex, inline),
            alt,
            f"height:{height:.4f}em;vertical-align:{-formula.depth:.4f}em",
        )
        return picture if inline else Markup('<div class="formula">{}</div>').format(picture)

    def _address(self, latex: str, inline: bool) -> str:
        formula = typeset(latex, inline)
        if self.embed:
            return formula.data_uri
        address = self._addresses.setdefault((latex, inline), f"formula:{len(self._addresses)}")
        self.cache[address] = formula
        return address


@cache
def typeset(latex: str, inline: bool) -> Formula:
    """The formula as a drawing; `inline` sets fractions and limits small, as within a sentence.

    Write the German decimal comma as `0{,}71`. Raises ValueError, naming the formula, where a
    command is unknown or the drawing needs more than filled shapes.
    """
    # Real braces and backslashes are character references.
    mathml = _ziamath().tex.tex2mml(latex, inline=inline)
    if left := sorted(LEFTOVERS.intersection(mathml)):
        raise ValueError(f"formula {latex!r}: unknown command or lone bracket, {left} would print")
    if missing := missing_glyphs("".join(ET.fromstring(mathml).itertext()), [MATHS]):
        raise MissingGlyph(missing, f"formula {latex!r}")
    svg = _ziamath().Latex(latex, size=SIZE, inline=inline, margin=MARGIN).svgxml()
    return Formula(svg)


@cache
def _ziamath() -> ModuleType:
    with warnings.catch_warnings():  # its import takes 0.1 s and uses an old standard function
        warnings.filterwarnings("ignore", message="path is deprecated")
        import ziamath
        from ziamath.config import config
    config.svg2 = False  # plain paths, not <use> of shared ones
    config.precision = 3
    config.minsizefraction = SMALLEST
    return ziamath


def _draw(shape: ET.Element, pen: Outline) -> None:
    given = shape.attrib
    match shape.tag:
        case "path" if "stroke" not in given:
            parse_path(given["d"], pen)
            pen.fill()
        case "rect" if "stroke" not in given:
            pen.rectangle(*(float(given[key]) for key in ("x", "y", "width", "height")))
        case _:
            raise ValueError(f"a formula may hold filled shapes only, found <{shape.tag}> {given}")


def _operator(name: str, *numbers: float) -> bytes:
    return b" ".join((*(b"%g" % round(number, 2) for number in numbers), name.encode()))
