"""Films the page for teachers, ten seconds: `python -m docs.pictures.studio` writes studio.webp.

It needs Chromium and the extras `web` and `browser`.
"""

import io
from collections.abc import Iterator

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from docs.pictures.make import HERE
from docs.pictures.page import ADDRESS, chromium, serving

SIZE = {"width": 1180, "height": 740}
WIDTH = 900  # of the film
SHOWN_MS = 1100  # each picture; the last one longer
LAST_MS = 2200
MOST_BYTES = 1_500_000
PATIENCE = 600_000  # milliseconds for a class on a busy computer


def main() -> None:
    """Write studio.webp beside this file."""
    with serving(), sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport=SIZE, locale="en-GB")
        page.set_default_timeout(60_000)
        frames = [_small(shot) for shot in film(page)]
        browser.close()
    out = io.BytesIO()
    times = [SHOWN_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], duration=times, loop=0,
                   quality=80, method=6)  # fmt: skip
    assert len(out.getvalue()) <= MOST_BYTES
    (HERE / "studio.webp").write_bytes(out.getvalue())


def film(page: Page) -> Iterator[bytes]:
    """From an empty page to a class's sheets, a picture for each answer."""
    page.goto(f"{ADDRESS}/?lang=en", wait_until="networkidle")
    yield _settled(page)
    page.locator('input[name="lesson"][value="attention"]').check()
    yield _settled(page)
    page.locator("#sentence").fill("The mouse sleeps on the mat")
    yield _settled(page)
    page.locator('input[name="level"][value="1"]').check()
    yield _settled(page)
    page.locator('input[name="who"][value="number"]').check()
    _settled(page)
    yield _work_leaf(page)
    page.locator('a[data-variant="solution"]').click()
    _settled(page)
    yield _work_leaf(page)
    page.locator("button.go").click()
    page.wait_for_timeout(1500)
    yield page.screenshot()
    expect(page.locator("a[download]")).to_be_visible(timeout=PATIENCE)
    yield page.screenshot()


def _settled(page: Page) -> bytes:
    """What is to be seen once the preview has come: nothing moves for three seconds."""
    seen = [b""]
    while len(seen) < 4 or len(set(seen[-4:])) > 1:
        page.wait_for_timeout(1000)
        seen.append(page.screenshot())
    return seen[-1]


def _work_leaf(page: Page) -> bytes:
    """The page that pupils fill in."""
    leaf = page.frame_locator("iframe").locator(".leaf.work").first
    leaf.evaluate("leaf => leaf.scrollIntoView()")
    return _settled(page)


def _small(shot: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    return picture.resize((WIDTH, height), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
