"""Slips of the hand that Python would read as something else are refused, wherever one types."""

import argparse
from collections.abc import Iterator

import pytest

import generator
from generator.cli.parser import MAY_BE_EMPTY, parser
from generator.errors import UserError
from generator.grading.marking.by_hand import _points
from generator.presets.forms import FormError, Forms
from generator.typed import plainly, typed_count, typed_number
from generator.web.form import RefusedAnswers, read


def test_what_is_no_plain_number_is_none(text: str):
    assert typed_number(text) is None
    assert typed_count(text) is None
    with pytest.raises(UserError, match=r"expected a number such as 0\.3"):
        generator.compute(preset="katze", edits={"temperature": text})


def test_plain_numbers_are_read():
    texts = {"1": 1, "-0.5": -0.5, "+2": 2, ".5": 0.5, "2.": 2, "1e-3": 0.001, "007": 7}
    assert {text: typed_number(text) for text in texts} == texts
    assert [typed_count(text) for text in ("0", "28", "-1", "1.0")] == [0, 28, None, None]
    assert [bool(plainly(text)) for text in ("1_0", "１", "warm", "nan", "0")] == [1, 1, 0, 0, 0]


def test_forms_tables_and_files_read_numbers_alike():
    for text in ("１2", "1_2", "nan"):
        with pytest.raises(RefusedAnswers):
            read({"lesson": ["attention"], "who": ["class"], "pupils": [text]}, "en")
        with pytest.raises(ValueError, match="expected points from 0 to 20"):
            _points(text, 20)
    assert _points(" 1,5", 20) == 1.5
    for form in ("１ identity", "select d１ d2"):
        with pytest.raises(FormError, match="expected"):
            Forms().matrix(form, (2, 2), "block1.head1.weight.query")


def actions(top: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """What a parser and those below it do with each option and argument."""
    for one in top._actions:
        if isinstance(one, argparse._SubParsersAction):
            for inner in one.choices.values():
                yield from actions(inner)
        else:
            yield one


def test_no_option_keeps_an_empty_text():
    """What has a type reads its text itself, and finds no number, name or file in an empty one."""
    kept = [one for one in actions(parser()) if type(one).__name__ in ("_Said", "_StoreAction")]
    said = [one for one in kept if one.type is None and one.dest not in MAY_BE_EMPTY]
    assert len(said) > 60
    for one in said:
        with pytest.raises(UserError, match="an empty text"):
            one(argparse.ArgumentParser(), argparse.Namespace(), "")
