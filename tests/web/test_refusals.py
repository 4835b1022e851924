"""What the page refuses: lists that are none, too much, too slow, too many, and other sites."""

import asyncio
import re

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from generator.errors import UserError
from generator.web import desk, guard, jobs, visits
from generator.web.desk import WebWork
from generator.web.form import Choices
from generator.web.visits import Visit
from tests.support.classes import SHEET, bomb
from tests.support.page import ORDER, alerts

pytestmark = pytest.mark.ci


def test_names_of_files_lead_nowhere():
    assert visits.plain_name("../../etc/passwd") == "passwd"
    assert visits.plain_name("C:\\Users\\Mia\\4a (2).xlsx") == "4a (2).xlsx"
    assert visits.plain_name("a\nb\x00.csv") == "a_b_.csv"
    assert visits.plain_name("") == ""


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"", "8b.csv", "Klassenliste"),
        (b"x", "8b.pdf", "8b.pdf"),
        (None, "", "Klassenliste"),
    ],
)
def test_a_list_that_is_none_is_said_at_its_field(page: TestClient, content, name, says):
    files = {} if content is None else {"list": (name, content)}
    answer = page.post("/make?lang=de", data=ORDER | {"who": "list"}, files=files)
    assert answer.status_code == 422
    assert any(says in one for one in alerts(answer.text))
    assert "1 Blatt, etwa" in answer.text  # the rest is shown as it was
    assert page.get(re.search(r'src="(/sheet[^"]*)"', answer.text)[1]).status_code == 200


MANY = "id;Name\n" + "".join(f"{k};Kind {k}\n" for k in range(5000))
ROWS = bomb(SHEET, b"<row><c><v>1</v></c></row>", desk.UNPACKED)
WIDE = bomb(SHEET, b'<row><c r="XFD1"/></row>', 30_000)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("8b.csv", b"\x00\x01\x02", "class list list.csv: "),
        ("8b.csv", MANY.encode(), "5000 Personen, hier gehen höchstens 200"),
        ("8b.xlsx", ROWS, f"list.xlsx: it unpacks to 200[0-9]+ bytes, at most {desk.UNPACKED}"),
        ("8b.xlsx", WIDE, "class list list.xlsx: more than 10000000 cells"),
    ],
    ids=["broken", "long", "bomb", "wide"],
)  # fmt: skip
def test_a_list_that_cannot_be_taken_is_said_at_its_field(page: TestClient, name, content, says):
    files = {"list": (name, content)}
    order = page.post("/make?lang=de", data=ORDER | {"who": "list", "words": "de"}, files=files)
    assert order.status_code == 422
    assert any(re.search(says, one) for one in alerts(order.text)), alerts(order.text)
    assert str(page.app.state.jobs.root) not in order.text  # where it is kept is nobody's business
    assert not list(page.app.state.jobs.root.glob("*/list.*"))
    assert not page.app.state.jobs.by_name


def test_a_list_that_takes_long_to_read_holds_no_place_of_orders(
    page: TestClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(visits, "LOOK", 2.0)
    long = bomb("xl/styles.xml", b"<xf/>", 10_000_000, b"</cellXfs>")
    data, files = ORDER | {"who": "list", "workbook": "on"}, {"list": ("8b.xlsx", long)}
    order = page.post("/make?lang=de", data=data, files=files)
    assert order.status_code == 422
    assert any("takes too long here" in one for one in alerts(order.text))
    assert not page.app.state.jobs.by_name


def test_another_site_may_not_order(page: TestClient):
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        answer = page.post("/make?lang=de", data=ORDER, headers=headers)
        assert answer.status_code == 403
        assert "anderen Seite" in answer.text


def test_too_much_is_refused_by_its_word_and_by_what_comes(page: TestClient):
    big = {"list": ("8b.csv", b"x" * (guard.UPLOAD + 1))}
    for path, most, back in (
        (
            "/make?lang=de&lesson=double&story=on",
            "1 MB",
            "/?lang=de&amp;lesson=double&amp;story=on",
        ),
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


def test_an_order_that_nobody_gave_is_not_there(page: TestClient):
    for path in ("/job/nobody", "/job/nobody/set.zip", "/job/../../etc/passwd"):
        assert page.get(path).status_code == 404


def test_the_address_of_orders_opened_once_more_leads_to_the_questions(page: TestClient):
    answer = page.get("/make?lesson=double&story=on&lang=de")
    assert answer.url.path == "/"
    assert re.search(r'value="double" checked', answer.text)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'{"lesson": "all"}', "application/json"),
        (b"lesson=all", "text/plain"),
        (b"", ""),
        (b"--x\r\nfoo", "multipart/form-data; boundary=x"),
        (b"abc", "multipart/form-data"),
    ],
)
def test_what_no_form_of_ours_sends_is_no_order(page: TestClient, content, kind):
    orders = len(page.app.state.jobs.by_name)
    answer = page.post("/make?lang=de", content=content, headers={"content-type": kind})
    assert answer.status_code == 400
    assert "nicht vollständig angekommen" in answer.text
    assert len(page.app.state.jobs.by_name) == orders


def test_what_comes_too_slowly_is_refused(page: TestClient, monkeypatch: pytest.MonkeyPatch):
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


def test_too_many_orders_are_refused(page: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jobs, "MOST", 0)
    answer = page.post("/make?lang=de", data=ORDER | {"who": "me"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 10
    assert "Aufträgen" in answer.text
