"""Takes the README's picture of the page for teachers: `python -m docs.pictures.page`.

It needs Chromium and the extras `web` and `browser`.
"""

import io
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image
from playwright.sync_api import Browser, Playwright, sync_playwright

from docs.pictures.make import save

PORT = 8765
ADDRESS = f"http://127.0.0.1:{PORT}"
ANSWERS = "lang=de&lesson=double&sentence=&level=1&who=number&pupils=28&shown=4b&story=on&words=de"


def main() -> None:
    """Write page.png beside this file."""
    with serving(), sync_playwright() as playwright:
        save(_shot(chromium(playwright)), "page.png")


@contextmanager
def serving() -> Iterator[None]:
    """Within it the page is served."""
    command = [sys.executable, "-m", "generator", "serve", "--port", str(PORT)]
    with subprocess.Popen(command) as server:
        try:
            _wait()
            yield
        finally:
            server.terminate()


def chromium(playwright: Playwright) -> Browser:
    """The system's Chromium."""
    program = shutil.which("chromium")
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


def _wait() -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{ADDRESS}/?{ANSWERS}", timeout=30).close()
            return
        except OSError:
            time.sleep(0.2)


def _shot(browser: Browser) -> Image.Image:
    page = browser.new_page(viewport={"width": 1366, "height": 768}, locale="de-DE")
    page.goto(f"{ADDRESS}/?{ANSWERS}", wait_until="networkidle")
    found = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    browser.close()
    return found


if __name__ == "__main__":
    main()
