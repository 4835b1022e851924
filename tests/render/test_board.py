"""The board of a class: above each word as many boxes as the class can mark."""

import io

import pypdfium2
import pytest

from generator.render.worksheet.teacher_pages import ClassPapers
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from tests.support.sheets import Cells, html_of, pictures

WORDS = ("Die", "Katze", "sitzt", "auf", "der", "Matte")


@pytest.mark.parametrize(("alone", "most"), [(False, sheet6.DRAWS), (True, 35)])
def test_the_grid_has_room_for_every_draw_and_stays_on_its_page(alone, most):
    made = ClassPapers(SheetOptions(alone=alone)).board((), WORDS, {})
    pages = pypdfium2.PdfDocument(io.BytesIO(made))
    assert len(pages) == 1
    shown = pages[0].get_textpage().get_text_range().split()
    counts = " ".join(str(count) for count in range(most, 0, -1))
    assert counts in " ".join(n for n in shown if n.isdigit())
    ink = (pictures(made, 50)[0] < 250).any(axis=1)
    assert not ink[-round(4 / 210 * len(ink)) :].any()


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_pupils_draw_as_often_as_the_teachers_tally_says(language, level):
    solved = html_of("6", "katze", language, blank=False, level=level)
    drawn = [cell for cell, _, _ in Cells(solved).found if cell[0] == "draw.token"]
    assert len(drawn) == len(set(drawn)) == sheet6.DRAWS
    heading = {"de": f"{sheet6.DRAWS} Ziehungen", "en": f"{sheet6.DRAWS} draws"}[language]
    rows = solved.partition(heading)[2].partition("<tbody>")[2].partition("</tbody>")[0]
    tally = [int(row.rpartition("<td>")[2].partition("<")[0]) for row in rows.split("</tr>")[:-1]]
    assert sum(tally) == sheet6.DRAWS
