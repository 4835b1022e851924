"""Whatever is asked of any page is answered or refused, and never ends in a fault of ours."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.web.alone.inside import Desk
from generator.web.form import CARDS, LEVELS, VARY, WHO, Choices
from generator.web.guard import UPLOAD

pytestmark = pytest.mark.ci
FAULTS = [load(code).t("web.error.own-fault") for code in languages()]
FIELDS = tuple(field.name for field in dataclasses.fields(Choices))
NAMES = (*FIELDS, "lang", "list", "pupil", "manifest", "work", "show_answers", "nobody", "")
ODD = ("", " ", "\x00", "\r\nx: y", "\ue000", "\u202e", "\ud800", "２", "²", "-1", "9" * 40, "4z",
       "a" * 5000, "../../etc/passwd", "<b>", "{}", "🦊", "=1+1", "eJwrAQAAeAB5")  # fmt: skip
GOOD = (*CARDS, *WHO, *LEVELS, *VARY, "4a", "on", "de", "en", "katze", "nihao", "Die Katze")
PAGES = ("/", "/sheet", "/walk", "/models", "/again", "/grade", "/room", "/make", "/job/x",
         "/job/x/set.zip", "/job/x/print.pdf", "/fonts/x", "/metrics", "/health", "/%00",
         "/job/%0d%0a")  # fmt: skip
FORMS = ("/make", "/list", "/again", "/grade", "/room", "/models", "/job/x/delete")
VALUES = some.sampled_from((*ODD, *GOOD)) | some.text(max_size=20)
ANSWERS = some.lists(some.tuples(some.sampled_from(NAMES), VALUES), max_size=6)
MULTIPART = "multipart/form-data; boundary=x"
HEADERS = some.dictionaries(
    some.sampled_from(("origin", "accept-language", "sec-fetch-site", "cookie", "content-length")),
    some.sampled_from(("", "http://[", "null", "\x7f", ",,;;=", "same-origin", "²", "7" * 30)),
    max_size=2,
)
KINDS = ("", MULTIPART, MULTIPART, MULTIPART, f"{MULTIPART}; charset=nope", "text/plain",
         "multipart/form-data",
         "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-16"
         )  # fmt: skip
FILES = some.lists(
    some.tuples(
        some.sampled_from(("list", "manifest", "names", "work", "preset", "lesson", "pupil")),
        some.sampled_from(("8b.csv", "8b.xlsx", "", "../x", "a\x00b", "🦊.toml")),
        some.sampled_from((b"{}", b"id;name\n1;x\n", b"PK\x03\x04", b"x" * UPLOAD))
        | some.binary(max_size=30),
    ),
    max_size=3,
)
often = settings(derandomize=True, max_examples=150, deadline=None)


def encoded(answers: list[tuple[str, str]]) -> str:
    return "&".join("=".join(quote(part, errors="surrogatepass") for part in one)
                    for one in answers)  # fmt: skip


def parts(answers: list[tuple[str, str]], files: list[tuple[str, str, bytes]]) -> bytes:
    """A form with files as browsers send it, with whatever stands in the names."""
    head = 'Content-Disposition: form-data; name="{}"'
    whole = [(head.format(name), text.encode("utf-8", "replace")) for name, text in answers]
    whole += [(f'{head.format(name)}; filename="{file}"', content) for name, file, content in files]
    pieces = (b"--x\r\n%s\r\n\r\n%s\r\n" % (top.encode("utf-8", "replace"), content)
              for top, content in whole)  # fmt: skip
    return b"".join(pieces) + b"--x--\r\n"


def each(ask: Callable[[Desk], Awaitable[None]]) -> None:
    """With the page's server as a browser runs it: all but the processes is the same."""

    async def asked() -> None:
        desk = Desk()
        await desk.open()
        try:
            await ask(desk)
        finally:
            await desk.close()

    asyncio.run(asked())


async def require_answer(desk: Desk, *request: object) -> None:
    status, _, content = await desk.answer(*request)
    for task in desk.app.state.jobs.tasks:  # what orders come to is drawn elsewhere
        task.cancel()
    desk.app.state.jobs.by_name.clear()
    assert status < 500, (status, request)
    assert not any(fault in content.decode("utf-8", "replace") for fault in FAULTS), request


def test_every_field_with_every_odd_value_also_doubled():
    async def ask(desk: Desk) -> None:
        for name in NAMES:
            for odd in ODD:
                fields = [("lesson", "attention"), ("who", "number"), (name, odd), (name, odd)]
                await require_answer(desk, "GET", f"/?{encoded(fields)}", {})

    each(ask)


@often
@given(some.sampled_from(PAGES), ANSWERS, HEADERS)
def test_drawn_addresses(page, answers, headers):
    each(lambda desk: require_answer(desk, "GET", f"{page}?{encoded(answers)}", headers))


@often
@given(some.sampled_from(FORMS), ANSWERS, FILES, some.sampled_from(KINDS), HEADERS)
def test_drawn_forms(page, answers, files, kind, headers):
    body = parts(answers, files) if kind.startswith("multipart") else encoded(answers).encode()
    sent = {**headers, "content-type": kind}
    each(lambda desk: require_answer(desk, "POST", f"{page}?{encoded(answers)}", sent, body))
