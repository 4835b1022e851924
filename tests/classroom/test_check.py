"""The page to walk round with: control values that tell something, in tables that fit a page."""

import io
import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import sin
from pathlib import Path

import pypdfium2
import pytest

from generator.api import compute
from generator.classroom.desk.key_rows import asked, check_line, controls
from generator.classroom.files.work_sheets import Pair
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.teacher_pages import LINES, CheckLine, ClassPapers
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.titles import title
from tests.support.classes import FILLED, seated, task
from tests.support.covering import each
from tests.support.filled import filling
from tests.support.sheets import pictures, text
from tests.support.stamped import different_pixels, structure
from tests.support.structure import conforms
from tests.support.views import view

MOST_MM = 297 - 12  # the right margin of the page


def one_line(preset: str, sheet: str, level: int, language: str, teacher: str = "") -> CheckLine:
    """The class's own line of a sheet; `UserError` where there is none."""
    own, seat = seated(preset, sheet, level, language=language)
    exercise = seat.task
    both = Pair(exercise.trace({}), exercise.trace({}, rounding="exact"))
    lesson = replace(own, language=teacher or language)
    return check_line(replace(seat, lesson=lesson), both, sheet)


def page_texts(document: bytes) -> list[str]:
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    return [page.get_textpage().get_text_bounded() for page in pages]


KEY = re.compile(r"step[.0-9]")  # the name of a step or of a phrase


def test_each_asked_step_has_a_title_that_is_not_its_name():
    """What no phrase names is called by its last name, in German papers, too."""
    german, found = load("de"), set()
    for sheet, level in product(FILLED, (1, 2, 3)):
        for preset in ("katze", "katze-trained"):
            with suppress(UserError):
                plan = SERIES[sheet].plan(compute(preset=preset, language="de"), level)
                found |= {step for step, _, _ in plan.asked}
    assert len(found) > 80
    ends = {step: step.rpartition(".")[2].rstrip("0123456789") for step in found}
    assert not [step for step in found if title(german, step) == ends[step]]


@pytest.mark.parametrize("preset", each(2, ["katze", "brille", "nihao", "mental", "katze-trained"]))
def test_each_control_of_each_sheet_and_level_says_what_it_is(preset: str):
    found = 0
    for sheet in FILLED:
        for level in (1, 2, 3):
            for language in ("de", "en"):
                try:
                    told = one_line(preset, sheet, level, language).controls
                except UserError:
                    continue  # no such sheet of this preset
                found += 1
                assert 3 <= len(told) <= 6, (sheet, level)
                assert all(one.title and not KEY.search(one.title) for one in told), (sheet, level)
                assert len({(one.title, one.label) for one in told}) == len(told), (sheet, level)
    assert found >= 6


def test_controls_of_a_sheet_are_the_numbers_of_the_model():
    first = one_line("katze", "1", 1, "de").controls
    base = task(sheets="1").base
    ids = dict(zip(base.tokens, base["ids"].values[:, 0].tolist(), strict=True))
    shown = {one.label: one.value for one in first if one.label in ids}
    assert shown.items() <= {token: f"{number:.0f}" for token, number in ids.items()}.items()
    assert len(shown) > 2
    position = one_line("katze", "3", 1, "en").controls
    assert (position[0].label, position[0].value) == ("d1", f"{sin(2):.3f}")
    titles = [one.title for one in one_line("katze", "5", 3, "en").controls]
    assert titles[-1] == "Second layer norm: normalised"
    assert "Second layer norm: Variance σ²" not in titles, "which is given"
    assert "Variance σ²" not in titles
    titles = [one.title for one in one_line("katze", "4b", 3, "en").controls]
    assert {"Head 1: Attention weights", "Head 2: Attention weights"} <= set(titles)
    assert "Head 2: Output of the head" in titles  # whose head 1 is asked, but not shown
    (last,) = [one for one in one_line("katze", "4a", 2, "de").controls if "Output" in one.title]
    assert last.label == "o1"  # the letter of the sheet
    drawn = one_line("katze", "generate", 2, "en").controls
    titles = [one.title for one in drawn]
    assert {"Round 2: cumulative probability", "rows with KV cache"} <= set(titles)


def test_what_shows_nothing_is_no_control():
    for sheet, dull in {
        "4b": "masked",
        "5": "squares",
        "6": "cumulative",
        "generate": "from",
    }.items():
        made = task(sheets=sheet, level=3)
        plan = made.base_plans[sheet]
        everything = {step.name.rpartition(".")[2] for step, _ in asked(made.base, plan)}
        names = [look.step.name.rpartition(".")[2] for look in controls(made.base, plan)]
        assert dull in everything
        assert dull not in names


def test_steps_that_only_a_sheet_has_stand_where_they_are_computed():
    made = task(sheets="5", level=2)
    names = list(dict.fromkeys(step.name for step, _ in asked(made.base, made.base_plans["5"])))
    for before, after in (
        ("block1.mean1", "norm1.deviations"),
        ("norm1.deviations", "norm1.token3.squares"),
        ("norm1.token3.squares", "block1.variance1"),
    ):
        assert names.index(before) < names.index(after)


@pytest.mark.parametrize(
    ("language", "sheets"),
    [
        ("de", FILLED[::4]),
        pytest.param("de", FILLED, marks=pytest.mark.ci),
        pytest.param("en", FILLED, marks=pytest.mark.ci),
    ],
)
def test_a_full_table_of_each_sheet_fits_its_page(language: str, sheets: tuple[str, ...]):
    lines = {}
    for sheet in sheets:
        one = one_line(filling(sheet), sheet, 3, language)
        name = "Çelik Ömer Müller-Lüdenscheidt-Großkötz"
        lines[sheet] = [one._replace(key=name, own=str(k)) for k in range(LINES)]
    document = ClassPapers(SheetOptions(language=language)).check(lines)
    pages = pictures(document, dpi=40)
    assert len(pages) == len(sheets) > 1
    edge = round(MOST_MM / 25.4 * 40) + 1
    for sheet, page in zip(sheets, pages, strict=True):
        assert page[:, edge:].min() == 255, f"sheet {sheet} runs over the margin"


