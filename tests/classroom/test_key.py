"""The answer key: each box of the sheets once, each by a title that a teacher reads."""

import gc
import io
import sys

import openpyxl
import pytest

from generator.checks.exercise import Answer
from generator.classroom.desk.key_rows import REPEATED, answer_key, answers, asked, render
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.pupils.seats import Seat, SeatRecord
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.sheets.titles import placed
from tests.support.classes import FILLED, seated
from tests.support.covering import each


def own_set(seat: Seat) -> PupilSet:
    own = {"exercise": None, "edits": {}, "draws": 0, "seconds": 0, "others": []}
    parts = {"group": "", "apart": {}, "files": {}}
    return PupilSet(seat, SeatRecord(**dict(seat.described()), **own, **parts))


@pytest.mark.parametrize("preset", each(2, ["katze", "brille", "nihao", "katze-trained"]))
def test_each_asked_step_has_a_title_of_its_own(preset: str):
    found = 0
    for sheet in FILLED:
        for level in (1, 2, 3):
            task = seated(preset, sheet, level)[1].task
            try:
                plan = task.base_plans[sheet]
            except UserError:
                continue  # no such sheet of this preset
            names = dict.fromkeys(step.name for step, _ in asked(task.base, plan))
            for language in ("de", "en"):
                kept = [name for name in names if not REPEATED.fullmatch(name)]
                titles = [placed(load(language), name) for name in kept]
                assert all(title and title not in names for title in titles), (sheet, level)
                assert len(set(titles)) == len(titles), (sheet, level)
            found += 1
    assert found >= 6


def test_a_box_has_one_line_and_words_are_told_by_their_names():
    _, seat = seated("katze", "4a")
    found = [(one.title, one.column) for one in answers(own_set(seat))]
    assert len(found) == len(set(found)) == 26  # 6 scores, scaled, powers and shares; Σ; an output
    assert ("Head 1: Skalierte Scores", "sitzt") in found
    assert not [title for title, _ in found if title.startswith("Head 1: Maskierte")]
    _, seat = seated("katze", "6")
    ticks = [one for one in answers(own_set(seat)) if one.step == "topk.tick"]
    assert {one.title for one in ticks} == {"bleibt bei top-k"}
    assert [one.column for one in ticks] == ["Die", "Katze", "sitzt", "auf", "der", "Matte"]


def test_the_file_has_title_and_address_and_prints_a_heading_on_each_page():
    lesson, seat = seated("katze", "4a")
    page = openpyxl.load_workbook(io.BytesIO(answer_key(lesson, [own_set(seat)]))).active
    rows = list(page.iter_rows(values_only=True))
    assert rows[0][3:] == ("Schritt", "Zeile", "Spalte", "richtig", "erlaubt ±", "Name im Modell")
    assert rows[1][3:6] == ("Head 1: Scores (Passung)", "sitzt", "Die")
    assert rows[1][8] == "block1.head1.scores"
    assert page.print_title_rows == "$1:$1"
    assert page.page_setup.orientation == "landscape"


def test_a_row_of_a_temperature_is_written_as_on_the_sheet():
    _, seat = seated("katze", "6")
    found = answers(own_set(seat))
    rows = {one.title: one.row for one in found if one.step.startswith("output.")}
    assert set(rows.values()) == {"T = 0,5"}
    assert rows["Potenzen der Logits"] == "T = 0,5"


def test_a_key_that_cannot_be_finished_is_one_message(monkeypatch):
    """No page complains when it is thrown away."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    def breaking():
        yield Answer("K7QX2MPD", "1", "4a", "scores", "Scores", "Die", "Die", 0.5, 2, 0.01)
        raise UserError("the notes have gone while the batch ran")

    with pytest.raises(UserError, match="the notes have gone while the batch ran"):
        render(breaking(), "de")
    gc.collect()
    assert not told
