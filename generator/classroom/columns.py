"""Which column of a class list is what, by its heading in any of the languages."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.errors import UserError
from generator.locales.folders import languages
from generator.locales.locale import locale_of

ID = ("id", "code", "personal", "running")  # what may stand for an id, the surest first
NAMES = ("name", "first", "last")
KNOWN = (*NAMES, "sentence", "preset", "level", "language", "group")


def synonyms() -> dict[str, list[str]]:
    """How each column may be headed in any language; where several match, the first is taken."""
    known = [locale_of(language).headings for language in languages()]
    headings = {
        kind: [one for table in known for one in getattr(table, kind)] for kind in ID + KNOWN
    }
    return {"id": [one for kind in ID for one in headings.pop(kind)], **headings}


class Columns(NamedTuple):
    """The headings of a list, and the number of the column of each known one."""

    headings: tuple[str, ...]
    places: Mapping[str, int]

    def text(self, cells: Sequence[str], what: str) -> str:
        """A pupil's text in a known column, without spaces around it; "" where there is none."""
        place = self.places.get(what, len(cells))
        return cells[place].strip() if place < len(cells) else ""

    def heading(self, what: str) -> str:
        """How the list calls a known column."""
        return self.headings[self.places[what]]

    def name(self, cells: Sequence[str]) -> str:
        """First name, then last name; lists that have a first name call the last one just name."""
        last = self.text(cells, "last") or self.text(cells, "name")
        return " ".join(part for part in (self.text(cells, "first"), last) if part)

    def extra(self, cells: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """What a pupil has in columns that are not known, by their headings."""
        used = set(self.places.values())
        return tuple(
            (self._any_heading(k), cell.strip())
            for k, cell in enumerate(cells)
            if k not in used and (cell.strip() or self._has_heading(k))
        )

    def _has_heading(self, k: int) -> bool:
        return k < len(self.headings) and bool(self.headings[k])

    def _any_heading(self, k: int) -> str:
        return self.headings[k] if self._has_heading(k) else f"column {k + 1}"


def found_columns(cells: Sequence[str], source: Path) -> Columns:
    """The columns by the cells of the heading; `UserError` where none is for ids or for names."""
    headings = tuple(unicodedata.normalize("NFC", cell.strip()) for cell in cells)
    _require_once(headings, source)
    headings, places = _numbered(headings), _places(cells)
    if not places.keys() & {"id", *NAMES}:
        raise UserError(
            f"class list {source}: found {_shown(headings, places)}, expected a column id (also: "
            "Schüler-ID, Kennung, Nummer, Nr., Matrikelnummer, student ID) or name (or Vorname, "
            "Nachname), and if you like sentence (Satz), preset, level (Stufe), language "
            "(Sprache), group (Gruppe)"
        )
    return Columns(headings, places)


def _require_once(headings: tuple[str, ...], source: Path) -> None:
    """Raise a `UserError` for a known heading that stands above two columns."""
    known = {name for names in synonyms().values() for name in names}
    plain = [_plain(heading) for heading in headings]
    for k, name in enumerate(plain):
        if name in known and name in plain[:k]:
            raise UserError(
                f"class list {source}: two columns are called {headings[k]!r}; rename or remove "
                "one of them"
            )


def _numbered(headings: tuple[str, ...]) -> tuple[str, ...]:
    """The headings; a further column of the same name is "seat (2)"."""
    counts = [headings[: k + 1].count(heading) for k, heading in enumerate(headings)]
    return tuple(
        f"{heading} ({count})" if heading and count > 1 else heading
        for heading, count in zip(headings, counts, strict=True)
    )


def known_columns(cells: Sequence[str]) -> int:
    """How many of the headings are known."""
    return len(_places(cells))


def _shown(headings: tuple[str, ...], places: Mapping[str, int]) -> str:
    """Headings are told only where they surely are: without any, a first line holds a name."""
    filled = [heading for heading in headings if heading]
    if places:
        return f"the columns {', '.join(filled)}"
    return f"{len(filled)} cell{'s' if len(filled) != 1 else ''} and no known heading at the top"


def _places(cells: Sequence[str]) -> dict[str, int]:
    plain = [_plain(cell) for cell in cells]
    places: dict[str, int] = {}
    for what, names in synonyms().items():
        headings = [name for name in names if name in plain]
        if headings:
            places[what] = plain.index(headings[0])
    return places


def _plain(heading: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", heading).casefold())
