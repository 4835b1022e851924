"""Preset files as text for the tests: a small valid one, and parts of it put differently."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator.errors import UserError
from generator.presets.load import load_preset, parse

HERE = Path(__file__).parent
GOOD = (HERE / "mini.toml").read_text("utf-8")

MODEL, WORDS = "d_model = 2\n", "[vocabulary.words]\n"
KEY = '"block1.head1.weight.key" = "identity"'


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


def table(lines: str) -> tuple[str, str]:
    """A change that adds a table before the words."""
    return (WORDS, f"{lines}\n{WORDS}")


def size(line: str) -> tuple[str, str]:
    """A change that adds a line to the table of the model."""
    return (MODEL, f"{MODEL}{line}\n")


def weight(form: str) -> tuple[str, str]:
    """A change of the key's weight."""
    return (KEY, KEY.replace('"identity"', form))


def bpe(merges: str, more: str = "") -> tuple[str, str]:
    """A change that gives the tokenizer merges."""
    return top(f'[tokenizer]\nkind = "bpe"\nmerges = {merges}\n{more}')


def sentence(text: str) -> tuple[str, str]:
    """A change of the sentence."""
    return ('sentence.en = "a b"', f'sentence.en = "{text}"')


CHANGES = (top, end, table, size, weight, bpe, sentence)


def refusals() -> dict[str, list[dict[str, Any]]]:
    """The rows of refused.toml."""
    text = (HERE / "refused.toml").read_text("utf-8")
    text = text.replace("{400 nines}", "9" * 400).replace("{513 words}", "a " * 513)
    return tomllib.loads(text)


def changes(row: dict[str, Any]) -> list[tuple[str, str]]:
    """What a row of refused.toml changes in the good file."""
    found = [(old, new) for old, new in row.get("swap", ())]
    for one in CHANGES:
        if given := row.get(one.__name__):
            found.append(one(*([given] if isinstance(given, str) else given)))
    return found


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
