"""What a preset says about words that it does not have: whether it takes them, what stays 0."""

from collections.abc import Iterator

from generator.engine.vocabulary import listed
from generator.errors import did_you_mean
from generator.presets.problems import Problem, shown
from generator.presets.schema import File


def reserved_in(file: File) -> tuple[int, ...]:
    """The dimensions (from 0) that are 0 in a word with drawn numbers; they are checked before."""
    names = _names(file)
    return tuple(names.index(name) % file.model.d_model for name in file.vocabulary.reserved)


def own_words_in(file: File, closed: str) -> Iterator[Problem]:
    """The problems of `own` and `reserved`; `closed` says why no new words are taken, if so."""
    vocabulary, names = file.vocabulary, _names(file)
    if closed and vocabulary.own == "yield":
        expected = f"'keep', as no new words are taken: {closed}"
        yield Problem("vocabulary.own", shown(vocabulary.own), expected)
    for name in vocabulary.reserved:
        if name not in names:
            expected = f"a dimension: {listed(tuple(names))}{did_you_mean(name, names)}"
            yield Problem("vocabulary.reserved", shown(name), expected)
    if len(set(vocabulary.reserved)) >= file.model.d_model:
        expected = "one dimension left at least, for the numbers of new words"
        yield Problem("vocabulary.reserved", f"all {file.model.d_model} of them", expected)


def _names(file: File) -> list[str]:
    """d1, d2, … and then, where the preset names them, the same dimensions by name."""
    plain = [f"d{k + 1}" for k in range(file.model.d_model)]
    return plain + file.model.dimensions
