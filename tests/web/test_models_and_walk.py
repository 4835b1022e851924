"""The models to choose from, and the walk, as a browser meets them: what they say and lead to."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.testclient import TestClient

from generator.presets.new import new_preset_text
from generator.web.desk import WebWork
from generator.web.form import Choices
from generator.web.page import typeset
from tests.support.page import fetched, finished

pytestmark = pytest.mark.ci
MINE = re.sub("(?m)^title = .*", "title = { de = '<script>alert(1)</script>', en = 'x' }",
              new_preset_text("mine"))  # fmt: skip


def test_the_models_say_what_they_show(page: TestClient):
    text = page.get("/models?lang=en").text
    for said in ("What a single head can do", "<dt>head</dt>", "<dt>learned</dt>"):
        assert text.index(said) < text.index("A head that looks one word back")
    assert "For each word, the head in block 1 notes which word came before it." in text
    link = re.search(r'href="(/\?[^"]*preset=induction[^"]*)"', text)
    assert link
    assert page.get(link[1].replace("&amp;", "&")).status_code == 200


def test_who_takes_a_model_keeps_the_answers_that_fit(page: TestClient):
    asked = "lang=de&lesson=attention&level=2&sentence=Der+Hund+schläft"
    (link,) = re.findall(r'<a id="models" data-live href="([^"]+)"', page.get(f"/?{asked}").text)
    text = page.get(html.unescape(link)).text
    found = map(html.unescape, re.findall(r'href="(/\?[^"]*preset=[^"]*)"', text))
    links = {one["preset"]: one for one in (dict(parse_qsl(urlsplit(x).query)) for x in found)}
    other = {name: one["lesson"] for name, one in links.items() if one["lesson"] != "attention"}
    assert other == {"paris": "45", "ausgabe": "own"}  # which cannot take it
    assert {one["level"] for one in links.values()} == {"2"}
    reads = {name for name, one in links.items() if one.get("sentence") == "Der Hund schläft"}
    assert {"katze", "previous-word"} <= reads
    assert not {"paris", "subject-verb"} & reads  # they have words of their own only
    for name in reads:
        assert page.get("/", params=links[name]).status_code == 200, name


def test_an_own_model_is_checked_shown_and_made(page: TestClient):
    wrong = page.post("/models?lang=de", files={"preset": ("mine.toml", b"format = 2\nx = 1")})
    assert wrong.status_code == 422
    assert "mine.toml: " in wrong.text
    assert wrong.text.count('<svg class="shares"') == page.get("/models").text.count("<svg class=")
    assert "etwa " in wrong.text
    assert all(f"\n  {key}" in wrong.text for key in ("format", "x", "model"))
    text = page.post("/models?lang=de", files={"preset": ("wrong.txt", b"Hello\nthere")}).text
    assert "„wrong.txt“ ist keine Datei im Format TOML." in text
    assert "in Zeile 1." in text
    assert "Expected" not in text
    assert 'name="own"' not in page.get("/?lang=de&lesson=all").text
    taken = page.post("/models?lang=de", files={"preset": ("mine.toml", MINE.encode())})
    assert taken.url.path == "/"
    assert "Eigenes Modell: &lt;script&gt;alert(1)&lt;/script&gt;." in taken.text
    assert "<script>alert" not in taken.text
    asked = dict(taken.url.params) | {"lesson": "attention"}
    assert "<script>alert" not in page.get("/sheet", params=asked).text
    assert "mine ·" in page.get("/sheet", params=asked).text
    order = page.post("/make?lang=de", data=asked | {"who": "me", "words": "de"}, files={})
    made = fetched(page, finished(page, str(order.url)))
    assert "hand-out/4a-self-attention-blank.pdf" in made


def test_the_walk_has_every_step(page: TestClient):
    text = page.get("/walk?lang=en&lesson=attention&sentence=The+cat&words=en").text
    shown = WebWork(Choices(lesson="attention", sentence="The cat", words="en")).walked()[0]
    assert text.count('<article id="step-') == len(shown) > 20
    assert all(str(typeset(one.title)) in text for one in shown)
    assert "1 / " in text
    assert "Q = X · W<sub>Q</sub>" in text
    broken = page.get("/walk?lang=en&lesson=attention&level=9")
    assert broken.status_code == 422
    assert "not among the choices" in broken.text


def test_a_sheet_that_goes_on_from_another_walks_under_its_name(page: TestClient):
    def menu(shown: str) -> tuple[str, str, list[str]]:
        text = page.get(f"/walk?lang=en&lesson=all&words=en&sentence=The+cat&shown={shown}").text
        (now,) = re.findall(r"<summary>([^<]+)", text)
        return now, re.search(r"Sentence: [^<]+", text)[0], re.findall(r"shown=(\w+)", text)

    assert menu("7d") == menu("7a")
    assert "The cat" in menu("7d")[1]
    assert menu("slides")[0].startswith("Slides: ")  # not 4a's, which computes without the mask
    assert menu("6")[2] == [
        *("1", "2", "3", "slide", "slides", "4a", "4b", "5", "6", "generate", "7a", "7b", "8"),
    ]


@pytest.mark.parametrize("sheet", ["slide", "slides"])
def test_the_steps_of_a_sheet_have_its_numbers(page: TestClient, sheet: str):
    """The mask leaves four of the five words; 0.300 would be the share that sheet 4a has there."""
    asked = f"lang=de&words=de&shown={sheet}"
    walk, printed = (page.get(f"/{one}?{asked}&variant=solution").text for one in ("walk", "sheet"))
    shares = walk.split("<h1>Anteile (Softmax)")[1].split("</article>")[0]
    for number in ("0,203", "0,260", "0,334"):
        assert number in shares
        assert number in printed
    assert "0,300" not in shares
    assert "Hier sehen sich alle" not in walk
    free = page.get("/walk?lang=de&words=de&lesson=attention&shown=4a").text
    assert "Hier sehen sich alle" in free


@pytest.mark.parametrize("language", ["de", "en"])
def test_learning_and_text_have_steps_of_their_own(page: TestClient, language: str):
    def walk(shown: str, preset: str = "katze-trained") -> str:
        asked = f"lang={language}&words={language}&lesson=all&preset={preset}&shown={shown}"
        text = page.get(f"/walk?{asked}").text
        return text.replace(",", ".") if language == "de" else text

    learned, again = walk("7a"), walk("7b")
    assert "0.316 − 1 = −0.684" in learned
    assert re.search(r"\(−4\.0\) − 0\.5 . 1\.115 ≈ −4\.56", learned)
    assert learned.index("0 − ln(0.316) ≈ 1.15") < learned.index("0 − ln(0.864) ≈ 0.15")
    assert again.count("<article") == 7
    assert '<rect width="86.40%"' in again
    assert "131.89" in again
    curve, text = walk("8"), walk("generate")
    assert "polyline" in curve
    assert curve.index("e<sup>(−2.71)</sup> ≈ 0.07") < curve.index("e<sup>(−0.17)</sup> ≈ 0.84")
    assert text.count("<article") == 4
    assert re.search(r"0\.337 . 0\.366 . 0\.992 ≈ 0\.1224", text)
    assert re.findall(r'<p class="formula">([^<]+)', text)[-1] in {
        "de": "Die Katze schläft auf der", "en": "The cat sleeps on the"
    }[language]  # fmt: skip
    other = walk("8", "katze")  # which nobody knows how it has learned
    assert "shown=8" not in other
    assert other.count("<article") > 40


def test_a_model_is_shown_with_its_arcs(page: TestClient):
    text = page.get("/models?lang=de").text
    assert text.count('class="shares"') == text.count('class="model"') > 10
