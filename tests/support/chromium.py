"""The browser that tests use, and what axe-core finds on a page of it."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(sys.prefix) / "engines/node_modules/axe-core/axe.min.js"
QUIET = ["--no-sandbox", "--disable-quic", "--disable-background-networking",
         "--disable-component-update", "--disable-sync",
         "--host-resolver-rules=MAP school.test 127.0.0.1"]  # fmt: skip
SIZES = {"desktop": (1366, 768), "tablet": (820, 1180), "phone": (390, 844)}
LOOKS = "axe.run({iframes: false}).then(all => all.violations.map(one => one.id))"
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt-get install chromium")
needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="needs npm install --prefix .venv/engines axe-core"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Chromium, driven by Playwright, one for each file of tests."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


def complaints(page) -> list[str]:
    """What axe finds on a page, light on a desktop and dark on a phone."""
    found = []
    for size, scheme in (("desktop", "light"), ("phone", "dark")):
        page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
        page.emulate_media(color_scheme=scheme)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found += [f"{size}: {one}" for one in page.evaluate(LOOKS)]
    return found
