"""Makes one pupil's files again from the manifest alone, as where a sheet was lost."""

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from generator.classroom.desk.manifest import NOT_AS_WRITTEN, entry, opened, other_versions
from generator.classroom.files.pool import FAILURES
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.store import sha256
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils import columns
from generator.classroom.pupils.seats import Seat, SeatRecord
from generator.engine.preset import Preset
from generator.errors import UserError
from generator.files import LARGEST_LIST, require_file
from generator.presets.portable import from_data

NAMES = "names.csv"


def reissue(manifest: Path, wanted: str) -> dict[str, bytes]:
    """A pupil's files by their path in the batch's folder, the same bytes as the batch wrote.

    `wanted` is the code on the pupil's pages, the id, or the number beside the name line. Raises
    `UserError` for a manifest that is missing, edited or of another format, for an unknown pupil,
    and, saying which versions made them, where other bytes come out.
    """
    content = opened(content_of(manifest), str(manifest))
    record = entry(content, wanted)
    with sensible(content, manifest):
        lesson = lesson_of(content)
        name = _name(manifest.parent / NAMES, record["code"]) if lesson.print_names else ""
        seat = seat_of(lesson, content, record, name)
    if seat.described()["named"] != record["named"]:
        raise UserError(
            f"{wanted} was printed with another name than {manifest.parent / NAMES} has now: take "
            "a copy of the file as the batch wrote it, or run the batch with --resume"
        )
    with sensible(content, manifest):
        files = dict(PupilSet(seat, record).files())
    if {path: sha256(data) for path, data in files.items()} != record["files"]:
        changed = ", ".join(other_versions(content["made_with"])) or "an edited preset or program"
        raise UserError(
            f"these would not be the same files: the batch was made with {changed}; install what "
            "it was made with, or make a new batch"
        )
    return files


@contextmanager
def sensible(content: Mapping[str, Any], manifest: Path) -> Iterator[None]:
    """Within it, what a forged or another version's manifest breaks becomes one `UserError`."""
    try:
        yield
    except FAILURES:
        raise
    except Exception as error:  # numbers of any shape and names of any kind may stand there
        if changed := ", ".join(other_versions(content["made_with"])):
            raise UserError(
                f"{manifest}: it has choices that this version does not know: it was made with "
                f"{changed}; install that"
            ) from error
        raise UserError(
            f"{manifest}: its choices cannot be computed ({type(error).__name__}: {error}); "
            f"{NOT_AS_WRITTEN}"
        ) from error


def lesson_of(manifest: Mapping[str, Any]) -> Lesson:
    """The lesson that a manifest describes."""
    settings = manifest["settings"]
    preset = _preset(manifest, settings["preset_sha256"])
    return Lesson.of_settings(settings, preset, manifest["seed"])


def content_of(path: Path) -> bytes:
    """A manifest's bytes, or those of the names beside it; `UserError` where there are none."""
    require_file(path, "manifest" if path.name != NAMES else "names", LARGEST_LIST)
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{path}: {error.strerror}; expected the teacher/manifest.json of a batch, and beside "
            "it names.csv where names were printed"
        ) from error


def _preset(manifest: Mapping[str, Any], digest: str) -> Preset:
    """A preset as the batch read it: its numbers are in the manifest."""
    preset: Preset = from_data(manifest["presets"][digest])
    return preset


def seat_of(
    lesson: Lesson, manifest: Mapping[str, Any], record: SeatRecord, name: str = ""
) -> Seat:
    """The seat of a record; `name` is the one that is printed."""
    return Seat(
        lesson=lesson,
        code=record["code"],
        key=record["key"],
        line=0,
        preset=_preset(manifest, record["preset_sha256"]),
        sentence=record["sentence"],
        language=record["language"],
        level=record["level"],
        number=record["number"],
        name=name,
    )


def names_in(path: Path) -> dict[str, str]:
    """The names by code of a `names.csv`; `UserError` where it cannot be read."""
    text = content_of(path).decode("utf-8-sig", errors="replace")
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";")
    return {
        row["code"]: columns.text(row["name"])
        for row in rows
        if row.get("code") and row.get("name") is not None
    }


def _name(path: Path, code: str) -> str:
    """A pupil's name, which only `names.csv` holds."""
    if (name := names_in(path).get(code)) is not None:
        return name
    raise UserError(
        f"{path} has no name for code {code!r}; the batch printed names, and they stand there "
        "only: take a copy of the file as the batch wrote it"
    )
