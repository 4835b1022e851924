"""Makes one pupil's files again from the manifest alone, as where a sheet was lost."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.classroom.desk.manifest import NOT_AS_WRITTEN, Manifest, other_versions
from generator.classroom.files.pool import FAILURES
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.store import sha256
from generator.classroom.pupils import columns
from generator.errors import refused, require
from generator.files import LARGEST_LIST, require_file

NAMES = "names.csv"


def reissue(manifest: Path, wanted: str) -> dict[str, bytes]:
    """A pupil's files by their path in the batch's folder, the same bytes as the batch wrote.

    `wanted` is the code on the pupil's pages, the id, or the number beside the name line. Raises
    `UserError` for a manifest that is missing, edited or of another format, for an unknown pupil,
    and, saying which versions made them, where other bytes come out.
    """
    content, names = Manifest.opened(content_of(manifest), str(manifest)), manifest.parent / NAMES
    record = content.entry(wanted)
    with sensible(content, manifest):
        lesson = content.lesson()
        name = _name(names, record.code) if lesson.print_names else ""
        seat = content.seat(lesson, record, name)
    same_name = seat.described().named == record.named
    require(same_name, "reissue.name", wanted=wanted, names=names)
    with sensible(content, manifest):
        files = dict(PupilSet(seat, record).files())
    if {path: sha256(data) for path, data in files.items()} != record.files:
        changed = ", ".join(other_versions(content.made_with)) or "an edited preset or program"
        raise refused("reissue.other", changed=changed)
    return files


@contextmanager
def sensible(content: Manifest, manifest: Path) -> Iterator[None]:
    """Within it, what a forged or another version's manifest breaks becomes one `UserError`."""
    try:
        yield
    except FAILURES:
        raise
    except Exception as error:  # numbers of any shape and names of any kind may stand there
        if changed := ", ".join(other_versions(content.made_with)):
            raise refused("reissue.version", path=manifest, changed=changed) from error
        raise refused("reissue.broken", path=manifest, error=error, mend=NOT_AS_WRITTEN) from error


def content_of(path: Path) -> bytes:
    """A manifest's bytes, or those of the names beside it; `UserError` where there are none."""
    require_file(path, "manifest" if path.name != NAMES else "names", LARGEST_LIST)
    try:
        return path.read_bytes()
    except OSError as error:
        raise refused("reissue.unread", path=path, error=error) from error


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
    names = names_in(path)
    require(code in names, "reissue.nameless", path=path, code=code)
    return names[code]
