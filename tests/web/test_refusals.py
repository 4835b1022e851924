"""What the page refuses: lists that are none, too much, too slow, too many, and other sites."""

import asyncio
import re

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from generator.errors import UserError
from generator.web import desk, guard, jobs, packing, visits
from generator.web.desk import WebWork
from generator.web.form import Choices
from generator.web.visits import Visit
from tests.support.classes import SHEET, bomb
from tests.support.page import ORDER, alerts

pytestmark = pytest.mark.ci


def test_names_of_files_lead_nowhere():
    assert packing.plain_name("../../etc/passwd") == "passwd"
    assert packing.plain_name("C:\\Users\\Mia\\4a (2).xlsx") == "4a (2).xlsx"
    assert packing.plain_name("a\nb\x00.csv") == "a_b_.csv"
    assert packing.plain_name("") == ""


MANY = "id;Name\n" + "".join(f"{k};Kind {k}\n" for k in range(5000))
ROWS = bomb(SHEET, b"<row><c><v>1</v></c></row>", desk.UNPACKED)
WIDE = bomb(SHEET, b'<row><c r="XFD1"/></row>', 30_000)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("", None, "Klassenliste"),
        ("8b.csv", b"", "Klassenliste"),
        ("8b.pdf", b"x", "8b.pdf"),
        ("8b.csv", b"\x00\x01\x02", "lässt sich nicht als Klassenliste lesen"),
        ("8b.csv", MANY.encode(), "5000 Personen, hier gehen höchstens 200"),
        ("8b.xlsx", ROWS, "it unpacks to|zu groß für eine Klasse"),
        ("8b.xlsx", WIDE, "zu groß für eine Klasse"),
    ],
    ids=["none", "empty", "kind", "broken", "long", "bomb", "wide"],
)  # fmt: skip
def test_a_list_that_cannot_be_taken_is_said_at_its_field(page: TestClient, name, content, says):
    files = {} if content is None else {"list": (name, content)}
    order = page.post("/make?lang=de", data=ORDER | {"who": "list", "words": "de"}, files=files)
    assert order.status_code == 422
    assert any(re.search(says, one) for one in alerts(order.text)), alerts(order.text)
    assert "1 Blatt, etwa" in order.text  # the rest is shown as it was
    assert page.get(re.search(r'src="(/sheet[^"]*)"', order.text)[1]).status_code == 200
    assert str(page.app.state.jobs.root) not in order.text  # where it is kept is nobody's business
    assert not list(page.app.state.jobs.root.glob("*/list.*"))
    assert not page.app.state.jobs.by_name
    # It is said as soon as the list is chosen, in the same words.
    chosen = page.post("/list?lang=de", files=files or {"other": ("8b.csv", b"")})
    assert chosen.status_code == 422
    assert re.search(says, chosen.text)
    assert [one.name for one in page.app.state.jobs.root.iterdir()] == [".used"]


def test_a_list_that_takes_long_to_read_holds_no_place_of_orders(page: TestClient, monkeypatch):
    monkeypatch.setattr(visits, "LOOK", 2.0)
    long = bomb("xl/styles.xml", b"<xf/>", 10_000_000, b"</cellXfs>")
    data, files = ORDER | {"who": "list", "workbook": "on"}, {"list": ("8b.xlsx", long)}
    order = page.post("/make?lang=de", data=data, files=files)
    assert order.status_code == 422
    assert any("dauert hier zu lange" in one for one in alerts(order.text))
    assert not page.app.state.jobs.by_name


def test_too_much_is_refused_by_its_word_and_by_what_comes(page: TestClient):
    big = {"list": ("8b.csv", b"x" * (guard.UPLOAD + 1))}
    double = "/make?lang=de&lesson=double&story=on"
    for path, most, back in (
        (double, "1 MB", double.replace("&", "&amp;").replace("make", "")),
        ("/grade?lang=de", "40 MB", "/grade?lang=de"),
    ):
        told = big if most == "1 MB" else {"work": ("a", b"x" * (guard.HANDED_IN + 1))}
        answer = page.post(path, data=ORDER, files=told)
        assert answer.status_code == 413
        assert f"höchstens {most}" in answer.text
        assert f'href="{back}"' in answer.text
    lying = iter([b"x" * guard.UPLOAD, b"x"])
    kind = {"content-length": "10", "content-type": "application/x-www-form-urlencoded"}
    assert page.post("/make", content=lying, headers=kind).status_code == 413


