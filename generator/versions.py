"""Which versions of its libraries the project was tested with, and whether one is among them.

The bounds stand in pyproject.toml alone; an installation carries them in its metadata. `.ci/run`
tests their lower ends and what is newest within them. Only the standard library is imported here.
"""

import re
import shlex
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

from generator.errors import UserError, message, refused

DISTRIBUTION = "paperformer"
PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
INSTALL_WEB = (
    "pip install 'paperformer[web]', in a checkout: .venv/bin/pip install -r .locked/program.txt"
)
TOO_OLD, TOO_NEW = "too old", "too new"


class Untested(UserError):
    """A library of a version that the project was not tested with, or none at all."""

    def __init__(self, requirement: str, found: str) -> None:
        name = named(requirement)
        mend = shlex.join((sys.executable, "-m", "pip", "install", requirement))
        here = f"{name} {found}" if found else f"no {name}"
        super().__init__(message("versions.untested", here=here, wanted=requirement, mend=mend))


@cache
def require_tested(*names: str) -> None:
    """Raise `Untested` for the first of these libraries that is missing or not as tested.

    Asked once where a library is about to be imported: what another version lacks would otherwise
    be a traceback in the middle of a file. Without a statement of bounds, as in a browser, nothing
    is asked.
    """
    try:
        wanted = bounds_of(*names)
    except UserError:
        return
    for name, bounds in wanted.items():
        found = installed(name)
        if not found or unfit(found, bounds):
            raise Untested(name + bounds, found)


def bounds_of(*names: str) -> dict[str, str]:
    """The bounds of these libraries of the job, such as ">=2,<3"."""
    bounds = {named(text): text for purpose, text in requirements() if purpose == "job"}
    return {name: bounds[name].removeprefix(name) for name in names}


def installed(name: str) -> str:
    """The version of a distribution that would be imported, "" where there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def named(requirement: str) -> str:
    """The name in a requirement such as "numpy>=2,<3"."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


@cache
def requirements() -> tuple[tuple[str, str], ...]:
    """Pairs of purpose, "job" or an extra, and requirement; a checkout's own word goes first.

    Raises `UserError` when there is neither checkout nor installation: nobody knows what is needed.
    """
    try:
        return of_checkout() or of_installation()
    except metadata.PackageNotFoundError:
        raise refused("versions.none", name=DISTRIBUTION, file=PYPROJECT) from None


def of_checkout() -> tuple[tuple[str, str], ...]:
    """What pyproject.toml states, which an older installation of the same checkout may not know."""
    text = PYPROJECT.read_text(encoding="utf-8") if PYPROJECT.is_file() else ""
    project = tomllib.loads(text).get("project", {})
    if project.get("name") != DISTRIBUTION:
        return ()
    extras = {"job": project["dependencies"], **project["optional-dependencies"]}
    return tuple((purpose, line) for purpose, lines in extras.items() for line in lines)


def of_installation() -> tuple[tuple[str, str], ...]:
    """The same as the metadata of the installed package states it."""
    pairs = []
    for line in metadata.requires(DISTRIBUTION) or ():
        requirement, _, condition = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", condition)
        pairs.append((extra[1] if extra else "job", requirement.replace(" ", "")))
    return tuple(pairs)


def unfit(version: str, requirement: str) -> str:
    """How a version breaks the bounds (>=, <) of a requirement such as "numpy>=2,<3", or ""."""
    have = _numbers(version)
    for sign, bound in re.findall(r"(>=|<)([\d.]+)", requirement):
        if (have < _numbers(bound)) == (sign == ">="):
            return TOO_OLD if sign == ">=" else TOO_NEW
    return ""


def _numbers(version: str) -> list[int]:
    digits = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in digits[0].split(".")] if digits else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
