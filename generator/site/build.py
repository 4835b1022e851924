"""Builds the gallery below a folder: parts that have changed, sequences, pages; the rest stays.

Also here:

* What stands in a gallery's folder, so that nobody else's file is overwritten or removed.
* A room in which a class computes, and papers for whoever plans, ready made.
* The project's own pages (`docs/`) as a site inside the gallery, built by Sphinx in a checkout.
* What the bytes of a part depend on, as one hash: where it is the same, nothing is made again.
"""

import hashlib
import itertools
import json
import subprocess
import sys
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from pydantic import BaseModel, ValidationError

from generator import output
from generator.classroom.desk.manifest import versions
from generator.engine.preset import Preset
from generator.errors import UserError, refused, require
from generator.locales.folders import folders, spelling
from generator.make import Request, make
from generator.planning.papers import Planning
from generator.presets.computed import computed
from generator.presets.defaults import LEARNED
from generator.presets.load import load_preset
from generator.processes import Progress, nobody, processors, results
from generator.render import pictures
from generator.render.worksheet.pdf_engine import load_engine
from generator.resources import PACKAGE, templates
from generator.room.forms import Form, class_rooms, room_files
from generator.sheets import mosaic
from generator.sheets.options import SheetOptions
from generator.site.asked import GalleryRequest
from generator.site.part import Part, Site
from generator.site.record import FILE, FilesRecord, PartRecord, below, hash_of
from generator.site.sequences import ready

MEGA = 1_000_000
PUPILS, MINUTES = 24, "45"  # of the room that is ready made: the usual form, one room
TWIN = "previous-word"  # beside the learned model: of its head one sees what it does


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


def build(asked: GalleryRequest, folder: Path, told: Progress = nobody) -> Built:
    """Make what has changed since the last time, and take away what is not asked for any more.

    A part that cannot be made for a reason that the user can mend is named in `problems`. Raises
    `UserError` where nothing at all could be made, where the folder holds something else, and
    where it cannot be written.
    """
    if asked.docs:
        require_handbook()
    load_engine()  # before the processes fork: each would do it again
    every = itertools.product(asked.languages, asked.loaded)
    parts = [
        Part(one, language, asked.levels_of(one), asked.sheets(one)) for language, one in every
    ]
    tasks = {part.place: PartTask(part, folder / part.place, _key(part)) for part in parts}
    before = begun(folder)
    stayed = {place: record for place, task in tasks.items() if (record := task.there())}
    todo = {place: task.done for place, task in tasks.items() if place not in stayed}
    done = results(list(todo.values()), asked.jobs or processors(), told)
    made = dict(zip(todo, done, strict=True))
    problems = [f"{place.as_posix()}: {one}" for place, one in made.items() if isinstance(one, str)]
    fresh = {place: one for place, one in made.items() if isinstance(one, PartRecord)}
    records = {place: one for place in tasks if (one := stayed.get(place) or fresh.get(place))}
    if not records:
        raise UserError("\n".join(problems))
    removed = take_away(folder, records)
    by_name = {(place.parts[0], place.parts[1]): one for place, one in records.items()}
    sequences = {one: tuple(ready(by_name, one)) for one in asked.languages}
    shown = folder, asked.loaded, asked.languages, by_name, sequences
    rooms = {one: room_of(folder, one) for one in asked.languages if asked.room}
    plans = {one: planning_of(folder, one) for one in rooms}
    site = Site(*shown, asked.address, asked.docs, asked.small, rooms, plans)
    further = [*rooms.values(), *plans.values(), *([handbook(folder)] if asked.docs else [])]
    size = put(folder, dict(ChainMap(site.files(), *further)), before)
    size += sum((folder / place / name).stat().st_size
                for place, record in records.items() for name in (*record.files, FILE))  # fmt: skip
    return Built(_names(fresh), _names(stayed), _names(removed), tuple(problems), size)


def _names(places: Iterable[Path]) -> tuple[str, ...]:
    return tuple(place.as_posix() for place in places)


def _key(part: Part) -> str:
    return key_of(part.preset, part.language, levels=part.levels, sheets=part.sheets)


