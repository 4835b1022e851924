"""A class that learns together: each group its own paper and code, the board for all of them."""

from dataclasses import replace
from pathlib import Path

import pytest

import generator
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.variation import Lot, assign, parse
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.class_step import AFTER, NEW, SUM, own, renewed
from generator.insight.output_step import ERROR, GRADIENT, LOSS
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support import battery
from tests.support.classes import task
from tests.support.covering import each
from tests.support.sheets import html

TEXTS = ("Die Katze sitzt auf der Matte .", "Die Maus schläft .", "Die Maus schläft und")
TOGETHER = {"sentences": TEXTS, "grouped": True}
VARY = parse("sentences")
BOARD = len(TEXTS)


def of(group: int, level: int = 2, rounding: str | None = None) -> Trace:
    """The computation of a group's paper, or of the board."""
    one = task("katze-trained", "7d", level, **TOGETHER)
    return one.trace({}, exercise=group, rounding=rounding)


def test_neighbours_are_in_other_groups_and_a_list_may_say_which() -> None:
    one = task("katze-trained", "7d", **TOGETHER)
    given = [assign(one, VARY, Lot("9a", f"8b-{k}")) for k in range(1, 7)]
    assert [a.group for a in given[:3]] == [a.group for a in given[3:]]
    assert {a.group for a in given} == {"A", "B", "C"}
    assert all(a.exercise == "ABC".index(a.group) for a in given)
    assert assign(one, VARY, Lot("9a", "8b-1"), "C").exercise == 2
    with pytest.raises(UserError, match="gives group D, but the sentences are A to C"):
        assign(one, VARY, Lot("9a", "8b-1"), "D")
    alike = task("katze-trained", "7a")
    assert assign(alike, VARY, Lot("9a", "8b-1")).exercise is None


@pytest.mark.parametrize("level", [1, 2])
def test_each_group_is_asked_for_its_own_part_and_the_board_for_the_rest(level: int) -> None:
    options = SheetOptions(level=level)
    plans = [planned("7d", of(k, level), options) for k in range(BOARD + 1)]
    whole = planned("7d", replace(of(0, level), group=None), options).asked
    names = [{name for name, _, _ in plan.asked} for plan in plans]
    for k, mine in enumerate(names[:BOARD]):
        assert {own(k, ERROR), own(k, GRADIENT), renewed(k, LOSS)} <= mine
        assert {name for name in mine if not name.startswith(f"group{k + 1}.")} <= {NEW}
        assert (NEW in mine) == (level > 1)
    assert {own(1, GRADIENT), renewed(2, LOSS), SUM, NEW, f"{AFTER}.mean"} <= names[BOARD]
    assert not {name for name in names[BOARD] if name.endswith(ERROR)}
    assert set().union(*(plan.asked for plan in plans)) == whole
    for k, plan in enumerate(plans):
        assert battery.boxes("7d", of(k, level), of(k, level), options) == len(plan.asked)


@pytest.mark.parametrize("group", each(2, [0, 1, 2, BOARD]))
def test_a_group_s_blank_does_not_hang_on_answers(group: int) -> None:
    both, options = (of(group), of(group, rounding="exact")), SheetOptions(part="work")
    battery.blank_does_not_hang_on_answers("7d", *both, options)
    battery.cells_are_the_traces("7d", *both, options)
    page = html(*both, options, blank=True, sheet="7d")
    assert ("Tafel: Alle Gradienten" in page) == (group == BOARD)
    assert [f"<h2>Gruppe {letter}: " in page for letter in "ABC"] == [k == group for k in range(3)]


def test_papers_of_a_class_and_one_of_them_again(tmp_path: Path) -> None:
    made = {"preset": "katze-trained", "sheets": ("7d",), "sentences": TEXTS, "seed": "9a"}
    place = tmp_path / "8b"
    found = generator.batch(3, place, only=("html",), **made)
    assert not found.problems
    papers = sorted(place.glob("hand-out/*/7d*.html"))
    texts = [path.read_text(encoding="utf-8") for path in papers]
    assert {next(x for x in "ABC" if f"<h2>Gruppe {x}: " in text) for text in texts} == set("ABC")
    assert all(path.parent.name in text for path, text in zip(papers, texts, strict=True))
    (board,) = place.glob("teacher/board-7d*.html")
    assert "Tafel: Hat die Klasse gelernt?" in board.read_text(encoding="utf-8")
    (again,) = generator.reissue(place / "teacher" / "manifest.json", "02", tmp_path / "again")
    assert again.read_bytes() in [path.read_bytes() for path in papers]


def test_sentences_that_nobody_would_read_are_refused(
    sheets: tuple[str, ...], vary: str | None, message: str
) -> None:
    preset = load_preset("katze-trained")
    made = {"seed": "9a", "outputs": ("pdf",), "preset": preset, "sentences": TEXTS}
    with pytest.raises(UserError, match=message):
        Lesson.asked(sheets=sheets, vary=vary, **made)