def test_levels_have_tables_of_their_own_and_titles_the_teachers_language():
    lines = [
        one_line("katze", "4b", level, "de", teacher="en")._replace(code=f"LEVEL{level}")
        for level in (1, 2, 3, 1)
    ]
    (page,) = page_texts(ClassPapers(SheetOptions(language="en")).check({"4b": lines}))
    heading, *tables = re.split(r"^([●▲■])\s*$", page.replace("\r", ""), flags=re.M)
    assert "● ▲ ■" in heading
    assert tables[::2] == list("●▲■")
    for found, level, others in zip(tables[1::2], (1, 2, 3), ("23", "13", "12"), strict=True):
        assert found.count(f"LEVEL{level}") == (2 if level == 1 else 1)
        assert not any(f"LEVEL{other}" in found for other in others)
        assert "Attention" in found
        assert "Aufmerksamkeit" not in found


@pytest.mark.parametrize(("sizes", "pages"), [((8, 7, 2), 1), ((18, 6), 1), ((18, 7), 2)])
def test_tables_of_levels_share_a_page_that_has_room_for_them(sizes, pages: int):
    own = [one_line("katze", "4a", level, "de") for level in (1, 2, 3)]
    lines = [one for one, size in zip(own, sizes, strict=False) for _ in range(size)]
    document = ClassPapers(SheetOptions(header="8b")).check({"4a": lines})
    assert len(pictures(document, dpi=30)) == pages


def test_own_tokens_have_a_column_only_where_they_differ():
    one = one_line("katze", "4a", 2, "de")
    same = text(ClassPapers(SheetOptions()).check({"4a": [one, one]}))
    others = text(ClassPapers(SheetOptions()).check({"4a": [one, one._replace(own="Hund")]}))
    assert "Token\n" not in same.replace("\r", "")
    assert "Hund" not in same
    assert "Hund" in others


@pytest.mark.ci
def test_many_pages_are_laid_out_in_parts_and_are_one_tagged_file(tmp_path: Path, monkeypatch):
    sheets = {sheet: one_line("katze", sheet, 2, "de") for sheet in ("4a", "6")}
    lines = {
        sheet: [one._replace(code=f"{sheet}-{k}") for k in range(2 * LINES + 5)]
        for sheet, one in sheets.items()
    }
    parts = ClassPapers(SheetOptions()).check(lines)
    assert ClassPapers(SheetOptions()).check(lines) == parts
    monkeypatch.setattr("generator.render.worksheet.teacher_pages.AT_ONCE", 100)
    whole = ClassPapers(SheetOptions()).check(lines)
    assert different_pixels(parts, whole) == [0] * 6
    assert text(parts) == text(whole)
    assert spoken(parts) == spoken(whole)
    conforms(parts, tmp_path)


def spoken(document: bytes) -> list[tuple[object, ...]]:
    """What a screen reader finds, but for the frames of the parts and their tables' numbers."""
    return [
        (role, alt, scope, len(headers), is_text)
        for _, role, alt, scope, headers, is_text in structure(document)
        if role not in ("/Document", "/Art")
    ]


@pytest.mark.parametrize("sheet", each(3, FILLED))
@pytest.mark.parametrize("level", [1, 2, 3])
def test_each_slip_stands_beside_the_right_value_of_its_cell(sheet: str, level: int):
    _, seat = seated(filling(sheet), sheet, level, language="en")
    exercise = seat.task
    both = Pair(exercise.trace({}), exercise.trace({}, rounding="exact"))
    plan = exercise.base_plans[sheet]
    context = view(plan, *both, SheetOptions(language="en", level=level), Formulas(), blank=False)
    trace, wanted = both.trace.with_steps(plan.extra), []
    for slip in context.slips():
        if (slip.step, slip.i, slip.j) in plan.asked:
            right = trace[slip.step].values[slip.i, slip.j]
            right = str(right) if trace[slip.step].text else context.show(slip.step, float(right))
            wanted.append((right, slip.key, context.show(slip.step, slip.wrong)))
    told = check_line(seat, both, sheet).controls
    assert len(told) <= 6
    shown = [(one.value, key, wrong) for one in told for key, wrong in one.slips.items()]
    assert sorted(shown) == sorted(wanted)
    assert wanted


def test_a_slip_in_a_cell_that_is_given_is_left_out():
    """At level 1 sheet 7c gives the number in which an "undivided" one shows."""
    keys = []
    for level in (1, 2):
        _, seat = seated("katze", "7c", level)
        both = Pair(*(seat.task.trace({}, rounding=r) for r in ("paper", "exact")))
        keys.append({key for one in check_line(seat, both, "7c").controls for key in one.slips})
    assert keys[1] - keys[0] == {"undivided"}


def test_slips_are_numbered_over_the_table_and_explained_below_it():
    one = one_line("katze", "4a", 2, "en")
    found = text(ClassPapers(SheetOptions(language="en")).check({"4a": [one]})).replace("\r", "")
    head, legend = found.split("Common slips,")
    keys = [key for control in one.controls for key in control.slips]
    assert len(keys) == 4
    assert re.findall(r"Slip (\d)", head) == re.findall(r"Slip (\d)", legend) == list("1234")
    right, *wrong = one.controls[4].value, *one.controls[4].slips.values()
    assert " ".join([right, *wrong]) in " ".join(head.split())
