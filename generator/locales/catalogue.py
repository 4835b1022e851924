"""The catalogues: flat key → phrase, the same keys in every language, no fallback."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.engine.place import Place, place_of
from generator.errors import refused
from generator.locales.folders import FILE, PRESETS, folders, require_language, spelling
from generator.resources import own_sheets, templates

NO_PHRASES = (FILE, PRESETS)


class WrongPhrase(KeyError):
    """A phrase that cannot be said with the names that it is given."""

    def __init__(self, key: str, language: str, problem: str) -> None:
        super().__init__(key, language, problem)
        self.key, self.language, self.problem = key, language, problem


class Catalogue:
    """All phrases of one language."""

    def __init__(self, language: str, phrases: Mapping[str, str]) -> None:
        self.language = language
        self.phrases = phrases

    def t(self, key: str, /, **names: object) -> str:
        """The phrase of that key with its names put in; KeyError for an unknown key or name.

        In an author's own sheet, whoever asks for the phrase, that is a `UserError`.
        """
        if key not in self.phrases:
            require_written(key)
        phrase = self.phrases[key]
        try:
            return phrase.format(**names)
        except (LookupError, ValueError, AttributeError) as error:
            given = ", ".join(f"{{{name}}}" for name in names) or "none"
            problem = f"found {phrase!r}, expected in braces only names that are given: {given}"
            if folder := _own_folder(key):
                place = f"{self.language}.toml in {folder}"
                raise refused("phrases.said", key=key, place=place, problem=problem) from error
            raise WrongPhrase(key, self.language, problem) from error

    def overlaid(self, start: str) -> "Catalogue":
        """With the phrases whose keys have this in front in the place of those without it."""
        own = {
            key.removeprefix(start): one
            for key, one in self.phrases.items()
            if key.startswith(start)
        }
        return Catalogue(self.language, {**self.phrases, **own})

    def step(self, name: str) -> str:
        """The title of a step, without block and head: "Scores" for `block1.head2.scores`.

        A kind that is there several times may have a title for each: `step.norm2`.
        """
        place = place_of(name)
        if place.of:
            return self.phrases.get(f"step.{name}") or self._of_learning(place)
        own = f"step.{'final.' * place.final}{place.kind}{place.number or ''}"
        key = own if own in self.phrases else f"step.{place.kind}"
        return self.t(key, number=place.number)

    def _of_learning(self, place: Place) -> str:
        """The title of a gradient, of a part of it, or of a new weight."""
        step = self.step(place.of)
        if place.use:
            return self.t("learning.part", step=step, use=self.step(place.use))
        return self.t(f"step.{place.kind}", step=step)


def require_written(key: str) -> None:
    """Raise a `UserError` for a phrase that an author's own sheet should have and has not."""
    if folder := _own_folder(key):
        names = [f"{one}.toml" for one in folders() if (folder / f"{one}.toml").is_file()]
        raise refused("phrases.unwritten", key=key, files=" and ".join(names), folder=folder)


def _own_folder(key: str) -> Path | None:
    """The folder of the author's own sheet whose phrase has that key."""
    sheet = key.partition(".")[0]
    return next((folder for folder in own_sheets() if folder.name == sheet), None)


def load(language: str) -> Catalogue:
    """The catalogue of a language, read from every file of phrases, see `files`.

    Raises `UserError` for a language that there is none of.
    """
    require_language(language)
    return read(language, own_sheets())


@cache
def read(language: str, own: tuple[Path, ...]) -> Catalogue:
    """The catalogue, read again when an author's own sheets have come in."""
    phrases: dict[str, str] = {}
    base, words = spelling(language)
    own_files = [path for folder in own if (path := folder / f"{base}.toml").is_file()]
    for path in [*files(base, folders()[base]).values(), *own_files]:
        for key, phrase in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if key in phrases:
                raise ValueError(f"{path}: the key {key!r} stands twice")
            phrases[key] = respelled(phrase, words)
    return Catalogue(language, phrases)


def respelled(text: str, words: Mapping[str, str]) -> str:
    """A text with each of these words, also with a capital, as another country spells it.

    Names in braces stay.
    """

    def one(found: re.Match[str]) -> str:
        word, new = found[0], words.get(found[0].lower(), found[0])
        return new[0].upper() + new[1:] if word[0].isupper() else new

    return re.sub(rf"\{{[^}}]*}}|\b({'|'.join(words)})\b", one, text, flags=re.I) if words else text


def files(language: str, folder: Path) -> dict[str, Path]:
    """The files of phrases by their names in the language's folder.

    Those of sheets may stand with the sheet too, as those of the shipped languages do.
    """
    own = [path for path in sorted(folder.glob("*.toml")) if path.name not in NO_PHRASES]
    by_name = {path.name: path for path in own}
    for path in sorted(templates().glob(f"sheets/*/{language}.toml")):
        by_name[f"sheets/{path.parent.name}.toml"] = path
    for path in sorted(folder.glob("sheets/*.toml")):
        by_name[f"sheets/{path.name}"] = path
    return by_name
