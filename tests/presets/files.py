"""Preset files as text for the tests: a small valid one, and parts of it put differently."""

from pathlib import Path

import pytest

from generator.errors import UserError
from generator.presets.load import load_preset, parse

GOOD = """
format = 1
name = "mini"
language = "en"
sentence.en = "a b"
[model]
d_model = 2
d_ff = 2
[positions]
kind = "none"
[vocabulary.words]
a = [0.5, 0.1]
b = [0.2, 0.9]
[weights]
"block1.head1.weight.query" = "identity"
"block1.head1.weight.key" = "identity"
"block1.head1.weight.value" = "identity"
"block1.weight.hidden" = "identity"
"block1.weight.feedforward" = "identity"
"""


def changed(*changes: tuple[str, str]) -> str:
    """The good file with each first text, which stands in it once, put as the second."""
    text = GOOD
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the good file"
        text = text.replace(old, new)
    return text


def top(line: str) -> tuple[str, str]:
    """A change that adds a line before the tables."""
    return ("[model]\n", f"{line}\n[model]\n")


def end(lines: str) -> tuple[str, str]:
    """A change that adds lines after the last weight."""
    line = '"block1.weight.feedforward" = "identity"\n'
    return (line, f"{line}{lines}\n")


def problems(*changes: tuple[str, str]) -> list[str]:
    """What the loader says about a changed file, one text for each problem."""
    with pytest.raises(UserError) as caught:
        parse(changed(*changes), "mini.toml")
    first, *rest = str(caught.value).splitlines()
    assert first == f"mini.toml: {len(rest)} problem{'s' if len(rest) > 1 else ''}"
    return [line.strip() for line in rest]


def refused(path: Path | str) -> str:
    """The message about a file that cannot be read as a preset."""
    with pytest.raises(UserError) as caught:
        load_preset(path)
    return str(caught.value)