class PartTask(NamedTuple):
    """A part to make into its folder, and the hash of what it is made from."""

    part: Part
    folder: Path
    key: str

    def there(self) -> PartRecord | None:
        """The record of a part whose files are there, made of the same."""
        record = PartRecord.kept(self.folder)
        return record if record and record.key == self.key and record.holds(self.folder) else None

    def done(self) -> PartRecord | str:
        """The part made and written, all files at once; the message where it cannot be made."""
        try:
            record, files = self.part.made(self.key)
        except UserError as error:
            return str(error)
        old = PartRecord.kept(self.folder)
        contents = {**files, FILE: record.written()}
        output.write({self.folder / name: content for name, content in contents.items()})
        for name in set(old.files if old else ()) - set(files):
            output.remove(self.folder / name)
        return record


LIST = "gallery.json"  # the files that are no part's; where it stands, the folder is a gallery
FORMAT = "paperformer-gallery/1"


class Listed(BaseModel):
    """What the list holds."""

    format: Literal["paperformer-gallery/1"]
    files: list[str]


def begun(folder: Path) -> tuple[str, ...]:
    """The files that an earlier run put into a gallery, beside its parts; marks a new folder.

    Raises `UserError` for a folder that holds something else.
    """
    if (folder / LIST).is_file():
        return _listed(folder / LIST)
    filled = folder.is_dir() and any(folder.iterdir())
    require(not filled, "site.folder", folder=folder, name=LIST)
    output.write({folder / LIST: _list(())})
    return ()


def put(folder: Path, files: Mapping[str, bytes], before: Collection[str]) -> int:
    """Write the files that are not there as they should be, remove those of before; their bytes."""
    content = _list(sorted(files))
    wanted = {folder / name: data for name, data in files.items()} | {folder / LIST: content}
    output.write({path: data for path, data in wanted.items() if not _is(path, data)})
    for name in sorted(set(before) - set(files)):
        output.remove(folder / name)
    return sum(map(len, wanted.values()))


def take_away(folder: Path, places: Collection[Path]) -> tuple[Path, ...]:
    """Remove the parts that are not among these places, as far as we wrote them."""
    places_there = {path.parent.relative_to(folder) for path in folder.glob(f"*/*/{FILE}")}
    gone = tuple(sorted(places_there - set(places)))
    for place in gone:
        if record := PartRecord.kept(folder / place):
            for name in (*record.files, FILE):
                output.remove(folder / place / name)
    return gone


def _listed(path: Path) -> tuple[str, ...]:
    try:
        listed = Listed.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise refused("site.list", path=path, expected=FORMAT) from None
    return tuple(filter(below, listed.files))


def _list(names: Collection[str]) -> bytes:
    return f"{json.dumps({'format': FORMAT, 'files': list(names)}, indent=1)}\n".encode()