def test_the_address_of_orders_opened_once_more_leads_to_the_questions(page: TestClient):
    answer = page.get("/make?lesson=double&story=on&lang=de")
    assert answer.url.path == "/"
    assert re.search(r'value="double" checked', answer.text)


TORN = "nicht vollständig angekommen"
KIND = "content-type"


@pytest.mark.parametrize(
    ("path", "sent", "status", "says"),
    [
        ("/make", {"data": ORDER, "headers": {"origin": "https://evil.example"}}, 403,
         "anderen Seite"),
        ("/make", {"data": ORDER, "headers": {"sec-fetch-site": "cross-site"}}, 403,
         "anderen Seite"),
        ("/make", {"content": b'{"lesson": "all"}', "headers": {KIND: "application/json"}}, 400,
         TORN),
        ("/make", {"content": b"lesson=all", "headers": {KIND: "text/plain"}}, 400, TORN),
        ("/make", {"content": b"", "headers": {KIND: ""}}, 400, TORN),
        ("/make", {"content": b"--x\r\nfoo", "headers": {KIND: "multipart/form-data; boundary=x"}},
         400, TORN),
        ("/make", {"content": b"abc", "headers": {KIND: "multipart/form-data"}}, 400, TORN),
        ("/job/nobody", None, 404, "gibt es nicht mehr"),
        ("/job/nobody/set.zip", None, 404, "gibt es nicht"),
        ("/job/../../etc/passwd", None, 404, "gibt es nicht"),
    ],
)  # fmt: skip
def test_what_no_page_of_ours_asks_is_refused(page: TestClient, path, sent, status, says):
    orders, place = len(page.app.state.jobs.by_name), f"{path}?lang=de"
    answer = page.get(place) if sent is None else page.post(place, **sent)
    assert answer.status_code == status
    assert says in answer.text
    assert len(page.app.state.jobs.by_name) == orders


def test_what_comes_too_slowly_is_refused(page: TestClient, monkeypatch):
    monkeypatch.setattr(guard, "SENDING", 0.05)
    sent: list[dict] = []

    async def never() -> dict:
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", b"9"),
               (b"content-type", b"application/x-www-form-urlencoded")]  # fmt: skip
    scope = {"type": "http", "method": "POST", "path": "/make", "query_string": b"",
             "headers": headers, "http_version": "1.1", "scheme": "http"}  # fmt: skip
    page.portal.call(page.app, scope, never, send)
    assert sent[0]["status"] == 408


def test_a_look_that_nobody_waits_for_is_not_made(page: TestClient):
    async def gone() -> dict:
        return {"type": "http.disconnect"}

    async def asked() -> None:
        scope = {"type": "http", "app": page.app, "method": "GET", "headers": []}
        await Visit(Request(scope, gone)).looked(WebWork.look, WebWork(Choices()))

    with pytest.raises(UserError, match="nobody waits"):
        page.portal.call(asked)


def test_a_list_that_was_changed_while_it_was_read_is_no_fault_of_the_server(page: TestClient):
    body = (b'--x\r\nContent-Disposition: form-data; name="list"; filename="8b.csv"\r\n\r\n'
            b"Name\nMia Muster\n\r\n--x--\r\n")  # fmt: skip
    parts, sent = iter([body, b""]), list[dict]()  # the second while people are counted

    async def receive() -> dict:
        part = next(parts, None)
        return (
            {"type": "http.disconnect"} if part is None else {"type": "http.request", "body": part}
        )

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"content-length", str(len(body)).encode()),
               (b"content-type", b"multipart/form-data; boundary=x")]  # fmt: skip
    scope = {"type": "http", "method": "POST", "path": "/list", "query_string": b"lang=de",
             "headers": headers, "http_version": "1.1", "scheme": "http"}  # fmt: skip
    page.portal.call(page.app, scope, receive, send)
    assert sent[0]["status"] == 422


def test_too_many_orders_are_refused(page: TestClient, monkeypatch):
    monkeypatch.setattr(jobs, "MOST", 0)
    answer = page.post("/make?lang=de", data=ORDER | {"who": "me"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 10
    assert "Aufträgen" in answer.text
