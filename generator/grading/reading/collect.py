"""Everything that a class handed in, from one folder: whose each file is and what stands in it.

What is not ours, damaged or meant for another class is named with its reason and stops nothing.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from generator.classroom.files.pool import HERE, Pool, in_order
from generator.errors import UserError, require_known
from generator.grading.marking.class_marks import chosen, require_apart
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading import in_form, in_workbook, typed_list
from generator.grading.reading.entries import CSV, Collected, Entries, Stray
from generator.grading.reading.raw import NotOurs, Raw
from generator.grading.reading.reader import SECONDS, Member, read_all
from generator.processes import processors
from generator.render.owner import FORMAT, Owner

PREFER = ("latest", "all")
RESULTS = "marks"  # what the grading itself wrote
CHUNK = 8  # files whose entries a process takes at a time, for it makes their pupils' numbers
# What systems and programs leave beside files; nobody handed it in.
LEFT_OVER = re.compile(
    r"(?:.*/)?(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*|\.~lock\..*#|__MACOSX/.*)", re.I
)


Taken = tuple[list[Entries], list[Stray]]


class SourceFile(NamedTuple):
    """A file to read, and its name as the teacher sees it."""

    path: Path
    shown: str


def collected(
    folder: Path,
    batch_dir: Path,
    *,
    prefer: str = "latest",
    jobs: int | None = None,
    seconds: float = SECONDS,
    workers: Pool = HERE,
) -> Collected:
    """What a folder and the folders and zips in it hold, for one batch.

    Of several files of a pupil for one sheet one is taken (`prefer` "latest"), see `several`. With
    "all" each is kept. Raises `UserError` where there is no such folder or batch.
    """
    require_known("preference", prefer, PREFER)
    batch, stray = batch_in(batch_dir), list[Stray]()
    places = sorted(_places(folder, stray), key=lambda place: place.shown)
    entries: list[Entries] = []
    read = read_all([place.path for place in places], jobs or processors(), seconds)
    for found_in, problems in _all_taken(_named(places, read), batch, workers):
        entries += found_in
        stray += problems
    if batch.lesson.versions:
        require_apart(entries, batch.lesson.versions)
    if prefer == "latest":
        entries = chosen(entries, stray)
    return Collected(tuple(entries), tuple(sorted(stray, key=lambda one: one.file)))


# The files ---------------------------------------------------------------------------------------


def _places(folder: Path, stray: list[Stray]) -> Iterator[SourceFile]:
    """The regular files below a folder; what is no file and no folder becomes stray."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise UserError(
            f"{folder}: {error.strerror}; expected the folder with what the class handed in"
        ) from error
    for path in paths:
        if path.name != RESULTS or not path.is_dir():
            yield from _below(path, _shown(path.name), stray)


def _below(path: Path, shown: str, stray: list[Stray]) -> Iterator[SourceFile]:
    if LEFT_OVER.fullmatch(path.name) or path.name == "__MACOSX":
        return
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            for inner in sorted(path.iterdir()):
                yield from _below(inner, f"{shown}/{_shown(inner.name)}", stray)
        elif stat.S_ISREG(mode):
            yield SourceFile(path, shown)
        elif stat.S_ISLNK(mode):
            stray.append(Stray(shown, "it is a link; put the file itself here"))
        else:
            stray.append(Stray(shown, "it is a device or a pipe"))
    except OSError as error:
        stray.append(Stray(shown, f"it cannot be read: {error.strerror}"))


def _shown(name: str) -> str:
    """A name as it can be printed: one line, no signs that nobody sees or that are no text."""
    text = os.fsencode(name).decode("utf-8", errors="replace")
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _named(places: Iterable[SourceFile], read: Iterable[list[Member]]) -> Iterator[tuple[str, Raw]]:
    """What each file holds, files in a zip singly, under the name that the teacher sees."""
    for place, contents in zip(places, read, strict=True):
        for name, raw in contents:
            if not LEFT_OVER.fullmatch(name):
                yield f"{place.shown}/{_shown(name)}" if name else place.shown, raw


# One file ----------------------------------------------------------------------------------------


class FilePortion(NamedTuple):
    """Some files' names and what they hold; small enough to be sent to a process."""

    folder: Path
    files: tuple[tuple[str, Raw], ...]


def _all_taken(files: Iterable[tuple[str, Raw]], batch: Batch, workers: Pool) -> Iterator[Taken]:
    """The entries of all files in their order; processes take portions of files, or of a list."""
    for is_list, some in groupby(files, lambda file: file[1].get("kind") == CSV):
        if is_list:
            yield from (_taken(raw, shown, batch, workers) for shown, raw in some)
        else:
            portions = _portions(batch.folder, some)
            yield from (taken for _, taken in in_order(workers, _portion_taken, portions))


def _portions(folder: Path, files: Iterator[tuple[str, Raw]]) -> Iterator[FilePortion]:
    while some := tuple(islice(files, CHUNK)):
        yield FilePortion(folder, some)


def _portion_taken(portion: FilePortion) -> Taken:
    batch = batch_in(portion.folder)
    taken = [_taken(raw, shown, batch, HERE) for shown, raw in portion.files]
    return [one for entries, _ in taken for one in entries], [one for _, s in taken for one in s]


def _taken(raw: Raw, shown: str, batch: Batch, workers: Pool) -> Taken:
    """The entries of a file, or why there are none."""
    try:
        if problem := raw.get("problem"):
            raise NotOurs(problem)
        if raw["kind"] == CSV:
            return typed_list.entries_of(raw["rows"], shown, batch, workers)
        kind = in_form if raw["kind"] == "pdf" else in_workbook
        owner = kind.owner_of(raw)
        _require_of_batch(owner, batch)
        one, problem = kind.entries_of(raw, shown, owner, batch)
        return [one] if one else [], [Stray(shown, problem)] if problem else []
    except (NotOurs, UserError) as error:
        return [], [Stray(shown, str(error))]


def _require_of_batch(owner: Owner, batch: Batch) -> None:
    """Raise `NotOurs` for what another version, another batch or nobody's batch made."""
    if owner.format != FORMAT:
        raise NotOurs(f"another version made it: found format {owner.format}, expected {FORMAT}")
    if not owner.batch:
        raise NotOurs("`make` made it, for nobody in particular; a batch makes files with codes")
    if owner.batch != batch.lesson.batch:
        raise NotOurs(f"it belongs to the batch {owner.batch}, this one is {batch.lesson.batch}")
    if owner.code not in batch.records:
        raise NotOurs(f"its code {owner.code} is not in this batch")