def _is(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


DOCS = PACKAGE.parent / "docs"
PLACE = "docs"  # below the gallery
LIBRARIES = ("sphinx", "myst-parser", "furo", "docutils", "pygments")
INSTALL = ".venv/bin/pip install -r .locked/proofs.txt"
HIDDEN = "."  # Sphinx's own notes


def handbook(gallery: Path) -> dict[str, bytes]:
    """Every file of it by its path below the gallery; made again only where a page has changed.

    Raises `UserError` outside a checkout and where Sphinx is missing.
    """
    with TemporaryDirectory(prefix="paperformer-") as folder:
        return _kept(gallery, PLACE, require_handbook(), lambda: _built(Path(folder)))


def _kept(
    gallery: Path, place: str, key: str, make: Callable[[], Mapping[str, bytes]]
) -> dict[str, bytes]:
    """The files of a place in the gallery by their paths, made again where the key is another."""
    record, note = FilesRecord.kept(gallery / place), f"{place}/{FILE}"
    if record and record.files and record.key == key and record.holds(gallery):
        return {name: (gallery / name).read_bytes() for name in (*record.files, note)}
    made = {f"{place}/{name}": content for name, content in make().items()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    return {**made, note: FilesRecord(key, hashes).written()}


def require_handbook() -> str:
    """The hash of the pages and of what builds them; `UserError` where it cannot be built."""
    require((DOCS / "conf.py").is_file(), "site.docs")
    try:
        versions = {name: metadata.version(name) for name in LIBRARIES}
    except metadata.PackageNotFoundError as error:
        raise UserError(f"--docs needs {error.name}: {INSTALL}") from None
    files = sorted(path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".pyc")
    hashes = [(path.relative_to(DOCS).as_posix(), hash_of(path)) for path in files]
    return hashlib.sha256(json.dumps([versions, hashes]).encode()).hexdigest()


def _built(folder: Path, *more: str) -> dict[str, bytes]:
    """Every file that Sphinx makes; `more` are further words for it."""
    out = folder / "site"
    words = ["-b", "html", "-q", *more, "-d", str(folder / "trees"), str(DOCS), str(out)]
    done = subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True)
    require(not done.returncode, "site.sphinx", docs=DOCS, said=done.stderr.strip())
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    names = {path.relative_to(out): path for path in files}
    return {name.as_posix(): path.read_bytes() for name, path in names.items()
            if not name.name.startswith(HIDDEN)}  # fmt: skip


def room_of(gallery: Path, language: str) -> dict[str, bytes]:
    """A room's papers as a ZIP, its wall as a picture; made again where the program has changed.

    Nothing in a language that the form has no sentence in.
    """
    if spelling(language)[0] not in Form.of(MINUTES).sentences:
        return {}

    def made() -> dict[str, bytes]:
        papers = room_files(class_rooms(PUPILS, MINUTES, language=language))
        wall = pictures.first_page(papers["teacher/poster-solution.pdf"])
        return {"paperformer-room.zip": output.zipped(papers), "wall.png": wall}

    key = key_of(load_preset(LEARNED), language, room=(PUPILS, MINUTES))
    return _kept(gallery, f"room-{language}", key, made)


def planning_of(gallery: Path, language: str) -> dict[str, bytes]:
    """Papers for whoever plans with the first model, and its self-checks of tiles."""
    model, tiles = load_preset(LEARNED), SheetOptions(mosaic=True)

    def made() -> dict[str, bytes]:
        trace = computed(preset=model, language=language)
        papers = Planning.asked(trace, twin=TWIN, pupils=PUPILS).files()
        tiled = make(trace, Request(("pdf",), mosaic.SHEETS_WITH, worksheet=tiles)).files
        return papers | {path.name: tiled[path] for path in tiled if "mosaic" in path.stem}

    key = key_of(model, language, room=PUPILS, twin=load_preset(TWIN).sha256)
    return _kept(gallery, f"planning-{language}", key, made)


ELSEWHERE = ("api", "cli", "doctor", "grading", "training", "web")  # no sheet comes from there
PAGES = ("gallery", "web")  # templates and phrases of pages that are filled anew each time
HERE = ("part.py", "pictures.py", "record.py")  # what of this package decides about a part
FILES = (".py", ".toml", ".json", ".j2", ".css", ".ttf")


def key_of(preset: Preset, language: str, **chosen: object) -> str:
    """The hash of the program, the libraries, the preset with its history, and what was chosen."""
    history = hashlib.sha256(repr(preset.history).encode()).hexdigest()
    what = {
        "program": program(),
        "versions": {**versions(), **pictures.versions()},
        "preset": (preset.name, preset.sha256, history),
        "language": (language, _hash_of(_files(folders()[language], ()))),
        "chosen": chosen,
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


@cache
def program() -> str:
    """The hash of all files of the program that a sheet or a workbook may come from."""
    return _hash_of([*_files(PACKAGE, ELSEWHERE), *_files(templates(), PAGES)])


def _hash_of(files: Iterable[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, path in sorted(files):
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _files(root: Path, without: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    """The files below a folder, each with its name there; packages `without` left out.

    Of the presets the program counts, not their files: each part has the one that it shows.
    """
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        package = parts[0].removesuffix(".py")
        if path.suffix in FILES and package not in without and _decides(package, path):
            yield "/".join((root.name, *parts)), path


def _decides(package: str, path: Path) -> bool:
    if package == "presets":
        return path.suffix == ".py"
    return path.name in HERE if package == "site" else path.stem not in PAGES
