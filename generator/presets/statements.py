"""Checks of what a preset says about itself: its dimensions, what it shows, what it promises."""

import re
from collections.abc import Iterator, Sequence

from generator.errors import did_you_mean
from generator.presets.problems import Problem, shown
from generator.presets.schema import Behaviour, File

HEAD = re.compile(r"block([1-9]\d*)\.head([1-9]\d*)")
PREDICTING = ("predicts", "continues", "repeats", "writes")
NAMING = {"kinds": "a dimension", "words": "a token of the sentence"}


def statements_in(file: File, tokens: Sequence[str]) -> Iterator[Problem]:
    """The problems of `dimensions`, `shows` and `behaviour`; `tokens` are the own sentence's."""
    names = file.model.dimensions
    if names and len(names) != file.model.d_model:
        expected = f"d_model = {file.model.d_model} names, or none"
        yield Problem("model.dimensions", f"{len(names)} names", expected)
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Problem("model.dimensions", f"{name!r} twice", "a different name for each")
    for language in file.shows.keys() - file.sentence.keys():
        expected = "a language that the preset has a sentence in"
        yield Problem(f"shows.{language}", shown(file.shows[language]), expected)
    for k, one in enumerate(file.behaviour):
        yield from _behaviour(file, f"behaviour[{k + 1}]", one, tokens)


def _behaviour(file: File, key: str, one: Behaviour, tokens: Sequence[str]) -> Iterator[Problem]:
    if one.rule in PREDICTING:
        if "output" not in file.model.parts or file.output.kind == "none":
            yield Problem(f"{key}.rule", shown(one.rule), "a rule of attention: there is no output")
        if one.rule == "predicts" and len(one.at) != 1:
            yield Problem(f"{key}.at", shown(one.at), "the word that is predicted, in a list")
        if one.rule == "writes":
            yield from _texts(file, key, one)
    else:
        yield from _head(file, key, one.head)
    if one.rule in NAMING:
        yield from _names(file, key, one, tokens)


def _texts(file: File, key: str, one: Behaviour) -> Iterator[Problem]:
    stop = file.sampling.stop
    if stop is None:
        yield Problem(f"{key}.rule", shown(one.rule), "sampling.stop, which ends each text")
        return
    if not one.at:
        yield Problem(f"{key}.at", "nothing", "the texts that are written, in a list")
    for text in one.at:
        if not text.endswith(stop):
            yield Problem(f"{key}.at", shown(text), f"a text that ends with {stop!r}")


def _head(file: File, key: str, head: str) -> Iterator[Problem]:
    blocks, heads = file.model.blocks, file.model.heads
    match = HEAD.fullmatch(head)
    inside = match and int(match[1]) <= blocks and int(match[2]) <= heads
    if not inside or "attention" not in file.model.parts or file.start.kind == "vector":
        expected = f"block1.head1 to block{blocks}.head{heads}, of a model with attention"
        yield Problem(f"{key}.head", shown(head), expected)


def _names(file: File, key: str, one: Behaviour, tokens: Sequence[str]) -> Iterator[Problem]:
    known = file.model.dimensions if one.rule == "kinds" else tokens
    for part, names in (("who", one.who), ("at", one.at)):
        if not names:
            yield Problem(f"{key}.{part}", "nothing", f"{NAMING[one.rule]} at least")
        for name in names:
            if name not in known:
                expected = f"{NAMING[one.rule]}: {', '.join(known)}{did_you_mean(name, known)}"
                yield Problem(f"{key}.{part}", shown(name), expected)
