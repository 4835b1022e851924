"""Languages are folders: no code names them, and the shipped ones say the same things."""

import ast
from pathlib import Path

import pytest

from generator.cli import main
from generator.locales.catalogue import load
from generator.locales.check import problems_in
from generator.locales.folders import FOLDER, folders, languages, written
from generator.locales.locale import locale_of

PACKAGE = FOLDER.parent
FILES = sorted(PACKAGE.rglob("*.py"))


def test_a_folder_is_a_language():
    assert written() == ("de", "en")
    assert all(locale_of(code).name for code in languages())


def test_no_code_but_one_file_names_a_language():
    assert len(FILES) > 200
    naming = {
        file.relative_to(PACKAGE).as_posix()
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in languages()
    }
    assert naming == {"locales/folders.py"}


@pytest.mark.parametrize("code", ["de", "en"])
def test_shipped_languages_have_the_same_keys_and_names(code: str):
    assert len(load(code).phrases) > 1500
    assert not [one for one in problems_in(folders()[code]) if one.kind != "same"]


def test_signs_in_phrases_are_those_of_the_language():
    for code in languages():
        assert load(code).phrases["sheet.times"] == locale_of(code).signs.times


def test_they_are_listed(capsys):
    assert main(["languages", "list"]) == 0
    assert capsys.readouterr().out == "de  Deutsch\nen  English\nen-US  English (US)\n"


def test_help_names_the_command_that_lists_them(capsys):
    with pytest.raises(SystemExit):
        main(["make", "--help"])
    assert "paperformer languages list" in " ".join(capsys.readouterr().out.split())


def test_the_folders_are_in_the_package():
    assert {path.parent for path in folders().values()} == {Path(FOLDER)}
