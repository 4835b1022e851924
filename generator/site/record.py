"""What a folder of the gallery holds: kept beside its files, so that a later run knows it."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, Self

from pydantic import TypeAdapter, ValidationError

FILE = "contents.json"


def below(name: str) -> bool:
    """Whether a file of that name lies below the folder that it is looked for in."""
    path = Path(name)
    return ".." not in path.parts and not path.is_absolute()


def beside(name: str) -> bool:
    """Whether a file of that name lies in the folder itself."""
    return Path(name).name == name


@dataclass(frozen=True)
class SheetSize:
    """A sheet at one level: minutes, and its files by what they are for."""

    level: int
    minutes: int
    files: Mapping[str, str]


@dataclass(frozen=True)
class SheetEntry:
    """One sheet: what it is called, what it teaches, what is needed before, its sizes."""

    sheet: str
    title: str
    goal: str
    needs: str
    picture: str = ""
    sizes: tuple[SheetSize, ...] = ()

    @property
    def middle(self) -> SheetSize:
        """The size that stands for all."""
        return self.sizes[len(self.sizes) // 2]


@dataclass(frozen=True)
class Book:
    """A workbook; `level` 0 is the solution, which has none."""

    level: int
    file: str


@dataclass(frozen=True)
class FilesRecord:
    """What a folder holds as it was made: the hash of what it came from, each file's hash."""

    key: str
    files: Mapping[str, str]
    ours: ClassVar[Callable[[str], bool]] = below

    @classmethod
    def kept(cls, folder: Path) -> Self | None:
        """The record in a folder; None where there is none, or none of ours."""
        try:
            record: Self = TypeAdapter(cls).validate_json((folder / FILE).read_bytes())
        except (OSError, ValidationError):
            return None
        return record if all(map(cls.ours, record.files)) else None

    def written(self) -> bytes:
        """The record as its file holds it."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True)
        return f"{text}\n".encode()

    def holds(self, folder: Path) -> bool:
        """Whether each file is there as it was written."""
        return all(hash_of(folder / name) == digest for name, digest in self.files.items())


@dataclass(frozen=True)
class PartRecord(FilesRecord):
    """A part as it was made, and what it shows."""

    sentence: str
    entries: tuple[SheetEntry, ...]
    books: tuple[Book, ...]
    notebooks: tuple[str, ...] = ()
    ours: ClassVar[Callable[[str], bool]] = beside

    def has(self, sheet: str) -> bool:
        """Whether the sheet is among what it shows."""
        return any(entry.sheet == sheet for entry in self.entries)


def hash_of(path: Path) -> str:
    """The SHA-256 of a file; "" where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
