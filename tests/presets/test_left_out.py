"""An author's own preset: whatever optional key is left out, everything can still be made of it."""

import io
from itertools import product
from pathlib import Path

import pytest
from openpyxl import load_workbook

from generator import batch, compute
from generator.engine.preset import Preset
from generator.locales.catalogue import load
from generator.make import Request, make
from generator.presets.load import parse
from generator.render.walk import pages
from tests.cli.command import files_below
from tests.presets.files import HERE
from tests.support.covering import first

LEAST = (HERE / "own.toml").read_text("utf-8")
SHEETS = ("1", "2", "4a", "4b", "5", "6", "generate", "slide", "math")  # 3 needs sine positions
COMPARED = """\
[compare]
title = { de = "Verglichen", en = "Compared" }
step = "block1.head1.scores"
row = 1
values = [0.1, 0.2, 0.3, 0.4, 0.5]
"""
SETTLED = {
    "nothing at all": "",
    "one title": '[title]\nde = "Mein Modell"\n',
    "one text of what there is to see": '[shows]\nen = "The verb looks at the dog."\n',
}
ALWAYS = [("nothing at all", "de"), ("one title", "en")]
NOTES = {"none": (), "in one language": ('note.de = "Gerundet."\n',)}


def own(settled: str) -> Preset:
    """The smallest preset, and what the author wrote beside it."""
    return parse(f"{LEAST}{settled}", "own.toml")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("settled", "language"),
    first(2, sorted(product(SETTLED, ("de", "en")), key=lambda case: case not in ALWAYS)),
)
def test_workbooks_sheets_and_walk_are_made(settled, language, tmp_path):
    preset = own(SETTLED[settled])
    trace = compute(preset=preset, language=language)
    assert pages(trace, load(language))
    made = make(trace, Request(only=("xlsx", "html")), tmp_path)
    assert made.problems == []
    note, later = made.notes
    assert later.startswith("sheet 7b prints the new rows that sheet 7a asks for")
    assert note.startswith("left out: 3, 7c, 8 (")
    kinds = {"blank", "solution"}
    for sheet in SHEETS:
        found = {path.stem.rpartition("-")[2] for path in made.paths if _sheet(path) == sheet}
        assert found >= kinds, sheet
    title = {"de": "Mein Modell"}.get(language, "own") if settled == "one title" else "own"
    for path in made.paths:
        if path.suffix == ".xlsx":
            book = load_workbook(io.BytesIO(path.read_bytes()))
            assert book.properties.title == title
            assert book.worksheets[0]["A1"].value == title


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("notes", NOTES.values(), ids=NOTES)
def test_a_comparison_needs_no_note(notes, language):
    trace = compute(preset=own(COMPARED + "".join(notes)), language=language)
    title = {"de": "Verglichen", "en": "Compared"}[language]
    (page,) = [one for one in pages(trace, load(language)) if one.title == title]
    assert page.notes == (("Gerundet.",) if notes and language == "de" else ())


def test_a_class_can_work_with_it(tmp_path):
    done = batch(2, tmp_path, preset=own(""), sheets=("4a",), only=("xlsx",), seed="7", jobs=1)
    assert done.problems == []
    books = [name for name in files_below(tmp_path) if name.endswith("workbook-exercise.xlsx")]
    assert len(books) == 2


def _sheet(path: Path) -> str:
    return path.name.partition("-")[0]
