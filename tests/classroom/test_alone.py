"""Own numbers: nobody is asked to fill in together what neighbours cannot know."""

import io
from dataclasses import replace

import pypdfium2
import pytest

from generator.classroom.desk.teacher import common_papers
from generator.classroom.files.work_sheets import taken
from tests.support.classes import seated
from tests.support.views import render

TOGETHER = {
    "4a": ("Ergänzt die Matrix.", "Ergänzt die"),
    "slide": ("Klassenmatrix.", "Ergänzt die"),
    "4b": ("Zu zweit", "gleichem Token"),
}


@pytest.mark.parametrize("sheet", TOGETHER)
@pytest.mark.parametrize("vary", ["focus", "groups=2", "numbers"])
def test_tasks_for_all_are_there_only_where_all_have_the_same_numbers(sheet: str, vary: str):
    own, seat = seated(sheet=sheet, vary=vary)
    base = seat.task.base
    others = () if own.variation.alone else tuple(range(len(base.tokens)))
    options = replace(seat.options, others=others)
    leaf = render(sheet, base, base, options, kind="html").decode()
    assert [word in leaf for word in TOGETHER[sheet]] == [vary == "focus"] * 2


@pytest.mark.ci
@pytest.mark.parametrize(("vary", "told"), [("focus", "eure Anteile"), ("numbers", "Infoteils")])
def test_the_board_asks_for_what_the_class_has_in_common(vary: str, told: str):
    own, seat = seated(vary=vary)
    papers = {}
    for files, problem in common_papers(own, [seat], taken([seat])):
        assert not problem
        papers.update(files)
    board = pypdfium2.PdfDocument(io.BytesIO(papers["teacher/board.pdf"]))
    assert told in board[0].get_textpage().get_text_bounded()
