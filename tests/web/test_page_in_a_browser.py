"""The page without a server in a real browser, under the strict policy that its guide names.

With Python for browsers (`PAPERFORMER_PYODIDE` names Pyodide's folder) the worker is the real one.
Without NumPy in that folder it is proven up to there, and the page says what is missing.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from generator.cli import main
from generator.web.alone import build
from tests.cli.command import files_below
from tests.support.chromium import AXE, needs_chromium
from tests.support.page import unzipped
from tests.support.static_page import served

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
PYODIDE = os.environ.get("PAPERFORMER_PYODIDE", "")
NUMPY = sorted(Path(PYODIDE).glob("numpy-*.whl")) if PYODIDE else []
pytestmark = [pytest.mark.ci, needs_chromium]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, with what there is of Pyodide here."""
    place = tmp_path_factory.mktemp("page")
    found = build.read(Path(PYODIDE)) if PYODIDE else build.Runtime(Path())
    build.written(place, found)
    return place


def opened(browser, address: str, told: list[str], language: str):
    context = browser.new_context(
        locale=language, accept_downloads=True, viewport={"width": 1366, "height": 768}
    )
    context.on("request", lambda one: told.append(one.url))
    context.on("weberror", lambda one: told.append(f"error {one.error}"))
    context.on("console", lambda one: told.append(f"console {one.type} {one.text}"))
    page = context.new_page()
    page.goto(address)
    return page


def lesson(page, tmp_path: Path, say) -> dict[str, bytes]:
    """From the empty page to the files of a set, every page on the way looked at."""
    inside = page.frame_locator("#page")
    inside.get_by_role("radio", name=say("Doppelstunde", "Double lesson")).check(timeout=60_000)
    inside.get_by_role("link", name="4b").wait_for()
    inside.get_by_label(say("Satz", "Sentence"), exact=True).fill("Die Katze jagt die Maus")
    sheet = inside.frame_locator("iframe")
    sheet.get_by_text("jagt").first.wait_for()
    inside.get_by_role("link", name="4b").click()
    sheet.get_by_role("heading", name=re.compile(say("Maske", "mask"))).first.wait_for()
    assert "sentence=Die+Katze+jagt+die+Maus" in page.url  # the link holds the choices
    inside.get_by_role("link", name=say("Rechnung zeigen", "Show the calculation")).click()
    inside.locator("article.now").wait_for()
    for _ in range(3):  # the beats of the input
        page.keyboard.press("ArrowRight")
    inside.locator("#step-2.now").wait_for()
    page.go_back()
    inside.get_by_role("button", name=say("Blätter machen", "Make the sheets")).click()
    link = inside.get_by_role("link", name="ZIP")
    link.wait_for(timeout=120_000)
    with page.expect_download() as download:
        link.click()
    download.value.save_as(tmp_path / "set.zip")
    to_print = inside.get_by_role("link", name=say("Arbeitsblätter öffnen", "Open the work")).last
    with page.context.expect_page() as tab:
        to_print.click()
    tab.value.get_by_role("heading", name=re.compile(say("Maske", "mask"))).first.wait_for()
    return unzipped(tmp_path / "set.zip")


def by_the_command(tmp_path: Path, language: str) -> dict[str, bytes]:
    asked = ["make", "Die Katze jagt die Maus", "--only", "html", "--sheets", "4a,4b"]
    assert main([*asked, "--language", language, "--out", str(tmp_path / "cli")]) == 0
    (folder,) = (tmp_path / "cli").iterdir()
    return files_below(folder)


def test_a_lesson_by_the_same_desk_in_this_python(browser, folder, tmp_path: Path):
    told: list[str] = []
    with served(folder, relay=True) as address:
        page = opened(browser, address, told, "de")
        made = lesson(page, tmp_path, lambda de, en: de)
        if AXE.exists():
            for one in page.frames:
                one.evaluate(AXE.read_text("utf-8"))
            assert page.evaluate("axe.run().then(all => all.violations.map(one => one.id))") == []
    assert made == by_the_command(tmp_path, "de")
    assert not [one for one in told if not one.startswith((address, "blob:", "about:"))]


def test_a_button_works_while_the_sheet_beside_it_is_still_loading(browser, folder: Path):
    with served(folder, relay=True) as address:
        page = opened(browser, "about:blank", [], "de")
        page.route("**/sheet.html", lambda route: None)  # never comes
        page.goto(address, wait_until="commit")
        inside = page.frame_locator("#page")
        inside.get_by_role("button", name="Blätter machen").click(timeout=60_000)
        inside.get_by_role("link", name="ZIP").wait_for(timeout=60_000)


