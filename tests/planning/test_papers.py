"""Papers for whoever plans: the teacher page's minutes, and no sheet forced into a lesson."""

import math
import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

import generator
from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.planning.papers import LENGTHS, PHASES, SPARE, Planning, is_taught
from generator.presets.load import shipped
from generator.render.worksheet.binding import page_count
from generator.resources import table
from generator.room.forms import FORMS, class_rooms
from generator.room.papers import RoomPapers, RoomView
from generator.sheets.curriculum import curriculum
from generator.sheets.plan import LEVELS
from generator.sheets.series import SERIES
from generator.sheets.slots import Filler
from tests.support.covering import covering, each
from tests.support.sheets import html, traces

LESSONS = ((25, "de"), (45, "de"), (45, "en"), (60, "en"), (90, "en"))


def said(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def planning(preset: str, language: str, *sheets: str) -> Planning:
    return Planning.asked(traces(preset, language)[0], sheets or None)


@pytest.mark.parametrize(("minutes", "language"), LESSONS)
def test_a_run_sheet_has_the_minutes_of_the_teachers_page(minutes, language):
    papers = planning("katze-trained", language)
    runs = list(papers.runs[minutes])
    assert len(runs) > 3
    for run in runs:
        own, spent, parts = run.own, run.own.plan.phases(run.minutes), list(run.parts)
        short = max(0, 5 - spent["compare"])
        moved = {"compute": -short, "compare": short}
        lasts = [spent[x] + moved.get(x, 0) for x in PHASES]
        assert [one.end - one.start for one in parts] == lasts
        assert parts[2].end - parts[2].start >= 5
        assert parts[0].start == run.start
        assert parts[-1].end + spent["left"] == run.start + run.minutes
        page = said(papers.run_html(run, run.own))
        phrases = load(language).phrases
        stops = not short and f"route.stop.{own.sheet}" in phrases
        assert (phrases["plan.short"] in page) is stops
        for one in parts:
            assert f"{one.start}–{one.end}" in page
        solved = html(own.trace, own.exact, own.options, blank=False, sheet=own.sheet)
        for phase in ("entry", "compute"):  # the same words on the teacher's page
            told = load(language).t(own.view(blank=False).phase(phase))
            assert " ".join(told.split()) in said(solved)
            assert " ".join(told.split()) in page


@pytest.mark.parametrize(("minutes", "language"), covering(tuple(map(int, FORMS)), ("de", "en")))
def test_the_run_sheet_of_a_room_has_the_minutes_of_its_conductors(minutes, language):
    papers = Planning.asked(traces("katze", language)[0], ["4a"], minutes, pupils=24)
    (run,) = papers.rooms.values()
    rooms = class_rooms(24, f"{minutes}", language=language)
    told = [RoomView(RoomPapers(own, 1, language), True).timeline for own in rooms]
    begins = {phrase: max(minute for one in told for minute, key, _ in one if key == phrase)
              for _, phrase, _ in told[0]}  # fmt: skip
    parts = list(run.parts)
    assert {f"room.say.{key}": part.start for part in parts for key in part.keys} == begins
    assert all(a.end == b.start for a, b in pairwise(parts))
    assert parts[-1].end == minutes
    page = said(papers.room_html(run, papers.whole))
    for part in parts:
        assert f"{part.start}–{part.end} " in page
        assert all(" ".join(one.split()) in page for one in run.said(load(language), part))
    for own in rooms:
        assert own.trace.sentence in page


def test_who_is_too_few_for_a_room_is_told(tmp_path: Path, capsys):
    asked = ["--sheets", "4a", "--minutes", "45", "--out", str(tmp_path), "--pupils"]
    assert main(["plan", *asked, "6"]) == 0
    assert "6 pupils" in capsys.readouterr().err
    assert not [*tmp_path.glob("run-sheet-room*")]
    assert main(["plan", *asked, "24"]) == 0
    assert page_count((tmp_path / "run-sheet-room-45.pdf").read_bytes()) == 1


@pytest.mark.parametrize("minutes", each(3, LENGTHS))
def test_a_sheet_has_the_numbers_that_make_gives_it_beside_others(minutes):
    runs = planning("katze", "de").runs[minutes]
    preset = {run.own.sheet: run.own.trace.preset.name for run in runs}
    assert preset.get("slide", "paris") == "paris"
    assert {*preset.values()} <= {"katze", "paris"}
    for run in planning("katze", "de", "slide").runs[45]:
        assert run.own.trace.preset.name == "katze"


@pytest.mark.parametrize("minutes", each(3, LENGTHS))
def test_a_sheet_that_does_not_fit_a_length_is_left_out_and_said_with_what_fits(minutes):
    papers = planning("katze-trained", "de")
    made = [run.own.sheet for run in papers.runs[minutes]]
    left = {one.partition(" ")[0]: one for one in papers.left_out(minutes)}
    assert sorted([*made, *left]) == sorted(papers.sheets)
    for sheet, words in left.items():
        others = [k for k in LENGTHS if f"{k}" in words.partition("(")[2]]
        assert minutes not in others
        assert others == [k for k in LENGTHS if sheet in [one.own.sheet for one in papers.runs[k]]]
    for run in papers.runs[minutes]:
        assert 0 <= run.spent["left"] <= minutes // (SPARE if minutes < 90 else 7)


@pytest.mark.parametrize("preset", ["katze-trained", "katze", "subject-verb", "mental"])
def test_a_double_lesson_is_two_sheets_one_after_the_other_that_fill_it(preset):
    runs = list(planning(preset, "de").runs[90])
    pairs = [(one.own.sheet, two.own.sheet) for one, two in zip(runs[::2], runs[1::2], strict=True)]
    known = [tuple(pair) for pair in table("planning/pairs.toml")["pairs"]]
    assert pairs
    assert set(pairs) <= set(known)
    if preset == "katze":
        assert {("4a", "4b"), ("5", "6")} <= set(pairs)
    for one, two in zip(runs[::2], runs[1::2], strict=True):
        assert (one.start, one.minutes + two.minutes, two.start) == (0, 90, one.minutes)
        assert (one.beside, two.beside) == (two.own.sheet, one.own.sheet)
        assert one.own.plan.level == two.own.plan.level
        assert one.spent["left"] == 0
        assert two.spent["left"] <= 12
        assert min(run.spent["compare"] for run in (one, two)) >= 5


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_that_was_ordered_is_planned_else_the_run_sheet_says_whose_it_is(level):
    papers = Planning.asked(traces("katze-trained", "de")[0], ["4a", "6"], level=level)
    runs = [run for minutes in papers.lengths for run in papers.runs[minutes]]
    assert level in {run.own.plan.level for run in runs}
    for run in runs:
        told = load("de").t("plan.level", mark=run.own.plan.mark)
        page = said(papers.run_html(run, run.own))
        assert (told in page) == (run.own.plan.level != level)


def test_the_usual_level_is_taken_where_it_fits_else_the_largest_that_does():
    papers = planning("katze-trained", "de", "4a", "6")
    marks = {k: {run.own.sheet: run.own.plan.level for run in papers.runs[k]} for k in LENGTHS}
    usual = {"4a": 2, "6": 2}
    assert marks == {25: {"4a": 1}, 45: usual, 60: usual, 90: usual}
    larger = planning("katze-trained", "de", "2", "3")
    assert {run.own.plan.level for run in larger.runs[90]} == {max(LEVELS)}
    for run in [*papers.runs[90], *larger.runs[90]]:
        plan = run.own.plan
        told = load("de").t("plan.level", mark=plan.mark)
        assert (told in said(papers.run_html(run, run.own))) == (plan.level == 3)
        assert "--" not in told  # who has a page has no terminal
    (run,) = planning("katze-trained", "de", "4a").runs[25]
    own = run.own  # it fits, as the opening takes no more than its reading
    assert own.plan.phases(25) == {
        "entry": own.plan.reading,
        "compute": 17,
        "compare": 2,
        "secure": 2,
        "left": 0,
    }


@pytest.mark.parametrize(("preset", "language"), covering(shipped(), ("de", "en")))
def test_every_preset_has_its_papers(preset, language):
    papers = planning(preset, language)
    own, t = papers.whole, load(language).t
    can, cards = papers.html("i-can", own), said(papers.html("glossary-cards", own))
    for sheet in papers.sheets:
        assert t(f"plan.can.sheet.{sheet}") in unescape(can)
    assert can.count("tick-box") == 3 * len(papers.sheets)
    assert t("sheetmath.meaning.token") in cards
    assert papers.trace.sentence in said(papers.html("parents", own))
    quoted = papers.html("curriculum", own)
    for line in curriculum(language):
        assert (line.wording in unescape(quoted)) is bool({*line.sheets} & {*papers.sheets})
    unchecked = load(language).phrases["curriculum.unchecked"].partition("{")[0]
    of_these = [x for x in curriculum(language) if {*x.sheets} & {*papers.sheets}]
    assert quoted.count(unchecked) == sum(not x.checked for x in of_these)


JARGON = re.compile(
    r"(?i)token|\bheads?\b|loss|embedding|query|logit|\bkey|value|\bnorm|gradient|attention|vector"
)


@pytest.mark.parametrize("language", ["de", "en"])
def test_parents_read_plain_words_and_the_answers_to_the_questions(language):
    phrases = load(language).phrases
    for sheet in filter(is_taught, SERIES):
        told = [phrases[f"plan.parents.{part}.{sheet}"] for part in ("topic", "does")]
        assert not [one for one in told if JARGON.search(one)]
    papers = planning("katze", language)
    page = said(papers.html("parents", papers.whole))
    for sheet in papers.sheets:
        assert phrases[f"plan.parents.does.{sheet}"] in page
    assert all(phrases[f"plan.parents.home.{k}.answer"] in page for k in (1, 2, 3))


def test_the_page_of_curricula_counts_what_was_read_at_its_source():
    for language in ("de", "en"):
        papers, t = planning("katze", language), load(language).t
        lines = [x for x in curriculum(language) if {*x.sheets} & {*papers.sheets}]
        read = sum(x.checked for x in lines)
        key = {0: "none", 1: "one"}.get(read, "some")
        page = said(papers.html("curriculum", papers.whole))
        assert t(f"plan.curriculum.{key}", count=read, all=len(lines)) in page
        for line in lines:
            assert (line.language != language) is (language in line.translations)
            assert line.translations.get(language, "") in page


@pytest.mark.parametrize(("minutes", "language"), LESSONS)
def test_the_board_has_the_sheets_own_insight_with_its_numbers(minutes, language):
    papers = planning("katze-trained", language)
    for run in papers.runs[minutes]:
        page = said(papers.run_html(run, run.own))
        view = run.own.view(blank=False)
        assert view.concludes
        assert re.sub(r"\W", "", said(html_of(view))) in re.sub(r"\W", "", page)


def html_of(view) -> str:
    """The finding with its slots filled."""
    return Filler(view.trace, view.plan.asked, view.options.language, view.blank).fill(
        str(view.finding())
    )


@pytest.mark.parametrize("preset", [x for x in shipped() if x not in ("katze", "random")])
def test_dice_spinner_and_cards_have_the_intervals_of_the_probabilities(preset, tmp_path: Path):
    papers = planning(preset, "en")
    trace = papers.trace
    if not papers.chances:
        assert not {"6", "generate"} & {*papers.sheets}
        return
    rows = trace["output.probabilities"].values.tolist()
    assert [one.kept for one in papers.chances] == [0] * len(rows) + [3]
    usual = rows[_usual(trace)]
    first = sorted(range(len(usual)), key=lambda j: (-usual[j], j))[:3]
    left = [x if j in first else 0.0 for j, x in enumerate(usual)]
    digits = trace["output.probabilities"].decimals
    narrowed = [round(x / sum(left), 9 if digits is None else digits) for x in left]
    for one, shares in zip(papers.chances, [*rows, narrowed], strict=True):
        before, so_far, expected = 0, 0.0, []
        words = trace["vocabulary.words"].values[:, 0].tolist()
        last = max(k for k, share in enumerate(shares) if share or not one.kept)
        for k, (word, share) in enumerate(zip(words, shares, strict=True)):
            so_far += share
            end = 100 if k >= last else min(math.floor(100 * so_far + 0.5 + 1e-9), 100)
            to = f"–{end - 1:02d}" if end - before > 1 else ""
            expected += [(word, f"{before:02d}{to}")] if end > before else []
            before = end
        assert [(x.word, x.digits) for x in one.slices] == expected
        assert (one.slices[0].start, one.slices[-1].end) == (0, 1)
        assert all(a.end == b.start for a, b in pairwise(one.slices))
    page = papers.html("chance", papers.whole)
    assert page.count("<svg") == 2 * len(papers.chances)
    assert page_count(papers._paper("chance")) == len(papers.chances)


def _usual(trace: Trace) -> int:
    temperatures = trace["temperature"].values[:, 0].tolist()
    return min(range(len(temperatures)), key=lambda row: abs(temperatures[row] - 1))


def test_each_word_of_the_glossary_has_its_place():
    words = " ".join(
        row for _, row in table("sheets/sheetmath/reference.toml")["glossary"]["order"]
    )
    assert sorted(words.split()) == sorted(table("planning/cards.toml"))


def test_files_are_the_same_again_and_each_run_sheet_is_a_page(tmp_path: Path):
    trace = traces("katze", "de")[0]
    first = generator.plan(trace, tmp_path / "a", sheets=["4a", "7d"], minutes=45)
    names = [*(f"{x}.pdf" for x in ("curriculum", "glossary-cards", "i-can", "parents"))]
    assert sorted(path.name for path in first) == [*names, "run-sheets-45.pdf"]
    again = generator.plan(trace, tmp_path / "b", sheets=["4a", "7d"], minutes=45)
    assert [x.read_bytes() for x in first] == [x.read_bytes() for x in again]
    pages = {path.stem: page_count(path.read_bytes()) for path in first}
    assert (pages["run-sheets-45"], pages["i-can"], pages["parents"]) == (2, 1, 1)


@pytest.mark.ci
@pytest.mark.parametrize("language", ["de", "en"])
def test_papers_of_the_whole_series_keep_their_pages(language, tmp_path: Path):
    trace = traces("katze", language)[0]
    paths = generator.plan(trace, tmp_path)
    pages = {path.stem: page_count(path.read_bytes()) for path in paths}
    papers = Planning.asked(trace)
    assert papers.lengths == (25, 60 if language == "en" else 45, 90)
    for minutes in papers.lengths:
        assert pages[f"run-sheets-{minutes}"] == len(list(papers.runs[minutes]))
    assert (pages["i-can"], pages["parents"]) == (1, 1)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sheets": ("math",)}, "there is no run sheet of 'math'"),
        ({"sheets": ("8",)}, "no run sheet: "),
        ({"minutes": 30}, "there is no length '30'; choose from: 25, 45, 60, 90"),
        ({"sheets": ("4z",)}, "there is no sheet '4z'"),
    ],
)
def test_what_cannot_be_planned_is_said(asked, message):
    with pytest.raises(UserError, match=re.escape(message)):
        Planning.asked(traces("katze", "de")[0], **asked)


def test_a_length_in_which_a_sheet_does_not_fit_at_any_level_is_said_with_those_it_fits():
    with pytest.raises(UserError, match=re.escape("they fit: 6 (45, 60)")):
        Planning.asked(traces("katze-trained", "de")[0], sheets=("6",), minutes=25)


def test_the_command_says_what_is_left_out(tmp_path: Path, capsys):
    code = main(["plan", "--sheets", "2,6", "--minutes", "25", "--out", str(tmp_path)])
    out, err = capsys.readouterr()
    assert code == 0
    assert "run-sheets-25.pdf" in out
    assert "of these sheets, in brackets the minutes that they fit: 6 (45, 60)" in err
