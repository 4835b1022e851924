"""Who sits in the class: each pupil, or each version, with everything that decides the files.

Also here:

* What is kept of one seat: enough to make its files again, and no name.
* The class as a list that can be gone through again and again, each time with the same seats.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from generator.classroom.files.store import sha256
from generator.classroom.numbers.lesson import Count, Digest, Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Lot
from generator.classroom.pupils.pupil_codes import code_of
from generator.classroom.pupils.roster import Entry, Pupil, RefusedLine
from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.errors import UserError, at, require
from generator.presets.load import load_preset
from generator.render.owner import batch_mark
from generator.sheets.fonts import missing_glyphs
from generator.sheets.options import SheetOptions
from generator.sheets.titles import preset_of

SHORT = 4  # digits of a name's mark: 65,536 marks for all the names there are
FORMAT = "paperformer-manifest/1"
Level = Annotated[int, Field(ge=1, le=3)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
# A path in the batch's folder, never one that leads out of it.
Inside = Annotated[str, Field(pattern=r"^(hand-out|teacher)(/[^/\\\x00]*[^./\\\x00][^/\\\x00]*)+$")]
Files = dict[Inside, Digest]


class Described(BaseModel):
    """What the class list and the lesson say of a seat.

    `named` is "" where no name is printed, else a mark of it: it shows that a name was corrected,
    and is too short to say which one it is. `number` is the pupil's place in the list, 0 for none.
    """

    code: Annotated[str, Field(min_length=1)]
    key: str
    preset: str
    preset_sha256: Digest
    sentence: str | None
    language: str
    level: Level
    named: str
    number: Count


class Own(BaseModel):
    """What a seat was given of a task.

    `edits` are the individual numbers by address, `exercise` the own token's place from 0 (None:
    the preset's), `draws` how often numbers were drawn until they were fair, `seconds` what a
    practised pupil needs. `others` are the tokens that others of the class computed when the set
    was made.
    """

    exercise: Count | None
    edits: dict[str, Finite]
    draws: Count
    seconds: Annotated[Finite, Field(ge=0)]
    others: list[Count]


class SeatRecord(Own, Described):  # the last one's fields come first, as manifests have them
    """One seat of a manifest.

    `apart` has what it was given for sheets with a preset of their own, by sheet; all others are
    one task. `files` has the SHA-256 of each file by its path in the batch's folder.
    """

    group: str
    apart: dict[str, Own]
    files: Files


@dataclass(frozen=True)
class Seat:
    """One set of files: for whom, and what the list says beyond the lesson.

    `key` is what numbers are drawn with: the pupil's id, or the version. `name` is there only where
    it is printed. `line` is the line of the class list, 0 for a version. `group` is the list's own,
    `number` the pupil's place in it from 1, which is printed; 0 for a version.
    """

    lesson: Lesson
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
        own = {**vars(self), "preset": self.preset.source, "preset_sha256": self.preset.sha256}
        named = sha256(self.name.encode())[:SHORT] if self.name else ""
        return Described(**own, named=named)

    @property
    def options(self) -> SheetOptions:
        """The choices for a work leaf of the seat."""
        return replace(
            self.lesson.options(self.language, self.level),
            part="work",
            code=self.code,
            mark=batch_mark(self.lesson.batch),
            pupil=self.name,
            number=self.number,
            teacher=False,
            alone=self.lesson.variation.alone,
        )

    @property
    def lot(self) -> Lot:
        """What its draws come from."""
        return Lot(self.lesson.seed, self.key)

    @property
    def task(self) -> Task:
        """What it is asked, before it has numbers of its own, on all sheets of one thread."""
        lesson = self.lesson
        return Task(
            preset=self.preset,
            sheets=tuple(s for s in lesson.filled if self._preset(s) is self.preset),
            level=self.level,
            sentence=self.sentence,
            language=self.language,
            rounding=lesson.rounding,
            edits=lesson.edits,
            budget=lesson.worksheet.budget,
            sentences=lesson.sentences,
            grouped=lesson.variation.kind == "sentences",
        )

    @property
    def tasks(self) -> Mapping[str, Task]:
        """What it is asked on each sheet: its `task`, or beside sheet 4a a lesson of its own."""
        main = self.task
        return {sheet: self._apart(sheet) or main for sheet in self.lesson.sheets}

    def _apart(self, sheet: str) -> Task | None:
        preset = self._preset(sheet)
        if preset is self.preset:
            return None
        sheets = (sheet,) if sheet in self.lesson.filled else ()
        budget = self.lesson.worksheet.budget
        return Task(preset, sheets, self.level, language=self.language, budget=budget)

    def _preset(self, sheet: str) -> Preset:
        return preset_of(sheet, self.lesson.sheets, self.preset, self.language)


def usual_seat(lesson: Lesson, code: str = "", key: str = "") -> Seat:
    """The seat of somebody for whom the list says nothing else than the lesson."""
    return _seat(lesson, code, Pupil(key, name="", line=0), lesson.preset)


def _seat(lesson: Lesson, code: str, pupil: Pupil, preset: Preset) -> Seat:
    return Seat(
        lesson=lesson,
        code=code,
        key=pupil.id,
        line=pupil.line,
        preset=preset,
        sentence=pupil.sentence or (lesson.sentence if preset is lesson.preset else None),
        language=pupil.language or lesson.language or preset.language,
        level=pupil.level or lesson.worksheet.level,
        name=printed_name(pupil.name) if lesson.print_names else "",
        group=pupil.group or "",
        number=pupil.number,
    )


def printed_name(name: str) -> str:
    """A name as sheets print it: "" where our fonts cannot draw all of it, for a pen to write."""
    return "" if missing_glyphs(name) else name


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


Rows: TypeAlias = Callable[[], Iterable[Entry]]


class Roll:
    """Who gets a set; `rows` gives the lines of the class list anew at each call.

    The list streams. Presets that it names are read once for the whole batch: a file that changes
    meanwhile changes nothing.
    """

    def __init__(self, lesson: Lesson, rows: Rows = tuple) -> None:
        self.lesson = lesson
        self.rows = rows
        self._presets: dict[str | None, Preset] = {None: lesson.preset}

    def size(self) -> int:
        """How many sets there will be, those of refused lines counted."""
        return self.lesson.versions or sum(1 for _ in self.rows())

    def pupils(self) -> Iterator[Pupil]:
        """The pupils of the list, in its order."""
        return (row for row in self.rows() if isinstance(row, Pupil))

    def seats(self, problems: list[str] | None = None) -> Iterator[Seat]:
        """The seats in the list's order; lines that give none go to `problems`."""
        seats = self._seated([] if problems is None else problems)
        if not self.lesson.versions:
            return seats
        for _ in seats:  # to hear of refused lines; the seats are those of the versions
            pass
        keys = ((str(n), version_key(n)) for n in range(self.lesson.versions))
        seed = self.lesson.seed
        return (usual_seat(self.lesson, code_of(seed, key, n), key) for n, key in keys)

    def seat(self, pupil: Pupil) -> Seat:
        """The seat of a pupil; `UserError` for a preset or a group that there is none of."""
        lesson, name = self.lesson, pupil.preset
        pupil = pupil._replace(group=lesson.variation.group_of(pupil.group or ""))
        group = pupil.group or lesson.variation.group(Lot(lesson.seed, pupil.id))
        if name is not None and name not in self._presets:
            self._presets[name] = load_preset(name)
        return _seat(lesson, code_of(lesson.seed, pupil.id, group), pupil, self._presets[name])

    def _seated(self, problems: list[str]) -> Iterator[Seat]:
        lines: dict[str, int] = {}
        for row in self.rows():
            try:
                if isinstance(row, RefusedLine):
                    raise UserError(row.message)
                seat = self.seat(row)
                require(seat.code not in lines, "list.code", line=lines.get(seat.code))
            except UserError as error:
                problems.append(at(row.line, error.message))
            else:
                lines[seat.code] = row.line
                yield seat


def canonical(data: object) -> bytes:
    """Data as JSON that is always spelled the same way."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def readable(data: Mapping[str, object]) -> bytes:
    """Data as JSON for people, in the order given."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
