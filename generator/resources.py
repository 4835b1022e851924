"""Finds the files that travel with the program: templates, style sheets, fonts and tables."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
MARK = "print.css"  # another project's `templates/` beside the package must not be taken for ours
SHEETS = "sheets"  # below it each sheet's templates have a folder

_own_sheets: dict[str, Path] = {}  # the folders of an author that this process has read


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML file of the package by its path, such as "insight/errata.toml"."""
    return tomllib.loads((PACKAGE / name).read_text(encoding="utf-8"))


def templates() -> Path:
    """The folder of templates: the checkout's, else the copy inside the installed package.

    Raises FileNotFoundError, naming both places, when the installation is incomplete.
    """
    places = (PACKAGE.parent / "templates", PACKAGE / "_templates")
    for place in places:
        if (place / MARK).is_file():
            return place
    looked = " and ".join(str(place) for place in places)
    raise FileNotFoundError(f"no templates: looked for {MARK} in {looked}")


def template(name: str) -> Path:
    """A template or style sheet by its name: "base.html.j2", "sheets/sheet4a/page.html.j2"."""
    folder, _, rest = name.removeprefix(f"{SHEETS}/").partition("/")
    return _own_sheets[folder] / rest if folder in _own_sheets else templates() / name


def own_sheets() -> tuple[Path, ...]:
    """The folders of an author's own sheets."""
    return tuple(_own_sheets.values())


def add_sheet(folder: Path) -> None:
    """Take a folder's templates and phrases in among the shipped sheets', under its name."""
    _own_sheets[folder.name] = folder
