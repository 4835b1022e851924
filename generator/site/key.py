"""What the bytes of a part depend on, as one hash: where it is the same, nothing is made again."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from generator.classroom.manifest import versions
from generator.engine.preset import Preset
from generator.locales.folders import folders
from generator.render import pictures
from generator.resources import PACKAGE, templates

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
