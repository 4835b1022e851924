"""By which names the server is asked, and whose word on who asks it takes."""

import sys
import tempfile
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from generator.cli import main
from generator.web import server
from generator.web.visits import Visit
from tests.support.page import ORDER, served
from tests.web.test_limits import asked

HERE = ("localhost", "LOCALHOST.:8000", "127.0.0.1:8000", "127.9.9.9", "[::1]:8000")
EVIL = (
    "evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "",
    "192.0.2.7", "[2001:db8::1]", "[::1", "a@localhost", "localhost/x", "localhost:80:80",
    "school.test:x",
)  # fmt: skip


def told(page: TestClient, *hosts: str) -> dict[str, int]:
    return {one: page.get("/health", headers={"host": one}).status_code for one in hosts}


def test_the_server_answers_to_its_own_names_alone():
    page = TestClient(server.app(names=["School.test", "192.168.7.7"]))
    ours = (*HERE, "school.test", "school.test.:443", "192.168.7.7:8000")
    with page:
        assert told(page, *ours) == dict.fromkeys(ours, 200)
        assert told(page, *EVIL) == dict.fromkeys(EVIL, 421)
        refused = page.post("/make?lang=de", data=ORDER, headers={"host": '<b>"evil'})
        assert refused.status_code == 421
        assert "school" in refused.text
        assert "<b>" not in refused.text
        english = page.get("/?lang=en", headers={"host": "evil.example"}).text
        assert "not set up for “evil.example”" in english


def test_where_everybody_may_come_any_address_will_do_but_no_name():
    for everywhere in ("0.0.0.0", "::"):
        with TestClient(server.app(names=[everywhere])) as page:
            ours = (*HERE, "192.0.2.7:8000", "[2001:db8::1]:8000")
            assert told(page, *ours) == dict.fromkeys(ours, 200)
            assert told(page, "evil.example") == {"evil.example": 421}


def test_who_a_client_is(host: str, client: str):
    assert Visit(Request({"type": "http", "client": (host, 1)})).client == client
    assert Visit(Request({"type": "http", "client": None})).client == ""


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--public-name", "https://school.example/", "the name alone"),
        ("--public-name", "school.example:8000", "the name alone"),
        ("--public-name", "x" * 254, "the name alone"),
        ("--public-name", ",", "expected a name"),
        ("--trusted-proxy", "caddy", "such as 127.0.0.1"),
        ("--trusted-proxy", "10.0.0.1/8", "host bits set"),
    ],
)
def test_a_name_or_an_address_that_is_none_is_one_message(
    option: str, value: str, says: str, capsys
):
    assert main(["serve", option, value, "--port", "1"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert option in said.err
    assert says in said.err


@pytest.mark.ci
def test_whose_word_on_who_asks_is_taken(tmp_path: Path, options: tuple[str, ...], status: int):
    with served(tmp_path, "--jobs", "1", "--public-name", "school.test", *options) as found:
        assert asked(found, "GET", "/", host="school.test")[0].status == 200
        assert asked(found, "GET", "/", host="evil.example")[0].status == 421
        assert asked(found, "GET", "/metrics")[0].status == 200
        assert asked(found, "GET", "/metrics", x_forwarded_for="127.0.0.1")[0].status == 404
        long = ORDER | {"lesson": "double", "who": "number", "pupils": "200"}
        answers = [asked(found, "POST", "/make", long, x_forwarded_for=f"192.0.2.{k}")[0].status
                   for k in range(9)]  # fmt: skip
        assert answers == [303] * 8 + [status]


@pytest.mark.skipif(sys.platform == "win32", reason="processes find each other otherwise")
def test_a_folder_whose_name_leaves_no_room_for_a_socket_is_told_at_once(
    tmp_path: Path, monkeypatch, capsys
):
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert main(["serve", "--port", "8999"]) == 1
    said = capsys.readouterr().err
    assert f"{folder}, has a name of {len(str(folder))} bytes, expected at most 71" in said
    assert "TMPDIR=/tmp" in said
