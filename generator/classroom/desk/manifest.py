"""The manifest: what a batch was made from and what it made, in `teacher/manifest.json`.

Also here:

* What a manifest and a batch's notes must look like: a valid seal says nothing of it.
* What a batch has finished: kept while it runs, so that a stopped one can be taken up again.
"""

import hashlib
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from typing import Any, Self

from pydantic import BaseModel, ValidationError

from generator.classroom.files.store import Store, sha256
from generator.classroom.numbers.lesson import Digest, Lesson, Settings
from generator.classroom.pupils.roster import same_id
from generator.classroom.pupils.seats import FORMAT, Files, Seat, SeatRecord, canonical, readable
from generator.engine.preset import Preset
from generator.errors import UserError, message, refused, require
from generator.presets.portable import from_data
from generator.render.worksheet.browser import version as browser_version
from generator.render.worksheet.pdf import in_browser
from generator.version import __version__

LIBRARIES = ("numpy", "openpyxl", "lxml", "fonttools", "ziamath")
FOR_PDF = ("weasyprint", "pydyf")
BROWSER = "browser"  # in the place of these where one prints the PDFs
SEAL = "sha256"
NOT_AS_WRITTEN = message("manifest.unwritten")


def versions(
    outputs: Collection[str] = ("xlsx", "pdf"), *, browser: bool = False
) -> dict[str, str]:
    """The versions on which the bytes of such files depend; those for PDFs only where some are.

    What is not installed is not named: nothing was made with it. With `browser` it prints the
    PDFs; `BrowserMissing` where there is none.
    """
    prints = browser and "pdf" in outputs
    used = (*LIBRARIES, *(FOR_PDF if "pdf" in outputs and not prints else ()))
    here = {"paperformer": __version__, **_installed()}
    used_here = {name: here[name] for name in ("paperformer", *used) if name in here}
    return {**used_here, BROWSER: browser_version()} if prints else used_here


@cache
def _installed() -> dict[str, str]:
    version_of = {}
    for name in (*LIBRARIES, *FOR_PDF):
        with suppress(metadata.PackageNotFoundError):
            version_of[name] = metadata.version(name)
    return version_of


def sealed(content: Mapping[str, object], pupils: Iterable[SeatRecord] = ()) -> bytes:
    """A manifest as bytes, its last entry a checksum of all others.

    The records pass one by one, so that memory does not grow with the class.
    """
    nobody: dict[str, object] = {**content, "pupils": []}
    before, after = canonical(nobody).split(b'"pupils":[]')
    head, tail = readable({**nobody, SEAL: ""}).split(b'"pupils": []')
    digest, out = hashlib.sha256(before + b'"pupils":['), io.BytesIO()
    out.write(head + b'"pupils": [')
    apart = b""
    for record in pupils:
        plain = record.model_dump()
        digest.update(apart + canonical(plain))
        out.write(apart + b"\n  " + readable(plain).rstrip().replace(b"\n", b"\n  "))
        apart = b","
    digest.update(b"]" + after)
    out.write(b"\n ]" if apart else b"]")
    out.write(tail.replace(b'"sha256": ""', f'"{SEAL}": "{digest.hexdigest()}"'.encode()))
    return out.getvalue()


