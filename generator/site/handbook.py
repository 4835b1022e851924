"""The project's own pages (`docs/`) as a site inside the gallery, built by Sphinx in a checkout."""

import hashlib
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.errors import UserError
from generator.resources import PACKAGE
from generator.site.record import hash_of

DOCS = PACKAGE.parent / "docs"
PLACE = "docs"  # below the gallery
KEPT = f"{PLACE}/contents.json"  # what it was made from, and the hash of each file
LIBRARIES = ("sphinx", "myst-parser", "furo", "docutils", "pygments")
INSTALL = ".venv/bin/pip install -e '.[docs]'"
HIDDEN = "."  # Sphinx's own notes


def handbook(gallery: Path) -> dict[str, bytes]:
    """Every file of it by its path below the gallery; made again only where a page has changed.

    Raises `UserError` outside a checkout and where Sphinx is missing.
    """
    key = require_handbook()
    if files := _unchanged(gallery, key):
        return files
    with TemporaryDirectory(prefix="paperformer-") as folder:
        built = _built(Path(folder))
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in built.items()}
    contents = json.dumps({"key": key, "files": hashes}, indent=1, sort_keys=True)
    return {**built, KEPT: f"{contents}\n".encode()}


def require_handbook() -> str:
    """The hash of the pages and of what builds them; `UserError` where it cannot be built."""
    if not (DOCS / "conf.py").is_file():
        raise UserError("--docs builds the pages of a checkout, and this is an installed package")
    try:
        versions = {name: metadata.version(name) for name in LIBRARIES}
    except metadata.PackageNotFoundError as error:
        raise UserError(f"--docs needs {error.name}: {INSTALL}") from None
    files = sorted(path for path in DOCS.rglob("*") if path.is_file() and path.suffix != ".pyc")
    hashes = [(path.relative_to(DOCS).as_posix(), hash_of(path)) for path in files]
    return hashlib.sha256(json.dumps([versions, hashes]).encode()).hexdigest()


def _unchanged(gallery: Path, key: str) -> dict[str, bytes]:
    """The files that are there, where they were made of the same and nothing is damaged."""
    try:
        record = json.loads((gallery / KEPT).read_bytes())
        names = list(record["files"]) if record["key"] == key else []
        files = {name: (gallery / name).read_bytes() for name in names}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if any(hashlib.sha256(files[name]).hexdigest() != record["files"][name] for name in names):
        return {}
    return {**files, KEPT: (gallery / KEPT).read_bytes()} if files else {}


def _built(folder: Path, *more: str) -> dict[str, bytes]:
    """Every file that Sphinx makes; `more` are further words for it."""
    out = folder / "site"
    words = ["-b", "html", "-q", *more, "-d", str(folder / "trees"), str(DOCS), str(out)]
    done = subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True)
    if done.returncode:
        raise UserError(f"--docs: Sphinx could not build {DOCS}:\n{done.stderr.strip()}")
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    names = {path.relative_to(out): path for path in files}
    return {f"{PLACE}/{name.as_posix()}": path.read_bytes() for name, path in names.items()
            if not name.name.startswith(HIDDEN)}  # fmt: skip
