"""Marking on the page in a real browser: what is refused stays chosen, the report is seen whole."""

import pytest

import generator
from generator.classroom.pupils.columns import written
from generator.grading.marking.task import batch_in
from generator.grading.reading.whose import list_rows
from tests.support.chromium import needs_chromium
from tests.support.page import until

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = sync_api.expect
pytestmark = [pytest.mark.ci, needs_chromium]


def test_the_report_on_a_class_is_shown_whole(browser, address, tmp_path):
    generator.batch(2, tmp_path, only=["pdf"], sheets=["4a"], level=1, jobs=1)
    typed = {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"nothing of ours"}
    page = browser.new_page(locale="de-DE", viewport={"width": 1366, "height": 768})
    page.goto(f"{address}/grade")
    assert page.locator("input[type=file]:visible").count() == 2  # the others are folded
    page.get_by_role("button", name="Auswerten").click()
    missing = page.locator("#manifest[aria-invalid=true] + [role=alert]")  # in the page's words
    expect(missing).to_have_text("Bitte die ZIP-Datei der Klasse auswählen.")
    wrong = {"name": "8b.zip", "mimeType": "application/zip", "buffer": b"another file"}
    page.locator("#manifest").set_input_files([wrong])
    page.get_by_role("button", name="Auswerten").click()
    missing = page.locator("#work[aria-invalid=true] + [role=alert]")
    expect(missing).to_contain_text("mindestens eine abgegebene Datei")
    page.locator("#work").set_input_files([typed])
    page.get_by_role("button", name="Auswerten").click()
    said = page.locator("#manifest[aria-invalid=true] + [role=alert]")  # at its field, which is red
    expect(said).to_contain_text("Diese Datei ist nicht die ZIP-Datei der Klasse", timeout=30_000)
    page.locator("#manifest").set_input_files(tmp_path / "teacher/manifest.json")
    page.locator("#work").set_input_files([typed])
    page.get_by_role("button", name="Auswerten").click()
    expect(page.locator("form > [role=alert]")).to_contain_text(
        "\nnotes.txt: keine Arbeitsmappe", use_inner_text=True, timeout=30_000
    )
    heads, *pupils = list_rows(batch_in(tmp_path))
    filled = [heads, *([one or "1" for one in pupil] for pupil in pupils)]
    buffer = written(zip(*filled, strict=True), ";")
    list_of_all = {"name": "typed.csv", "mimeType": "text/csv", "buffer": buffer}
    page.locator("#work").set_input_files([list_of_all])
    page.get_by_role("button", name="Auswerten").click()
    report = page.locator(".report")
    report.content_frame.get_by_text("Wer braucht wo Hilfe?").wait_for(timeout=120_000)
    cut = "one => one.contentDocument.documentElement.scrollHeight - one.clientHeight"
    until(lambda: report.evaluate(cut) <= 0, 30)
    expect(page.get_by_text("Codes statt Namen?")).to_be_visible(timeout=30_000)
    page.close()
