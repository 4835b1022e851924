"""What the program says in English, in the words of the page."""

import re
from pickle import dumps, loads
from string import Formatter

import pytest

from generator.api import compute
from generator.errors import UserError, at, message, together, unfilled
from generator.locales.catalogue import load
from generator.resources import table
from generator.web.said import told

KNOWN = [(phrase, one) for phrase, all in table("web/said.toml").items() for one in all]


class Anything(str):
    """An x that has every attribute, each an x, and is written as one in every format."""

    def __getattr__(self, name: str) -> "Anything":
        return self

    def __getitem__(self, place: object) -> "Anything":
        return self

    def __format__(self, how: str) -> str:
        return "x"


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(("phrase", "known"), KNOWN, ids=[one for _, one in KNOWN])
def test_each_is_said_by_its_own_phrase(phrase: str, known: str, language: str):
    fields = [name for _, name, *_ in Formatter().parse(unfilled(known)) if name]
    names = {re.split(r"[.\[]", name)[0]: Anything("x") for name in (*fields, "read")}
    text = message(known, **names)
    pattern = re.sub(r"\\\{\w+\\\}", "x", re.escape(load(language).phrases[f"web.said.{phrase}"]))
    assert re.fullmatch(pattern, told(text, load(language)))
    assert "--" not in told(text, load(language))


def test_names_come_over_and_lines_are_said_together():
    with pytest.raises(UserError) as unknown:
        compute("你H", preset="nihao")
    sent = loads(dumps(unknown.value))  # as it comes from another process
    assert "„H“" in told(sent.message, load("de"))
    same = [at(line, message("list.same_id", id="7b", line=2)) for line in (4, 7, 8, 9, 10)]
    (one,) = together(same)
    assert str(one).startswith("line 4, line 7, line 8 and 2 more: the id '7b' is already")
    assert told(one, load("en")).startswith("Line 4, 7, 8…: The number “7b” is already in line 2.")


def test_what_is_missing_for_somebody_is_said_with_the_place():
    why = message("list.code", line=2)
    two = [message("batch.place", place=f"{code} (AB)", why=why) for code in ("07", "08")]
    (one,) = together(two)
    assert str(one) == f"07 (AB), 08 (AB): {why}"
    assert told(one, load("en")).startswith("07 (AB), 08 (AB): The same person as in line 2.")
    (line,) = together([at("4 (AB)", why)])
    assert told(line, load("de")).startswith("Zeile 4 (AB): Dieselbe Person wie in Zeile 2.")


def test_what_stands_nowhere_is_passed_on_without_switches():
    text = told("the cat is out: call it, or take another cat with --cat 2", load("en"))
    assert text == "The program says: the cat is out: call it"
