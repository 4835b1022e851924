"""What Paperformer needs, and which of it this computer has.

Also here:

* Looks for libraries, programs and LibreOffice's Python bridge on this computer.
"""

import ctypes
import ctypes.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.resources import templates
from generator.versions import TOO_OLD, installed, named, requirements, unfit

PYTHON = (3, 11)
TESTS = "test"  # the extra


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
    wrong: str = ""  # how its version misses what was tested


def findings(tests: bool = False) -> list[Finding]:
    """Everything the main job needs, with `tests` also what the tests need, found or missing."""
    return [
        _python(),
        *_packages(tests),
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
    wrong = "" if enough else TOO_OLD
    return Finding("Python", enough, platform.python_version(), loss, "job", {}, wrong)


def _fonts() -> Finding:
    """The fonts that travel with the program; no package manager has them."""
    loss = "no worksheets: the installation is incomplete, install Paperformer again"
    try:
        count = len(list((templates() / "fonts").glob("*.ttf")))
    except FileNotFoundError:
        count = 0
    return Finding("fonts", count > 0, f"{count} faces" if count else "", loss, "job", {})


def _packages(tests: bool) -> Iterator[Finding]:
    """A finding for each Python package of the project, and of its tests when they are meant.

    What only an extra needs is told where it is installed in a version that was not tested.
    """
    told = set[str]()
    for purpose, requirement in requirements():
        needed = purpose == "job" or (tests and purpose == TESTS)
        version = installed(named(requirement))
        wrong = unfit(version, requirement) if version else ""
        if requirement in told or not (needed or wrong):
            continue
        told.add(requirement)
        loss = "nothing runs" if purpose == "job" else f"the extra `{purpose}` does not work"
        loss = f"not tested with this version, only with {requirement}" if wrong else loss
        yield Finding(named(requirement), bool(version) and not wrong, version, loss,
                      "tests" if purpose == TESTS else "job", {"pip": (requirement,)},
                      wrong)  # fmt: skip


# The names that WeasyPrint itself tries, by library, for Windows, Linux and macOS.
PANGO = (
    ("libgobject-2.0-0", "libgobject-2.0.so.0", "libgobject-2.0.0.dylib"),
    ("libharfbuzz-0", "libharfbuzz.so.0", "libharfbuzz.0.dylib"),
    ("libfontconfig-1", "libfontconfig.so.1", "libfontconfig.1.dylib"),
    ("libpangoft2-1.0-0", "libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib"),
    ("libpango-1.0-0", "libpango-1.0.so.0", "libpango-1.0.dylib"),
)
HARFBUZZ_SUBSET = (
    ("libharfbuzz-subset-0", "libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib"),
)
WINDOWS_LIBRARIES = (r"C:\msys64\ucrt64\bin", r"C:\msys64\mingw64\bin")
OFFICE = (
    "soffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
)
# Interpreters that may have LibreOffice's `uno`: the system's, and the one LibreOffice ships.
UNO_PYTHONS = (
    "/usr/bin/python3",
    "/Applications/LibreOffice.app/Contents/Resources/python",
    r"C:\Program Files\LibreOffice\program\python.exe",
)


def library_version(libraries: Sequence[Sequence[str]], symbol: str) -> str | None:
    """What the last library's function `symbol` says ("" if it has none); None if one is missing.

    Each library is given by its possible names, tried in order.
    """
    _windows_folders()
    loaded = [_load(names) for names in libraries]
    if not loaded or None in loaded:
        return None
    function = getattr(loaded[-1], symbol, None)
    if function is None:
        return ""
    function.restype = ctypes.c_char_p
    return str(function().decode())


def _windows_folders() -> None:
    if sys.platform == "win32":
        folders = os.environ.get("WEASYPRINT_DLL_DIRECTORIES")
        for folder in folders.split(";") if folders else WINDOWS_LIBRARIES:
            if Path(folder).is_dir():
                os.add_dll_directory(folder)


def _load(names: Sequence[str]) -> ctypes.CDLL | None:
    for name in names:
        path = ctypes.util.find_library(name) if sys.platform == "darwin" else None
        try:
            return ctypes.CDLL(path or name)
        except OSError:
            continue
    return None


def program_version(program: str, option: str) -> str | None:
    """The first number that a program prints about itself; None when there is no such program."""
    path = shutil.which(program)
    if path is None:
        return None
    asked = subprocess.run([path, option], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    number = re.search(r"\d+(\.\d+)+", asked.stdout + asked.stderr)
    return number[0] if number else ""


def calc_version() -> str | None:
    """LibreOffice's version; None without it, or when it came without Calc."""
    path = next((place for name in OFFICE if (place := shutil.which(name))), None)
    if path is None:
        return None
    calc = Path(path).resolve().parent / "libsclo.so"
    if sys.platform.startswith("linux") and not calc.is_file():
        return None
    return program_version(path, "--version")


def uno_version() -> str | None:
    """An empty text when an interpreter of this computer imports `uno`, None when none does."""
    for interpreter in UNO_PYTHONS:
        if Path(interpreter).is_file():
            asked = subprocess.run([interpreter, "-c", "import uno"], capture_output=True)
            if asked.returncode == 0:
                return ""
    return None
