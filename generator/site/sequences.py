"""Ready sequences of lessons: which sheets on which day, as one ZIP to download and print."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from generator import output
from generator.make import FOLDERS
from generator.presets.defaults import LEARNED
from generator.sheets.series import SERIES
from generator.site.record import PartRecord, SheetEntry, SheetSize

PLAN = "plan.html"


class Sequence(NamedTuple):
    """Some lessons with the sheets of each, all of one preset."""

    name: str
    preset: str
    lessons: tuple[tuple[str, ...], ...]


# At the usual level no lesson has more than twenty minutes of computing; a test looks.
SEQUENCES = (
    Sequence("one-lesson", "paris", (("slide", "slides"),)),
    Sequence("three-lessons", LEARNED, (("1", "2"), ("4a",), ("6",))),
    Sequence("six-lessons", LEARNED, (("1",), ("2", "3"), ("4a",), ("4b",), ("5",), ("6",))),
)


class Taught(NamedTuple):
    """A sheet of a lesson: what it is, and the size that is taken."""

    entry: SheetEntry
    size: SheetSize


@dataclass(frozen=True)
class ReadySequence:
    """A sequence that this gallery has all sheets of, in one language."""

    name: str
    place: Path  # of the part that the files are from
    lessons: tuple[tuple[Taught, ...], ...]

    @property
    def file(self) -> str:
        """The name of its ZIP."""
        return f"{self.name}.zip"

    def inside(self) -> Iterator[tuple[str, str]]:
        """Each file by its name in the ZIP, with its name in the part's folder."""
        for number, lesson in enumerate(self.lessons, 1):
            for one in lesson:
                shown = SERIES[one.entry.sheet].kind.screen  # on a projector: nobody's to hand out
                for kind, name in one.size.files.items():
                    folder = FOLDERS["solution" if shown or kind == "solution" else "blank"]
                    yield f"lesson-{number}/{folder}/{name}", name


def ready(
    records: Mapping[tuple[str, str], PartRecord], language: str, level: int
) -> Iterator[ReadySequence]:
    """The sequences whose sheets are all there; `records` by language and preset."""
    for name, preset, lessons in SEQUENCES:
        if not (record := records.get((language, preset))):
            continue
        taught = tuple(tuple(_taught(record, lesson, level)) for lesson in lessons)
        if [len(one) for one in taught] == [len(one) for one in lessons]:
            yield ReadySequence(name, Path(language, preset), taught)


def _taught(record: PartRecord, sheets: tuple[str, ...], level: int) -> Iterator[Taught]:
    """The sheets of a lesson that there are, at this level or the only one."""
    by_name = {entry.sheet: entry for entry in record.entries}
    for entry in (by_name[sheet] for sheet in sheets if sheet in by_name):
        sizes = {size.level: size for size in entry.sizes}
        if level in sizes or len(sizes) == 1:
            yield Taught(entry, sizes.get(level) or entry.sizes[0])


def zipped(of: ReadySequence, gallery: Path, plan: bytes) -> bytes:
    """The sequence as one ZIP, the plan of the lessons first."""
    files = {name: gallery / of.place / source for name, source in of.inside()}
    return output.zipped({PLAN: plan, **files})
