"""A French folder, known to this process while the tests of a file run."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.locales import catalogue, folders
from generator.locales.check import added
from generator.locales.locale import locale_of, preset_words
from generator.notation.shown import number
from tests.support.french import french


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The complete folder `fr`, which is a language until the file's tests are done."""
    place = french(tmp_path_factory.mktemp("languages"))
    before = os.environ.pop(folders.ADDED, None)
    assert added(place) == "fr"
    yield place
    del os.environ[folders.ADDED]
    if before is not None:
        os.environ[folders.ADDED] = before
    for kept in (catalogue.read, locale_of, preset_words, number):
        kept.cache_clear()
