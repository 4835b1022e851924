"""An exam's pages: no help, no story, no checks, no answers; marks on every task, as graded."""

import re
from dataclasses import replace

import pytest

from generator.classroom.desk.key_rows import REPEATED
from generator.locales.catalogue import load
from generator.render.worksheet.worksheet import PrintedSheet, planned
from generator.sheets import worth
from generator.sheets.exam import LEFT_OUT, edition
from generator.sheets.options import SheetOptions
from generator.sheets.own_texts import CHECKS
from generator.sheets.page_tree import inner, parsed, written
from generator.sheets.series import SERIES, SHEETS
from tests.support.battery import blank_does_not_hang_on_answers
from tests.support.covering import covering
from tests.support.filled import filling
from tests.support.sheets import html, traces

FIT = [name for name in SHEETS if SERIES[name].kind.filled and not SERIES[name].kind.together]
EXAM = SheetOptions(part="work", story=False, points=True, exam=45, alone=True, teacher=False)
# Sheet 4a asks for outputs without a box, so that nothing else on the page shows them.
WITHOUT_BOX = re.compile(r".*head1\.output")


def of(language: str, level: int = 2) -> SheetOptions:
    return replace(EXAM, language=language, level=level)


@pytest.mark.parametrize(("sheet", "language", "level"), covering(FIT, ("de", "en"), (1, 2, 3)))
def test_a_paper_helps_nobody_and_holds_no_answer(sheet, language, level):
    trace, exact = traces(filling(sheet), language)
    options = of(language, level)
    t = load(language).t
    # As a lesson the very sheet has what is left out here.
    lesson = html(trace, exact, replace(options, exam=0, story=True), blank=True, sheet=sheet)
    paper = html(trace, exact, options, blank=True, sheet=sheet)
    classes = {name for found in re.findall(r'class="([^"]*)"', paper) for name in found.split()}
    told = {name for found in re.findall(r'class="([^"]*)"', lesson) for name in found.split()}
    assert told & LEFT_OUT
    assert not classes & LEFT_OUT
    asking = [one.strip() for one in t(CHECKS).split("|")]
    for words in (f"<b>{t('sheet.probe')}</b>", t("sheet.hints"), t("sheet.story"), *asking):
        assert words not in paper, words
    blank_does_not_hang_on_answers(sheet, trace, exact, options)


@pytest.mark.parametrize(("sheet", "level"), covering(FIT, (1, 2, 3)))
def test_marks_stand_on_the_tasks_and_belong_to_the_boxes(sheet, level):
    trace, exact = traces(filling(sheet), "de")
    found = PrintedSheet(sheet, trace, exact, of("de", level)).worth
    paper = html(trace, exact, of("de", level), blank=True, sheet=sheet)
    printed = [int(marks) for marks in re.findall(r'data-worth="/ (\d+)"', paper)]
    assert printed == [task.marks for task in found.tasks]
    assert f"von {sum(printed)} BE" in paper
    assert sum(found.cells.values()) + found.by_hand == pytest.approx(sum(printed))
    cells = {
        c for c in planned(sheet, trace, of("de", level)).asked if not REPEATED.fullmatch(c[0])
    }
    assert found.cells.keys() <= cells
    missing = {step for step, _, _ in cells - found.cells.keys()}
    assert all(WITHOUT_BOX.fullmatch(step) for step in missing), missing


def test_what_is_left_out_goes_with_all_that_it_holds_and_tasks_count_on():
    task = '<p class="task"><b class="no">{}</b> x</p>'
    nested = f'<div class="keep lesson"><div>{task.format(2)}</div></div>'
    paper = f'{task.format(1)}{nested}<p class="probe">y</p>{task.format(3)}<aside>z</aside>'
    expected = f"{task.format(1)}{task.format(2)}<aside>z</aside>"
    assert inner(parsed(edition(paper, frozenset())).body) == expected


def test_squares_stand_with_the_cover_unless_the_print_is_large():
    trace, exact = traces("katze", "de")
    large = replace(of("de"), large_print=True)
    assert 'class="scratch"' in html(trace, exact, replace(of("de"), exam=0), blank=True)
    assert 'class="scratch"' not in html(trace, exact, of("de"), blank=True)
    lesson = html(trace, exact, replace(large, exam=0), blank=True)
    assert html(trace, exact, large, blank=True).count("squares") == lesson.count("squares")


def test_what_is_read_off_or_ticked_gives_two_marks_a_task():
    cells = [("topk.tick", 0, j) for j in range(4)]
    tags = "".join(f'<td class="choose" data-cell="{s}|{i}|{j}"></td>' for s, i, j in cells)
    page = f'<p class="task">x</p><td class="ask" data-cell="a|0|0"></td>{tags}'
    tree = parsed(page)
    worth.mark_light(tree, frozenset(cells))
    plain, counted = worth.worth(page), worth.worth(written(tree))
    assert [task.marks for task in plain.tasks] == [1]
    assert [task.marks for task in counted.tasks] == [3]
    assert {counted.cells[cell] for cell in cells} == {0.5}
