"""The talk pack for an audience: slides, presenter's notes, a brief for whoever invites.

They print no number that somebody computes, so that slides can be shown while a room works.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from generator.locales.catalogue import load
from generator.render.worksheet.pdf import PdfDocument, class_css
from generator.render.worksheet.worksheet import environment
from generator.room.forms import ClassRoom
from generator.room.papers import STYLES, RoomPapers, RoomView
from generator.sheets.context import typesetting
from generator.version import __version__

SLIDES: Final = ("guess", "model", "tables", "card", "ask", "look", "word", "vote", "cache", "real")
WHEN: Final = {"guess": "entry", "ask": "ask", "look": "look", "word": "finale", "cache": "cache"}
TALK: Final = ("slides", "notes", "brief")


class Slide(NamedTuple):
    """A slide: its name, the minute in which it comes, None for whenever it suits."""

    name: str
    minute: int | None


@dataclass(frozen=True, eq=False)
class TalkPapers:
    """What a talk needs beside the papers of its rooms."""

    rooms: Sequence[ClassRoom]
    language: str
    header: str = ""

    def files(self) -> dict[str, bytes]:
        """All of them by name, below `talk/`."""
        return {f"talk/{name}.pdf": self._pdf(name) for name in TALK}

    @cached_property
    def view(self) -> RoomView:
        """The first room: its sentence and its clock stand on the slides."""
        own = replace(self.rooms[0], letter="")
        return RoomView(RoomPapers(own, len(self.rooms), self.language), solved=False)

    @cached_property
    def slides(self) -> list[Slide]:
        """The slides in order; votes are compared where there are several rooms."""
        minutes = {phrase.rpartition(".")[2]: minute for minute, phrase, _ in self.view.timeline}
        return [Slide(name, minutes.get(WHEN.get(name, ""))) for name in SLIDES
                if name != "vote" or len(self.rooms) > 1]  # fmt: skip

    @property
    def names(self) -> Mapping[str, object]:
        """What the texts speak of."""
        view, wall = self.view, self.view.wall
        return {
            "people": sum(one.room.pupils for one in self.rooms),
            "rooms": len(self.rooms),
            "tokens": max(len(one.trace.tokens) for one in self.rooms),
            "next": len(view.tokens) + 1,
            "sentence": view.sentence,
            "minutes": view.own.form.minutes,
            "cards": 2 * sum(len(one.room.pairs) for one in self.rooms),
            "wide": view.metres(wall.width),
            "high": view.metres(wall.height),
        }

    def html(self, name: str) -> str:
        """One paper's page."""
        return environment().get_template(f"room/{name}.html.j2").render(
            view=self.view, talk=self, names=self.names, t=typesetting(load(self.language)),
            language=self.language, version=__version__, header=self.header)  # fmt: skip

    def _pdf(self, name: str) -> bytes:
        where = f"{name} of a talk"
        return PdfDocument(self.html(name), class_css(*STYLES), where=where).to_pdf()
