"""The page as a browser meets it: questions, a look, an order, what comes back."""

import dataclasses
import io
import math
import re
import time
from html import unescape
from pathlib import Path

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

import generator
from generator import api
from generator.classroom.pupils.columns import written
from generator.grading.marking.task import batch_in
from generator.grading.reading.whose import list_rows
from generator.output import zipped
from generator.sheets.fonts import FONT_FILES
from generator.web import guard, visits
from generator.web.form import Choices
from generator.web.packing import page_count
from tests.support.batches import resealed
from tests.support.leaks import readable
from tests.support.page import ORDER, alerts, fetched, finished, unzipped

pytestmark = pytest.mark.ci
NOBODY = {"manifest": ("manifest.json", b"{}")}
LIST = "id;Name\n7;Mia Muster\n9;Bo <script>alert(1)</script>\n"


def test_the_questions_in_the_browser_s_language(page: TestClient):
    text = page.get("/", headers={"accept-language": "en-GB,de;q=0.5"}).text
    assert '<html lang="en">' in text
    assert "What are you teaching?" in text
    assert "1 sheet, about" in text
    assert '<html lang="de">' in page.get("/", headers={"accept-language": "fr"}).text
    assert '<html lang="de">' in page.get("/?lang=de", headers={"accept-language": "en"}).text


def test_an_answer_in_the_address_comes_back(page: TestClient):
    text = page.get("/?lang=de&lesson=double&sentence=Der+Hund+bellt&level=3").text
    assert 'value="Der Hund bellt"' in text
    assert re.search(r'value="double" checked', text)
    assert re.search(r'value="3" checked', text)
    assert re.search(r'value="2" checked', page.get("/?lang=de&lesson=double").text)
    assert not alerts(text)


def test_a_sentence_that_is_too_long_is_said_in_the_page_s_language(page: TestClient):
    asked = {"lang": "de", "lesson": "attention", "sentence": " ".join("abcdefghijklmn")}
    answer = page.get("/", params=asked)
    assert alerts(answer.text)[-1].startswith("Der Satz hat 14 Textstücke")
    assert 'value="a b c d' in answer.text
    assert "1 Blatt, etwa" in answer.text  # without it there is something to look at
    assert "Der Satz hat 14" in page.get("/sheet", params=asked).text
    order = page.post("/make?lang=de", data=ORDER | asked | {"who": "me", "words": "de"})
    assert order.status_code == 422
    assert "Der Satz hat 14" in alerts(order.text)[-1]


def test_a_model_that_does_not_know_a_word_has_a_way_out_beside_it(page: TestClient):
    asked = {"lang": "de", "lesson": "attention", "preset": "nihao", "sentence": "abc & d"}
    refused = page.get("/", params=asked)
    assert refused.status_code == 422
    (way,) = re.findall(
        r'id="problem-sentence".*?<a class="button" href="([^"]*)"', refused.text, re.S
    )
    found = page.get(unescape(way))
    assert (found.status_code, alerts(found.text)) == (200, [])
    assert 'value="abc &amp; d"' in found.text
    assert '<option value="nihao">' in found.text
    long = page.get("/", params=asked | {"preset": "", "sentence": "a " * 14}).text
    assert not re.search(r'id="problem-sentence"[^/]*class="button"', long)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"pupils": ""}, "Bitte eine Zahl von 1 bis 200."),
        ({"pupils": "-3"}, "„-3“: Bitte eine Zahl von 1 bis 200."),
        ({"exam": "on", "minutes": ""}, "Bitte eine Zahl von 1 bis 600."),
        ({"exam": "on", "minutes": "1", "level": "3"}, "mindestens so viele eintragen, bei 2"),
        ({"exam": "on", "minutes": "1", "lesson": "45"}, "15 Minuten. Bitte mindestens"),
        ({"exam": "on", "lesson": "all"}, "bei 2 weniger wählen."),
    ],
)
def test_a_number_that_cannot_be_taken_is_asked_for_while_it_is_typed(
    page: TestClient, asked, says
):
    answer = page.get("/", params=ORDER | {"lang": "de", "who": "number"} | asked)
    assert answer.status_code == 422
    (told,) = alerts(answer.text)
    assert says in told
    assert ("kurz" in told) == ("3" in asked.values())  # else nobody can choose it
    assert "Arbeit" in re.search('id="minutes-attention".*?</small>', answer.text, re.S)[0]
    order = page.post("/make?lang=de", data=ORDER | {"who": "number"} | asked)
    assert (order.status_code, says in order.text) == (422, True)


