"""What is installed, what is missing, what that costs and the command that mends it.

Only the standard library is imported here: the doctor has to work where nothing else does.

Also here:

* The exact commands that install what is missing, by package manager.
"""

import importlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generator.doctor.findings import Finding, findings
from generator.version import __version__

__all__ = ["Command", "Finding", "System", "commands", "findings", "fix", "report", "run"]


@dataclass(frozen=True)
class System:
    """How software gets onto this computer: manager ("" when unknown), root, sudo at hand."""

    manager: str
    root: bool
    sudo: bool

    def prefix(self) -> list[str]:
        """What stands before a command that changes the system: nothing for root, else sudo."""
        return [] if self.root else ["sudo"]


def report(checked: Sequence[Finding], system: System | None = None) -> str:
    """The findings as text: a line each, and for what is missing its cost and its remedy."""
    system = system or this_system()
    lines = [f"Paperformer {__version__} on {platform.platform()}"]
    lines += [line for one in checked for line in _lines(one, system)]
    missing = [one for one in checked if not one.installed]
    lines.append(_sum(missing, len(checked)))
    return "\n".join(lines)


def _sum(missing: Sequence[Finding], of: int) -> str:
    wrong = sum(bool(one.wrong) for one in missing)
    found = (len(missing) - wrong, "missing"), (wrong, "of a version that was not tested")
    said = ", ".join(f"{count} of {of} {what}" for count, what in found if count)
    return said or "all there"


def _lines(one: Finding, system: System) -> list[str]:
    state = "ok" if one.installed else (one.wrong or "missing")
    first = f"  {state:<8}{one.name} {one.version}".rstrip()
    if one.installed:
        return [first]
    mend = [f"          mend it:    {command}" for command in commands([one], system)]
    return [
        first,
        f"          {'why:       ' if one.wrong else 'without it:'} {one.loss}",
        *(mend or [_by_hand(one)]),
    ]


def _by_hand(one: Finding) -> str:
    if not one.packages:
        return "          no package manager has it"
    known = ", ".join(f"{' '.join(names)} ({manager})" for manager, names in one.packages.items())
    return f"          install:    {known}"


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
    return _run_all(todo)


@dataclass(frozen=True)
class Command:
    """One command that mends something; `advisory`: the next one runs though this one failed."""

    words: tuple[str, ...]
    advisory: bool = False
    privileged: bool = False

    def __str__(self) -> str:
        line = shlex.join(self.words)
        return f"& {line}" if os.name == "nt" and line[0] == "'" else line  # for PowerShell


def _run_all(todo: Sequence[Command]) -> int:
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
    programs = {"apt": "apt-get", "dnf": "dnf", "pacman": "pacman", "brew": "brew",
                "winget": "winget"}  # fmt: skip
    manager = next((name for name, program in programs.items() if shutil.which(program)), "")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return System(manager, root, shutil.which("sudo") is not None)


def commands(missing: Sequence[Finding], system: System) -> list[Command]:
    """The exact commands that install what is missing, in order; none for an unknown system."""
    pip = _needed(missing, "pip")
    by_pip = [Command((sys.executable, "-m", "pip", "install", *pip))] if pip else []
    packages = _needed(missing, system.manager)
    return [*_INSTALL[system.manager](packages, system), *by_pip] if packages else by_pip


def _needed(missing: Sequence[Finding], manager: str) -> list[str]:
    return list(dict.fromkeys(name for one in missing for name in one.packages.get(manager, ())))


def _apt(packages: list[str], system: System) -> list[Command]:
    # One third-party source that does not answer must not stop an install that would work.
    quiet = ("env", "DEBIAN_FRONTEND=noninteractive")
    install = ("apt-get", "install", "-y", "--no-install-recommends", *packages)
    return [
        Command((*system.prefix(), "apt-get", "update"), advisory=True, privileged=True),
        Command((*system.prefix(), *quiet, *install), privileged=True),
    ]


def _dnf(packages: list[str], system: System) -> list[Command]:
    return [Command((*system.prefix(), "dnf", "install", "-y", *packages), privileged=True)]


def _pacman(packages: list[str], system: System) -> list[Command]:
    words = ("pacman", "-Sy", "--needed", "--noconfirm", *packages)
    return [Command((*system.prefix(), *words), privileged=True)]


def _brew(packages: list[str], system: System) -> list[Command]:
    return [Command(("brew", "install", *packages))]


def _winget(packages: list[str], system: System) -> list[Command]:
    """Libraries come from MSYS2, where WeasyPrint looks for them; programs from winget."""
    libraries = [name for name in packages if name.startswith("mingw")]
    programs = ["MSYS2.MSYS2"] * bool(libraries) + [n for n in packages if n not in libraries]
    agree = ("--accept-source-agreements", "--accept-package-agreements")
    installs = [Command(("winget", "install", "-e", "--id", name, *agree)) for name in programs]
    if libraries:
        line = "pacman -S --needed --noconfirm " + " ".join(libraries)
        installs.append(Command((r"C:\msys64\usr\bin\bash.exe", "-lc", line)))
    return installs


_INSTALL: Mapping[str, Callable[[list[str], System], list[Command]]] = {
    "apt": _apt, "dnf": _dnf, "pacman": _pacman, "brew": _brew, "winget": _winget,
}  # fmt: skip
