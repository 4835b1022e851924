"""The walk on a projector: every step fits, is large enough, and comes in its beats."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from generator.presets.load import shipped
from tests.support.chromium import complaints, needs_axe, needs_chromium
from tests.support.page import served

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = sync_api.expect
expect.set_options(timeout=30_000)  # milliseconds; a busy machine takes more than 5 seconds
pytestmark = [pytest.mark.ci, needs_chromium]
PROJECTORS = {"small": (1366, 768), "large": (1920, 1080)}
SMALLEST = 24  # pixels that the last row reads
# Letters of what is shown of each step in each beat, and whether something of it lies outside.
SEEN = """() => steps.flatMap((step, k) => beats(step).map((one, at) => {
  show(k, at);
  const shown = [step, ...step.querySelectorAll("table, .wide, p, h1")];
  const boxes = shown.filter((box) => box.clientWidth);
  const rule = document.querySelector("nav").getBoundingClientRect().top;
  const outside = (box) => {
    const { left, right, bottom } = box.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1 || bottom > rule + 1;
  };
  const least = Math.min(...boxes.map((box) => parseFloat(getComputedStyle(box).fontSize)));
  return [step.id, one, least, boxes.some(outside) || step.scrollHeight > step.clientHeight + 1];
}))"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("served")) as server:
        yield server.address


def opened(browser, address, size=PROJECTORS["small"], look=None, **asked):
    page = browser.new_page(
        viewport=dict(zip(("width", "height"), size, strict=True)), **(look or {})
    )
    asked = {"lang": "de", "words": "de", "lesson": "all", **asked}
    page.goto(f"{address}/walk?{urlencode(asked)}", timeout=90_000)
    # The first step is laid out anew once its letters are there, on a busy machine a little later.
    page.evaluate("() => Promise.all([...document.fonts].map((one) => one.load())).then(again)")
    return page


@pytest.mark.parametrize("preset", shipped())
def test_every_step_fits_in_letters_for_the_last_row(browser, address, preset):
    for size in PROJECTORS.values():
        page = opened(browser, address, size, preset=preset)
        seen = page.evaluate(SEEN)
        page.close()
        assert {beat for _, beat, *_ in seen} == {"1", "2", "3"}
        assert not [one for one in seen if one[3]], size
        assert min(one[2] for one in seen) >= SMALLEST, size


def test_a_whole_run_begins_with_a_map_of_its_chapters(browser, address):
    page = opened(browser, address, preset="katze-trained")
    now = page.locator("article.now")
    expect(now.locator("h1")).to_contain_text("Die Katze sitzt auf der Matte")
    chapters = now.locator(".map a").all_inner_texts()
    assert len(chapters) == len(set(chapters)) > 10
    page.get_by_role("link", name="Feed-Forward-Netz").click()
    expect(now.locator(".place")).to_contain_text("Feed-Forward-Netz")
    page.reload()  # the address knows the step
    expect(now.locator(".place")).to_contain_text("Feed-Forward-Netz")
    page.get_by_role("button", name="Übersicht").click()
    expect(now).to_have_id("map")
    page.keyboard.press("ArrowRight")
    expect(now.locator(".place")).to_contain_text("1 / ")
    assert page.locator("#said").inner_text().startswith("1 / ")
    page.close()
    page = opened(browser, address, preset="katze", shown="4a")
    assert page.locator("#map, #home").count() == 0
    page.close()


def test_words_are_as_large_on_every_step_of_a_sheet(browser, address):
    page = opened(browser, address, preset="katze-trained", shown="6")
    sizes = "() => steps.map((step, k) => { show(k, 9); return getComputedStyle(step).fontSize; })"
    assert len(set(page.evaluate(sizes))) == 1
    words = page.locator("article:has(h1:text('Potenzen der Logits')) .result tbody th")
    assert words.count() == 10  # below each other, as on the sheet
    page.close()


def test_a_single_matrix_fills_the_screen(browser, address):
    for size in PROJECTORS.values():
        page = opened(browser, address, size, preset="katze", shown="4a")
        page.evaluate("show(1)")
        box = page.locator("article.now .result").bounding_box()
        page.close()
        assert box["height"] > 0.45 * size[1], (size, box)


def test_a_long_word_costs_no_row_while_there_is_room(browser, address):
    sentence = "Die alte Katze der freundlichen Donaudampfschifffahrtsgesellschaft sitzt heute auf"
    page = opened(browser, address, sentence=f"{sentence} der warmen Matte", shown="4a")
    seen = page.evaluate(SEEN)
    assert not [one for one in seen if one[3]]
    assert min(one[2] for one in seen) >= SMALLEST
    assert page.locator("td.cut").count()  # columns: there is no room for all
    assert page.locator("tbody tr.cut").count() == 0
    page.close()


