"""What a language's folder lacks: compared with English, file by file and key by key."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import MOST_SAID, refused
from generator.locales.catalogue import files
from generator.locales.folders import ENGLISH, FILE, add, code_of, folders
from generator.locales.locale import LocaleProblem, names_in, read_locale, tables

TRANSLATED = re.compile("name|sentence|words[.].+")  # of language.toml
_OUTSIDE = re.compile(r"<[^>]*>|{[^}]*}|&\w+;")
_WORD = re.compile(r"[^\W\d_]{2}")


class Phrase(NamedTuple):
    """A phrase and the file that it stands in."""

    file: str
    text: Any


def added(folder: Path) -> str:
    """Add a folder's language once it is complete; gives its code.

    Raises `UserError` for what is missing or wrong. Phrases may still be English: they are there.
    """
    code = code_of(folder)
    wrong = [problem for problem in problems_in(folder) if problem.kind != "same"]
    if wrong:
        lines = "\n".join(f"  {problem}" for problem in wrong[:MOST_SAID])
        count = f"{len(wrong)} problem{'s' * (len(wrong) > 1)}"
        raise refused("languages.wrong", folder=folder, count=count, lines=lines)
    return add(folder) if code not in folders() else code


def problems_in(folder: Path) -> list[LocaleProblem]:
    """Each key of a folder's `language.toml` and phrases that is not as it must be."""
    english = folders()[ENGLISH]
    wanted, _ = _phrases(files(ENGLISH, english))
    own = files(folder.resolve().name, folder)
    phrases, problems = _phrases(own)
    unread = {one.file for one in wanted.values()} - {one.file for one in phrases.values()}
    unread -= {wanted[key].file for key in phrases.keys() & wanted.keys()}  # they are elsewhere
    problems += [
        LocaleProblem(file, "", "missing", "a file") for file in sorted(unread - own.keys())
    ]
    asked = {key: one for key, one in wanted.items() if one.file not in unread}
    problems += [*_compared(asked, phrases), *_unknown(wanted, phrases)]
    return [*_locale(folder, english), *problems]


def same(file: str, key: str, phrase: str, english: str) -> Iterator[LocaleProblem]:
    """The problem of words that read as in English, where there are any to be translated."""
    if phrase == english and _WORD.search(_OUTSIDE.sub("", phrase)):
        yield LocaleProblem(file, key, "same", "a translation", phrase)


def _phrases(named: Mapping[str, Path]) -> tuple[dict[str, Phrase], list[LocaleProblem]]:
    """The phrases of these files by key, and the files that are no TOML and keys that are twice."""
    phrases: dict[str, Phrase] = {}
    problems = []
    for name, path in named.items():
        table, wrong = tables(path)
        problems += [problem._replace(file=name) for problem in wrong]
        for key, text in table.items():
            if key in phrases:
                expected = f"this key in {phrases[key].file} only"
                problems.append(LocaleProblem(name, key, "wrong", expected, str(text)))
            phrases[key] = Phrase(name, text)
    return phrases, problems


def _compared(
    wanted: Mapping[str, Phrase], phrases: Mapping[str, Phrase]
) -> Iterator[LocaleProblem]:
    for key, one in wanted.items():
        if key not in phrases:
            yield LocaleProblem(one.file, key, "missing", one.text)
            continue
        file, text = phrases[key]
        names = names_in(one.text)
        if not isinstance(text, str) or _names(text) != names:
            listed = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
            expected = f"text with the names in braces: {listed}"
            yield LocaleProblem(file, key, "wrong", expected, str(text))
        else:
            yield from same(file, key, text, one.text)


def _unknown(
    wanted: Mapping[str, Phrase], phrases: Mapping[str, Phrase]
) -> Iterator[LocaleProblem]:
    for key, (file, text) in phrases.items():
        if key not in wanted:
            yield LocaleProblem(file, key, "unknown", "no such key", str(text))


def _names(phrase: str) -> set[str] | None:
    try:
        return names_in(phrase)
    except ValueError:
        return None


def _locale(folder: Path, english: Path) -> Iterator[LocaleProblem]:
    _, problems = read_locale(folder / FILE)
    yield from (problem._replace(file=FILE) for problem in problems)
    (own, _), (other, _) = (tables(place / FILE) for place in (folder, english))
    known = dict(flat(other))
    for key, text in flat(own):
        if TRANSLATED.fullmatch(key):
            yield from same(FILE, key, text, known.get(key, ""))


def flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """The texts of nested tables by their keys with points."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        elif isinstance(value, str):
            yield f"{above}{key}", value
