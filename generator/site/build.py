"""Builds the gallery below a folder: parts that have changed, sequences, pages; the rest stays."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator import output
from generator.errors import UserError
from generator.processes import Progress, nobody, processors, results
from generator.render.worksheet.pdf_engine import load_engine
from generator.site.asked import Asked
from generator.site.contents import begun, put, take_away
from generator.site.handbook import handbook, require_handbook
from generator.site.key import key_of
from generator.site.pages import Site
from generator.site.part import Part, made
from generator.site.record import FILE, Record, kept
from generator.site.sequences import ready

MEGA = 1_000_000
Records = dict[Path, Record]  # by the part's folder below the gallery's


@dataclass(frozen=True)
class Built:
    """The parts made anew, those that stayed, those taken away, what failed, bytes of it all."""

    made: tuple[str, ...]
    stayed: tuple[str, ...]
    removed: tuple[str, ...]
    problems: tuple[str, ...]
    size: int

    def __str__(self) -> str:
        counts = f"{len(self.made)} parts made, {len(self.stayed)} as they were"
        gone = f", {len(self.removed)} taken away" if self.removed else ""
        return f"{counts}{gone}; {self.size / MEGA:.1f} MB"


def build(asked: Asked, folder: Path, told: Progress = nobody) -> Built:
    """Make what has changed since the last time, and take away what is not asked for any more.

    A part that cannot be made for a reason that the user can mend is named in `problems`. Raises
    `UserError` where nothing at all could be made, where the folder holds something else, and
    where it cannot be written.
    """
    if asked.docs:
        require_handbook()
    load_engine()  # before the processes fork: each would do it again
    parts = {part.place: part for part in _parts(asked)}
    keys = {place: _key(part) for place, part in parts.items()}
    before = begun(folder)
    stayed = {
        place: record_there
        for place, key in keys.items()
        if (record_there := _stays(folder / place, key))
    }
    fresh, problems = _made(parts, keys, stayed, folder, asked.jobs, told)
    records = {place: one for place in parts if (one := stayed.get(place) or fresh.get(place))}
    if not records:
        raise UserError("\n".join(problems))
    removed = take_away(folder, records)
    files = _site(asked, records, folder).files() | (handbook(folder) if asked.docs else {})
    size = put(folder, files, before)
    size += sum((folder / place / name).stat().st_size
                for place, record in records.items() for name in (*record.files, FILE))  # fmt: skip
    return Built(_names(fresh), _names(stayed), _names(removed), tuple(problems), size)


def _parts(asked: Asked) -> list[Part]:
    presets = asked.loaded
    return [
        Part(preset, language, asked.levels, asked.sheets(preset))
        for language in asked.languages
        for preset in presets
    ]


def _key(part: Part) -> str:
    return key_of(part.preset, part.language, levels=part.levels, sheets=part.sheets)


def _stays(folder: Path, key: str) -> Record | None:
    """The record of a part whose files are there, made of the same."""
    record = kept(folder)
    return record if record and record.key == key and record.holds(folder) else None


def _made(
    parts: Mapping[Path, Part],
    keys: Mapping[Path, str],
    stayed: Mapping[Path, Record],
    folder: Path,
    jobs: int | None,
    told: Progress,
) -> tuple[Records, list[str]]:
    """The parts that are not there yet, made and written; and why some could not be."""
    todo = [place for place in parts if place not in stayed]
    tasks = [partial(_written, parts[place], keys[place], folder) for place in todo]
    results_of = dict(zip(todo, results(tasks, jobs or processors(), told), strict=True))
    records = {place: one for place, one in results_of.items() if isinstance(one, Record)}
    return records, [f"{place.as_posix()}: {one}" for place, one in results_of.items()
                     if isinstance(one, str)]  # fmt: skip


def _written(part: Part, key: str, gallery: Path) -> Record | str:
    """One part made and written, all files at once; the message where it cannot be made."""
    folder = gallery / part.place
    try:
        record, files = made(part, key)
    except UserError as error:
        return str(error)
    old = kept(folder)
    contents = {folder / name: files[name] for name in files} | {folder / FILE: record.written()}
    output.write(contents)
    for name in set(old.files if old else ()) - set(files):
        output.remove(folder / name)
    return record


def _site(asked: Asked, records: Records, folder: Path) -> Site:
    by_name = {(place.parts[0], place.parts[1]): one for place, one in records.items()}
    sequences = {one: tuple(ready(by_name, one, asked.middle)) for one in asked.languages}
    return Site(
        folder, asked.loaded, asked.languages, by_name, sequences, asked.address, asked.docs
    )


def _names(places: Mapping[Path, Record] | tuple[Path, ...]) -> tuple[str, ...]:
    return tuple(place.as_posix() for place in places)
