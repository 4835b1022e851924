"""Writes the page for teachers as static files: a browser computes in place of a server.

Any web server that sends files can hold them. The same installation and the same Pyodide give the
same bytes.

Also here:

* The program and the pure Python libraries it needs, as one archive for the browser.
* Pyodide's folder: Python for the browser, and what of it is missing, cut off or too old.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion

from generator import output
from generator.errors import UserError, first_of, message, refused, require
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.render.worksheet.worksheet import environment
from generator.resources import PACKAGE, template, templates
from generator.sheets.fonts import FONT_FILES, font_bytes
from generator.version import __version__
from generator.versions import INSTALL_WEB, bounds_of
from generator.web.server import FILES

LOCK = "pyodide-lock.json"
CORE = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
GLUE = ("pyodide.asm.mjs", "pyodide.asm.js")  # the second one until Pyodide 0.29
# What no pure Python stands in for, with the versions that the program takes.
COMPILED = bounds_of("numpy", "lxml", "regex", "pydantic")
PYTHON = ">=3.11"
WAY_OUT = message("web.pyodide")


@dataclass
class Runtime:
    """The files of a folder that the page needs, the wheels among them, and what is wrong."""

    folder: Path
    wheels: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    packages: Mapping[str, Any] = field(default_factory=dict)

    @property
    def files(self) -> list[Path]:
        """Those of the files that there are."""
        glue = [name for name in GLUE if (self.folder / name).is_file()]
        paths = (self.folder / name for name in [*CORE, *glue[:1], *self.wheels])
        return [path for path in paths if path.is_file()]

    def read(self) -> None:
        """Look the folder through."""
        for names in (*((name,) for name in CORE), GLUE):
            if not any((self.folder / name).is_file() for name in names):
                self.problems.append(f"{' or '.join(names)} is missing")
        if not (self.folder / LOCK).is_file():
            return
        try:
            lock = json.loads((self.folder / LOCK).read_text(encoding="utf-8"))
            python = str(lock["info"]["python"])
            self.packages = {canonicalize_name(name): one for name, one in lock["packages"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            self.problems.append(f"{LOCK} is not the list of libraries that Pyodide writes")
            return
        if not within(python, PYTHON):
            self.problems.append(f"found Python {python}, expected {PYTHON}")
        for name in COMPILED if self.packages else ():
            self._add(name)

    def _add(self, name: str) -> None:
        """Take in the file of a library, after those of what it needs itself."""
        entry, bounds = self.packages.get(canonicalize_name(name)), COMPILED.get(name, "")
        if entry is None:
            missing = f"{name} is missing: {LOCK} does not name it {bounds}".rstrip()
            self.problems.append(missing)
        elif entry["file_name"] not in self.wheels:
            for other in entry.get("depends", ()):
                self._add(other)
            self.wheels.append(entry["file_name"])
            self.problems += self._wrong(name, entry)

    def _wrong(self, name: str, entry: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with a library: its version, or its file."""
        version, file, bounds = str(entry["version"]), entry["file_name"], COMPILED.get(name, "")
        path = self.folder / Path(file).name
        if bounds and not within(version, bounds):
            yield f"{name}: found version {version}, expected {bounds}"
        if not path.is_file():
            expected = f" (expected {name} {bounds})" if bounds else ""
            yield f"{file} is missing{expected}"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != entry.get("sha256"):
            yield f"{file} is not the file that {LOCK} names (checksum); download it again"


def read(folder: Path) -> Runtime:
    """The folder, looked through; `UserError` where there is none."""
    require(folder.is_dir(), "web.no_pyodide", folder=folder, way_out=WAY_OUT)
    runtime = Runtime(folder)
    runtime.read()
    return runtime


def usable(folder: Path) -> Runtime:
    """As `read`; `UserError` with all that is wrong."""
    runtime = read(folder)
    if runtime.problems:
        lines = "\n".join(f"  {one}" for one in first_of(runtime.problems))
        raise refused("web.unusable", folder=folder, lines=lines, way_out=WAY_OUT)
    return runtime


def within(version: str, bounds: str) -> bool:
    """Whether a version such as "2.4.6" lies within bounds such as ">=2.0,<3"."""
    try:
        return SpecifierSet(bounds).contains(version, prereleases=True)
    except InvalidVersion:
        return False


