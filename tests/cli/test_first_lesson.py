"""The first lesson of a series has small numbers of its own, and does not repeat sheet 4a."""

import pytest

import generator
from generator.make import Request, make
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.titles import numbers_of
from tests.support.sheets import text, traces


@pytest.mark.parametrize("sheet", ["slide", "slides"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_beside_sheet_4a_it_has_the_numbers_of_the_source(sheet, language):
    both = traces("katze", language)
    found, exact = numbers_of(sheet, ("4a", "slide", "slides"), *both)
    assert (found.preset.name, found.language) == ("paris", language)
    assert exact.rounding == "exact"
    step = "block1.head1.value"
    assert bool(planned(sheet, found, SheetOptions()).asked) == (sheet == "slide")
    assert (found["input"].values >= 0).all()
    assert found[step].values.tolist() != both[0][step].values.tolist()


def test_alone_and_in_another_language_it_has_the_numbers_that_it_is_given():
    both = traces("katze", "de")
    assert numbers_of("slide", ("slide", "slides"), *both) == both
    assert numbers_of("5", ("4a", "5", "slide"), *both) == both
    paris = traces("paris", "de")
    assert numbers_of("slide", ("4a", "slide"), *paris) == paris


@pytest.mark.ci
def test_what_make_writes(tmp_path):
    trace = generator.compute(preset="katze", language="en")
    made, heard = {}, []
    for sheets in (("4a", "slide"), ("slide",)):
        request = Request(only=("pdf",), sheets=sheets, variant="blank", jobs=1)
        folder = tmp_path / "-".join(sheets)
        make(trace, request, folder, lambda *done: heard.append(done))
        made[sheets] = text((folder / "hand-out" / "slide-hand-out-blank.pdf").read_bytes())
    assert "Paris is the capital of" in made["4a", "slide"]
    assert "The cat sits on the mat" not in made["4a", "slide"]
    assert "The cat sits on the mat" in made[("slide",)]
    assert heard == [(1, 3), (2, 3), (3, 3), (1, 1)]  # two sheets and their booklet; one sheet
