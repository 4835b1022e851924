"""What is installed, what is missing, what that costs and the command that mends it.

Only the standard library is imported here: the doctor has to work where nothing else does.

Also here:

* The exact commands that install what is missing, by package manager.
* Looks for libraries, programs and LibreOffice's Python bridge on this computer.
"""

import ctypes
import ctypes.util
import importlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from generator.resources import templates
from generator.version import __version__
from generator.versions import TOO_OLD, installed, named, requirements, unfit

PYTHON = (3, 11)
TESTS = "test"  # the extra
PROGRAMS = {
    "apt": "apt-get", "dnf": "dnf", "pacman": "pacman", "brew": "brew", "winget": "winget",
}  # fmt: skip
INSTALL = {  # by the package manager, before the packages
    "apt": "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -Sy --needed --noconfirm",
    "brew": "brew install",
}


@dataclass(frozen=True)
class System:
    """How software gets onto this computer: manager ("" when unknown), root, sudo at hand."""

    manager: str
    root: bool
    sudo: bool


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


def report(checked: Sequence[Finding], system: System | None = None) -> str:
    """The findings as text: a line each, and for what is missing its cost and its remedy."""
    system = system or this_system()
    lines = [f"Paperformer {__version__} on {platform.platform()}"]
    lines += [line for one in checked for line in _lines(one, system)]
    missing = [bool(one.wrong) for one in checked if not one.installed]
    found = {"missing": missing.count(False), "of a version that was not tested": sum(missing)}
    said = ", ".join(f"{count} of {len(checked)} {what}" for what, count in found.items() if count)
    return "\n".join([*lines, said or "all there"])


def _lines(one: Finding, system: System) -> Iterator[str]:
    state = "ok" if one.installed else (one.wrong or "missing")
    yield f"  {state:<8}{one.name} {one.version}".rstrip()
    if one.installed:
        return
    yield f"          {'why:       ' if one.wrong else 'without it:'} {one.loss}"
    mend = commands([one], system)
    yield from (f"          mend it:    {command}" for command in mend)
    known = ", ".join(f"{' '.join(names)} ({manager})" for manager, names in one.packages.items())
    if not mend:
        how = f"install:    {known}" if known else "no package manager has it"
        yield f"          {how}"


def fix(checked: Sequence[Finding], system: System | None = None) -> int:
    """Run the commands that mend what is missing, or print them; 0 when all of them worked."""
    system = system or this_system()
    missing = [one for one in checked if not one.installed]
    todo = commands(missing, system)
    if any(one.privileged for one in todo) and not (system.root or system.sudo):
        print("installing needs root, and there is no sudo; have an administrator run:")
        print("\n".join(f"  {command}" for command in todo))
        return 1
    if any(not one.packages or not commands([one], system) for one in missing):
        print("no known package manager here mends everything; see the lines above")
        return 1
    for command in todo:
        print(f"running: {command}", flush=True)
        try:
            code = subprocess.run(command.words).returncode
        except FileNotFoundError:
            code = 127
        if code and not command.advisory:
            print(f"that failed (exit code {code}); is there a network, and may you install? "
                  f"Then run it yourself:\n  {command}")  # fmt: skip
            return 1
    return 0


@dataclass(frozen=True)
class Command:
    """One command that mends something; `advisory`: the next one runs though this one failed."""

    words: tuple[str, ...]
    advisory: bool = False
    privileged: bool = False

    def __str__(self) -> str:
        line = shlex.join(self.words)
        return f"& {line}" if os.name == "nt" and line[0] == "'" else line  # for PowerShell


def run(fix_it: bool, tests: bool) -> int:
    """Print what is there and missing, with `fix_it` mend it; 0 when nothing is missing."""
    checked = findings(tests)
    print(report(checked), flush=True)
    if all(one.installed for one in checked):
        return 0
    if not fix_it or fix(checked):
        return 1
    importlib.invalidate_caches()
    left = [one.name for one in findings(tests) if not one.installed]
    print(f"still missing: {', '.join(left)}" if left else "all there now")
    return 1 if left else 0


def this_system() -> System:
    """The computer this runs on."""
    manager = next((name for name, program in PROGRAMS.items() if shutil.which(program)), "")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return System(manager, root, shutil.which("sudo") is not None)


def commands(missing: Sequence[Finding], system: System) -> list[Command]:
    """The exact commands that install what is missing, in order; none for an unknown system."""
    pip, packages = (_needed(missing, manager) for manager in ("pip", system.manager))
    by_pip = [Command((sys.executable, "-m", "pip", "install", *pip))] if pip else []
    if system.manager == "winget":
        return _winget(packages) + by_pip
    if not packages:
        return by_pip
    privileged = system.manager != "brew"
    sudo = ["sudo"] if privileged and not system.root else []
    words = (*sudo, *INSTALL[system.manager].split(), *packages)
    # One third-party source that does not answer must not stop an install that would work.
    first = [Command((*sudo, "apt-get", "update"), advisory=True, privileged=True)]
    install = Command(words, privileged=privileged)
    return [*(first if system.manager == "apt" else []), install, *by_pip]


