"""The gallery in a real browser, as from a stick: axe finds nothing, a phone shows all of it."""

from pathlib import Path

import pytest

from tests.site.test_pages import site
from tests.support.chromium import SIZES, complaints, needs_axe, needs_chromium

pytestmark = [pytest.mark.ci, needs_chromium]


@needs_axe
def test_axe_finds_nothing_and_a_phone_shows_all(browser, tmp_path: Path):
    pages = [tmp_path / name for name in site(tmp_path) if name.endswith(".html")]
    found, wide = {}, {}
    page = browser.new_page()
    for path in pages:
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        found[path.name] = complaints(page)
        wide[path.name] = page.evaluate("document.scrollingElement.scrollWidth")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto((tmp_path / "de/index.html").as_uri())
    lesson = page.locator(".three .card").first.locator("a").first.bounding_box()
    page.close()
    assert lesson["y"] + lesson["height"] <= 768  # what is downloaded is seen at once
    assert len(pages) == 11
    assert not any(found.values()), found
    assert max(wide.values()) <= SIZES["phone"][0], wide
