"""A class's exercise workbooks have the bytes of full rendering, and few shells make many."""

import pytest

from generator.classroom import desk
from generator.classroom.lesson import Lesson
from generator.classroom.seats import usual_seat
from generator.classroom.variation import assign, parse
from generator.presets.load import load_preset
from generator.render.workbook import shell
from generator.render.workbook.exercise import render
from generator.render.workbook.parts import played
from generator.text.catalogue import load

PUPILS = 6
NAME = "workbook-exercise.xlsx"


@pytest.mark.parametrize(("vary", "language", "most"), [
    ("focus", "de", PUPILS - 1), ("groups=2", "en", 2), ("numbers", "de", 2),
])  # fmt: skip
def test_workbooks_of_a_class(vary: str, language: str, most: int) -> None:
    lesson = Lesson(
        preset=load_preset("katze"),
        seed="workbooks",
        sheets=("4a",),
        variation=parse(vary),
        language=language,
        outputs=("xlsx",),
    )
    shell._shells.cache_clear()
    made = set()
    for k in range(PUPILS):
        seat = usual_seat(lesson, f"CODE{k}", f"pupil {k}")
        task = desk.task_of(lesson, seat)
        record = desk._record(seat, assign(task, lesson.variation, lesson.seed, seat.key))
        ((name, content),) = desk.files_of(lesson, seat, desk.page_of(lesson, seat, record))
        trace = played(desk.pair(lesson, seat, record).trace, ("4a",))
        assert name == NAME
        assert content == render(trace, load(language), seat.level)
        made.add(shell.shape(trace, load(language), seat.level))
    assert len(made) <= most
    written = sum(len(shell._shells(one)) for one in made)
    assert len(made) <= written <= most
