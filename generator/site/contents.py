"""What stands in a gallery's folder, so that nobody else's file is overwritten or removed."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from generator import output
from generator.errors import UserError
from generator.site.record import FILE, kept

LIST = "gallery.json"  # the files that are no part's; where it stands, the folder is a gallery
FORMAT = "paperformer-gallery/1"


def begun(folder: Path) -> tuple[str, ...]:
    """The files that an earlier run put into a gallery, beside its parts; marks a new folder.

    Raises `UserError` for a folder that holds something else.
    """
    if (folder / LIST).is_file():
        return _listed(folder / LIST)
    if folder.is_dir() and any(folder.iterdir()):
        raise UserError(
            f"{folder}: this folder holds other files and is no gallery (there is no {LIST} in "
            "it); name a new or an empty folder"
        )
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
        if record := kept(folder / place):
            for name in (*record.files, FILE):
                output.remove(folder / place / name)
    return gone


def _listed(path: Path) -> tuple[str, ...]:
    try:
        contents = json.loads(path.read_bytes())
        names = contents["files"] if contents["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UserError(
            f"{path}: this is no list of a gallery's files, expected format {FORMAT!r}; name a new "
            "folder, or remove that file and everything beside it"
        )
    return tuple(name for name in names if _is_below(Path(name)))


def _is_below(name: Path) -> bool:
    return ".." not in name.parts and not name.is_absolute()


def _list(names: Collection[str]) -> bytes:
    return f"{json.dumps({'format': FORMAT, 'files': list(names)}, indent=1)}\n".encode()


def _is(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False
