"""The forms of a lesson in which a room computes, and the rooms of a class in one of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import require, require_known
from generator.locales.folders import spelling
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.processes import Progress, nobody
from generator.resources import PACKAGE, table
from generator.room.cut import Room, RoomWork, sizes
from generator.room.schedule import MINUTE, Schedule

TABLES: Final = ("none", "few", "all")
LEAST: Final = 4
MOST: Final = 200
FORMS: Final[Mapping[str, Any]] = table("room/room.toml")["forms"]


@dataclass(frozen=True)
class Form:
    """A lesson of so many minutes: what is computed in it, and how long each part may take.

    `pairs` at a table and `places` a token are the most; `planned` are minutes of computing by the
    schedule at most, `computing` those that a class gets for them; `sentences` by language, one a
    room and then again, `few` those of smaller rooms, of up to `pupils`, the smallest first.
    """

    minutes: str
    preset: str
    mental: bool
    pairs: int
    places: int
    planned: int
    computing: int
    entry: int
    tables: str
    slips: bool
    sentences: Mapping[str, Any]
    few: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, minutes: str) -> "Form":
        """The form of that name; a `UserError` for another one."""
        require_known("form of a room", minutes, tuple(FORMS))
        return cls(**{"minutes": minutes, "sentences": {}, "few": (), **FORMS[minutes]})


@dataclass(frozen=True, eq=False)
class ClassRoom:
    """One of a class's rooms: its letter, "" for the only one, its room, its schedule, its form."""

    letter: str
    room: Room
    form: Form
    tables: str

    @cached_property
    def schedule(self) -> Schedule:
        """When who computes what."""
        return Schedule(self.room)

    @property
    def trace(self) -> Trace:
        """What the room computes."""
        return self.room.work.trace

    @property
    def pinned(self) -> bool:
        """Whether keys and values are pinned on the wall as slips; else the wall is written on."""
        return self.form.slips and self.tables != "none"


def class_rooms(
    pupils: int,
    form: str,
    *,
    sentence: str | None = None,
    preset: str | Path | Preset | None = None,
    language: str | None = None,
    tables: str | None = None,
) -> list[ClassRoom]:
    """The rooms of a class of so many pupils.

    With a preset or a sentence of one's own all rooms compute the same, and may vote. Raises
    `UserError` for what no room can do, and for too few pupils for the form's time.
    """
    chosen = Form.of(form)
    require(LEAST <= pupils <= MOST, "room.pupils", found=pupils, least=LEAST, most=MOST)
    require_known("kind of tables", tables or chosen.tables, TABLES)
    found = list(_rooms(pupils, chosen, sentence, preset, language, tables or chosen.tables))
    slowest = max(found, key=lambda one: one.schedule.end)
    planned = -int(-slowest.schedule.end // MINUTE)
    require(planned <= chosen.planned, "room.long", found=slowest.room.pupils, form=form,
            planned=planned, most=chosen.planned,
            counted=len(slowest.trace.tokens))  # fmt: skip
    return found


def _rooms(
    pupils: int,
    form: Form,
    sentence: str | None,
    preset: str | Path | Preset | None,
    language: str | None,
    tables: str,
) -> Iterator[ClassRoom]:
    own = preset is not None or sentence is not None
    model = _model(preset or form.preset)
    spoken, _ = spelling(language or model.language)
    texts = [sentence] if own else [*form.sentences.get(spoken, [None])]
    works = [_work(text, model, language, form) for text in texts]
    rooms = sizes(form.places * (works[0].last + 1), pupils)
    few = next((few for few in form.few if rooms[-1] <= few["pupils"] and spoken in few), None)
    if few and not own:
        works = [_work(text, model, language, form) for text in few[spoken]]
        rooms = sizes(form.places * (works[0].last + 1), pupils)
    for k, size in enumerate(rooms):
        letter = ascii_uppercase[k] if len(rooms) > 1 else ""
        yield ClassRoom(letter, Room(works[k % len(works)], size, form.pairs), form, tables)


def _model(preset: str | Path | Preset) -> Preset:
    """A preset in which every table says its own next word."""
    shipped = PACKAGE / str(preset)
    inside = isinstance(preset, str) and preset.endswith(".toml") and shipped.is_file()
    named = PACKAGE / "room" / "presets" / f"{preset}.toml"
    if isinstance(preset, str) and named.is_file():
        preset = named
    loaded = preset if isinstance(preset, Preset) else load_preset(shipped if inside else preset)
    return replace(loaded, output_positions="all")


def _work(sentence: str | None, model: Preset, language: str | None, form: Form) -> RoomWork:
    trace = computed(sentence, preset=model, language=language, rounding="paper")
    return RoomWork(trace, form.mental)


def room_files(
    rooms: list[ClassRoom], header: str = "", told: Progress = nobody
) -> dict[str, bytes]:
    """The papers of every room by name, below `hand-out/` and `teacher/`."""
    files = dict[str, bytes]()
    for k, papers in enumerate(_papers(rooms, header), start=1):
        files |= papers.files()
        told(k, len(rooms))
    return files


def seated(rooms: Iterable[ClassRoom]) -> list[dict[str, Any]]:
    """How each room stands: its letter, pupils, the words that are tables, the pairs at each."""
    return [
        {
            "letter": one.letter,
            "pupils": one.room.pupils,
            "words": [one.trace.tokens[row] for row in rows],
            "pairs": [sum(row in pair.tables for pair in one.room.pairs) for row in rows],
        }
        for one in rooms
        for rows in [range(one.room.work.last + 1)]
    ]


def to_print(rooms: list[ClassRoom]) -> tuple[dict[str, Any], ...]:
    """Each room's letter, by file the `leaves` that it takes, and the `copies` of some."""
    return tuple({"letter": one.own.letter, "copies": one.copies, "leaves": one.leaves}
                 for one in _papers(rooms))  # fmt: skip


def _papers(rooms: list[ClassRoom], header: str = "") -> Iterator[Any]:
    from generator.room.papers import RoomPapers  # late, for what makes PDFs

    people = sum(own.room.pupils for own in rooms)
    return (RoomPapers(own, len(rooms), own.trace.language, header, people) for own in rooms)
