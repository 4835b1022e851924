"""What the page makes is what the command line makes."""

import re
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

import generator
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.resources import table
from generator.sheets.fonts import linked
from generator.sheets.plan import Plan
from generator.web import desk, packing
from generator.web.desk import WebWork, keeping, pictured
from generator.web.form import Choices
from generator.web.page import WebPages
from tests.cli.command import files_below
from tests.support.page import unzipped

ONE = Choices(lesson="attention", words="de", level="1", sentence="Die Katze sitzt")


@pytest.mark.ci
def test_a_set_is_that_of_the_command_line(tmp_path: Path):
    heard: list[tuple[int, int]] = []
    made = WebWork(ONE).single(tmp_path / "page", lambda *done: heard.append(done))
    assert not made.problems
    assert heard == [(1, 1)]
    trace = generator.compute("Die Katze sitzt", language="de")
    generator.write(trace, tmp_path / "own", ["pdf"], sheets=["4a"], level=1, jobs=1)
    found = unzipped(tmp_path / "page/set.zip")
    assert found == files_below(tmp_path / "own")
    assert {path.split("/")[0] for path in found} == {"hand-out", "teacher"}


@pytest.mark.ci
def test_a_class_is_that_of_the_command_line(tmp_path: Path):
    heard: list[tuple[int, int]] = []
    choices = replace(ONE, who="number", sentence="", workbook="on", vary="numbers")
    made = WebWork(choices).school_class(2, tmp_path / "page", lambda *done: heard.append(done))
    assert not made.problems
    assert heard[-1] == (2, 2)
    found = unzipped(tmp_path / "page/set.zip")
    seed = re.search(rb'"seed": "(\w+)"', found["teacher/manifest.json"])
    assert seed
    generator.api.batch(2, tmp_path / "own", only=("xlsx", "pdf"), seed=seed[1].decode(), jobs=1,
                        language="de", vary="numbers", level=1)  # fmt: skip
    own = files_below(tmp_path / "own")
    assert found.keys() == own.keys()
    assert [name for name in found if found[name] != own[name]] == []


@pytest.mark.ci
def test_notebook_and_papers_for_planning_are_those_of_the_command_line(tmp_path: Path):
    choices = replace(ONE, lesson="attention", sentence="", notebook="on", planning="on")
    made = WebWork(choices).single(tmp_path / "page", lambda *done: None)
    assert not made.problems
    trace = generator.compute(language="de")
    generator.write(trace, tmp_path / "own", ["ipynb"], jobs=1)
    generator.plan(trace, tmp_path / "own/planning", sheets=["4a"], level=1)
    found, own = unzipped(tmp_path / "page/set.zip"), files_below(tmp_path / "own")
    assert {"hand-out/notebook-blank.ipynb", "planning/run-sheets-45.pdf"} <= own.keys()
    assert [name for name in own if found.get(name) != own[name]] == []
    assert untold(found) == []


@pytest.mark.ci
def test_a_class_goes_without_the_sheets_that_its_preset_cannot_fill(tmp_path: Path):
    choices = replace(ONE, lesson="double", preset="brille", who="number", sentence="")
    made = WebWork(choices).school_class(1, tmp_path, lambda done, of: None)
    assert not made.problems
    names = unzipped(tmp_path / packing.RESULT)
    assert any("/4a-" in name for name in names)
    assert not any("/4b-" in name for name in names)
    assert untold(names) == []
    with zipfile.ZipFile(tmp_path / packing.RESULT) as packed:
        assert "teacher/manifest.json" in packed.read("LIES-MICH.txt").decode("utf-8-sig")


def untold(names: Iterable[str]) -> list[str]:
    """The files of a zip of which its own text does not say what they are."""
    kinds = table("web/contents.toml")
    return [name for name in names if not any(map(PurePosixPath(name).match, kinds))]


def told_of(names: list[str], language: str) -> tuple[str, str]:
    ((name, text),) = packing.contents(names, load(language).t).items()
    return name, text.decode("utf-8-sig").replace("\r\n", "\n")


def test_the_text_in_a_zip_tells_each_kind_of_file_once_in_the_language_of_the_order():
    names = ["hand-out/AB/4a-x-blank.pdf", "hand-out/CD/4a-x-blank.pdf", "teacher/manifest.json"]
    name, text = told_of([*names, "else.bin"], "de")
    _, folders, kept = text.split("\n\n\n")
    assert (name, told_of(names, "en")[0]) == ("LIES-MICH.txt", "READ-ME.txt")
    assert folders.startswith(f"ZUM AUSTEILEN\n\n{names[0]}\n  ein Ordner für jede Person")
    assert names[1] not in folders
    assert kept.endswith("bitte nicht löschen\n")
    assert "Ordner" not in told_of(names, "en")[1]
    assert packing.contents(["else.bin"], load("de").t) == {}
    _, text = told_of(["teacher/room-A-cards-solution.pdf", "teacher/second-solution.pdf"], "de")
    assert "die Karten, gelöst" in text
    assert "Blatt" not in text, "a room's papers are no sheets"


