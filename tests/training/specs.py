"""A tiny spec that trains in a second, and ways to change it."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
TINY = (HERE / "tiny.toml").read_text("utf-8")
MISTAKES = tomllib.loads((HERE / "mistakes.toml").read_text("utf-8"))


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """The tiny spec as a file in a folder, each change made once."""
    text = TINY
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "spec.toml"
    path.write_text(text, encoding="utf-8")
    return path
