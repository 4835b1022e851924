"""The run sheet of a class that is a room: its rooms' own minutes, in one table for all of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.locales.catalogue import Catalogue
from generator.room.forms import ClassRoom
from generator.room.papers import RoomPapers, RoomView
from generator.version import stamp


class RoomPart(NamedTuple):
    """A part of the lesson: its minutes, and what is said at its begin (keys of `room.say`)."""

    start: int
    end: int
    keys: tuple[str, ...]


@dataclass(frozen=True)
class RoomRun:
    """The run sheet of some rooms that compute at once; whoever conducts waits for the slowest."""

    rooms: tuple[ClassRoom, ...]
    language: str

    @cached_property
    def views(self) -> list[RoomView]:
        """What each room's conductor has."""
        count = len(self.rooms)
        return [RoomView(RoomPapers(own, count, self.language), True) for own in self.rooms]

    @property
    def minutes(self) -> int:
        """How long the lesson is."""
        return int(self.rooms[0].form.minutes)

    @property
    def pupils(self) -> int:
        """How many there are in all rooms."""
        return sum(own.room.pupils for own in self.rooms)

    @property
    def stamp(self) -> str:
        """The preset that is computed, its content, the version."""
        preset = self.rooms[0].trace.preset
        return stamp(preset.name, preset.sha256)

    @cached_property
    def _begins(self) -> dict[str, int]:
        """When each part begins: for all rooms, when the last of them is there."""
        found: dict[str, int] = {}
        for view in self.views:
            for minute, phrase, _ in view.timeline:
                key = phrase.rpartition(".")[2]
                found[key] = max(minute, found.get(key, 0))
        return found

    @property
    def parts(self) -> Iterator[RoomPart]:
        """The parts in order; what begins in one minute is one."""
        minutes = sorted({*self._begins.values()})
        for start, end in zip(minutes, [*minutes[1:], self.minutes], strict=True):
            yield RoomPart(start, end, tuple(k for k, at in self._begins.items() if at == start))

    @property
    def latest(self) -> int:
        """The minute in which the finale begins though not all is there."""
        return min(view.latest for view in self.views)

    @property
    def names(self) -> dict[str, object]:
        """The names of what is said, for all rooms at once."""
        first = {
            key: value for _, _, names in self.views[0].timeline for key, value in names.items()
        }
        return {**first, "sentence": self._of_each("sentence"), "pair": self._of_each("summing")}

    def _of_each(self, name: str) -> str:
        """What is the same in all rooms, or each room's with its letter."""
        found = {own.letter: str(getattr(view, name))
                 for own, view in zip(self.rooms, self.views, strict=True)}  # fmt: skip
        if len({*found.values()}) == 1:
            return next(iter(found.values()))
        return " · ".join(f"{letter}: {text}" for letter, text in found.items())

    def said(self, catalogue: Catalogue, part: RoomPart) -> list[str]:
        """What whoever conducts says at the begin of a part."""
        return [catalogue.t(f"room.say.{key}", **self.names) for key in part.keys]