@pytest.mark.parametrize(
    ("model", "at", "told"),
    [
        ("subject-verb", 2, "„jagen“ achtet am meisten auf „Hunde“"),
        ("mental", 1, "„bauen“ achtet am meisten auf „Vögel“"),
        ("induction", 6, "„Anna₆“ achtet am meisten auf „Berg“"),  # in the second head
        ("same-word", 2, "„Tag₂“ achtet am meisten auf „Tag₀“"),
        ("previous-word", 2, "„sitzt“ achtet am meisten auf „Katze“"),
        ("paris", 4, "„von“ achtet am meisten auf „Hauptstadt“"),
    ],
)
def test_a_model_is_drawn_with_the_word_that_its_text_is_about(model: str, at: int, told: str):
    drawn = pictured("de")[model]
    assert drawn["focus"] == at
    assert [one["rows"][at]["told"].partition(" (")[0] for one in drawn["heads"]] == [told]


@pytest.mark.ci
@pytest.mark.parametrize("who", ["me", "number"])
def test_a_lesson_has_its_plan_and_slides_are_shown_not_handed_out(tmp_path: Path, who: str):
    work = WebWork(replace(ONE, lesson="45", who=who, sentence="", workbook="on"))
    make = work.single if who == "me" else lambda *rest: work.school_class(1, *rest)
    made = make(tmp_path, lambda done, of: None)
    assert "no workbook was made: none of these sheets has a tab in it" in made.notes
    papers = made.papers
    assert list(papers) == ["print", "slides", "keep", "plan"]
    names = unzipped(tmp_path / packing.RESULT)
    assert {*papers.values()} <= names.keys()
    assert not [name for name in names if "slides" in name and name.startswith("hand-out/")]


def test_minutes_and_sheets_are_those_of_the_sheets():
    found = WebWork(replace(ONE, lesson="double", sentence="")).overview()
    assert [sheet.name for sheet in found.sheets] == ["4a", "4b"]
    assert found.minutes == found.cards["double"] > found.cards["attention"] > 0
    assert found.meaningful
    assert not WebWork(replace(ONE, sentence="Heute scheint die Sonne")).overview().meaningful


@pytest.mark.ci
def test_a_route_is_that_of_the_command_line_with_its_plan(tmp_path: Path):
    choices = replace(ONE, lesson="25", sentence="", level="3")  # which the route decides
    made = WebWork(choices).single(tmp_path / "page", lambda *done: None)
    assert not made.problems
    trace = generator.compute(preset="mental", language="de")
    generator.write(trace, tmp_path / "own", ["pdf"], route="25", jobs=1)
    found = unzipped(tmp_path / "page/set.zip")
    assert "teacher/plan.pdf" in found
    assert found == files_below(tmp_path / "own")
    assert untold(found) == []


def test_a_route_decides_the_level_and_tells_its_plan_where_it_can_be_taken():
    found = WebWork(replace(ONE, lesson="25", sentence="")).overview()
    assert found.levels == {"1": found.cards["25"]}
    assert found.cards["25"] == found.minutes == 21
    assert found.plan["sheets"] == ["4a"]
    other = WebWork(replace(ONE, lesson="25", sentence="Die Katze sitzt")).overview()
    assert not other.plan
    assert any("without a calculator" in one for one in other.why)
    assert not WebWork(ONE).overview().plan


def test_a_sentence_that_a_lesson_cannot_take_is_told_why_and_which_ones_can():
    long = replace(ONE, lesson="45", level="2", sentence="Der Hund bellt heute laut im Garten")
    found = WebWork(long).overview()
    assert [one.reason for one in found.why] == ["slide.tokens"]
    assert found.ways == ("attention", "60")
    for one in found.ways:
        other = WebWork(replace(long, lesson=one)).overview()
        assert not [*other.why, *other.ways, *other.left_out]


def test_what_a_preset_cannot_fill_is_left_out_or_said():
    found = WebWork(replace(ONE, lesson="all", preset="brille", sentence="")).overview()
    assert "4b" in found.left_out
    with pytest.raises(UserError, match="4b"):
        WebWork(replace(ONE, lesson="own", sheets=("4b",), preset="brille", sentence="")).overview()


