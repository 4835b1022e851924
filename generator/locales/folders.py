"""Which languages there are: each folder with a `language.toml`, here or added, is one."""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.errors import UserError, did_you_mean, refused, require

FOLDER = Path(__file__).resolve().parent
FILE = "language.toml"
PRESETS = "presets.toml"
ADDED = "PAPERFORMER_LANGUAGES"  # a variable, so that the processes of a batch have them too
CODE = re.compile("[a-z]{2,3}(-[A-Z]{2})?")
USUAL = "de"  # of presets and worksheets that name none; the others have its keys
ENGLISH = "en"  # of the field and of all messages: glossaries say its words too


def languages() -> tuple[str, ...]:
    """The codes of all languages: the shipped ones, then those that were added."""
    return tuple(folders())


def written() -> tuple[str, ...]:
    """The languages without those that are another one in other spellings."""
    return tuple(code for code in languages() if spelling(code)[0] == code)


def require_language(code: str) -> None:
    """Raise a `UserError`, which says how to add a language, unless it is known."""
    known = languages()
    if code not in known:
        asked = code.replace("_", "-")
        spelled = asked.casefold() in map(str.casefold, known)
        hint = did_you_mean(asked if spelled else asked.partition("-")[0], known)
        names = {"hint": hint, "known": ", ".join(known), "variable": ADDED}
        raise refused("languages.unknown", code=code, own=f"./{code or 'fr'}", **names)


@cache
def spelling(language: str) -> tuple[str, Mapping[str, str]]:
    """The language that a shipped one is in other spellings, and its words; else itself, none."""
    place = _shipped().get(language)
    raw = tomllib.loads((place / FILE).read_text(encoding="utf-8")) if place else {}
    return raw.get("of", language), raw.get("spelling", {})


def folders() -> dict[str, Path]:
    """The folder of each language by its code."""
    added = filter(None, os.environ.get(ADDED, "").split(os.pathsep))
    return {**_shipped(), **{Path(path).name: Path(path) for path in added}}


def add(folder: Path) -> str:
    """Make a folder's language known to this process and those that it starts; gives its code.

    It is not looked into, see `check.added`. Raises `UserError` as `code_of` does.
    """
    code, place = code_of(folder), folder.resolve()
    if code not in folders():
        before = os.environ.get(ADDED)
        os.environ[ADDED] = f"{before}{os.pathsep}{place}" if before else str(place)
    return code


def code_of(folder: Path) -> str:
    """The code of the language that a folder holds, which is its name.

    Raises `UserError` where it is no language's folder, or another one has its code.
    """
    place = folder.resolve()
    if not (place / FILE).is_file():
        raise UserError(f"language {folder}: found no {FILE} in it, expected a language's folder")
    require(CODE.fullmatch(place.name), "languages.name", folder=folder, place=place)
    known = folders().get(place.name, place)
    if known != place:
        raise UserError(f"language {folder}: there is already a language {place.name!r} in {known}")
    return place.name


@cache
def _shipped() -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted(FOLDER.glob(f"*/{FILE}"))}
