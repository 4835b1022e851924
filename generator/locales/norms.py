"""What a language says of a model whose norm is not the usual one, layer norm."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, get_args

from generator.engine.choices import NormForm
from generator.locales.catalogue import Catalogue

USUAL: Final[NormForm] = "layer"
OTHERS: Final[tuple[NormForm, ...]] = tuple(f for f in get_args(NormForm) if f != USUAL)
ENDINGS = tuple(f".{form}" for form in OTHERS)  # of phrases for models with norms of that form


@lru_cache(maxsize=16)
def of_norm(catalogue: Catalogue, form: NormForm) -> Catalogue:
    """The catalogue for a model with norms of that form: nothing in it is true of another alone.

    A phrase with the form's ending, such as `.rms`, takes the place of the one without. In all
    others the form's name ("norm.rms") stands where layer norm's does ("norm.layer"). A phrase
    that says something else of another form, but nothing of this one, is left out: whoever asks
    for it stops with a KeyError.
    """
    if form == USUAL:
        return catalogue
    phrases, own = catalogue.phrases, f".{form}"
    found = _renamed(phrases, form)
    for key in depending(phrases):
        found.pop(key, None)
        if key + own in phrases:
            found[key] = phrases[key + own]
    return Catalogue(catalogue.language, found)


def depending(phrases: Mapping[str, str]) -> set[str]:
    """The keys of the phrases that say something else of another form than layer norm."""
    return {base for key in phrases for base in _bases(key) if base in phrases}


def _bases(key: str) -> Iterator[str]:
    return (key.removesuffix(ending) for ending in ENDINGS if key.endswith(ending))


def _renamed(phrases: Mapping[str, str], form: NormForm) -> dict[str, str]:
    """All phrases with the form's name in place of layer norm's."""
    usual, name = re.compile(re.escape(phrases[f"norm.{USUAL}"]), re.I), phrases[f"norm.{form}"]
    return {key: text if key.endswith(ENDINGS) else usual.sub(name, text)
            for key, text in phrases.items() if key != f"norm.{USUAL}"}  # fmt: skip
