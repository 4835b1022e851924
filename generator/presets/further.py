"""Shipped presets in further languages: their words come from the languages' folders."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.errors import UserError
from generator.locales.check import flat, same
from generator.locales.folders import ENGLISH, PRESETS, folders, languages
from generator.locales.locale import LocaleProblem, PresetWords, preset_words, read_presets

KINDS = ("title", "sentence", "shows")


def with_languages(name: str, raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A shipped preset's tables with its words in each language that a folder brings, and which.

    Raises `UserError` for a language that the preset's own file has too.
    """
    added = []
    for language in languages() if name else ():
        words = preset_words(language).get(name)
        if words is None:
            continue
        if language in raw["sentence"]:
            path = folders()[language] / PRESETS
            raise UserError(f"{path}: {name}: the preset itself has {language!r} already")
        raw = _merged(raw, language, words)
        added.append(language)
    return raw, added


def english_words(raw: dict[str, Any]) -> dict[str, Any]:
    """A preset's English words, as a folder's `presets.toml` says them."""
    words = {kind: raw[kind][ENGLISH] for kind in KINDS if ENGLISH in raw.get(kind, {})}
    if ENGLISH in raw.get("translation", {}):
        words["translation"] = raw["translation"][ENGLISH]
    if "compare" in raw:
        both = {key: raw["compare"].get(key, {}) for key in ("title", "note")}
        words["compare"] = {key: texts[ENGLISH] for key, texts in both.items() if ENGLISH in texts}
    return words


def english_file(raws: Mapping[str, dict[str, Any]]) -> str:
    """A `presets.toml` of the shipped presets' English words, to be translated."""
    lines = (line for name, raw in raws.items() for line in _toml(name, english_words(raw)))
    return "\n".join([*lines, ""])


def _toml(name: str, words: Mapping[str, Any]) -> Iterator[str]:
    yield f"[{name}]"
    for key, value in words.items():
        if isinstance(value, str):
            yield f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"
    for key, value in words.items():
        if not isinstance(value, str):
            yield from _toml(f"{name}.{key}", value)


def _merged(raw: dict[str, Any], language: str, words: PresetWords) -> dict[str, Any]:
    own: dict[str, Any] = {kind: getattr(words, kind) for kind in KINDS if getattr(words, kind)}
    if words.translation:
        own["translation"] = dict(words.translation)
    more = {key: {**raw.get(key, {}), language: value} for key, value in own.items()}
    if words.compare is not None and "compare" in raw:
        given, compare = raw["compare"], words.compare
        more["compare"] = {
            **given,
            "title": {**given["title"], language: compare.title},
            "note": {**given.get("note", {}), **({language: compare.note} if compare.note else {})},
        }
    return {**raw, **more}


def problems_in(folder: Path, raws: Mapping[str, dict[str, Any]]) -> Iterator[LocaleProblem]:
    """What a folder's `presets.toml` lacks of shipped presets, by name, or says wrongly."""
    words_of, problems = read_presets(folder / PRESETS)
    yield from (problem._replace(file=PRESETS) for problem in problems)
    for name in words_of.keys() - raws.keys():
        yield LocaleProblem(PRESETS, name, "unknown", f"a shipped preset: {', '.join(raws)}", name)
    there = [one for one in raws if one in words_of]  # another one has no such language
    for name in there:
        own = words_of[name].model_dump(exclude_defaults=True)
        yield from _compared(name, dict(flat(english_words(raws[name]))), dict(flat(own)))


def _compared(name: str, wanted: dict[str, str], own: dict[str, str]) -> Iterator[LocaleProblem]:
    for key, english in wanted.items():
        if key not in own:
            yield LocaleProblem(PRESETS, f"{name}.{key}", "missing", english)
        else:
            yield from same(PRESETS, f"{name}.{key}", own[key], english)
    for key in own.keys() - wanted.keys():
        yield LocaleProblem(PRESETS, f"{name}.{key}", "unknown", "no such key", own[key])
