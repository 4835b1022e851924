"""Fills the fields of a PDF as Firefox's viewer does, which is pdf.js: here in Chromium.

It needs `npm install --prefix .venv/engines pdfjs-dist@5` and the extra `browser`.
"""

import base64
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.chromium import CHROMIUM, QUIET

PROGRAM = Path(sys.prefix) / "engines" / "node_modules" / "pdfjs-dist"
PLACE = "http://viewer.test"
PAGE = Path(__file__).with_name("pdfjs.html").read_text("utf-8")


def typed_in(forms: Sequence[tuple[bytes, Mapping[str, str]]]) -> list[bytes]:
    """Each form after somebody typed texts into the fields of these names, and saved it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if not (CHROMIUM and PROGRAM.is_dir()):
        pytest.skip(f"needs Chromium, and: npm install --prefix {PROGRAM.parents[1]} pdfjs-dist@5")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        found = [_filled(browser, form, texts) for form, texts in forms]
        browser.close()
    return found


def _filled(browser, form: bytes, texts: Mapping[str, str]) -> bytes:
    page = browser.new_page(viewport={"width": 1000, "height": 1300})
    page.route(f"{PLACE}/**", _answer)
    page.goto(f"{PLACE}/")
    page.wait_for_function("globalThis.ready")
    pages = page.evaluate("(data) => opened(data)", base64.b64encode(form).decode())
    assert pages
    left = dict(texts)
    for number in range(1, pages + 1):
        page.evaluate("(number) => shown(number)", number)
        layer = page.locator(f".page[data-page-number='{number}'] .annotationLayer")
        layer.wait_for(state="attached")
        for field in layer.locator("input, textarea").all():
            field.fill(left.pop(field.get_attribute("name")))
    assert not left, "fields that no page shows"
    page.keyboard.press("Tab")  # a field is stored when it is left
    found = base64.b64decode(page.evaluate("saved()"))
    page.close()
    return found


def _answer(route) -> None:
    path = PROGRAM / route.request.url.removeprefix(PLACE).strip("/")
    if path.is_file():
        kinds = {".mjs": "text/javascript", ".css": "text/css"}
        route.fulfill(body=path.read_bytes(), content_type=kinds.get(path.suffix, "text/plain"))
    elif path == PROGRAM:
        route.fulfill(body=PAGE, content_type="text/html")
    else:
        route.fulfill(status=404)
