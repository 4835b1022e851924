"""The catalogues: flat key → phrase, the same keys in every language, no fallback."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.engine.place import place_of
from generator.errors import require_known
from generator.locales.folders import FILE, folders, languages
from generator.resources import templates

NO_PHRASES = (FILE, "presets.toml")

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


@cache
def load(language: str) -> Catalogue:
    """The catalogue of a language, read from every file of phrases, see `files`.

    Raises `UserError` for a language that there is none of.
    """
    require_known("language", language, languages())
    phrases: dict[str, str] = {}
    for path in files(language):
        for key, phrase in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if key in phrases:
                raise ValueError(f"{path}: the key {key!r} stands twice")
            phrases[key] = phrase
    return Catalogue(language, phrases)


def files(language: str) -> list[Path]:
    """The files of phrases: those of the language's folder, and a file of each sheet."""
    place = folders()[language]
    own = [path for path in sorted(place.glob("*.toml")) if path.name not in NO_PHRASES]
    sheets = sorted(templates().glob(f"sheets/*/{language}.toml"))
    return [*own, *sheets, *sorted(place.glob("sheets/*.toml"))]
