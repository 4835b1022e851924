"""The catalogues: flat key → phrase, the same keys in every language, no fallback."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.engine.place import place_of
from generator.errors import require_known
from generator.locales.folders import FILE, PRESETS, folders, languages
from generator.resources import own_sheets, templates

NO_PHRASES = (FILE, PRESETS)

_STEP = re.compile(
    r"(?:round(?P<round>\d+)\.)?"
    r"(?:block(?P<block>\d+)\.)?(?:head(?P<head>\d+)\.)?(?P<rest>.+)"
)


class Catalogue:
    """All phrases of one language."""

    def __init__(self, language: str, phrases: Mapping[str, str]) -> None:
        self.language = language
        self.phrases = phrases

    def t(self, key: str, /, **names: object) -> str:
        """The phrase of that key with its names put in; KeyError for an unknown key or name."""
        return self.phrases[key].format(**names)

    def step(self, name: str) -> str:
        """The title of a step, without block and head: "Scores" for `block1.head2.scores`.

        A kind that is there several times may have a title for each: `step.norm2`.
        """
        place = place_of(name)
        own = f"step.{'final.' * place.final}{place.kind}{place.number or ''}"
        key = own if own in self.phrases else f"step.{place.kind}"
        return self.t(key, number=place.number)


def step_place(name: str) -> tuple[int | None, int | None, str]:
    """A step name taken apart: block, head (None where it has none) and the rest.

    The round that a name may begin with is left out, see `step_round`.
    """
    match = _STEP.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no step name")
    block, head = match["block"], match["head"]
    return (int(block) if block else None), (int(head) if head else None), match["rest"]


def step_round(name: str) -> int:
    """The round that a step belongs to: 2 for `round2.tokens`, 1 without a prefix."""
    match = _STEP.fullmatch(name)
    return int(match["round"]) if match and match["round"] else 1


def load(language: str) -> Catalogue:
    """The catalogue of a language, read from every file of phrases, see `files`.

    Raises `UserError` for a language that there is none of.
    """
    require_known("language", language, languages())
    return _read(language, own_sheets())


@cache
def _read(language: str, own: tuple[Path, ...]) -> Catalogue:
    """The catalogue, read again when an author's own sheets have come in."""
    phrases: dict[str, str] = {}
    own_files = [folder / f"{language}.toml" for folder in own]
    for path in [*files(language, folders()[language]).values(), *own_files]:
        for key, phrase in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if key in phrases:
                raise ValueError(f"{path}: the key {key!r} stands twice")
            phrases[key] = phrase
    return Catalogue(language, phrases)


def files(language: str, folder: Path) -> dict[str, Path]:
    """The files of phrases by their names in the language's folder.

    Those of sheets may stand with the sheet too, as those of the shipped languages do.
    """
    own = [path for path in sorted(folder.glob("*.toml")) if path.name not in NO_PHRASES]
    found = {path.name: path for path in own}
    for path in sorted(templates().glob(f"sheets/*/{language}.toml")):
        found[f"sheets/{path.parent.name}.toml"] = path
    for path in sorted(folder.glob("sheets/*.toml")):
        found[f"sheets/{path.name}"] = path
    return found
