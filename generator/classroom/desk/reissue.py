"""Makes one pupil's files again from the manifest alone, as where a sheet was lost."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from generator.classroom.desk.manifest import NOT_AS_WRITTEN, Manifest, other_versions
from generator.classroom.files.pool import FAILURES
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.store import sha256
from generator.classroom.pupils import columns
from generator.classroom.pupils.columns import ListRow, csv_rows
from generator.classroom.pupils.roster import same_id
from generator.classroom.pupils.seats import printed_name
from generator.errors import refused, require
from generator.files import LARGEST_LIST, require_file
from generator.slug import hyphened

NAMES = "names.csv"


def reissue(manifest: Path, wanted: str) -> dict[str, bytes]:
    """A pupil's files by their path in the batch's folder, the same bytes as the batch wrote.

    `wanted` is the code on the pupil's pages, the id, the number beside the name line, or the name
    as a `names.csv` beside has it. Raises `UserError` for a manifest that is missing, edited or of
    another format, for an unknown pupil, and, saying which versions made them, where other bytes
    come out.
    """
    content, names = Manifest.opened(content_of(manifest), str(manifest)), manifest.parent / NAMES
    record = content.entry(_code(names, wanted) if names.is_file() else wanted)
    with sensible(content, manifest):
        lesson = content.lesson()
        name = printed_name(_name(names, record.code)) if lesson.print_names else ""
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


def told_apart(path: Path) -> dict[str, str]:
    """The names by code of a `names.csv`, each with the id behind it where several have one name.

    Raises `UserError` where it cannot be read.
    """
    people = _people(path)
    count = Counter(name for *_, name in people if name)
    return {code: f"{name} ({key})" if count[name] > 1 else name for code, key, name in people}


def _people(path: Path) -> list[tuple[str, str, str]]:
    """Code, id and name of each, however the list was saved again."""
    content_of(path)
    rows = (row.cells for row in csv_rows(path) if isinstance(row, ListRow))
    heads = next(rows, ())
    # A further column of the list may be called "code", too; ours stand first.
    named = (dict([*zip(heads, map(columns.text, row), strict=False)][::-1]) for row in rows)
    whole = (row for row in named if row.get("code") and "name" in row)
    return [(row["code"], row.get("id", ""), row["name"]) for row in whole]


def _name(path: Path, code: str) -> str:
    """A pupil's name, which only `names.csv` holds."""
    names = [name for one, _, name in _people(path) if one == code]
    require(names, "reissue.nameless", path=path, code=code)
    return names[-1]


def _code(path: Path, wanted: str) -> str:
    """The code of whom `names.csv` calls so; what is wanted itself where it calls nobody so.

    Raises `UserError` with the names, or those with a part, that are spelled nearly so.
    """
    asked, people = " ".join(same_id(wanted).split()), _people(path)
    codes = {code for code, _, name in people if name and same_id(name) == asked}
    require(len(codes) < 2, "reissue.several", wanted=wanted, codes=sorted(codes))
    if not codes and asked not in {same_id(one) for code, key, _ in people for one in (code, key)}:
        plain = {name: hyphened(name) for *_, name in people}
        parts = {name: [one, *one.split("-")] for name, one in plain.items() if one}
        like = [name for name in parts if get_close_matches(hyphened(asked), parts[name], 1, 0.75)]
        require(not like, "reissue.near", wanted=wanted, near=" / ".join(like[:4]))
    return codes.pop() if codes else wanted
