"""The picture-signs of the story, one for each role: glasses for the query, a tag for the key.

A sign stands at the same step on every sheet. It is a drawing of lines only, so that grey print and
copies keep it, and it depends on nothing that is computed. Its name is its alternative text.
"""

import tomllib
from functools import cache
from pathlib import Path

from markupsafe import Markup

from generator.locales.catalogue import Catalogue

DRAWN = Path(__file__).with_name("signs.toml")
UNITS, STROKE = 24, 1.3  # of a drawing's width, of its lines
SVG = Markup(
    '<svg class="pictogram" role="img" width="{mm}mm" height="{mm}mm" '
    'viewBox="0 0 {units} {units}">'
    '<title>{name}</title><path d="{drawing}" fill="none" stroke="#14202b" stroke-width="{stroke}" '
    'stroke-linecap="round" stroke-linejoin="round"/></svg>'
)


@cache
def drawings() -> dict[str, str]:
    """The drawing of each object by the object's name."""
    return {name: str(one["drawing"]) for name, one in _table().items()}


@cache
def objects() -> dict[str, str]:
    """The object of the story that stands for each role."""
    return {role: name for name, one in _table().items() for role in one["roles"]}


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(DRAWN.read_text(encoding="utf-8"))


def sign(catalogue: Catalogue, role: str, mm: float) -> Markup:
    """The sign of a role as a drawing in a page; KeyError for a role that has none."""
    name = objects()[role]
    called, drawing = catalogue.t(f"sheet.sign.{name}"), drawings()[name]
    return SVG.format(mm=mm, units=UNITS, name=called, drawing=drawing, stroke=STROKE)
