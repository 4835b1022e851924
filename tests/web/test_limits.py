"""One client may not shut others out: a limit, a fair line, a way back, and who a client is."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

from generator.web.jobs import MOST_OF_ONE
from tests.support.chromium import AXE, complaints, needs_chromium
from tests.support.page import ORDER, Served, served

LONG = ORDER | {"lesson": "double", "who": "number", "pupils": "200"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served"), "--jobs", "1") as found:
        yield found


def asked(
    server: Served,
    method: str,
    path: str,
    fields: Mapping[str, str] | str | None = None,
    *,
    at: str = "127.0.0.1",
    **headers: str,
) -> tuple[HTTPResponse, str]:
    """What a client of this computer's address `at` is answered."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = urlencode(fields) if isinstance(fields, Mapping) else fields
    with closing(
        HTTPConnection("127.0.0.1", server.port, source_address=(at, 0), timeout=120)
    ) as connection:
        connection.request(method, path, body, {**(FORM if body is not None else {}), **named})
        answer = connection.getresponse()
        return answer, answer.read().decode()


def ordered(server: Served, **how: str) -> tuple[HTTPResponse, str]:
    return asked(server, "POST", "/make?lang=de", LONG, **how)


@pytest.mark.ci
@pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="needs the addresses 127.0.0.x of Linux"
)
def test_many_orders_of_one_client_leave_room_for_others(server: Served):
    taken = [ordered(server, at="127.0.0.2", x_forwarded_for=f"192.0.2.{k}")[0].status
             for k in range(MOST_OF_ONE)]  # fmt: skip
    assert taken == [303] * MOST_OF_ONE
    answer, text = ordered(server, at="127.0.0.2", x_forwarded_for="192.0.2.99")
    assert answer.status == 429
    assert int(answer.headers["retry-after"]) >= 10
    assert f"schon {MOST_OF_ONE} Aufträge in Arbeit" in text
    other, _ = ordered(server, at="127.0.0.3")
    assert other.status == 303
    place = other.headers["location"]
    (before,) = re.findall(r"Aufträge davor: (\d+)\.", asked(server, "GET", place)[1])
    assert int(before) <= 2
    (minutes,) = re.findall(r"beginnt in etwa (\d+) Minuten", asked(server, "GET", place)[1])
    assert 5 < int(minutes) < 30


@pytest.mark.ci
def test_an_order_that_waits_can_be_cancelled(server: Served):
    last = ""
    while (answer := ordered(server, at="127.0.0.4")[0]).status == 303:
        last = answer.headers["location"]
    assert answer.status == 429
    gone = asked(server, "POST", last.replace("?", "/delete?"), {}, at="127.0.0.4")[0]
    assert gone.status == 303
    assert gone.headers["location"].startswith("/?lesson=double")
    assert asked(server, "GET", last)[0].status == 404
    assert ordered(server, at="127.0.0.4")[0].status == 303


@pytest.mark.ci
@needs_chromium
@pytest.mark.parametrize(("language", "button"), [("de", "Auftrag zurück"), ("en", "Cancel this")])
def test_the_button_that_cancels(browser, server: Served, language: str, button: str):
    page = browser.new_page(locale=language)
    page.goto(f"{server.address}/?lang={language}&lesson=words")
    page.locator("button.go").click()
    page.wait_for_url("**/job/**")
    if AXE.exists():
        assert not complaints(page)
    page.get_by_role("button", name=button).click()
    page.wait_for_url(re.compile(r"/\?.*lesson=words"))
    assert page.locator("#cancelled").is_visible()
    page.close()
