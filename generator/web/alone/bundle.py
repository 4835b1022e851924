"""The program and the pure Python libraries it needs, as one archive for the browser.

They are taken from this installation, so that the page computes with what the command computes
with. What must be compiled for the browser comes from Pyodide's folder (`runtime.py`).
"""

import io
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from generator.errors import UserError
from generator.resources import PACKAGE, templates

LIBRARIES = (
    "anyio",
    "et_xmlfile",
    "fonttools",
    "idna",
    "jinja2",
    "latex2mathml",
    "markupsafe",
    "openpyxl",
    "python-multipart",
    "rich",
    "segno",
    "starlette",
    "ziafont",
    "ziamath",
)
NO_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: same files, same bytes
COMPILED = (".so", ".pyd", ".pyc", ".dylib")  # for this computer, not for the browser
NEEDS = "pip install 'paperformer[web]', in a checkout: .venv/bin/pip install -e '.[web]'"


def bundle() -> bytes:
    """The archive: the same bytes wherever the same versions are installed."""
    files = {**dict(_own()), **{name: path for one in LIBRARIES for name, path in _library(one)}}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, NO_DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, files[name].read_bytes())
    return out.getvalue()


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
    parts = name.split("/")
    return not (
        name.endswith(COMPILED)
        or "__pycache__" in parts
        or "tests" in parts
        or any(part.startswith(".") for part in parts)
    )


def _installed(name: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise UserError(f"page needs {name}: {NEEDS}") from None
