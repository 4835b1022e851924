"""What must hold of every worksheet's words: one language, short tasks, clear refusals."""

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load

Phrases = dict[str, str]


@contextmanager
def refused(*parts: str) -> Iterator[None]:
    """What is done in it must end in a `UserError` that says all these parts."""
    with pytest.raises(UserError) as error:
        yield
    assert all(part in str(error.value) for part in parts), str(error.value)


def no_german_word(
    shown: str,
    least: int,
    but: Set[str] = frozenset(),
    letters: int = 1,
    also: Set[str] = frozenset(),
) -> None:
    """Of more than `least` words none is the German catalogue's (or of `also`) alone, `but` some.

    Words of fewer letters than `letters` do not count.
    """
    words = set(re.findall(rf"[A-Za-zÄÖÜäöüß]{{{letters},}}", shown))
    german = set(re.findall("[A-Za-zÄÖÜäöüß]+", " ".join(load("de").phrases.values())))
    english = set(re.findall("[A-Za-z]+", " ".join(load("en").phrases.values())))
    assert len(words) > least
    assert not (words & (german | also)) - english - but


def own_phrases(*starts: str, least: int, task: int = 15) -> tuple[Phrases, Phrases]:
    """A sheet's phrases in German and English, by how their keys start.

    More than `least`, under the same keys; stories of at most 60 words, tasks of at most `task`.
    """
    german, english = (
        {k: v for k, v in load(language).phrases.items() if k.startswith(starts)}
        for language in ("de", "en")
    )
    assert german.keys() == english.keys()
    assert len(german) > least
    for phrases in (german, english):
        assert all(len(v.split()) <= 60 for k, v in phrases.items() if ".story." in k)
        assert all(len(v.split()) <= task for k, v in phrases.items() if ".task." in k)
    return german, english
