"""The one line that says which worksheets are left out, and why."""

import pytest

from generator import compute
from generator.make import Request, make
from generator.render.worksheet.worksheet import planned
from generator.sheets.left_out import FILLS_ALL, left_out
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from tests.support.filled import reason

LEARNED = "8"  # needs the history of a training
OWN = {"de": "Heute scheint die Sonne am Meer", "en": "The sun shines on the sea"}


def told(preset: str, sentence: str | None, folder) -> list[str]:
    """What `make` says of a sentence's sheets."""
    request = Request(only=("html",), variant="blank")
    return make(compute(sentence, preset=preset), request, folder).notes


def test_sheets_with_one_reason_are_named_together_and_one_same_is_told_in_full(
    reasons, of_preset, said
):
    found = left_out(reasons, "mine", lambda sheet: sheet in of_preset)
    assert found == (f"left out: {said}" if said else "")


@pytest.mark.parametrize("preset", ["paris", "brille", "nihao"])
def test_a_preset_s_gaps_are_one_line(preset, tmp_path):
    (line,) = [note for note in told(preset, None, tmp_path) if note.startswith("left out")]
    named = line.removeprefix("left out: ").partition(" (")[0].split(", ")
    refused = [sheet for sheet in SHEETS if reason(sheet, preset)]
    assert named == refused != []
    assert "\n" not in line
    assert len(line) < 200


def test_a_short_sentence_is_one_line(tmp_path):
    (line,) = told("katze", "Hallo", tmp_path)
    assert "write a longer sentence" in line


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_preset_that_is_named_fills_every_sheet(level, language):
    trace = compute(preset=FILLS_ALL, language=language)
    options = SheetOptions(level=level, language=language)
    for sheet in SHEETS:
        assert planned(sheet, trace, options).sheet == sheet


@pytest.mark.parametrize("preset", [None, "random", "katze"])
@pytest.mark.parametrize("language", OWN)
def test_an_own_sentence_fills_every_sheet(preset, language):
    named = {} if preset is None else {"preset": preset}
    trace = compute(OWN[language], language=language, **named)
    for sheet in (name for name in SHEETS if name != LEARNED or trace.preset.history):
        assert planned(sheet, trace, SheetOptions(level=2, language=language)).sheet == sheet
    assert trace["sampling.next"].values[0, 0] in OWN[language].split()
