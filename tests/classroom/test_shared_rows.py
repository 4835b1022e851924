"""The class matrix: each row is somebody's or printed, and no blank prints its own pupil's."""

import io
import re
from functools import cache

import pypdfium2
import pytest

import generator
from generator.classroom.files.work_sheets import others, taken
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Lot, focus_token, parse
from generator.classroom.pupils.pupil_codes import code_of
from generator.classroom.pupils.roster import Pupil, numbered
from generator.classroom.pupils.seats import Roll, Seat
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.attention import asks_alike
from generator.presets.load import load_preset, shipped
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support.covering import each
from tests.support.views import render

SEED = "9f3c2a7be1d04c55"
AT = "block1.head1"
SIZES = range(6, 36)
WITHOUT = ("ausgabe", "paris")
ROW = re.compile(r"<tr[^>]*><th[^>]*>[^<]*</th>(.*?)</tr>", re.DOTALL)
MATRIX = re.compile(r'<table class="class[ "].*?</table>', re.DOTALL)
MARKUP = re.compile(r"<[^>]*>|\s")
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def lesson(preset: str, sheets: tuple[str, ...] = ("4a",), vary: str = "focus") -> Lesson:
    return Lesson(load_preset(preset), SEED, sheets, parse(vary))


def seats(given: Lesson, count: int) -> list[Seat]:
    return [Roll(given).seat(one) for one in numbered(count)]


@cache
def filled_rows(
    trace: Trace, mine: tuple[int, ...], variant: str = "blank", sheet: str = "4a"
) -> list[bool]:
    """Of each row of the matrix on a sheet, whether each cell shows a number or "masked"."""
    options = SheetOptions(part="work", teacher=False, others=mine)
    html = render(sheet, trace, trace, options, kind="html", variant=variant).decode()
    (table,) = MATRIX.findall(html)
    rows = [CELL.findall(row) for row in ROW.findall(table)]
    assert [len(row) for row in rows] == [len(trace.tokens)] * len(trace.tokens)
    return [all(MARKUP.sub("", cell) for cell in row) for row in rows]


@cache
def computed(given: Task, own: int | None) -> Trace:
    return given.trace({}, exercise=own)


def stands(given: Lesson, class_of: list[Seat], sheet: str = "4a") -> None:
    """Each row is, for each pupil, the own one, somebody else's, printed, or equal to the own."""
    rows = taken(class_of)
    mine = set()
    task = class_of[0].task
    for seat in class_of:
        own = focus_token(task, Lot(SEED, seat.key))
        mine.add((own, tuple(others(rows, task, own))))
    for own, theirs in mine:
        trace = computed(task, own)
        plan = planned(sheet, trace, SheetOptions())
        printed = filled_rows(trace, theirs, sheet=sheet)
        assert not printed[plan.own]
        assert not any(printed[k] for k in theirs if k != plan.worked)
        equal = asks_alike(trace, AT, plan.own)
        known = {plan.own, *theirs, *equal}
        assert all(printed[k] or k in known for k in range(len(trace.tokens)))
        assert set(theirs) <= {computed(task, one).exercise for one, _ in mine}


@pytest.mark.parametrize("preset", WITHOUT)
def test_presets_without_sheet_4a(preset: str):
    given = lesson(preset)
    with pytest.raises(UserError, match="sheet 4a"):
        _ = seats(given, 1)[0].task.base_plans


@pytest.mark.parametrize("preset", [name for name in shipped() if name not in WITHOUT])
def test_each_row_is_somebodys_or_printed_in_a_class_of_any_size(preset: str):
    given = lesson(preset)
    for size in SIZES:
        stands(given, seats(given, size))


def test_the_hand_out_to_the_slides_has_the_matrix_too():
    given = lesson("paris", ("slide",))
    for size in (6, 7, 35):
        stands(given, seats(given, size), "slide")


def test_ids_without_numbers_leave_no_hole_either():
    given = lesson("brille")
    for names in (["Änne", "Bo"], ["Zoë"], ["x", "y", "z", "w", "v", "u", "t"]):
        pupils = [Pupil(name, "", k) for k, name in enumerate(names)]
        stands(given, [Roll(given).seat(one) for one in pupils])


def test_one_pupil_alone_has_all_rows_but_the_own_one():
    trace = generator.compute(preset="brille")
    assert filled_rows(trace, ()) == [k != trace.exercise for k in range(len(trace.tokens))]
    assert filled_rows(trace, (), "solution") == [True] * len(trace.tokens)


def test_a_row_that_equals_the_own_one_is_not_printed():
    """ "Tag um Tag und Jahr um Jahr" without positions: the same word asks the same."""
    trace = generator.compute(preset="same-word")
    own = planned("4a", trace, SheetOptions()).own
    twins = {k for k, token in enumerate(trace.tokens) if token == trace.tokens[own]}
    assert len(twins) == 2
    assert set(asks_alike(trace, AT, own)) == twins - {own}
    shown = filled_rows(trace, ())
    assert {k for k, printed in enumerate(shown) if not printed} == twins


def test_groups_and_own_numbers_have_all_rows_given():
    for vary in ("groups=2", "numbers"):
        given = lesson("katze", vary=vary)
        assert taken(seats(given, 6)) == {}


@pytest.mark.ci
@pytest.mark.parametrize("language", each(2, ["de", "en"]))
def test_files_of_a_class_of_two_print_what_neither_computes(tmp_path, language: str):
    found = generator.batch(
        2, tmp_path, preset="brille", sheets=("4a",), seed=SEED, only=("pdf",), language=language
    )
    assert found.problems == []
    trace = generator.compute(preset="brille", language=language)
    given = Lesson(load_preset("brille"), SEED, ("4a",), parse("focus"), language=language)
    pair = {}
    for seat in seats(given, 2):
        own = focus_token(seat.task, Lot(SEED, seat.key))
        pair[own] = matrix_text(tmp_path / f"hand-out/{seat.code}/4a-self-attention-blank.pdf")
    assert len(pair) == 2
    for token in range(len(trace.tokens)):
        line = shares(trace, token)
        assert [line in text for text in pair.values()] == [token not in pair] * 2
        assert (line in matrix_text(tmp_path / "teacher/board.pdf")) == (token not in pair)
    assert code_of(SEED, "01") in next(iter(pair.values()))


def shares(trace: Trace, token: int) -> str:
    """A row of the matrix as its page has it: token, then shares."""
    mark = "," if trace.language == "de" else "."
    values = trace[f"{AT}.weights"].values[token]
    return " ".join([trace.tokens[token], *(f"{x:.2f}".replace(".", mark) for x in values)])


def matrix_text(path) -> str:
    pages = pypdfium2.PdfDocument(io.BytesIO(path.read_bytes()))
    return " ".join(" ".join(page.get_textpage().get_text_bounded().split()) for page in pages)
