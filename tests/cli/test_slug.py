"""Result folders: readable names, safe on every system, one for each content."""

import dataclasses
import re
from types import SimpleNamespace

import pytest

import generator
from generator.slug import folder_name

KATZE = generator.load_preset("katze")


def folder(sentence: str, language: str = "de", **further: object) -> str:
    changed = {"preset": KATZE, "edits": {}, **further}
    return folder_name(SimpleNamespace(sentence=sentence, language=language, **changed))


def words(sentence: str) -> str:
    name = folder(sentence)
    match = re.fullmatch(r"katze-(?:([a-z0-9-]+)-)?[0-9a-f]{6}-de", name)
    assert match, name
    return match[1] or ""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Die Katze sitzt auf der Matte", "die-katze-sitzt-auf-der-matte"),
        ("Größe, Maß & Café!", "grosse-mass-cafe"),
        ("=1+1 #N/A ../../etc", "1-1-n-a-etc"),
        ("x" * 60, "x" * 40),
        ("a" * 39 + " b", "a" * 39),
        ("ﬁne", "fine"),
        ("🐱 ‏قطة", ""),
        ("CON", "con"),
    ],
)
def test_slug(sentence: str, expected: str):
    assert words(sentence) == expected


def test_what_differs_has_another_folder():
    names = {
        folder("Größe"),
        folder("Grösse"),
        folder("größe"),
        folder("Größe", "en"),
        folder("Größe", edits={"temperature": 2.0}),
        folder("Größe", preset=dataclasses.replace(KATZE, sha256="0")),
    }
    assert len(names) == 6


def test_the_same_has_the_same_folder():
    composed, decomposed = "Gr\u00f6\u00dfe", "Gro\u0308\u00dfe"
    assert folder(composed) == folder(decomposed)
