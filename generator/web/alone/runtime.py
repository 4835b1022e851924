"""Reads Pyodide's folder: Python for the browser, and the libraries that are compiled for it.

They are not ours to ship. Whoever builds the page has them in a folder; what of it is missing, cut
off or too old is said here, all at once.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion

from generator.errors import UserError, first_of
from generator.versions import bounds_of

LOCK = "pyodide-lock.json"
CORE = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
GLUE = ("pyodide.asm.mjs", "pyodide.asm.js")  # the second one until Pyodide 0.29
# What no pure Python stands in for, with the versions that the program takes.
COMPILED = bounds_of("numpy", "lxml", "regex", "pydantic")
PYTHON = ">=3.11"
WHERE = (
    "take Pyodide's full distribution, pyodide-VERSION.tar.bz2 from "
    "https://github.com/pyodide/pyodide/releases, unpack it, and name the folder `pyodide` in it; "
    "the npm package and the archive pyodide-core lack the libraries"
)


@dataclass(frozen=True)
class Runtime:
    """The files of a folder that the page needs, the wheels among them, and what is wrong."""

    files: tuple[Path, ...]
    wheels: tuple[str, ...]
    problems: tuple[str, ...]


def read(folder: Path) -> Runtime:
    """The folder, looked through; `UserError` where there is none."""
    if not folder.is_dir():
        raise UserError(f"--pyodide {folder}: there is no such folder; {WHERE}")
    problems = [f"{name} is missing" for name in CORE if not (folder / name).is_file()]
    glue = [name for name in GLUE if (folder / name).is_file()]
    problems += [] if glue else [f"{' or '.join(GLUE)} is missing"]
    wheels: list[str] = []
    if LOCK not in " ".join(problems):
        lock = _Lock(folder)
        wheels, more = lock.wheels(), lock.problems
        problems += more
    names = [*CORE, *glue[:1], *wheels]
    files = tuple(folder / name for name in names if (folder / name).is_file())
    return Runtime(files, tuple(wheels), tuple(problems))


def require(folder: Path) -> Runtime:
    """As `read`; `UserError` with all that is wrong."""
    runtime = read(folder)
    if runtime.problems:
        lines = "\n".join(f"  {one}" for one in first_of(runtime.problems))
        raise UserError(f"--pyodide {folder}: this cannot be used:\n{lines}\n{WHERE}")
    return runtime


class _Lock:
    """Pyodide's list of its libraries: their files, versions, checksums, and what each needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[str] = []
        self.packages: Mapping[str, Any] = {}
        try:
            lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
            python, self.packages = str(lock["info"]["python"]), dict(lock["packages"])
        except (ValueError, KeyError, TypeError):
            self.problems.append(f"{LOCK} is not the list of libraries that Pyodide writes")
            return
        if not within(python, PYTHON):
            self.problems.append(f"found Python {python}, expected {PYTHON}")

    def wheels(self) -> list[str]:
        """The files of what is needed, each after what it needs itself."""
        wanted: dict[str, None] = {}
        if self.packages:
            for name in COMPILED:
                self._add(name, wanted)
        return [self.packages[name]["file_name"] for name in wanted]

    def _add(self, name: str, wanted: dict[str, None]) -> None:
        key = _key(name, self.packages)
        if key in wanted:
            return
        if key is None:
            bounds = COMPILED.get(name, "")
            self.problems.append(f"{name} is missing: {LOCK} does not name it {bounds}".rstrip())
            return
        for other in self.packages[key].get("depends", ()):
            self._add(other, wanted)
        wanted[key] = None
        self.problems += self._wrong(key, name)

    def _wrong(self, key: str, name: str) -> Iterator[str]:
        """What is wrong with a library: its version, or its file."""
        entry, bounds = self.packages[key], COMPILED.get(name, "")
        version, file = str(entry["version"]), str(entry["file_name"])
        path = self.folder / Path(file).name
        if bounds and not within(version, bounds):
            yield f"{name}: found version {version}, expected {bounds}"
        if not path.is_file():
            expected = f" (expected {name} {bounds})" if bounds else ""
            yield f"{file} is missing{expected}"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != entry.get("sha256"):
            yield f"{file} is not the file that {LOCK} names (checksum); download it again"


def _key(name: str, packages: Mapping[str, Any]) -> str | None:
    """A library's name as the list has it: "pydantic_core" and "pydantic-core" are the same."""
    plain = canonicalize_name(name)
    return next((one for one in packages if canonicalize_name(one) == plain), None)


def within(version: str, bounds: str) -> bool:
    """Whether a version such as "2.4.6" lies within bounds such as ">=2.0,<3"."""
    try:
        return SpecifierSet(bounds).contains(version, prereleases=True)
    except InvalidVersion:
        return False
