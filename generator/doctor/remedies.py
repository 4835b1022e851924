"""The exact commands that install what is missing, by package manager."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generator.doctor.findings import Finding


@dataclass(frozen=True)
class System:
    """How software gets onto this computer: manager ("" when unknown), root, sudo at hand."""

    manager: str
    root: bool
    sudo: bool

    def prefix(self) -> list[str]:
        """What stands before a command that changes the system: nothing for root, else sudo."""
        return [] if self.root else ["sudo"]


@dataclass(frozen=True)
class Command:
    """One command that mends something; `advisory`: the next one runs though this one failed."""

    words: tuple[str, ...]
    advisory: bool = False
    privileged: bool = False

    def __str__(self) -> str:
        line = shlex.join(self.words)
        return f"& {line}" if os.name == "nt" and line[0] == "'" else line  # for PowerShell


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
