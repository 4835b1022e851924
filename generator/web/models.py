"""The shipped presets as a teacher chooses among them: what each is and what it shows."""

from functools import cache
from typing import NamedTuple

from generator.engine.vocabulary import refusal
from generator.presets.load import load_preset, shipped


class Model(NamedTuple):
    """A preset in the words of a language.

    `shows` is what there is to see, "" where it says nothing; `meaningful` whether its numbers mean
    something, `open` whether it takes sentences of one's own.
    """

    name: str
    title: str
    sentence: str
    shows: str
    meaningful: bool
    open: bool


@cache
def models(language: str) -> tuple[Model, ...]:
    """All of them, read once: they come with the program."""
    return tuple(_model(name, language) for name in shipped())


def _model(name: str, language: str) -> Model:
    preset = load_preset(name)
    return Model(
        name=name,
        title=preset.heading(language),
        sentence=preset.sentences.get(language, ""),
        shows=preset.shows.get(language, ""),
        meaningful=preset.meaningful,
        open=not refusal(preset),
    )
