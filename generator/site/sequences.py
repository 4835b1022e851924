"""Ready sequences of lessons: the sheets of a route, as one ZIP to download and print."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from generator import output
from generator.locales.catalogue import load
from generator.sheets.routes import ROUTES, Route
from generator.sheets.series import SERIES
from generator.site.record import PartRecord, SheetEntry, SheetSize

PLAN = "plan.html"


class Taught(NamedTuple):
    """A sheet of a lesson: what it is, and the size that is taken."""

    entry: SheetEntry
    size: SheetSize

    @property
    def screen(self) -> bool:
        """Whether it is for a projector: nobody's to hand out."""
        return SERIES[self.entry.sheet].kind.screen


@dataclass(frozen=True)
class ReadySequence:
    """A route that this gallery has all sheets of, in one language."""

    route: Route
    place: Path  # of the part that the files are from
    lessons: tuple[tuple[Taught, ...], ...]

    @property
    def file(self) -> str:
        """The name of its ZIP."""
        return f"paperformer-{self.route.name}.zip"

    def inside(self) -> Iterator[tuple[str, str]]:
        """Each file by its name in the ZIP, with its name in the part's folder.

        In the order of use: of each lesson what is copied, then what the teacher keeps.
        """
        t = load(self.place.parts[0]).t
        for number, lesson in enumerate(self.lessons, 1):
            for whose in ("class", "teacher"):
                folder = t(f"gallery.zip.{whose}", number=number)
                files = ((one, *file) for one in lesson for file in one.size.files.items())
                for one, kind, name in files:
                    if whose == ("teacher" if one.screen or kind == "solution" else "class"):
                        title = one.entry.title.partition(":")[0]
                        yield f"{folder}/{t(f'gallery.zip.{kind}', title=title)}.pdf", name


def ready(records: Mapping[tuple[str, str], PartRecord], language: str) -> Iterator[ReadySequence]:
    """The routes whose sheets are all there; `records` by language and preset."""
    for route in ROUTES.values():
        if not (record := records.get((language, route.preset))):
            continue
        taught = tuple(tuple(_taught(record, lesson, route.level)) for lesson in route.lessons)
        if [len(one) for one in taught] == [len(one) for one in route.lessons]:
            yield ReadySequence(route, Path(language, route.preset), taught)


def _taught(record: PartRecord, sheets: Iterable[str], level: int) -> Iterator[Taught]:
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
