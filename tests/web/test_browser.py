"""The page in a real browser: from an empty page to a class's set, by mouse, keyboard and phone."""

import re
import urllib.request
from collections.abc import Iterator

import pytest

from tests.support.chromium import AXE, SIZES, complaints, needs_axe, needs_chromium
from tests.support.page import served, until, unzipped

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = sync_api.expect
pytestmark = [pytest.mark.ci, needs_chromium]
# Every page but the sheet that is looked at, which has a test of its own where sheets are made.
FONTS = "[...document.fonts].filter(one => one.status == 'loaded').map(one => one.family).join()"
PAGES = {
    "/?lang=de": 200,
    "/?lang=en&lesson=own&sheets=4a&level=9&who=number&pupils=0": 422,
    "/models?lang=de": 200,
    "/again?lang=en": 200,
    "/grade?lang=de": 200,
    "/walk?lang=de&lesson=attention&sentence=Die+Katze": 200,
    "/job/nobody?lang=en": 404,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as the command starts it."""
    with served(tmp_path_factory.mktemp("served"), "--public-name", "school.test") as server:
        urllib.request.urlopen(server.address, timeout=120).close()  # waits for all libraries
        yield server.address
        server.process.terminate()
        assert server.process.wait(timeout=30) == 0
        assert "Traceback" not in server.log.read_text()
        # The process that others were forked from ends by itself.
        until(lambda: not list(server.folder.iterdir()), 10)


@pytest.fixture
def seen(browser, address) -> Iterator[dict]:
    """A way to open pages; afterwards nothing was loaded from elsewhere, nothing was complained."""
    told: list[str] = []

    def opened(language: str = "de-DE", size: str = "desktop"):
        width, height = SIZES[size]
        page = browser.new_page(viewport={"width": width, "height": height}, locale=language,
                                accept_downloads=True, has_touch=size != "desktop")  # fmt: skip
        page.on("request", lambda one: told.append(one.url))
        page.on("console", lambda one: told.append(f"console {one.type} {one.text}"))
        page.on("pageerror", lambda one: told.append(f"error {one}"))
        page.goto(address)
        return page

    yield opened
    foreign = [one for one in told if not one.startswith((address, "blob:"))]
    assert not [one for one in foreign if "status of 422" not in one], foreign


@pytest.mark.parametrize(
    ("language", "card", "amount", "whom", "go", "fetch"),
    [
        ("de-DE", "Self-Attention für", "kurz", "so vielen", "Blätter machen", "ZIP-Datei"),
        ("en-GB", "Self-attention for", "short", "this many", "Make the sheets", "ZIP file"),
    ],
)
def test_five_clicks_to_a_class(seen, tmp_path, language, card, amount, whom, go, fetch):
    page = seen(language)
    page.get_by_role("radio", name=card).check()  # 1
    page.get_by_role("radio", name=amount).check()  # 2
    page.get_by_role("radio", name=whom).check()  # 3
    page.get_by_role("spinbutton", name=whom).fill("2")
    page.get_by_role("button", name=go).click()  # 4
    page.reload()  # what was ordered goes on
    link = page.get_by_role("link", name=fetch)
    link.wait_for(timeout=120_000)
    if AXE.exists():
        assert not complaints(page)
    with page.expect_download() as download:
        link.click()  # 5
    download.value.save_as(tmp_path / "set.zip")
    assert "hand-out/class-blank.pdf" in unzipped(tmp_path / "set.zip")


def test_what_is_typed_is_shown_at_once_and_kept_in_the_link(seen):
    page = seen()
    page.get_by_role("radio", name="Doppelstunde").check()
    page.get_by_label("Satz", exact=True).fill("Die Katze jagt die Maus")
    page.get_by_role("link", name="4b").wait_for()
    sheet = page.frame_locator("iframe")
    sheet.get_by_text("Die Katze jagt die Maus").first.wait_for()
    page.get_by_role("link", name="4b").click()
    sheet.get_by_role("heading", name=re.compile("Maske")).first.wait_for()
    page.get_by_role("link", name="Lösung").click()
    expect(page.locator("iframe")).to_have_attribute("src", re.compile("variant=solution"))
    assert "Die+Katze+jagt+die+Maus" in page.url
    page.get_by_role("link", name="Diese Auswahl als Link").click()
    expect(page.get_by_role("status")).to_have_text("Link kopiert")
    again = seen()
    again.goto(page.url)
    assert again.get_by_label("Satz", exact=True).input_value() == "Die Katze jagt die Maus"


def test_a_problem_stands_at_its_field_and_the_last_look_stays(seen):
    page = seen()
    sheet = page.frame_locator("iframe")
    sheet.get_by_text("Paris").first.wait_for()
    page.get_by_role("radio", name="so vielen").check()
    page.get_by_role("spinbutton", name="so vielen").fill("900")
    problem = page.locator("#problem-pupils")
    problem.get_by_text("1 bis 200").wait_for()
    assert sheet.get_by_text("Paris").first.is_visible()
    assert page.get_by_role("link", name="Folien").is_visible()
    expect(page.locator("#summary")).to_contain_text("2 Blätter")
    page.get_by_role("spinbutton", name="so vielen").fill("9")
    expect(problem).to_be_empty()


def test_a_list_is_asked_for_at_its_field_before_anything_is_sent(seen):
    page = seen()
    expect(page.get_by_label("Wer rechnet was?")).to_be_hidden()  # for one set
    page.get_by_role("radio", name="Klassenliste").check()
    expect(page.get_by_label("Wer rechnet was?")).to_be_visible()
    field, go = page.locator("[name=list]"), page.get_by_role("button", name="Blätter machen")
    go.click()
    assert field.evaluate("field => field.validity.valueMissing")
    big = {"name": "8b.csv", "mimeType": "text/csv", "buffer": b"x" * 1_000_001}
    field.set_input_files(big)
    go.click()
    assert "höchstens 1 MB" in field.evaluate("field => field.validationMessage")
    assert "/make" not in page.url
    page.get_by_role("spinbutton", name="Minuten").fill("0")
    page.get_by_role("radio", name="nur für mich").check()
    assert page.locator("#questions").evaluate("form => form.checkValidity()")  # what is hidden


def test_by_keyboard_alone(seen):
    page = seen()
    page.locator("#summary").get_by_text("Minuten").wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "go":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/job/**")
    page.locator("progress").wait_for(timeout=60_000)
    if AXE.exists():  # while it is made, too
        assert not complaints(page)


def test_an_order_from_another_computer_of_a_school_without_tls(browser, address):
    page = browser.new_page(locale="de-DE")
    page.goto(address.replace("127.0.0.1", "school.test"))  # for which browsers say less
    page.get_by_role("button", name="Blätter machen").click()
    page.wait_for_url("**/job/**")
    page.close()


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_by_touch_alone(seen, size):
    page = seen(size=size)
    page.get_by_text("Doppelstunde").tap()
    page.get_by_label("Satz", exact=True).tap()
    page.keyboard.type("Die Katze jagt die Maus")  # what the tablet's keyboard on the screen sends
    page.get_by_role("link", name="4b").wait_for()
    page.get_by_role("link", name="Rechnung zeigen").tap()
    page.get_by_role("button", name="weiter").tap()
    expect(page.locator("article.now .place")).to_contain_text("2 / ")
    page.go_back()
    page.get_by_role("button", name="Blätter machen").tap()
    page.wait_for_url("**/job/**")


def test_the_walk_goes_on_by_keys(seen):
    page = seen()
    page.get_by_role("link", name="Rechnung zeigen").click()
    expect(page.locator("article.now .place")).to_contain_text("1 / ")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="hell/dunkel").click()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("article.now .place")).to_contain_text("2 / ")
    expect(page.locator("article:visible")).to_have_count(1)
    page.reload()
    expect(page.locator("article.now .place")).to_contain_text("2 / ")


@needs_axe
def test_axe_finds_nothing_on_any_page(browser, address):
    page, found = browser.new_page(), {}
    for path, status in PAGES.items():
        answer = page.goto(address + path)
        assert answer.status == status, path
        found[path] = complaints(page)
        if path.startswith("/models"):  # one of the models has Chinese words
            assert "Paperformer Hanzi" in page.evaluate(FONTS)
    page.set_content("<!DOCTYPE html><title>x</title><font color=#eeeeee>pale</font>")
    assert "desktop: color-contrast" in complaints(page)
    page.close()
    assert not any(found.values()), found


@pytest.mark.parametrize("size", SIZES)
def test_every_size_shows_the_button_and_nothing_is_cut_off(seen, size):
    page = seen(size=size)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= SIZES[size][0]
    box = page.get_by_role("button", name="Blätter machen").bounding_box()
    assert box["y"] + box["height"] <= SIZES[size][1] + page.evaluate("scrollY")
    names = page.locator("input:visible, select:visible").evaluate_all(
        "all => all.filter(e => !e.labels?.length && !e.ariaLabel).length"
    )
    assert names == 0
