"""Who sits in the class: each pupil, or each version, with everything that decides the files.

Also here:

* What is kept of one seat: enough to make its files again, and no name.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypedDict

from generator.classroom.files.store import sha256
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.pupils.pupil_codes import code_of
from generator.classroom.pupils.roster import Pupil
from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.presets.load import load_preset
from generator.sheets.titles import preset_of

SHORT = 4  # digits of a name's mark: 65,536 marks for all the names there are


class Described(TypedDict):
    """What the class list and the lesson say of a seat.

    `named` is "" where no name is printed, else a mark of it: it shows that a name was corrected,
    and is too short to say which one it is. `number` is the pupil's place in the list, 0 for none.
    """

    code: str
    key: str
    preset: str
    preset_sha256: str
    sentence: str | None
    language: str
    level: int
    named: str
    number: int


@dataclass(frozen=True)
class Seat:
    """One set of files: for whom, and what the list says beyond the lesson.

    `key` is what numbers are drawn with: the pupil's id, or the version. `name` is there only where
    it is printed. `line` is the line of the class list, 0 for a version. `group` is the list's own,
    `number` the pupil's place in it from 1, which is printed; 0 for a version.
    """

    code: str
    key: str
    line: int
    preset: Preset
    sentence: str | None
    language: str
    level: int
    name: str = ""
    group: str = ""
    number: int = 0

    def described(self) -> Described:
        """What a record says of the seat itself."""
        return Described(
            code=self.code,
            key=self.key,
            preset=self.preset.source,
            preset_sha256=self.preset.sha256,
            sentence=self.sentence,
            language=self.language,
            level=self.level,
            named=sha256(self.name.encode())[:SHORT] if self.name else "",
            number=self.number,
        )


class Presets:
    """The presets of a batch, each read once: a file that changes meanwhile changes nothing."""

    def __init__(self, default: Preset) -> None:
        self.default = default
        self._known: dict[str, Preset] = {}

    def get(self, name: str | None) -> Preset:
        """The preset of a name or file, without one the batch's; `UserError` as `load_preset`."""
        if name is None:
            return self.default
        if name not in self._known:
            self._known[name] = load_preset(name)
        return self._known[name]


def seat_of(lesson: Lesson, pupil: Pupil, presets: Presets) -> Seat:
    """The seat of a pupil; `UserError` for a preset or a group that there is none of."""
    listed = lesson.variation.group_of(pupil.group or "")
    group = listed or lesson.variation.group(lesson.seed, pupil.id)
    code = code_of(lesson.seed, pupil.id, group)
    return _seat(lesson, code, pupil, presets.get(pupil.preset))


def version_seats(lesson: Lesson) -> Iterator[Seat]:
    """The seats of a lesson in versions, from version 0."""
    for number in range(lesson.versions):
        key = version_key(number)
        yield usual_seat(lesson, code_of(lesson.seed, key, str(number)), key)


def usual_seat(lesson: Lesson, code: str, key: str) -> Seat:
    """The seat of somebody for whom the list says nothing else than the lesson."""
    return _seat(lesson, code, Pupil(key, name="", line=0), lesson.preset)


def _seat(lesson: Lesson, code: str, pupil: Pupil, preset: Preset) -> Seat:
    return Seat(
        code=code,
        key=pupil.id,
        line=pupil.line,
        preset=preset,
        sentence=pupil.sentence or (lesson.sentence if preset is lesson.preset else None),
        language=pupil.language or lesson.language or preset.language,
        level=pupil.level or lesson.worksheet.level,
        name=pupil.name if lesson.print_names else "",
        group=pupil.group or "",
        number=pupil.number,
    )


def task_of(lesson: Lesson, seat: Seat) -> Task:
    """What the seat is asked, before it has numbers of its own, on all sheets of one thread."""
    return Task(
        preset=seat.preset,
        sheets=tuple(s for s in lesson.filled if _preset(lesson, seat, s) is seat.preset),
        level=seat.level,
        sentence=seat.sentence,
        language=seat.language,
        rounding=lesson.rounding,
        edits=lesson.edits,
        budget=lesson.worksheet.budget,
        sentences=lesson.sentences,
        grouped=lesson.variation.kind == "sentences",
    )


def tasks_of(lesson: Lesson, seat: Seat) -> Mapping[str, Task]:
    """What the seat is asked on each sheet: `task_of`, or beside sheet 4a a lesson of its own."""
    main = task_of(lesson, seat)
    return {sheet: _apart(lesson, seat, sheet) or main for sheet in lesson.sheets}


def _apart(lesson: Lesson, seat: Seat, sheet: str) -> Task | None:
    """The task of a sheet with a preset of its own; None for any other."""
    preset = _preset(lesson, seat, sheet)
    if preset is seat.preset:
        return None
    sheets = (sheet,) if sheet in lesson.filled else ()
    language, budget = seat.language, lesson.worksheet.budget
    return Task(preset, sheets, seat.level, language=language, budget=budget)


def _preset(lesson: Lesson, seat: Seat, sheet: str) -> Preset:
    return preset_of(sheet, lesson.sheets, seat.preset, seat.language)


def version_key(number: int) -> str:
    """What the numbers of a version are drawn with."""
    return f"version {number}"


def version_of(lesson: Lesson, pupil_id: str) -> int:
    """The version of a pupil: by the last digits of the id, as "1023" has 3 of ten versions.

    Where the id ends in no digit it is drawn.
    """
    digits = pupil_id[len(pupil_id.rstrip("0123456789")) :]
    if digits:
        return int(digits) % lesson.versions
    return draw("version", lesson.seed, pupil_id, 0, lesson.versions)


FORMAT = "paperformer-manifest/1"


class Own(TypedDict):
    """What a seat was given of a task.

    `edits` are the individual numbers by address, `exercise` the own token's place from 0 (None:
    the preset's), `draws` how often numbers were drawn until they were fair, `seconds` what a
    practised pupil needs. `others` are the tokens that others of the class computed when the set
    was made.
    """

    exercise: int | None
    edits: dict[str, float]
    draws: int
    seconds: float
    others: list[int]


class SeatRecord(Described, Own):
    """One seat of a manifest.

    `apart` has what it was given for sheets with a preset of their own, by sheet; all others are
    one task. `files` has the SHA-256 of each file by its path in the batch's folder.
    """

    group: str
    apart: dict[str, Own]
    files: dict[str, str]


def own_of(record: SeatRecord, sheet: str) -> Own:
    """What a seat was given for a sheet."""
    return record["apart"].get(sheet, record)


def canonical(data: object) -> bytes:
    """Data as JSON that is always spelled the same way."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def readable(data: Mapping[str, object]) -> bytes:
    """Data as JSON for people, in the order given."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