FORMAT = "paperformer-page/1"
CONTENTS, PROGRAM, PYODIDE = "contents.json", "paperformer.zip", "pyodide"
OWN = ("shell.js", "shell.css", "worker.js", "sheet.html", "sheet.js", "wired.js")
SAID = ("file", "old", "failed")  # what may have to be said before Python is there


def page(folder: str | Path, *, pyodide: str | Path) -> list[Path]:
    """Write the page below a folder, new or written by this before; gives the files' paths back.

    `pyodide` is a folder with Pyodide's full distribution. Raises `UserError` with all that it
    lacks, and for a folder that holds something else.
    """
    return written(Path(folder), usable(Path(pyodide)))


def written(folder: Path, runtime: Runtime) -> list[Path]:
    """Write the page with what there is of Pyodide; `UserError` for a folder that is not ours."""
    _require_ours(folder)
    files = _files(runtime)
    old = [path for path in (folder / PYODIDE).glob("*") if path.is_file()]
    paths = output.write({folder / name: content for name, content in files.items()})
    for path in set(old).difference(paths):
        output.remove(path)
    return paths


def _files(runtime: Runtime) -> dict[str, bytes]:
    """Every file of the page by its name."""
    pages = {"index.html": _index(), CONTENTS: _contents(runtime), PROGRAM: bundle()}
    own = {name: template(f"web/alone/{name}").read_bytes() for name in OWN}
    shared = {name: template(f"web/{name}").read_bytes() for name in FILES}
    fonts = {f"fonts/{file}": font_bytes(file) for file in FONT_FILES}
    python = {f"{PYODIDE}/{path.name}": path.read_bytes() for path in runtime.files}
    return {**pages, **own, **shared, **fonts, **python}


def _index() -> bytes:
    """The page that stays while others are shown in it, with what it may have to say."""
    texts = {code: load(code) for code in languages()}
    text = environment().get_template("web/alone/index.html.j2").render(texts=texts, said=SAID)
    return text.encode("utf-8")


def _contents(runtime: Runtime) -> bytes:
    """What the worker loads, and from which versions it was made."""
    contents = {
        "format": FORMAT,
        "paperformer": __version__,
        "program": PROGRAM,
        "wheels": [f"{PYODIDE}/{name}" for name in runtime.wheels],
        "libraries": versions(),
    }
    return (json.dumps(contents, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _require_ours(folder: Path) -> None:
    """Raise a `UserError` for a folder with files that no page of ours has."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        ours = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        ours = False
    require(ours, "web.folder", folder=folder)


LIBRARIES = (
    "anyio", "et_xmlfile", "fonttools", "idna", "jinja2", "latex2mathml", "markupsafe", "openpyxl",
    "python-multipart", "rich", "segno", "starlette", "ziafont", "ziamath",
)  # fmt: skip
BINARY = (".so", ".pyd", ".pyc", ".dylib")  # for this computer, not for the browser


def bundle() -> bytes:
    """The archive: the same bytes wherever the same versions are installed."""
    libraries = {name: path for one in LIBRARIES for name, path in _library(one)}
    return output.zipped(dict(sorted({**dict(_own()), **libraries}.items())), 0o644)


def versions() -> dict[str, str]:
    """The libraries in the archive, each with its version; `UserError` where one is missing."""
    return {name: _installed(name).version for name in LIBRARIES}


def _own() -> Iterator[tuple[str, Path]]:
    """The program, its templates where an installed package has them."""
    for folder, place in ((PACKAGE, "generator"), (templates(), "generator/_templates")):
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and _taken(name) and not name.startswith("_templates/"):
                yield f"{place}/{name}", path


def _library(name: str) -> Iterator[tuple[str, Path]]:
    """An installed library without what is compiled; of its record only what it is called."""
    distribution = _installed(name)
    for file in distribution.files or ():
        place = file.as_posix()
        record = file.parts[0].endswith(".dist-info") and file.name != "METADATA"
        if ".." not in file.parts and not record and _taken(place):
            yield place, Path(str(distribution.locate_file(file)))


def _taken(name: str) -> bool:
    parts = set(name.split("/"))
    hidden = any(part.startswith(".") for part in parts)
    return not (name.endswith(BINARY) or hidden or parts & {"__pycache__", "tests"})


def _installed(name: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise UserError(f"page needs {name}: {INSTALL_WEB}") from None