class Notes(BaseModel):
    """Finished seats."""

    format: str
    made_with: dict[str, str]
    pupils: list[SeatRecord]

    @classmethod
    def opened(cls, content: bytes, where: str) -> Self:
        """These notes from the bytes of a file.

        Raises `UserError` for what is none, has been edited, or has another format or form.
        """
        entries = _parsed(content, where)
        made_with = entries.get("made_with")
        if entries["format"] != FORMAT:
            version = made_with.get("paperformer") if isinstance(made_with, dict) else None
            made = {"expected": FORMAT, "by": version or "of another version", "this": __version__}
            raise refused("manifest.format", where=where, found=entries["format"], **made)
        seal = entries.pop(SEAL, None)
        require(seal and seal == _seal(entries), "manifest.seal", where=where)
        try:
            return cls.model_validate_json(content, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            problem = f"{'.'.join(map(str, first['loc'])) or 'all of it'}: {first['msg']}"
        except UserError as error:
            problem = f"settings.worksheet: {error}"
        changed = ", ".join(other_versions(made_with)) if isinstance(made_with, dict) else ""
        reason = f"it was made with {changed}; install that" if changed else NOT_AS_WRITTEN
        raise UserError(f"{where}: {problem}; {reason}")


class BatchBeginning(Notes):
    """What is being made."""

    seed: str
    settings: Settings

    def head(self) -> dict[str, Any]:
        """What it is as plain data, without the seats."""
        return self.model_dump(mode="json", include=set(BatchBeginning.model_fields) - {"pupils"})


def beginning_of(lesson: Lesson) -> BatchBeginning:
    """What a batch of a lesson is made from."""
    by_browser = "pdf" in lesson.outputs and in_browser(lesson.worksheet)
    return BatchBeginning(
        format=FORMAT,
        made_with=versions(lesson.outputs, browser=by_browser),
        seed=lesson.seed,
        settings=lesson.settings(),
        pupils=[],
    )


class Manifest(BatchBeginning):
    """What was made, and from what."""

    presets: dict[Digest, dict[str, Any]]
    papers: Files

    def lesson(self) -> Lesson:
        """The lesson that it describes."""
        preset = self._preset(self.settings.preset_sha256)
        return Lesson.of_settings(self.settings, preset, self.seed)

    def _preset(self, digest: str) -> Preset:
        """A preset as the batch read it."""
        preset: Preset = from_data(self.presets[digest])
        return preset

    def seat(self, lesson: Lesson, record: SeatRecord, name: str = "") -> Seat:
        """The seat of a record; `name` is the one that is printed."""
        own = record.model_dump(include={"code", "key", "sentence", "language", "level", "number"})
        return Seat(lesson, line=0, preset=self._preset(record.preset_sha256), name=name, **own)

    def entry(self, wanted: str) -> SeatRecord:
        """The record of a code or an id, capitals or not, or of the number beside a name line.

        Raises `UserError` where there is none, naming some codes, and for a number of one pupil
        that is another one's id, naming both.
        """
        text = wanted.strip()
        # As a place in the class list, from 1; 0 for any other text.
        asked, place = same_id(text), int(text) if re.fullmatch("[0-9]{1,7}", text) else 0
        called = [r for r in self.pupils if asked in (same_id(r.code), same_id(r.key))][:1]
        placed = [r for r in self.pupils if place and r.number == place]
        found = list({record.code: record for record in (*called, *placed)}.values())
        require(len(found) < 2, "manifest.two", wanted=wanted, found=found)
        some = ", ".join(record.code for record in self.pupils[:5])
        require(found, "manifest.nobody", wanted=wanted, count=len(self.pupils), some=some)
        return found[0]


def _parsed(content: bytes, where: str) -> dict[str, Any]:
    try:
        entries: dict[str, Any] = json.loads(content)
    except (ValueError, RecursionError) as error:  # the former also for what is not UTF-8
        raise refused("manifest.json", where=where, error=error) from error
    require(isinstance(entries, dict) and "format" in entries, "manifest.none", where=where)
    return entries


def _seal(content: Mapping[str, object]) -> str:
    """The checksum; "" for texts with half characters, which no batch writes."""
    try:
        return sha256(canonical(content))
    except UnicodeEncodeError:
        return ""


def other_versions(made_with: Mapping[str, str]) -> Iterator[str]:
    """Each version that is another one than here, as a phrase."""
    here = versions()
    if BROWSER in made_with:
        with suppress(UserError):  # none, or one that is too old: it is not there
            here[BROWSER] = browser_version()
    for name, then in made_with.items():
        if here.get(name) != then:
            yield f"{name} {then} (here {here.get(name, 'not installed')})"


STARTED = "teacher/started.json"
PROGRESS = "teacher/progress"
MANIFEST = "teacher/manifest.json"
FEW = 100  # records in one file


class Journal:
    """The finished seats of a batch, by code; small files that are written whole or not at all.

    The files are numbered: what a later one says of a seat holds.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._where: dict[str, int] = {}
        self._open: tuple[int, dict[str, SeatRecord]] = (0, {})
        self._last = 0

    def start(self, beginning: BatchBeginning) -> None:
        """Note what is being made, so that `--resume` can go on with the same choices."""
        self.store.write({STARTED: sealed(beginning.head())})

    def add(self, records: Sequence[SeatRecord]) -> None:
        """Note finished seats, whose files are all in place."""
        if not records:
            return
        self._last += 1
        head = {"format": FORMAT, "made_with": versions()}
        self.store.write({_path(self._last): sealed(head, records)})
        self._where.update((record.code, self._last) for record in records)

    def take_up(self) -> list[str]:
        """Read what earlier runs finished; gives back what is wrong with damaged files."""
        problems: list[str] = []
        for number in sorted(self._numbers()):
            self._last = number
            try:
                self._where.update(dict.fromkeys(self._read(number), number))
            except UserError:
                path = f"{self.store}/{_path(number)}"
                problems.append(f"{path} is damaged; the sets that it noted are made again")
        return problems

    def take_over(self, records: Sequence[SeatRecord]) -> None:
        """Note the seats of a finished batch that is being enlarged."""
        for begin in range(0, len(records), FEW):
            self.add(records[begin : begin + FEW])

    def whole(self, seat: Seat) -> bool:
        """Whether a seat is finished as the list has it now, and its files are as written.

        One that is not is forgotten.
        """
        if seat.code not in self._where:
            return False
        record = self.record(seat.code)
        same = dict(seat.described()).items() <= dict(record).items()
        if same and self._as_written(record.files):
            return True
        del self._where[seat.code]
        return False

    def record(self, code: str) -> SeatRecord:
        """The record of a finished seat; KeyError for another."""
        number = self._where[code]
        if self._open[0] != number:
            self._open = number, self._read(number)
        return self._open[1][code]

    def __contains__(self, code: str) -> bool:
        return code in self._where

    def codes(self) -> set[str]:
        """The codes of all finished seats, also of those that have left the list."""
        return set(self._where)

    def give_up(self) -> None:
        """Take the journal away if it has nothing, so that another beginning is free."""
        if not self._where:
            self.store.remove(STARTED)
            self.store.tidy((PROGRESS, "teacher", "hand-out"))

    def finish(self) -> None:
        """Take the journal away: the manifest holds it all now."""
        self.store.remove(STARTED)  # first: from now on the manifest says what is there
        self.store.remove(PROGRESS)

    def _as_written(self, files: Mapping[str, str]) -> bool:
        contents = ((self.store.read(path), digest) for path, digest in files.items())
        return all(content is not None and sha256(content) == d for content, d in contents)

    def _numbers(self) -> Iterator[int]:
        for name in self.store.names(PROGRESS):
            stem, _, kind = name.partition(".")
            if stem.isdecimal() and kind == "json":
                yield int(stem)

    def _read(self, number: int) -> dict[str, SeatRecord]:
        path = _path(number)
        content = self.store.read(path)
        if content is None:
            raise UserError(f"{self.store}/{path} has gone while the batch ran; start it again")
        return {one.code: one for one in Notes.opened(content, f"{self.store}/{path}").pupils}


def _path(number: int) -> str:
    return f"{PROGRESS}/{number:06}.json"