def test_what_is_wrong_is_said_in_the_page_s_words(browser, folder: Path):
    with served(folder, relay=True) as address:
        page = opened(browser, f"{address}/#/?lesson=own&lang=en&who=me", [], "en-GB")
        inside = page.frame_locator("#page")
        problem = inside.locator("#problem-sheets")
        problem.get_by_text("Please tick at least one sheet").wait_for()
        inside.get_by_role("link", name="Deutsch").click()
        problem.get_by_text("Bitte mindestens ein Blatt ankreuzen").wait_for()
        page.goto(f"{address}/#/job/nobody?lang=en")
        inside.get_by_text("This order is no longer").wait_for()
        sheet = page.context.new_page()
        sheet.goto(f"{address}/sheet.html#/job/x/print.html")  # of a page that was closed
        sheet.frame_locator("#page").get_by_role("button", name="Make the sheets").wait_for()


def test_a_page_that_is_opened_from_a_stick_says_why_it_cannot_compute(browser, folder: Path):
    page = browser.new_page(locale="de-DE")
    page.goto((folder / "index.html").as_uri())
    page.get_by_text("paperformer gallery").locator("visible=true").wait_for()
    assert page.get_by_text("Arbeitsblätter zum Nachrechnen").count() == 0


def test_a_file_that_is_missing_on_the_server_is_named(browser, folder: Path, tmp_path: Path):
    shutil.copytree(folder, tmp_path / "page")
    (tmp_path / "page/worker.js").unlink()
    with served(tmp_path / "page") as address:
        page = opened(browser, address, [], "en-GB")
        page.get_by_text("worker.js").wait_for()
        page.get_by_text("could not be loaded. Please pass").locator("visible=true").wait_for()


@pytest.mark.wasm
@pytest.mark.skipif(not PYODIDE, reason="needs Pyodide: its folder in PAPERFORMER_PYODIDE")
def test_the_real_worker(browser, folder: Path, tmp_path: Path):
    """A whole lesson with the command's bytes; without a library all up to it, and a message."""
    told: list[str] = []
    problems = build.read(Path(PYODIDE)).problems
    with served(folder) as address:
        page = opened(browser, address, told, "en")
        if problems:
            page.get_by_text("could not be loaded. Please pass").wait_for(timeout=60_000)
            detail = page.locator("#detail").inner_text()
            assert "is missing on this web server" in detail or "No module named" in detail
            if not NUMPY:  # as in the npm package
                assert page.evaluate(IN_PYTHON, [UP_TO_THEM, []]) == 1.0
        else:
            assert lesson(page, tmp_path, lambda de, en: en) == by_the_command(tmp_path, "en")
    assert not [one for one in told if not one.startswith((address, "blob:", "about:", "console"))]


@pytest.mark.wasm
@pytest.mark.skipif(not NUMPY, reason="needs Pyodide with NumPy: its folder in PAPERFORMER_PYODIDE")
def test_numbers_are_rounded_to_the_same_ones(browser, folder: Path):
    """Another processor's e^x ends in other binary digits; by our rounding they are the same."""
    here: dict[str, list[str]] = {}
    exec(NUMBERS, here)
    with served(folder) as address:
        page = opened(browser, address, [], "en")
        there = page.evaluate(IN_PYTHON, [NUMBERS + "\nfound", [f"pyodide/{NUMPY[0].name}"]])
    assert there == here["found"]
    assert len(there) == len(set(there)) == 6


# What Python in the browser gives back for some lines, the program and some wheels unpacked.
IN_PYTHON = """async ([code, wheels]) => {
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", location).href });
  const extractDir = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
  for (const name of ["paperformer.zip", ...wheels]) {
    const packed = new Uint8Array(await (await fetch(name)).arrayBuffer());
    pyodide.unpackArchive(packed, "zip", { extractDir });
  }
  const found = pyodide.runPython(code);
  return found.toJs?.() ?? found;
}"""
UP_TO_THEM = """
import importlib
for name in ("openpyxl", "jinja2", "rich.console", "segno", "ziamath", "fontTools.ttLib",
             "python_multipart", "generator.web.workers", "generator.processes",
             "generator.sheets.fonts"):
    importlib.import_module(name)
from generator.sheets.fonts import FACES, font_bytes
assert all(font_bytes(one.file) for one in FACES)
try:
    import generator.web.alone.inside
except ModuleNotFoundError as error:
    assert error.name in ("numpy", "lxml", "regex", "typing_extensions"), error.name
else:
    raise AssertionError
sum([0.1] * 10)  # what Python 3.12 and later find, and 3.11 does not
"""
NUMBERS = """
import hashlib
import numpy as np
from generator.engine.rounding import guarded
x = np.arange(-4000, 4000) / 777
grid = (np.arange(1200) % 37 - 18).reshape(30, 40) / 7
values = [np.exp(x), np.tanh(x), np.sin(x), np.cos(x), np.log(np.arange(1, 8001) / 777),
          grid @ grid.T]
found = [hashlib.sha256((guarded(one.copy(), 8) + 0.0).tobytes()).hexdigest() for one in values]
"""