def test_the_drawing_has_the_numbers_of_the_computation(page: TestClient):
    asked = {"lang": "de", "lesson": "attention", "sentence": "Die Katze jagt die Maus"}
    asked |= {"lesson": "own", "sheets": "4b"}  # 4a leaves the mask away
    found = page.get("/drawing", params=asked).json()
    trace = generator.compute(asked["sentence"], language="de")
    assert tuple(found["words"]) == trace.tokens
    assert [one["name"] for one in found["heads"]] == [f"Head {k} von 2" for k in (1, 2)]
    for k, head in enumerate(found["heads"], 1):
        values = trace[f"block1.head{k}.weights"].values
        for i, row in enumerate(head["rows"]):
            assert [one and one[0] for one in row["shares"]] == [
                *values[i, : i + 1], *[None] * (4 - i)
            ]  # fmt: skip
    assert found["heads"][0]["rows"][4]["told"] == "„Maus“ achtet am meisten auf „jagt“ (0,264)."
    assert found["next"][0] == ["Maus", 0.459, "0,459"]
    assert found["invented"] == "ausgedachte Zahlen"
    assert found["focus"] == trace.worked  # of the sheet
    own = page.get("/drawing", params={"lang": "de", "lesson": "45"}).json()
    look = page.get("/sheet", params={"lang": "de", "lesson": "45"}).text
    assert f"Wohin schaut „{own['words'][own['focus']]}“?" in look
    assert not page.get("/drawing", params={"lang": "de", "lesson": "90"}).json()["invented"]
    assert "„Maus“ (0,459)" in found["next_told"]
    # Whatever is wrong with another answer, and with a sheet that was not named.
    for other in ({"who": "number", "pupils": "900"}, {"vary": "none"}):
        assert page.get("/drawing", params=asked | other).json() == found
    assert page.get("/drawing", params={"lang": "de", "lesson": "own"}).is_success
    english = page.get("/drawing", params=asked | {"lang": "en", "words": "de"}).json()
    assert "“Maus” would come next (0.459)" in english["next_told"]


def test_the_drawing_says_ties_silence_and_what_is_missing(page: TestClient):
    asked = {"lang": "de", "lesson": "all"}
    found = page.get("/drawing", params=asked | {"preset": "induction"}).json()
    told = [row["told"] for head in found["heads"] for row in head["rows"]]
    assert "„Anna₀“ achtet auf kein Wort." in told
    assert any("„Anna₀“ und „Berg" in one for one in told)
    assert page.get("/drawing", params=asked | {"preset": "ausgabe"}).json()["heads"] == []
    without = page.get("/drawing", params=asked | {"preset": "brille"}).json()
    assert (without["next"], without["next_told"][:18]) == ([], "Hier geht es nur d")
    for sentence, says in (("a b c d e f g h i j k l m", "höchstens 12"), ("👩‍👩‍👧", "👩 👧")):
        answer = page.get("/drawing", params=asked | {"sentence": sentence})
        assert answer.status_code == 422
        assert says in answer.json()["problems"]["sentence"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"preset": "nihao", "sentence": "abc"}, "kennt „a“ nicht"),
        ({"sentence": "Die 🐈 sitzt 🦄"}, "🐈 🦄"),
        ({"sentence": "👩‍👩‍👧 geht"}, "👩 👧"),
    ],
)
def test_a_sentence_that_cannot_be_taken_is_said_at_its_field(page: TestClient, asked, says):
    asked = {"lang": "de", "lesson": "attention", **asked}
    answer = page.get("/", params=asked)
    assert answer.status_code == page.get("/sheet", params=asked).status_code == 422
    assert any(says in one for one in alerts(answer.text))
    assert f'value="{asked["sentence"]}"' in answer.text
    assert page.get("/sheet?lang=de&lesson=attention").status_code == 200


