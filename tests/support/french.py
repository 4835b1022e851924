"""A complete French folder: the committed sample, and English phrases with a mark for the rest."""

import re
import tomllib
from pathlib import Path

from generator.cli import main

SAMPLE = Path(__file__).resolve().parents[1] / "locales/french/fr"
_KEPT = re.compile(r"({[^}]*}|<[^>]*>|&\w+;|\\[A-Za-z]+)")


def marked(phrase: str) -> str:
    """The phrase with é for every e: as wide as before, and seen to come from the folder."""
    parts = _KEPT.split(phrase)
    return "".join(part if k % 2 else part.replace("e", "é") for k, part in enumerate(parts))


def french(place: Path) -> Path:
    """Write the folder `fr` below a place."""
    folder = place / "fr"
    assert main(["languages", "new", str(folder)]) == 0
    for path in sorted(folder.rglob("*.toml")):
        own = SAMPLE / path.relative_to(folder)
        path.write_text(own.read_text("utf-8") if own.exists() else _marked_file(path), "utf-8")
    return folder


def _marked_file(path: Path) -> str:
    phrases = tomllib.loads(path.read_text("utf-8"))
    return "".join(f"'{key}' = {_quoted(marked(text))}\n" for key, text in phrases.items())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