def test_only_the_steps_of_the_sheet_and_a_way_to_the_others(browser, address):
    page = opened(browser, address, preset="katze", shown="6")
    assert "/ 9" in page.locator("article.now .place").inner_text()
    page.locator("nav summary").click()
    page.get_by_role("link", name="Self-Attention").first.click()
    page.wait_for_url("**shown=4a**")
    expect(page.locator("article.now h1")).to_contain_text("X")
    page.close()


def test_the_list_of_sheets_does_not_stay_over_the_table(browser, address):
    page = opened(browser, address, preset="katze", shown="4a")
    menu, place = page.locator("nav details"), "() => [now, beat]"

    def step() -> None:
        page.keyboard.press("ArrowRight")

    def leave() -> None:
        page.keyboard.press("Escape")

    def click() -> None:
        page.mouse.click(700, 300)

    for act, moves in ((step, True), (leave, False), (click, False)):
        page.locator("nav summary").click()
        expect(menu).to_have_attribute("open", "")
        before = page.evaluate(place)
        act()
        expect(menu).not_to_have_attribute("open", "")
        assert (page.evaluate(place) != before) == moves
    click()
    assert page.evaluate(place) != before
    page.close()


def test_on_a_phone_the_list_of_sheets_leaves_the_way_on_free(browser, address):
    page = opened(browser, address, (390, 844), preset="katze", shown="3")
    page.locator("nav summary").click()
    sheets, on = page.locator("nav details p").bounding_box(), page.locator("#on").bounding_box()
    assert sheets["y"] + sheets["height"] <= on["y"]
    assert sheets["y"] >= 0
    page.locator("#on").click()
    assert page.evaluate("() => [now, beat]") == [1, 0]
    page.close()


def test_steps_of_learning_and_text_fit_as_others_do(browser, address):
    for size in PROJECTORS.values():
        for shown in ("7a", "7b", "8", "generate"):
            page = opened(browser, address, size, preset="katze-trained", shown=shown)
            seen = page.evaluate(SEEN)
            page.close()
            assert len({one[0] for one in seen}) in (3, 4, 7, 9), shown
            assert not [one for one in seen if one[3]], (size, shown)
            assert min(one[2] for one in seen) >= SMALLEST, (size, shown)


def test_probabilities_have_their_bars_in_the_cells(browser, address):
    page = opened(browser, address, preset="katze", shown="6")
    step = page.locator("article:has(h1:text-is('Wahrscheinlichkeiten P'))")
    page.evaluate("k => show(k, -1)", int(step.get_attribute("id")[5:]) - 1)
    widths = step.locator(".result td:nth-of-type(2) rect").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    shares = [float(one.replace(",", ".")) for one in step.locator("td.focus").all_inner_texts()]
    assert len(widths) == len(shares) == 6
    assert [one / widths[5] for one in widths] == pytest.approx(
        [one / shares[5] for one in shares], rel=0.02
    )
    assert step.locator(".chart").count() == 0
    page.close()


@pytest.mark.parametrize(("on", "back"), [("PageDown", "PageUp"), (" ", "b"), ("click", "edge")])
def test_formula_numbers_and_result_by_remote_key_or_click(browser, address, on, back):
    page = opened(browser, address, preset="katze", shown="4a")
    query = page.locator("article:has(h1:text('Query Q'))")
    page.evaluate("k => show(k)", int(query.get_attribute("id")[5:]) - 1)
    cells = query.locator(".result td span")
    shown = "all => all.filter(one => getComputedStyle(one).visibility === 'visible').length"
    found, formula = [], []
    for _ in range(3):
        moved = "one => getComputedStyle(one).transform === 'none'"
        formula.append(query.locator(".formula").evaluate(moved))
        found.append((query.locator(".worked").is_visible(), cells.evaluate_all(shown)))
        if on == "click":
            page.mouse.click(700, 300)
        else:
            page.keyboard.press(on)
    assert found == [(False, 0), (True, 1), (True, 12)]
    assert not formula[0]  # alone it takes the place of the numbers
    expect(query).to_be_hidden()
    if back == "edge":
        page.mouse.click(20, 300)
    else:
        page.keyboard.press(back)
    expect(query).to_be_visible()
    assert cells.evaluate_all(shown) == 12
    page.close()


def test_on_paper_every_step_is_whole(browser, address):
    page = opened(browser, address, preset="subject-verb", shown="1")
    row = page.locator("tr.cut").first.element_handle()
    assert not row.is_visible()
    page.emulate_media(media="print")
    assert page.locator("article:visible").count() == page.locator("article").count() > 2
    assert row.is_visible()
    expect(page.locator("nav")).to_be_hidden()
    page.close()


@needs_axe
@pytest.mark.parametrize("colours", ["none", "active"])
def test_axe_finds_nothing_in_any_beat(browser, address, colours):
    page = opened(browser, address, look={"forced_colors": colours}, preset="katze", shown="4a")
    for place in range(page.locator("article").count()):
        if place in (3, 9, 12):
            for beat in range(3):
                page.evaluate("([k, at]) => show(k, at)", [place, beat])
                assert not complaints(page)
    page.close()