def test_what_is_typed_is_never_html(page: TestClient):
    text = page.get('/?lesson=attention&sentence="><script>alert(1)</script>&header=<b>').text
    assert "<script>alert" not in text
    assert "<b>" not in text
    shown = page.get("/sheet?lesson=attention&sentence=a+<script>alert(1)</script>")
    assert "<script>alert" not in shown.text


EVIL = '"><script>alert(1)</script>'


def test_no_field_and_no_file_name_becomes_html(page: TestClient):
    fields = {field.name: EVIL for field in dataclasses.fields(Choices)} | {"lang": EVIL}
    for text in (
        page.get("/", params=fields).text,
        page.get("/sheet", params=fields).text,
        page.get("/walk", params=fields).text,
        page.post("/make", data=fields, files={}).text,
        page.post("/make", data=ORDER | {"who": "list"}, files={"list": (EVIL, b"x")}).text,
        page.post("/models", files={"preset": (EVIL, f"'{EVIL}' = 1".encode())}).text,
        finished(page, str(page.post("/again", data={"pupil": EVIL}, files=NOBODY).url)),
    ):
        assert "<script>alert" not in text
        assert len(text) > 500


def test_a_look_loads_nothing_from_elsewhere_and_runs_nothing(page: TestClient):
    answer = page.get("/sheet?lang=de&lesson=double&shown=4b&variant=solution")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == visits.SHEET_POLICY
    assert "4b" in answer.text
    font = re.search(r'url\("?(fonts/[^")]+)', answer.text)
    assert font
    assert page.get(f"/{font[1]}").headers["content-type"] == "font/woff2"
    assert page.get("/fonts/..%2fprint.css").status_code == 404


def test_every_page_has_the_other_language(page: TestClient):
    for path in ("/", "/models", "/again", "/grade", "/room"):
        text = page.get(path, params={"lang": "de"}).text
        (there,) = re.findall(r'href="(/[^"]*lang=en[^"]*)" lang="en"', text)
        assert there.startswith(f"{path}?")
        assert '<html lang="en">' in page.get(there.replace("&amp;", "&")).text


def test_a_font_of_every_face_is_there(page: TestClient):
    for file in FONT_FILES:
        assert page.get(f"/fonts/{file}").status_code == 200


def test_what_is_first_loaded_takes_less_than_eight_seconds_of_a_slow_line(page: TestClient):
    """What travels in 8 s at 50 kB/s is 400 kB: the questions, their files, a sheet, its fonts."""
    paths, sent = ["/?lang=de", "/sheet?lang=de", "/drawing?lang=de"], 0
    for path in paths:
        answer = page.get(path)
        assert answer.status_code == 200, path
        sent += int(answer.headers["content-length"])
        fonts = {f"/{one}" for one in re.findall(r'url\("?(fonts/[^")]+woff2)', answer.text)}
        linked = {*re.findall(r'(?:src|href)="(/[\w.]+\.(?:js|css|svg))"', answer.text), *fonts}
        paths += sorted(linked - set(paths))
    assert {"/studio.css", "/drawing.js", "/fonts/PaperformerSans-Bold.woff2"} <= set(paths)
    assert sent < 250_000
    assert page.get("/sheet?lang=de").headers["content-encoding"] == "gzip"


