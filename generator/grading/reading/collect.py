"""Everything that a class handed in, from one folder: whose each file is and what stands in it.

What is not ours, damaged or meant for another class is named with its reason and stops nothing.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from generator.classroom.files.pool import HERE, Pool, in_order, portions
from generator.errors import UserError, refused
from generator.grading.marking.marks import chosen, require_apart
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import CSV, Collected, Entries, Found, Stray
from generator.grading.reading.raw import Raw, Reason
from generator.grading.reading.reader import SECONDS, Member, read_all
from generator.grading.reading.whose import FilledForm, FilledWorkbook, entries_of
from generator.processes import processors

RESULTS = "marks"  # what the grading itself wrote
OURS = (".xlsx", ".ods", ".pdf", ".zip")  # where a damaged file is worth another try
CHUNK = 8  # files whose entries a process takes at a time, for it makes their pupils' numbers
# What systems and programs leave beside files; nobody handed it in.
LEFT_OVER = re.compile(
    r"(?:.*/)?(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*|\.~lock\..*#|__MACOSX/.*)", re.I
)


NamedFile = tuple[str, Raw]  # a file as the teacher sees it, and what it holds


class SourceFile(NamedTuple):
    """A file to read, and its name as the teacher sees it."""

    path: Path
    shown: str


@dataclass(frozen=True)
class Collecting:
    """How what came back is collected for a batch.

    Of several files of a pupil for one sheet the latest is taken; with `every` each is kept. Files
    are read by `jobs` processes, each in so many seconds; `workers` take portions of them, or of a
    list.
    """

    batch: Batch
    every: bool = False
    jobs: int | None = None
    seconds: float = SECONDS
    workers: Pool = HERE

    def collected(self, folder: Path) -> Collected:
        """What a folder and the folders and zips in it hold; `UserError` where there is none."""
        places = list(_places(folder))
        files = [one for one in places if isinstance(one, SourceFile)]
        files.sort(key=lambda one: one.shown)
        paths, jobs = [one.path for one in files], self.jobs or processors()
        read = read_all(paths, jobs, self.seconds)
        found = list(self._all(_named(zip(files, read, strict=True))))
        entries = [one for one in found if isinstance(one, Entries)]
        stray = [one for one in (*places, *found) if isinstance(one, Stray)]
        if self.batch.lesson.versions:
            require_apart(entries, self.batch.lesson.versions)
        if not self.every:
            entries = chosen(entries, stray)
        return Collected(tuple(entries), tuple(sorted(stray, key=lambda one: one.file)))

    def _all(self, files: Iterable[NamedFile]) -> Iterator[Found]:
        """What all files hold in their order."""
        for is_list, some in groupby(files, lambda file: file[1].get("kind") == CSV):
            if is_list:  # whose lines are shared out
                yield from self._portion(some)
            else:
                for _, found in in_order(self.workers, self._portion, portions(some, CHUNK)):
                    yield from found

    def _portion(self, files: Iterable[NamedFile]) -> list[Found]:
        return [one for file in files for one in self._found(*file)]

    def _found(self, shown: str, raw: Raw) -> Iterator[Found]:
        """The entries of a file, or why there are none."""
        try:
            if problem := raw.get("problem"):
                other = problem[0] == "damaged" and Path(shown).suffix.lower() not in OURS
                yield Stray(shown, Reason("other") if other else Reason(*problem))
            elif raw["kind"] == CSV:
                # As a whole: a list of which a part was read is none.
                yield from list(entries_of(raw["rows"], shown, self.batch, self.workers))
            else:
                kind = FilledForm if raw["kind"] == "pdf" else FilledWorkbook
                yield from kind(raw, shown, self.batch).found()
        except UserError as error:
            yield Stray(shown, Reason.of(error))


# The files ---------------------------------------------------------------------------------------


def _places(folder: Path) -> Iterator[SourceFile | Stray]:
    """The regular files below a folder; what is no file and no folder is stray."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise refused("grade.folder", folder=folder, error=error) from error
    for path in paths:
        if path.name != RESULTS or not path.is_dir():
            yield from _below(path)


def _below(path: Path, above: str = "") -> Iterator[SourceFile | Stray]:
    shown = above + _shown(path.name)
    if LEFT_OVER.fullmatch(path.name) or path.name == "__MACOSX":
        return
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            for inner in sorted(path.iterdir()):
                yield from _below(inner, f"{shown}/")
        elif stat.S_ISREG(mode):
            yield SourceFile(path, shown)
        else:
            yield Stray(shown, Reason("link" if stat.S_ISLNK(mode) else "device"))
    except OSError:
        yield Stray(shown, Reason("closed"))


def _shown(name: str) -> str:
    """A name as it can be printed: one line, no signs that nobody sees or that are no text."""
    text = os.fsencode(name).decode("utf-8", errors="replace")
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _named(files: Iterable[tuple[SourceFile, list[Member]]]) -> Iterator[NamedFile]:
    """What each file holds, files in a zip singly, under the name that the teacher sees."""
    for file, contents in files:
        for name, raw in contents:
            if not LEFT_OVER.fullmatch(name):
                yield f"{file.shown}/{_shown(name)}" if name else file.shown, raw
