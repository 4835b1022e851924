"""What a language's folder says of shipped presets: its `presets.toml`, checked and typed."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from generator.errors import UserError
from generator.locales.folders import PRESETS, folders
from generator.locales.locale import Filled, TomlTable, tables
from generator.locales.problem import LocaleProblem, of_schema


class Comparison(TomlTable):
    """What a source printed, in words."""

    title: Filled
    note: str = ""


class PresetWords(TomlTable):
    """A shipped preset's words in another language; see the same keys in a preset's file."""

    title: Filled
    sentence: Filled
    shows: str = ""
    translation: Mapping[str, Filled] = {}
    compare: Comparison | None = None


FILE = TypeAdapter(Mapping[str, PresetWords])


@cache
def preset_words(language: str) -> Mapping[str, PresetWords]:
    """The words of shipped presets in a language's folder, by preset; `UserError` if wrong."""
    path = folders()[language] / PRESETS
    words, problems = read_presets(path) if path.exists() else ({}, [])
    if problems:
        raise UserError("\n".join(map(str, problems)))
    return words


def read_presets(path: Path) -> tuple[Mapping[str, PresetWords], list[LocaleProblem]]:
    """The typed file, or nothing and every problem of it."""
    raw, problems = tables(path)
    try:
        return ({}, problems) if problems else (FILE.validate_python(raw), [])
    except ValidationError as error:
        return {}, [of_schema(str(path), one) for one in error.errors(include_url=False)]