def test_what_is_packed_already_is_not_packed_again(page: TestClient):
    answer = page.get("/fonts/PaperformerSans-Regular.woff2")
    assert "content-encoding" not in answer.headers


def test_slides_are_no_sheet_and_each_way_of_the_page_stands_in_its_head(page: TestClient):
    text = page.get("/?lang=de").text
    assert "1 Blatt, etwa 21 Minuten Arbeit, dazu Folien." in text
    head, form = text.split("</header>")
    assert all(f'href="/{one}?lang=de"' in head for one in ("grade", "again"))
    assert 'class="card" href="/room?lang=de"' in form


def test_pages_say_what_they_may_load(page: TestClient):
    for path in ("/", "/studio.css", "/nowhere"):
        headers = page.get(path).headers
        assert headers["content-security-policy"] == guard.HEADERS["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "set-cookie" not in headers


def test_a_set_is_ordered_made_and_fetched(page: TestClient):
    order = page.post("/make?lang=en", data=ORDER | {"who": "me", "words": "en"}, files={})
    text = finished(page, str(order.url))
    assert "Print this" in text
    assert 'id="recap"><span>Self-attention for one word</span> <span>Sentence: “The' in text
    assert re.findall(r'shown=(\w+)"', text) == ["4a"]
    made = fetched(page, text)
    opened = page.get(re.search(r'href="(/job/[^"]+/print.pdf)"', text)[1])
    assert opened.headers["content-disposition"].startswith("inline")
    assert opened.content == made["hand-out/4a-self-attention-blank.pdf"]
    keep = page.get(str(order.url).partition("?")[0] + "/keep.pdf").content
    assert keep == made["teacher/4a-self-attention-solution.pdf"]
    assert page.get(str(order.url).partition("?")[0] + "/other.pdf").status_code == 404
    place = str(order.url).partition("?")[0]
    gone = page.post(f"{place}/delete?lang=en", content=b"")
    assert gone.url.path == "/"
    assert "lesson=attention" in str(gone.url)
    back = page.get(f"{place}?lang=en")  # by the browser's button
    assert back.status_code == 404
    assert "no longer on the server: it was deleted" in back.text
    assert not page.app.state.jobs.root.joinpath(place.split("/")[-1]).exists()


def test_a_list_gives_a_class_and_is_deleted(page: TestClient):
    answers = ORDER | {"who": "list", "vary": "focus", "words": "de"}
    order = page.post("/make?lang=de", data=answers, files={"list": ("8b.csv", LIST.encode())})
    text = finished(page, str(order.url))
    (paper,) = re.findall(r"\d+ Seiten, beidseitig (\d+) Blatt Papier", text)
    told = page.get("/leaves?lang=de", params=answers).text  # before it was ordered
    each, shared = map(int, re.findall(r"(?:etwa|zwei) (\d+)", told))
    assert int(paper) == 2 * each + shared > 2
    assert "Vom Infoteil noch 1 Stück" in text
    english = page.get(re.search(r'href="(/job/[^"]*lang=en)"', text)[1]).text
    assert "Print this" in english
    assert "<script>alert" not in text
    name = str(order.url).split("/job/")[1].partition("?")[0]
    left = page.app.state.jobs.by_name[name].folder
    assert [path.name for path in left.iterdir()] == ["set.zip"]
    made = unzipped(left / "set.zip")
    assert b"Mia Muster" in made["teacher/names.csv"]
    told = [name for name, content in made.items() if "Muster" in readable(name, content)]
    assert told == ["teacher/names.csv"]
    leaf = re.compile(r"hand-out/(\w+)/4a-self-attention-blank.pdf")
    assert len([name for name in made if leaf.fullmatch(name)]) == 2


def people(page: TestClient, content: str | bytes, language: str = "de") -> tuple[str, list[str]]:
    """What is said of a list, and the names."""
    sent = content if isinstance(content, bytes) else content.encode()
    text = page.post(f"/list?lang={language}", files={"list": ("8b.txt", sent)}).text
    names = re.findall(r"<li>(.*?)</li>", text)
    return " ".join(re.sub(r"<[^>]*>", "", text.partition("<ol")[0]).split()), names


def test_who_stands_on_a_list_is_said_before_anything_is_made(page: TestClient):
    """What is on it is no HTML, and nothing of it stays."""
    said, names = people(page, LIST, "en")
    assert said.endswith("Yes, order it like this")  # which is ticked before anything is made
    assert said.startswith("People on the list: 2. Is that right? That is very few people.")
    assert names == ["Mia Muster", "Bo &lt;script&gt;alert(1)&lt;/script&gt;"]
    damaged = page.post("/list?lang=de", files={"list": ("8b.xlsx", b"not an excel file")})
    assert damaged.status_code == 422
    assert "keine Excel-Datei" in damaged.text
    assert people(page, "Name\nMia\nMoe\nMax\n") == (
        "Personen auf der Liste: 3. Stimmt das?", ["Mia", "Moe", "Max"],
    )  # fmt: skip
    said, names = people(page, "Klasse 8b\nAyşe Yılmaz\nBo Ng\n".encode("cp1254"))
    assert said.startswith("Personen auf der Liste: 2. Gelesen als Windows-1254 (Turki")
    assert names == ["Ayşe Yılmaz", "Bo Ng"]
    assert people(page, "1. Müller, Anna\n2. Groß, Ben\n3. \n")[1] == ["Müller, Anna", "Groß, Ben"]
    assert people(page, "- Anna Müller\n– Ben Groß\n")[1] == ["Anna Müller", "Ben Groß"]
    jobs = page.app.state.jobs
    assert {one.name for one in jobs.root.iterdir()} == {".used", *jobs.by_name}
    assert not [one for one in jobs.by_name.values() if one.kind == "list"]


def test_a_strange_line_of_a_list_is_said_with_its_number_and_what_would_be_right(
    page, listed, expected
):
    said, _ = people(page, listed)
    assert expected in said
    assert "auf Englisch" not in said


def test_a_list_without_strange_lines_is_not_doubted(page: TestClient):
    for plain in ("Mia\nMoe\nMax\n", "Mia Muster\nMuster, Moe\nMax von der Au\n", "id\n1\n2\n3\n",
                  "Nachname;Vorname;Klasse\nMuster;Mia;8b\nAu;Moe;8b\nNg;Bo;8b\n"):  # fmt: skip
        assert people(page, plain)[0].endswith("Stimmt das?")


def test_a_room_is_shown_for_the_number_of_people_before_it_is_made(page: TestClient):
    text = page.get("/room?lang=de&pupils=13&form=90").text
    assert "„Die Katze sitzt“ · 3 Gruppen, eine für jedes Wort, 13 Personen" in text
    assert text.count("<circle") == 12
    assert "zu viele für einen Raum" not in text
    for wrong in (0, 3, 201):
        assert "Bitte eine Zahl von 4 bis 200." in page.get(f"/room?lang=de&pupils={wrong}").text


def test_several_rooms_are_made_only_for_who_has_said_so(page: TestClient):
    wish = {"pupils": "60", "form": "45", "words": "en"}
    said = "60 people are too many for one room: they become 2 rooms of 30 people each."
    shown = page.get("/room?lang=en&pupils=60").text
    assert said in shown
    assert "about 1 min until all rooms are ready" in shown
    for rooms in ({}, {"rooms": "3"}):
        unasked = page.post("/room?lang=en", data=wish | rooms)
        assert unasked.status_code == 422
        assert said in unasked.text
    order = page.post("/room?lang=en", data=wish | {"rooms": "2"}, follow_redirects=False)
    assert order.status_code == 303
    page.post(order.headers["location"].replace("?", "/delete?"))


def test_a_lost_sheet_is_made_again(page: TestClient, tmp_path: Path):
    (tmp_path / "8b.csv").write_text("id;Name\n7;Mia Muster\n", encoding="utf-8")
    generator.batch(tmp_path / "8b.csv", tmp_path, only=["pdf"], sheets=["4a"], level=1, jobs=1,
                    print_names=True)  # fmt: skip
    manifest = (tmp_path / "teacher/manifest.json").read_bytes()
    files = {"manifest": ("manifest.json", manifest)}
    order = page.post("/again?lang=de", data={"pupil": "7"}, files=files)
    assert "bei gedruckten Namen mit names.csv" in finished(page, str(order.url))
    names = {"names": ("names.csv", (tmp_path / "teacher/names.csv").read_bytes())}
    order = page.post("/again?lang=de", data={"pupil": "7"}, files=files | names)
    text = finished(page, str(order.url))
    (sheet,) = re.findall(r'href="(/job/[^"]+/print.pdf)"', text)
    made = fetched(page, text)
    assert page.get(sheet).content in made.values()
    whole = zipped(
        {"8b/teacher/names.csv": names["names"][1], "8b/teacher/manifest.json": manifest}
    )
    order = page.post("/again?lang=de", data={"pupil": "7"}, files={"manifest": ("8b.zip", whole)})
    assert fetched(page, finished(page, str(order.url))) == made
    named = page.post(
        "/again?lang=de", data={"pupil": "mia  Muster "}, files={"manifest": ("8b.zip", whole)}
    )
    text = finished(page, str(named.url))
    assert fetched(page, text) == made
    assert "Blatt öffnen und drucken (PDF): 4a</a>" in text
    until = int(re.search(r'data-until="(\d+)" data-said="Das ist um {time} Uhr\."', text)[1])
    assert 14 * 60 < until - time.time() <= 15 * 60
    order = page.post(
        "/again?lang=de", data={"pupil": "Mia Mustre"}, files={"manifest": ("8b.zip", whole)}
    )
    near = finished(page, str(order.url))
    assert 'data-near="Mia Muster" hidden>Mia Muster</button>' in near
    assert "data-near" not in near.split('role="alert"')[1].split("</div>")[0]  # which is said
    packed = page.get(re.search(r'href="(/job/[^"]+set.zip)"', text)[1])
    assert packed.headers["content-disposition"] == 'attachment; filename="nachdruck-8b.zip"'
    assert "für „mia  Muster“" in text
    assert "pupil=" not in text  # no name in an address
    for name, content in made.items():
        assert content == (tmp_path / name).read_bytes()
        assert "Mia Muster" in readable(name, content)
    # Whoever knows the checksum can write that.
    forged = resealed(manifest, lambda content: content["settings"].update(sheets=["/etc"]))
    order = page.post("/again?lang=de", data={"pupil": "2"}, files={"manifest": ("m.json", forged)})
    assert "selbst geschriebenes Blatt („/etc“)" in finished(page, str(order.url))
    order = page.post("/again?lang=de", data={"pupil": "nobody"}, files=files)
    assert "nobody" in finished(page, str(order.url))
    nothing = page.post("/again?lang=de", data={"pupil": "2"})
    assert nothing.status_code == 422
    assert "ZIP-Datei der Klasse auswählen" in nothing.text
    assert "manifest.json" in page.get("/again?lang=de").text


def test_a_room_is_the_commands_room(page: TestClient, tmp_path: Path):
    api.room(8, tmp_path, form="25", language="en", header="8b")
    wish = {"pupils": "8", "form": "25", "words": "en", "header": "8b"}
    order = page.post("/room?lang=de", data=wish)
    told = finished(page, str(order.url))
    assert "Ihr Raum ist fertig" in told
    assert "für 8 Personen" in told
    leaves = 2 * math.ceil(page_count(tmp_path / "hand-out/cards.pdf") / 2)
    told = told.partition("<table")[2]  # what the conductor's sheet says
    row = told.partition("/cards.pdf")[2].partition("</tr>")[0]
    assert re.findall(r"<td>([^<]*)</td>", row) == [
        "2×",
        "beidseitig, je Karte heften",
        f"{leaves}",
    ]
    found = re.findall(r'href="(/job/[^"]*/([a-z]+)\.pdf)"', told)
    assert all(page.get(address).content[:5] == b"%PDF-" for address, _ in found)
    assert " ".join(name for _, name in found) == "conductor cards second wall finale poster"
    made = fetched(page, finished(page, str(order.url)))
    assert {Path(name).name for name in made} > {"cards.pdf", "wall.pdf", "conductor.pdf"}
    assert made == {name: (tmp_path / name).read_bytes() for name in made}
    few = page.post("/room?lang=de", data={**wish, "form": "45", "pupils": "7"})
    assert "dauert das Rechnen zu lange" in finished(page, str(few.url))
    odd = page.post("/room?lang=de", data={**wish, "pupils": "many", "form": "30"})
    assert (odd.status_code, odd.text.count('aria-invalid="true"')) == (422, 1)
    assert "many" in odd.text


def test_the_workbooks_box_is_grey_where_the_sheets_have_none(page: TestClient):
    book = 'name="workbook" value="on"'
    for sheets, grey in (("formulas", True), ("formulas&sheets=4a", False)):
        text = page.get(f"/?lang=de&lesson=own&sheets={sheets}").text
        assert f"{book}{' disabled' * grey}>" in text
        assert ("zu diesen Blättern gibt es keine" in text) == grey


def test_what_came_back_is_marked(page: TestClient, tmp_path: Path):
    (tmp_path / "8b.csv").write_text("id;Name\n7;Mia Muster\n9;Bo\n", encoding="utf-8")
    generator.batch(tmp_path / "8b.csv", tmp_path, only=["pdf"], seed="again", level=1,
                    jobs=1)  # fmt: skip
    rows = list_rows(batch_in(tmp_path))
    keys, titles, first, second = rows
    filled = [keys, titles, [one or "1" for one in first], second]
    files = [
        ("manifest", ("manifest.json", (tmp_path / "teacher/manifest.json").read_bytes())),
        ("work", ("../typed.csv", written(zip(*filled, strict=True), ";"))),
        ("work", ("holiday.jpg", b"nothing of ours")),
        ("work", ("8b/.DS_Store", b"what a Mac leaves in a folder")),
    ]

    def marked(*own: tuple[str, bytes]) -> str:
        sent = [*files, *((field, ("own", content)) for field, content in own)]
        return finished(page, str(page.post("/grade?lang=de", files=sent).url))

    order = page.post("/grade?lang=de", data={"list": "on"}, files=files[:1])
    shown = finished(page, str(order.url))
    (listed,) = re.findall(r'href="(/job/[^"]*\.\w+)"', shown)
    sheet = load_workbook(io.BytesIO(page.get(listed).content)).active
    lines = [tuple(cell or "" for cell in row) for row in sheet.iter_rows(values_only=True)]
    assert lines == [*zip(*rows, strict=True)]
    assert "Jede Person hat eine Spalte" in shown
    assert "<td>Mia Muster</td>" not in shown  # nobody gave the names
    assert "credit" in marked(("scheme", b"credit = 7"))
    assert "XXXX" in marked(("words", b"code;4a\nXXXX;1\n"))
    assert "no such cause" in marked(("decisions", DECISION % (b"no such cause", b"1")))
    text = marked()
    assert "holiday.jpg" in text
    assert "Das Programm meldet" not in text
    assert "DS_Store" not in text
    twice = [*files, ("work", ("7/typed.csv", b"nothing")), ("work", ("marks", b"nothing"))]
    told = finished(page, str(page.post("/grade?lang=de", files=twice).url))
    assert "4-typed.csv" not in told.partition("Hinweise")[0]
    assert {"3-typed.csv", "4-marks"} <= {*re.findall(r"[\w-]*(?:typed\.csv|marks)", told)}
    lost = page.post("/grade?lang=de", files=[files[0], files[2]])
    told = finished(page, str(lost.url))
    assert "Davon lässt sich nichts auswerten. " in told
    assert re.search(r"(?<![\w-])holiday\.jpg: ", told)  # by the teacher's own name for it
    assert "Angenommen werden Arbeitsmappen" in told
    assert re.search(r'href="/grade\?[^"]*">Andere Dateien wählen<', told)
    assert "Das Programm meldet" not in told
    assert "Ihre Auswertung" in text
    plain = fetched(page, text)
    assert "Mia Muster" not in "".join(readable(*one) for one in plain.items())
    text = marked(
        ("names", (tmp_path / "teacher/names.csv").read_bytes()),
        ("decisions", DECISION % (b"wrong", b"1")),
    )
    named = fetched(page, text)
    assert {name for name in named if "Mia Muster" in readable(name, named[name])} >= {"grades.csv"}
    report = page.get(re.search(r'href="(/job/[^"]+/report.pdf)"', text)[1])
    assert report.content == named["class.pdf"]
    shown = page.get(re.search(r'src="(/job/[^"]+/look.html)"', text)[1])
    assert shown.content == named["class.html"]
    glance = re.findall("<span>([^<]+)</span>", text.partition('class="glance"')[2])
    assert glance[0] == "1 von 2 ausgewertet"
    assert glance[1].removeprefix("im") in shown.text
    assert len(glance) == 2  # nobody has less than the mean, and all is right
    assert earned(plain) < earned(named)
    (order,) = [job for job in page.app.state.jobs.by_name.values() if job.folder.name in text]
    assert [path.name for path in order.folder.iterdir()] == ["set.zip"]
    nothing = page.post("/grade?lang=de", files=files[:1])
    assert nothing.status_code == 422
    assert "mindestens eine" in nothing.text


DECISION = b"[[decision]]\ncause = '%s'\ncredit = %s\n"


def earned(marks: dict[str, bytes]) -> int:
    """The points of the first pupil in a table of grades with semicolons."""
    head, first = marks["grades.csv"].decode("utf-8-sig").splitlines()[:2]
    return int(first.split(";")[head.split(";").index("Punkte")])


def test_how_the_server_is_can_be_asked_from_here_alone(page: TestClient):
    finished(page, str(page.post("/again", data={"pupil": "muster"}, files=NOBODY).url))
    here = TestClient(page.app, client=("127.0.0.1", 5))
    told = here.get("/metrics").text
    numbers = dict(line.rsplit(" ", 1) for line in told.splitlines() if line[0] != "#")
    assert int(numbers['paperformer_orders_total{end="failed"}']) > 0
    assert int(numbers['paperformer_orders{state="working"}']) == 0
    assert int(numbers["paperformer_tasks"]) == 0
    assert int(numbers.get("paperformer_memory_bytes", 10**8)) > 10**7
    assert not re.search(r"nihao|attention|muster", told, re.I)
    assert page.get("/metrics").status_code == 404  # the test's client is not this computer
    assert TestClient(page.app, client=("192.0.2.7", 5)).get("/metrics").status_code == 404
    assert page.get("/health").text == "ok\n"


def test_the_log_of_requests_has_no_sentence_and_no_name(page: TestClient, caplog):
    caplog.set_level("INFO", logger=guard.LOG.name)
    page.get("/sheet?lesson=attention&sentence=Die+Katze+sitzt&header=Frau+Muster")
    page.get("/job/secret/set.zip")
    page.get("/Muster/Katze")
    told = [re.sub(r"\d+ ms$", "", one) for one in caplog.messages]
    assert told == ["GET /sheet 200 ", "GET /job/*/set.zip 404 ", "GET - 404 "]