def _needed(missing: Sequence[Finding], manager: str) -> list[str]:
    return list(dict.fromkeys(name for one in missing for name in one.packages.get(manager, ())))


def _winget(packages: list[str]) -> list[Command]:
    """Libraries come from MSYS2, where WeasyPrint looks for them; programs from winget."""
    libraries = [name for name in packages if name.startswith("mingw")]
    programs = ["MSYS2.MSYS2"] * bool(libraries) + [n for n in packages if n not in libraries]
    agree = ("--accept-source-agreements", "--accept-package-agreements")
    installs = [Command(("winget", "install", "-e", "--id", name, *agree)) for name in programs]
    if libraries:
        line = "pacman -S --needed --noconfirm " + " ".join(libraries)
        installs.append(Command((r"C:\msys64\usr\bin\bash.exe", "-lc", line)))
    return installs


class Need(NamedTuple):
    """Something beside Python and its packages: how it is found, what is lost without it."""

    name: str
    probe: Callable[[], str | None]
    loss: str
    packages: Mapping[str, str]


def findings(tests: bool = False) -> list[Finding]:
    """Everything the main job needs, with `tests` also what the tests need, found or missing."""
    enough = sys.version_info[:2] >= PYTHON
    loss = f"nothing runs: make .venv anew with Python {PYTHON[0]}.{PYTHON[1]} or newer"
    wrong = "" if enough else TOO_OLD
    python = Finding("Python", enough, platform.python_version(), loss, "job", {}, wrong)
    needs = [*((one, "job") for one in JOB), *((one, "tests") for one in TESTED if tests)]
    return [python, *_packages(tests), *(_found(one, purpose) for one, purpose in needs)]


def _found(need: Need, purpose: str) -> Finding:
    version = need.probe()
    packages = {manager: tuple(names.split()) for manager, names in need.packages.items()}
    there = version is not None
    return Finding(need.name, there, version or "", need.loss, purpose, packages)


def _fonts() -> str | None:
    """How many fonts travel with the program; no package manager has them."""
    try:
        count = len(list((templates() / "fonts").glob("*.ttf")))
    except FileNotFoundError:
        count = 0
    return f"{count} faces" if count else None


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
    if sys.platform == "win32":
        folders = os.environ.get("WEASYPRINT_DLL_DIRECTORIES")
        for folder in folders.split(";") if folders else WINDOWS_LIBRARIES:
            if Path(folder).is_dir():
                os.add_dll_directory(folder)
    loaded = [_load(names) for names in libraries]
    if not loaded or None in loaded:
        return None
    function = getattr(loaded[-1], symbol, None)
    if function is None:
        return ""
    function.restype = ctypes.c_char_p
    return str(function().decode())


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


JOB = (
    Need("Pango", lambda: library_version(PANGO, "pango_version_string"),
         "Chrome or Edge make the PDFs, less well; without these they are HTML",
         {"apt": "libpango-1.0-0 libpangoft2-1.0-0", "dnf": "pango", "pacman": "pango",
          "brew": "pango", "winget": "mingw-w64-ucrt-x86_64-pango"}),
    Need("harfbuzz-subset", lambda: library_version(HARFBUZZ_SUBSET, "hb_version_string"),
         "PDFs take longer and WeasyPrint warns",
         {"apt": "libharfbuzz-subset0", "dnf": "harfbuzz", "pacman": "harfbuzz",
          "brew": "harfbuzz", "winget": "mingw-w64-ucrt-x86_64-harfbuzz"}),
    Need("fonts", _fonts,
         "no worksheets: the installation is incomplete, install Paperformer again", {}),
)  # fmt: skip
TESTED = (  # the programs that only the tests call
    Need("LibreOffice Calc", calc_version, "no second program recalculates the workbooks",
         {"apt": "libreoffice-calc-nogui", "dnf": "libreoffice-calc",
          "pacman": "libreoffice-fresh", "brew": "libreoffice",
          "winget": "TheDocumentFoundation.LibreOffice"}),
    Need("python3-uno", uno_version, "the tests cannot read LibreOffice's numbers",
         {"apt": "python3-uno", "dnf": "libreoffice-pyuno", "pacman": "libreoffice-fresh",
          "brew": "libreoffice", "winget": "TheDocumentFoundation.LibreOffice"}),
    Need("poppler (pdftoppm)", lambda: program_version("pdftoppm", "-v"),
         "the tests cannot compare pages as pictures",
         {"apt": "poppler-utils", "dnf": "poppler-utils", "pacman": "poppler",
          "brew": "poppler", "winget": "oschwartz10612.Poppler"}),
)  # fmt: skip
