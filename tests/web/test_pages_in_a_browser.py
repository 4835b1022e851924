"""Every page in a real browser: whoever cannot see it can use it, and forms of files keep them."""

import pytest

from tests.support.chromium import complaints, needs_axe, needs_chromium
from tests.support.page import served
from tests.web.test_browser import PAGES

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = sync_api.expect
pytestmark = [pytest.mark.ci, needs_chromium]
FONTS = "[...document.fonts].filter(one => one.status == 'loaded').map(one => one.family).join()"


def asked_again(page, address: str) -> None:
    """A wrong class file is handed in; what was chosen and typed stays."""
    page.goto(f"{address}/again?lang=de")
    page.locator("#manifest").set_input_files(
        {"name": "manifest.json", "mimeType": "application/json", "buffer": b"{}"}
    )
    page.locator("#pupil").fill("7")
    page.get_by_role("button", name="Blatt machen").click()
    expect(page.locator(".problem")).to_contain_text("ist nicht die ZIP-Datei der Klasse")
    assert page.locator("#manifest").evaluate("one => one.files[0].name") == "manifest.json"
    assert page.locator("#pupil").input_value() == "7"


def test_what_was_chosen_stays_however_long_the_line_is(browser, address):
    classes = [browser.new_page() for _ in range(3)]
    for page in classes:
        page.goto(f"{address}/?lang=de&who=number&pupils=30&shown=")
        page.get_by_role("button", name="Blätter machen").click()
        page.wait_for_url("**/job/**")
    page = browser.new_page()
    # Found when its time has come: the page is written anew when its work begins.
    cancel = "setTimeout(() => document.querySelector('[action*=delete] button').click(), 6000)"
    for one in classes:
        one.evaluate(cancel)
    asked_again(page, address)
    for one in [page, *classes]:
        one.close()


@needs_axe
def test_axe_finds_nothing_on_any_page(browser, address):
    page, found = browser.new_page(), {}
    for path, status in PAGES.items():
        answer = page.goto(address + path)
        assert answer.status == status, path
        found[path] = complaints(page)
        if path.startswith("/models"):  # one of the models has Chinese words
            assert "Paperformer Hanzi" in page.evaluate(FONTS)
    asked_again(page, address)
    found["refused"] = complaints(page)
    page.goto(f"{address}/?lang=de&lesson=double&who=number&pupils=1&exam=on&minutes=600&shown=")
    page.get_by_role("button", name="Blätter machen").click()
    page.locator(".job[data-state=failed]").wait_for()
    found["failed"] = complaints(page)
    page.set_content("<!DOCTYPE html><title>x</title><font color=#eeeeee>pale</font>")
    assert "desktop: color-contrast" in complaints(page)
    page.close()
    assert not any(found.values()), found


def test_an_order_from_another_computer_of_a_school_without_tls(browser, address):
    page = browser.new_page(locale="de-DE")
    page.goto(address.replace("127.0.0.1", "school.test"))  # for which browsers say less
    page.get_by_role("button", name="Blätter machen").click()
    page.wait_for_url("**/job/**")
    page.close()


def test_a_page_of_the_first_second_fills_itself(browser, tmp_path):
    with served(tmp_path) as server:
        page = browser.new_page(locale="de-DE")
        page.goto(server.address)
        summary = page.locator("#summary")
        expect(summary).to_contain_text("startet noch")
        expect(page.locator("#look iframe")).to_be_hidden()
        expect(summary).to_contain_text("1 Blatt, etwa", timeout=60_000)
        expect(page.locator("#look iframe")).to_be_visible()
        page.close()


def test_a_sheet_that_is_ticked_is_taken_and_what_is_for_one_set_is_grey_for_a_class(
    browser, address
):
    page = browser.new_page(locale="de-DE", viewport={"width": 1366, "height": 768})
    page.goto(f"{address}/?lang=de")
    page.get_by_text("Mehr", exact=True).click()
    page.locator("[name=sheets][value='6']").check()
    expect(page.locator("[name=lesson][value=own]")).to_be_checked()
    expect(page.locator("#tabs a")).to_have_count(1, timeout=30_000)
    expect(page.locator("[name=notebook]")).to_be_enabled()
    page.get_by_label("für eine Klasse mit so vielen").first.check()
    page.locator("[name=pupils]").fill("5")
    expect(page.locator("[name=notebook]")).to_be_disabled()
    expect(page.locator("[name=planning]")).to_be_enabled()
    expect(page.locator("#summary")).to_contain_text(
        "5 Personen, für jede: 1 Blatt", timeout=30_000
    )
    damaged = {"name": "class.xlsx", "mimeType": "text/plain", "buffer": b"none"}
    page.locator("[name=list]").set_input_files([damaged])
    expect(page.locator("#summary")).to_contain_text("rot markierten", timeout=30_000)
    page.locator("#pasted").fill("Anna\nBen\nCora")
    expect(page.locator("#summary")).to_contain_text("Für jede Person der Liste", timeout=30_000)
    page.close()