def test_a_look_is_the_sheet_with_fonts_by_address():
    blank = WebWork(ONE).look()
    assert "data:font" not in blank
    assert 'url("fonts/PaperformerSans-Regular.woff2")' in blank
    cyrillic = WebWork(replace(ONE, header="Класс")).look()  # which the cut ones lack
    assert 'url("fonts/SourceSans3-Regular.ttf")' in cyrillic
    assert blank != WebWork(replace(ONE, variant="solution")).look()
    both = replace(ONE, lesson="double", sentence="", shown="4b")
    assert "<title" in WebWork(both).look()
    assert WebWork(both).look() != WebWork(replace(both, shown="4a")).look()
    assert linked("no font", "/fonts/") == "no font"


def test_the_same_files_are_the_same_zip(tmp_path: Path):
    for name in ("made/b.txt", "made/a/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    packing.pack(tmp_path, "made", "de")
    once = (tmp_path / packing.RESULT).read_bytes()
    (tmp_path / "made/b.txt").touch()
    packing.pack(tmp_path, "made", "de")
    assert (tmp_path / packing.RESULT).read_bytes() == once
    assert list(unzipped(once)) == ["a/c.txt", "b.txt"]


@pytest.mark.ci
def test_an_exam_is_a_class_s_with_points(tmp_path: Path):
    choices = replace(ONE, who="number", sentence="", exam="on", vary="groups=2")
    assert [one.name for one in WebWork(replace(choices, lesson="45")).overview().sheets] == [
        "slide"
    ]
    assert WebWork(choices).look() != WebWork(replace(choices, exam="")).look()
    short = replace(choices, minutes=5)
    with pytest.raises(UserError, match="--minutes 5"):
        WebWork(short).school_class(2, tmp_path / "short", lambda *done: None)
    made = WebWork(choices).school_class(2, tmp_path, lambda *done: None)
    assert not made.problems
    assert made.papers == {"print": "hand-out/class-exam.pdf", "keep": "teacher/expectation.pdf"}
    found = unzipped(tmp_path / "set.zip")
    assert {*made.papers.values(), "teacher/scheme.toml", "teacher/solution-B.pdf"} <= found.keys()


@pytest.mark.parametrize("who", ["me", "number"])
@pytest.mark.parametrize("shown", ["4a", "4b", "5"])
def test_the_drawing_has_the_word_and_the_numbers_of_the_sheet_beside_it(shown: str, who: str):
    work = WebWork(Choices(lesson="all", who=who, words="de", shown=shown))
    drawn = work.drawn("de")
    assert drawn["words"][drawn["focus"]] == "Katze"
    assert drawn["words"][1:3] == ("Katze", "sitzt")
    solved = WebWork(replace(work.choices, variant="solution"))
    assert solved.drawn("de")["focus"] == 2  # opened at "Du rechnest für sitzt"
    free = shown == "4a"
    shares = [one and one[1] for one in drawn["heads"][0]["rows"][2]["shares"]]
    assert (shares[-1] is None, bool(drawn["free"])) == (not free, free)
    assert len(drawn["heads"]) == 2 - free
    if free:  # the numbers that are printed as the solution
        leaf = solved.look().partition('id="work"')[2]
        assert all(one in leaf for one in shares)


@pytest.mark.parametrize(("plan", "focus"), [(Plan(worked=0, own=2), 0), (Plan(), 1)])
def test_the_drawing_begins_with_the_sheets_word_be_it_the_first(monkeypatch, plan, focus):
    monkeypatch.setattr(desk, "planned", lambda *_: plan)
    work = WebWork(Choices(lesson="all", preset="brille", words="de", shown="4a"))
    assert work.drawn("de")["focus"] == focus
    monkeypatch.undo()
    grows = Choices(lesson="all", preset="induction", words="de", shown="generate")
    assert WebWork(grows).drawn("de")["focus"] == 6  # the last one, whence the next word comes


def test_a_model_that_was_chosen_is_drawn_as_among_the_models():
    shown, card = WebWork(replace(ONE, sentence="", preset="induction")).drawn("de"), pictured("de")
    told = [shown["heads"][shown["head"]], *card["induction"]["heads"]]
    one, other = (head["rows"][shown["focus"]]["told"] for head in told)
    assert one == other
    assert card["ausgabe"]["card"] == {"lesson": ["own"], "sheets": ["6"]}
    page = WebPages("de").models({}, card)
    assert "/?story=on&amp;lesson=attention&amp;sheets=4a&amp;lang=de&amp;preset=induction" in page
    kept = WebPages("de").models({"lesson": ["25"]}, card, keeping("25", "de"))
    assert "/?lesson=25&amp;lang=de&amp;preset=mental" in kept
    assert "lesson=45&amp;sheets=slide&amp;lang=de&amp;preset=paris" in kept  # which has no 25


def test_made_up_numbers_say_nothing_about_the_language():
    drawn = WebWork(replace(ONE, sentence="Der Hund frisst heute Kuchen")).drawn("de")
    assert drawn["invented"]
    assert drawn["next_told"].startswith("Mit diesen ausgedachten Zahlen käme")
