"""What Paperformer needs, and which of it this computer has."""

import contextlib
import platform
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from generator.doctor.probes import (
    HARFBUZZ_SUBSET,
    PANGO,
    calc_version,
    library_version,
    program_version,
    uno_version,
)
from generator.errors import UserError
from generator.resources import templates

DISTRIBUTION = "paperformer"
PYTHON = (3, 11)


@dataclass(frozen=True)
class Finding:
    """One thing Paperformer needs: is it there, in which version, and what is lost without it.

    `packages` names, by package manager ("apt", "pip", ...), what to install; it is empty for
    what no package manager of this process can mend. `purpose` is "job" or "tests".
    """

    name: str
    installed: bool
    version: str
    loss: str
    purpose: str
    packages: Mapping[str, tuple[str, ...]]


def findings(tests: bool = False) -> list[Finding]:
    """Everything the main job needs, with `tests` also what the tests need, found or missing."""
    return [
        _python(),
        *_packages("test" if tests else None),
        _system("Pango", lambda: library_version(PANGO, "pango_version_string"),
                "Chrome or Edge make the PDFs, less well; without these they are HTML",
                apt=("libpango-1.0-0", "libpangoft2-1.0-0"), dnf=("pango",), pacman=("pango",),
                brew=("pango",), winget=("mingw-w64-ucrt-x86_64-pango",)),
        _system("harfbuzz-subset", lambda: library_version(HARFBUZZ_SUBSET, "hb_version_string"),
                "PDFs take longer and WeasyPrint warns",
                apt=("libharfbuzz-subset0",), dnf=("harfbuzz",), pacman=("harfbuzz",),
                brew=("harfbuzz",), winget=("mingw-w64-ucrt-x86_64-harfbuzz",)),
        _fonts(),
        *(_for_tests() if tests else ()),
    ]  # fmt: skip


def _for_tests() -> list[Finding]:
    """The programs that only the tests call."""
    return [
        _system("LibreOffice Calc", calc_version,
                "no second program recalculates the workbooks", "tests",
                apt=("libreoffice-calc-nogui",), dnf=("libreoffice-calc",),
                pacman=("libreoffice-fresh",), brew=("libreoffice",),
                winget=("TheDocumentFoundation.LibreOffice",)),
        _system("python3-uno", uno_version,
                "the tests cannot read LibreOffice's numbers", "tests",
                apt=("python3-uno",), dnf=("libreoffice-pyuno",), pacman=("libreoffice-fresh",),
                brew=("libreoffice",), winget=("TheDocumentFoundation.LibreOffice",)),
        _system("poppler (pdftoppm)", lambda: program_version("pdftoppm", "-v"),
                "the tests cannot compare pages as pictures", "tests",
                apt=("poppler-utils",), dnf=("poppler-utils",), pacman=("poppler",),
                brew=("poppler",), winget=("oschwartz10612.Poppler",)),
    ]  # fmt: skip


def _system(
    name: str, probe: Callable[[], str | None], loss: str, purpose: str = "job",
    **packages: tuple[str, ...],
) -> Finding:  # fmt: skip
    version = probe()
    return Finding(name, version is not None, version or "", loss, purpose, packages)


def _python() -> Finding:
    loss = f"nothing runs: make .venv anew with Python {PYTHON[0]}.{PYTHON[1]} or newer"
    enough = sys.version_info[:2] >= PYTHON
    return Finding("Python", enough, platform.python_version(), loss, "job", {})


def _fonts() -> Finding:
    """The fonts that travel with the program; no package manager has them."""
    loss = "no worksheets: the installation is incomplete, install Paperformer again"
    try:
        count = len(list((templates() / "fonts").glob("*.ttf")))
    except FileNotFoundError:
        count = 0
    return Finding("fonts", count > 0, f"{count} faces" if count else "", loss, "job", {})


def _packages(extra: str | None) -> Iterator[Finding]:
    """A finding for each Python package of the project, and of its extra when one is named."""
    for purpose, requirement in requirements(extra):
        name, version = re.split(r"(?=[<>=])", requirement, maxsplit=1)[0], ""
        with contextlib.suppress(metadata.PackageNotFoundError):
            version = metadata.version(name)
        met = bool(version) and fits(version, requirement)
        loss = "nothing runs" if purpose == "job" else "the tests do not run"
        yield Finding(name, met, version, f"{loss}; needed: {requirement}", purpose,
                      {"pip": (requirement,)})  # fmt: skip


def requirements(extra: str | None) -> list[tuple[str, str]]:
    """Pairs of purpose and requirement, as the installation or the checkout states them.

    Raises `UserError` when there is neither, for then nobody knows what is needed.
    """
    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return _of_checkout(Path(__file__).resolve().parents[2] / "pyproject.toml", extra)
    pairs = []
    for line in lines:
        requirement, _, condition = line.partition(";")
        named = re.search(r"extra\s*==\s*['\"]([^'\"]+)", condition)
        if named is None or named[1] == extra:
            pairs.append(("tests" if named else "job", requirement.replace(" ", "")))
    return pairs


def _of_checkout(file: Path, extra: str | None) -> list[tuple[str, str]]:
    if not file.is_file():
        raise UserError(f"{DISTRIBUTION} is not installed, and there is no {file}; "
                        "run `python -m pip install .` in the clone")  # fmt: skip
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    also = project["optional-dependencies"][extra] if extra else []
    return [("job", one) for one in project["dependencies"]] + [("tests", one) for one in also]


def fits(version: str, requirement: str) -> bool:
    """Whether a version keeps to the bounds (>=, <) of a requirement such as "numpy>=2,<3"."""
    have = _numbers(version)
    for sign, bound in re.findall(r"(>=|<)([\d.]+)", requirement):
        if (have < _numbers(bound)) == (sign == ">="):
            return False
    return True


def _numbers(version: str) -> list[int]:
    digits = re.match(r"\d+(\.\d+)*", version)
    return [int(part) for part in digits[0].split(".")] if digits else []
