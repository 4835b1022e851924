"""What curricula say that each sheet is about: quoted, with source and date, for whoever plans."""

from typing import NamedTuple

from generator.locales.folders import ENGLISH
from generator.resources import table


class CurriculumLine(NamedTuple):
    """A quoted line of a curriculum, and the sheets that it concerns; see `curriculum.toml`.

    Where it is not `checked`, its words were `read` somewhere else than at its source. Readers of
    other languages have `translations` of it.
    """

    short: str
    source: str
    date: str
    language: str
    readers: tuple[str, ...]
    wording: str
    sheets: tuple[str, ...]
    url: str
    checked: bool
    read: str
    translations: dict[str, str]


LINES = tuple(CurriculumLine(**row) for row in table("sheets/curriculum.toml").values())


def curriculum(language: str, sheet: str = "") -> list[CurriculumLine]:
    """The lines for sheets in a language, of one sheet or of all; in further ones the English."""
    base = language.partition("-")[0]
    readers = base if any(base in line.readers for line in LINES) else ENGLISH
    mine = (line for line in LINES if readers in line.readers)
    return [line for line in mine if not sheet or sheet in line.sheets]
