"""What must hold of every worksheet's words: one language, short tasks, clear refusals."""

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager
from html import unescape

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load


@contextmanager
def refused(*parts: str) -> Iterator[None]:
    """What is done in it must end in a `UserError` that says all these parts."""
    with pytest.raises(UserError) as error:
        yield
    assert all(part in str(error.value) for part in parts), str(error.value)


def words(html: str) -> str:
    """What a reader reads, one blank between words."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).replace("\u00ad", "").split())


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
    assert not (found := (words & (german | also)) - english - but), found
