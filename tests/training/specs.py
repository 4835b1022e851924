"""A tiny spec that trains in a second, and ways to change it."""

import tomllib
from pathlib import Path

TINY = """\
# Two letters take turns; for tests.
format = 1
name = "tiny"
language = "de"
sentence = { de = "ja", en = "ja" }

[tokenizer]
kind = "character"

[model]
d_model = 2
d_ff = 2
parts = ["feedforward", "residual", "output"]

[vocabulary]
unknown = "error" # only these two

[translation.en]
j = "j"
a = "a"

[training]
seed = 1
steps = 80
rounding_steps = 80
learning_rate = 0.1
margin = 20

[corpus]
lines = ["j | a", "a | j"]
"""
MISTAKES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """The tiny spec as a file in a folder, each change made once."""
    text = TINY
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "spec.toml"
    path.write_text(text, encoding="utf-8")
    return path
