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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.resources import table, templates
from generator.version import __version__
from generator.versions import TOO_OLD, installed, named, requirements, unfit

PYTHON = (3, 11)
TESTS = "test"  # the extra
TABLES = table("doctor.toml")
MANAGERS, PLACES = TABLES["managers"], TABLES["places"]


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
    manager = next((name for name, one in MANAGERS.items() if shutil.which(one["program"])), "")
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
    words = (*sudo, *MANAGERS[system.manager]["install"].split(), *packages)
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


def findings(tests: bool = False) -> list[Finding]:
    """Everything the main job needs, with `tests` also what the tests need, found or missing."""
    enough = sys.version_info[:2] >= PYTHON
    loss = f"nothing runs: make .venv anew with Python {PYTHON[0]}.{PYTHON[1]} or newer"
    wrong = "" if enough else TOO_OLD
    python = Finding("Python", enough, platform.python_version(), loss, "job", {}, wrong)
    purposes = ("job", "tests") if tests else ("job",)
    needs = [_found(name, one, what) for what in purposes for name, one in TABLES[what].items()]
    return [python, *_packages(tests), *needs]


def _found(name: str, need: Mapping[str, Any], purpose: str) -> Finding:
    """Something beside Python and its packages, as `doctor.toml` describes it."""
    if "libraries" in need:
        version = library_version(need["libraries"], need["says"])
    elif "program" in need:
        version = program_version(need["program"], need["says"])
    else:
        version = PROBES[need["probe"]]()
    packages = {manager: tuple(names.split()) for manager, names in need["packages"].items()}
    return Finding(name, version is not None, version or "", need["loss"], purpose, packages)


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


def library_version(libraries: Sequence[Sequence[str]], symbol: str) -> str | None:
    """What the last library's function `symbol` says ("" if it has none); None if one is missing.

    Each library is given by its possible names, tried in order.
    """
    if sys.platform == "win32":
        folders = os.environ.get("WEASYPRINT_DLL_DIRECTORIES")
        for folder in folders.split(";") if folders else PLACES["libraries"]:
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
    path = next((place for name in PLACES["office"] if (place := shutil.which(name))), None)
    if path is None:
        return None
    calc = Path(path).resolve().parent / "libsclo.so"
    if sys.platform.startswith("linux") and not calc.is_file():
        return None
    return program_version(path, "--version")


def uno_version() -> str | None:
    """An empty text when an interpreter of this computer imports `uno`, None when none does."""
    for interpreter in PLACES["uno"]:
        if Path(interpreter).is_file():
            asked = subprocess.run([interpreter, "-c", "import uno"], capture_output=True)
            if asked.returncode == 0:
                return ""
    return None


PROBES = {"fonts": _fonts, "calc": calc_version, "uno": uno_version}
