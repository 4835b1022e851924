"""What the page of an order says while it waits, while it is made and when it is done."""

import html
import re
import time

import pytest

from generator.locales.catalogue import load
from generator.web.desk import WebWork
from generator.web.form import Choices, RoomWish
from generator.web.jobs import WebJob
from generator.web.page import WebPages


def test_progress_ends_when_all_is_made():
    made = WebJob("class", state="working", done=28, of=28)
    assert "Jetzt wird es zusammengestellt" in WebPages("de").job(made, 0, 0)
    made.done = 27
    assert "Fertig: 27 von 28" in WebPages("de").job(made, 0, 0)
    made.done = made.of = 0
    made.size = 28
    assert "Fertig: 0 von 28" in WebPages("de").job(made, 0, 40)  # from the first second


@pytest.mark.parametrize(
    ("done", "left", "bar"),
    [(0, 0, ""), (0, 1000, "24"), (1, 10, "48"), (3, 10, "96"), (4, 3000, "24"), (4, 0, "97")],
)
def test_the_bar_goes_with_the_time_and_not_beyond_the_set_that_is_made(
    done: int, left: float, bar: str
):
    """It is never full before all is done, and runs where nothing is known."""
    made = WebJob("class", state="working", done=done, of=4, begun=time.monotonic() - 1000)
    page = WebPages("de").job(made, 0, left)
    assert re.findall(r'<progress id="bar"(?: value="(\d+)" max="100")? aria', page) == [bar]
    assert f"<title>{bar and bar + ' % · '}Ihre Blätter" in page  # also where another tab is open


@pytest.mark.parametrize("language", ["de", "en"])
def test_who_waits_sees_what_comes_and_where_the_order_stands(language: str):
    asked = WebWork(Choices(words=language, who="number")).overview()
    query = "lesson=45&who=number&pupils=5&planning=on"
    waiting = WebPages(language).job(WebJob("class", query, asked=asked, size=5), 2, 200)
    now = re.findall(r'<li aria-current="step">([^<]+)', waiting)
    assert now == [{"de": "in der Reihe", "en": "in line"}[language]]
    assert {"de": "Platz 3 in der Reihe", "en": "Number 3 in line"}[language] in waiting
    (coming,) = re.findall(r'<ul class="coming">(.*?)</ul>', waiting, re.S)
    assert coming.count("<li>") == 7  # sheets, info part, solutions, key, slides, plan, planning
    for kind in ("me", "exam", "again", "grade", "room", "typed"):
        page = WebPages(language).job(WebJob(kind, "lesson=45", asked=asked), 0, 0)
        assert page.count("<li>") > 0, kind
    for form in ("25", "45", "90"):  # what is promised is what is then to be printed
        wish = RoomWish.read({"form": [form], "pupils": ["24"], "words": [language]}, language)
        page = WebPages(language).job(WebJob("room", f"form={form}&pupils=24"), 0, 0)
        slips = html.escape(load(language).t("web.room.paper.slips"))
        assert (slips in page) == wish.rooms()[0].pinned


def test_who_waits_sees_for_how_many():
    asked = WebWork(Choices(words="de", who="number")).overview()
    waiting = WebJob("class", "lesson=45&who=number&pupils=5&words=de", asked=asked)
    assert "für 5 Personen" in WebPages("de").job(waiting, 1, 60)


@pytest.mark.parametrize("state", ["waiting", "working"])
def test_a_time_that_was_never_measured_is_called_a_guess(state: str):
    for measured in (False, True):
        asked = WebJob("class", "lesson=45", state=state, size=28)
        told = WebPages("en").job(asked, 1, 60, measured)
        assert ("only a rough estimate" in told) == (not measured)


def test_what_is_missing_stands_in_red_above_the_files():
    made = WebJob("class", state="done", problems=("line 3: the sentence is empty: expected",))
    page = WebPages("de").job(made, 0, 0)
    assert 0 < page.index('role="alert">Achtung, nicht alles') < page.index("set.zip")


def test_what_failed_says_what_to_do_and_has_a_button_for_it():
    asked = "lesson=45&who=list&words=de"
    failed = WebJob("class", asked, state="failed", problems=("line 3: the sentence is empty",))
    page = WebPages("de").job(failed, 0, 0)
    assert "Was jetzt?" in page
    assert "Ihre Antworten sind noch da" in page
    assert "Die Klassenliste ist schon gelöscht" in page
    assert re.search(r'class="go" href="/\?lesson=45[^"]*">Antworten ansehen', page)
    fault = WebPages("en").job(WebJob("me", "lesson=45", state="failed", own_fault=True), 0, 0)
    assert "Order again; if it fails again" in fault
    marks = WebPages("en").job(WebJob("grade", state="failed", problems=("no file",)), 0, 0)
    assert re.search(r'class="go" href="/grade[^"]*">Choose other files', marks)


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_made_names_the_files_that_are_there_and_no_other(language: str):
    papers = {"slides": "teacher/a.pdf", "print": "hand-out/b.pdf", "plan": "teacher/c.pdf"}
    page = WebPages(language).job(WebJob("me", state="done", papers=papers), 0, 0)
    assert {*re.findall(r'/([\w-]+)\.pdf"', page)} == {*papers}
    fewer = WebPages(language).job(WebJob("me", state="done", papers={"print": "x.pdf"}), 0, 0)
    assert {*re.findall(r'/([\w-]+)\.pdf"', fewer)} == {"print"}


def test_papers_for_planning_have_a_box_of_their_own():
    papers = {"parents": "planning/parents.pdf", "run-sheets-45": "planning/run-sheets-45.pdf"}
    page = WebPages("de").job(WebJob("class", state="done", of=5, papers=papers), 0, 0)
    (box,) = [one for one in page.split("<dt>") if one.startswith("Für die Planung")]
    assert re.findall(r'/([\w-]+)\.pdf">([^<]+)', box) == [
        ("parents", "Elternbrief"),
        ("run-sheets-45", "Verlaufsplan, 45 Minuten"),
    ]
    assert "Vom Infoteil noch 4 Stück" in page  # one is there


def test_each_picture_of_what_is_done_opens_its_own_sheet():
    asked = WebWork(Choices(lesson="words", words="de")).overview()
    names = {
        "print": "hand-out/1-tokenizer-blank.html",
        "print-2": "hand-out/2-embedding-blank.html",
    }
    page = WebPages("de").job(WebJob("me", state="done", asked=asked, papers=names), 0, 0)
    opened = re.findall(r'class="paper[^"]*" href="/job/[^/]*/([^"]*)".*?shown=(\w+)"', page, re.S)
    assert opened[:2] == [("print.html", "1"), ("print-2.html", "2")]
    bound = {
        "slides": "teacher/slides-projector.pdf",
        "print": "hand-out/worksheets-blank.pdf",
    }
    asked = WebWork(Choices(lesson="45", words="de")).overview()
    made = WebJob("class", "header=8b%2F%C3%84&lang=de", asked=asked)
    assert WebPages("de").file_of(made) == "klassensatz-8b-a.zip"
    made.query = ""
    assert WebPages("en").file_of(made) == "class-set-paris-ist-die-hauptstadt-von.zip"
    page = WebPages("de").job(WebJob("me", state="done", asked=asked, papers=bound), 0, 0)
    assert re.findall(r'class="paper[^"]*" href="/job/[^/]*/([^"]*)"', page) == [
        "print.pdf",
        "slides.pdf",
    ]
