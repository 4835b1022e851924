"""A pupil's exercise workbook is what `render` makes of the pupil's own numbers and token."""

import pytest

from generator.checks.judging import Judging
from generator.classroom.files.pupil_files import PupilSet, drawn
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.variation import parse
from generator.classroom.pupils.seats import usual_seat
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.owner import Owner
from generator.render.workbook.exercise import render
from generator.render.workbook.sheet_tabs import played
from generator.sheets.options import SheetOptions


@pytest.mark.parametrize(
    ("vary", "language", "judging"),
    [("focus", "de", Judging()), ("numbers", "en", Judging("once", tolerance=2, interim=False))],
)
def test_workbook_of_a_seat(vary: str, language: str, judging: Judging) -> None:
    lesson = Lesson(
        preset=load_preset("katze"),
        seed="workbooks",
        sheets=("4a",),
        variation=parse(vary),
        language=language,
        outputs=("xlsx",),
        worksheet=SheetOptions(**vars(judging)),
    )
    seat = usual_seat(lesson, "CODE1", "pupil 1")
    made = PupilSet(seat, drawn(seat, {}))
    ((name, content),) = made.files()
    trace = played(made.pages["4a"].both.trace, ("4a",))
    assert name == "hand-out/CODE1/workbook-exercise.xlsx"
    owner = Owner(lesson.batch, "CODE1", ("4a",), seat.level)
    assert content == render(trace, load(language), seat.level, judging, owner)
