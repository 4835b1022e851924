"""The page in a real browser: from an empty page to a class's set, by mouse, keyboard and phone."""

import re
from collections.abc import Iterator

import pytest

from tests.support.chromium import AXE, SIZES, complaints, needs_chromium
from tests.support.page import unzipped

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = sync_api.expect
expect.set_options(timeout=30_000)  # milliseconds; a busy machine takes more than 5 seconds
pytestmark = [pytest.mark.ci, needs_chromium]
# Every page but the sheet that is looked at, which has a test of its own where sheets are made.
DROPPED = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const dropped = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  return !document.querySelector("header").dispatchEvent(dropped);
}"""  # whether the page took what would else be opened in its place
PAGES = {
    "/?lang=de": 200,
    "/?lang=en&lesson=own&sheets=4a&level=9&who=number&pupils=0": 422,
    "/models?lang=de": 200,
    "/again?lang=en": 200,
    "/grade?lang=de": 200,
    "/room?lang=de": 200,
    "/walk?lang=de&lesson=attention&sentence=Die+Katze": 200,
    "/job/nobody?lang=en": 404,
}


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
    meant = ("status of 422", "ERR_FAILED")  # a refusal, and what a test lets fail
    assert not [one for one in foreign if not any(why in one for why in meant)], foreign


def test_five_clicks_to_a_class(seen, tmp_path, language, card, amount, whom, go, fetch):
    page = seen(language)
    page.get_by_role("radio", name=card).check()  # 1
    page.get_by_role("radio", name=amount).check()  # 2
    page.get_by_role("radio", name=whom).check()  # 3
    page.get_by_role("spinbutton", name=whom).fill("2")
    page.get_by_role("button", name=go).click()  # 4
    page.wait_for_url("**/job/**")  # else the reload ends the order that is being sent
    page.reload()  # what was ordered goes on
    link = page.get_by_role("link", name=fetch)
    link.wait_for(timeout=120_000)
    expect(page).to_have_title(re.compile("sind fertig|are ready"))
    if AXE.exists():
        assert not complaints(page)
    pictures, shape = page.locator(".papers iframe"), "one => one.offsetWidth / one.offsetHeight"
    for slide in page.locator(".wide span").all():
        assert slide.evaluate(shape) == pytest.approx(16 / 9, rel=0.01)
    assert pictures.count() == 1
    assert page.locator("#recap").inner_text().endswith(("2 Personen", "2 people"))
    assert pictures.first.content_frame.get_by_role("heading").first.inner_text()
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
    expect(page.locator("iframe")).to_have_attribute("src", re.compile("variant=solution.*#work"))
    expect(sheet.locator("#work h1")).to_be_in_viewport()  # at what is solved
    assert page.evaluate("scrollY") == 0
    assert "Die+Katze+jagt+die+Maus" in page.url
    page.get_by_role("link", name="Diese Auswahl als Link").click()
    expect(page.get_by_role("status")).to_have_text("Link kopiert")
    page.get_by_role("radio", name="Eigene Auswahl").check()  # begins with what was chosen
    assert [one.get_attribute("value") for one in page.locator("[name=sheets]:checked").all()] == [
        "4a",
        "4b",
    ]
    again = seen()
    again.goto(page.url)
    assert again.get_by_label("Satz", exact=True).input_value() == "Die Katze jagt die Maus"


def test_the_other_language_keeps_the_answers(seen):
    page = seen()
    page.get_by_label("Satz", exact=True).fill("Die Katze jagt")
    page.get_by_role("radio", name="Self-Attention für ein Wort").check()
    page.get_by_role("checkbox", name="Großdruck").check()
    page.get_by_role("link", name="English").click()  # at once
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("Die Katze jagt")
    expect(page.get_by_role("radio", name="Self-attention for one word")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Large print")).to_be_checked()
    expect(page.locator("[name=words]")).to_have_value("en")
    page.goto(page.url.split("?")[0] + "room?lang=de")
    page.locator("[name=pupils]").fill("17")
    expect(page.get_by_role("link", name="English")).to_have_attribute(
        "href", re.compile("pupils=17")
    )
    page.get_by_role("link", name="English").click()
    expect(page.locator("[name=pupils]")).to_have_value("17")


def test_each_question_begins_in_sight_on_a_small_screen(seen):
    for language in ("de-DE", "en-GB"):
        page = seen(language)
        for one in (*page.locator("#questions legend").all()[:4], page.locator("button.go")):
            expect(one).to_be_in_viewport(ratio=1)
        for whom in page.locator("[name=who]").all():
            expect(whom).to_be_in_viewport(ratio=1)


def test_a_card_has_a_picture_and_its_insight(seen):
    page = seen("en-GB")
    cards = page.locator(".card")
    assert cards.count() == cards.filter(has=page.locator(".pictures svg")).count() > 10
    empty = "all => all.filter(one => !document.querySelector(one.getAttribute('href'))).length"
    assert page.locator(".pictures use").evaluate_all(empty) == 0
    page.get_by_role("radio", name="How it learns").check()
    shown = cards.filter(has=page.locator(":checked")).locator(".insight")
    expect(shown).to_contain_text("changing each number a little")
    assert shown.bounding_box()["width"] > 200
    page.goto(page.url.split("?")[0] + "?lesson=words")  # who comes back sees what was chosen
    expect(cards.filter(has=page.locator(":checked"))).to_be_in_viewport(ratio=1)


def test_the_sentence_is_drawn_while_it_is_typed(seen):
    page = seen()
    field, told = page.get_by_label("Satz", exact=True), page.locator("#drawing .told")
    field.press_sequentially("Die Katze jagt")
    expect(told).to_contain_text("„Die“ sieht hier nur sich selbst")  # a word that sees no other
    field.press_sequentially(" die Maus")
    expect(told).to_contain_text("ausgedachten Zahlen käme als nächstes am ehesten „Maus“ (0,459)")
    page.locator("#drawing").get_by_role("button", name="Maus").click()
    expect(page.locator("#drawing .arc:not(.pale)")).to_have_count(5)
    widths = page.locator("#drawing .arc:not(.pale)").evaluate_all(
        "all => all.map(one => Number(one.getAttribute('stroke-width')))"
    )
    shares = (0.157, 0.181, 0.19, 0.208, 0.264)  # the thickest lies above the others
    assert widths == pytest.approx([1.5 + 8.5 * (share / 0.264) ** 3 for share in shares])
    expect(page.locator("#drawing small.most")).to_have_text("0,264")
    expect(page.locator("figcaption .invented")).to_have_text("ausgedachte Zahlen")
    expect(page.locator("#drawing .next li")).to_have_count(5)
    word = page.locator("#drawing").get_by_role("button", name="Katze")
    word.focus()
    page.keyboard.press("Enter")
    expect(word).to_be_focused()
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(told).to_contain_text("„Katze“ achtet am meisten auf „Katze“ (0,540)")
    page.locator("#drawing select").select_option("Head 2 von 2")
    expect(told).to_contain_text("„Katze“ (0,562)")
    field.fill(" ".join("abcdefghijklmn"))
    expect(page.locator("#problem-sentence")).to_contain_text("höchstens 12")
    old = re.compile("old")
    expect(page.locator("#drawing")).to_have_class(old)  # it is another sentence's
    assert page.locator("#drawing .shown").evaluate("one => one.inert")
    page.route("**/drawing?*", lambda route: route.abort())
    field.fill("Die Maus")
    expect(told).to_contain_text("Der Server antwortet nicht")
    page.set_viewport_size({"width": 1200, "height": 700})  # which draws again what there is
    expect(page.locator("#drawing")).to_have_class(old)
    page.unroute("**/drawing?*")
    expect(told).to_contain_text("„Maus“ achtet am meisten auf")  # it comes back by itself
    expect(page.locator("#drawing")).not_to_have_class(old)
    page.route("**/*", lambda route: route.abort())
    field.fill("Die Katze")
    expect(page.locator("#summary.problem")).to_contain_text("Der Server antwortet nicht")
    if AXE.exists():
        assert not complaints(page)


def test_the_address_says_which_sheet_is_looked_at(seen, address):
    page = seen()
    page.goto(f"{address}/?lang=de&lesson=double&shown=4b&variant=solution")
    expect(page.locator("#drawing .told")).to_contain_text("Am wahrscheinlichsten")
    expect(page.locator("#drawing .told")).not_to_contain_text("jedes Wort alle Wörter")
    page.get_by_label("Satz", exact=True).fill("Die Katze schläft")
    expect(page.locator("#drawing .words")).to_contain_text("schläft")
    expect(page.locator("#look iframe")).to_have_attribute("src", re.compile("shown=4b.*solution"))


def test_the_drawing_follows_the_sheet_that_is_looked_at(seen):
    page = seen()
    page.get_by_role("radio", name="Self-Attention für ein Wort").check()
    told, sheet = page.locator("#drawing .told"), page.frame_locator("iframe")
    expect(told).to_contain_text(re.compile("„Katze“ achtet am meisten auf .* jedes Wort alle"))
    page.get_by_role("link", name="Lösung").click()
    expect(sheet.get_by_role("heading", name="Du rechnest für „sitzt“")).to_be_in_viewport()
    expect(told).to_contain_text("„sitzt“ achtet")
    for share in page.locator("#drawing .words small").all_inner_texts():
        assert sheet.locator("#work").get_by_text(share, exact=True).count()


def test_many_tabs_stand_in_one_row_and_leave_the_sheet_its_place(seen):
    page = seen()
    page.get_by_role("radio", name="Die ganze Reihe").check()
    tabs = page.locator("#tabs a")
    expect(tabs.nth(10)).to_be_attached()
    assert len({round(one.bounding_box()["y"]) for one in tabs.all()}) == 1
    assert page.locator("#look iframe").bounding_box()["height"] > 250
    tabs.last.click()
    expect(page.locator("#tabs [aria-current]")).to_have_text(tabs.last.inner_text())
    expect(tabs.last).to_be_in_viewport(ratio=0.98)
    expect(page.get_by_role("link", name="Lösung")).to_be_in_viewport(ratio=1)


def test_a_number_that_cannot_be_is_asked_for_at_once(seen):
    page = seen()
    pupils = page.locator("[name=pupils]")
    for typed in ("-3", ""):
        pupils.fill(typed)
        expect(page.locator("#problem-pupils")).to_contain_text(
            re.compile(f"^\\s*{typed and '„-3“: '}Bitte eine Zahl von 1 bis 200")
        )
        expect(pupils).to_have_attribute("aria-invalid", "true")
    pupils.fill("4")
    expect(page.locator("#problem-pupils")).to_have_text("")
    page.get_by_role("checkbox", name="als Klassenarbeit").check()
    page.locator("[name=minutes]").fill("1")
    expect(page.locator("#problem-minutes")).to_contain_text(
        "15 Minuten. Bitte mindestens so viele"
    )
    page.locator("[name=minutes]").fill("15")
    expect(page.locator("#problem-minutes")).to_have_text("")


def test_a_problem_stands_at_its_field_and_the_last_look_stays(seen):
    page = seen()
    sheet = page.frame_locator("iframe")
    sheet.get_by_text("Paris").first.wait_for()
    page.get_by_role("radio", name="so vielen").check()
    page.get_by_role("spinbutton", name="so vielen").fill("900")
    problem = page.locator("#problem-pupils")
    problem.get_by_text("1 bis 200").wait_for()
    assert sheet.get_by_text("Paris").first.is_visible()
    assert page.locator("[data-shown=slides]").is_visible()
    expect(page.locator("#summary")).to_contain_text("rot markierten Antworten")
    page.get_by_role("spinbutton", name="so vielen").fill("9")
    expect(problem).to_be_empty()
    expect(page.locator("#summary")).to_contain_text("1 Blatt")


def test_a_refusal_is_where_the_eyes_and_the_focus_are(seen, address):
    page = seen()
    page.frame_locator("iframe").get_by_text("Paris").first.wait_for()
    field = page.get_by_label("Satz", exact=True)
    assert "Höchstens 12 Wörter" in page.locator("#limits").inner_text()
    expect(field).to_have_attribute("placeholder", "Paris ist die Hauptstadt von")
    field.fill("Der Hund bellt heute laut im Garten")
    expect(page.locator("#ways")).to_contain_text("höchstens 6 Wörter und Satzzeichen, dieser")
    page.locator("#ways a").last.click()
    expect(page.get_by_role("radio", name="90 Minuten")).to_be_checked()
    expect(page.locator("#ways")).to_be_empty()
    field.fill("Wort " * 40)
    expect(page.locator(".problem:visible", has_text="hat 40 Textstücke")).to_have_count(1)
    field.fill("x" * 170)  # is not cut
    expect(page.locator("#problem-sentence")).to_contain_text("170 Zeichen sind zu viele")
    expect(page.locator("#summary.problem")).to_contain_text("rot markierten Antworten")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page).to_have_title(re.compile("Das ging nicht"))
    expect(page.locator("#stale")).to_contain_text("Sobald das geändert ist")
    expect(page.locator("#look iframe")).to_have_css("opacity", "0.3")  # it shows another sentence
    field.fill("Die Katze sitzt")
    field.press("Enter")  # shows and orders nothing
    expect(page.frame_locator("iframe").get_by_text("Die Katze sitzt").first).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "false")
    assert "/job/" not in page.url
    page.goto(f"{address}/?lang=de&lesson=attention&sentence={'+'.join('abcdefghijklmn')}")
    expect(page.locator("#refused")).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)
    expect(page.locator("#look iframe")).to_have_css("opacity", "0.3")
    expect(page.locator("#drawing")).to_be_hidden()  # there is none
    expect(page.locator(".problem:visible", has_text="hat 14 Textstücke")).to_have_count(1)
    expect(page.locator("#refused a")).to_have_text("1 · Mit welchem Satz?")
    expect(page).to_have_title(re.compile("Das ging nicht"))


def test_what_was_told_of_another_sentence_goes(seen):
    page = seen()
    field, ways = page.get_by_label("Satz", exact=True), page.locator("#ways")
    field.fill("Der Hund bellt heute laut im Garten")
    expect(ways).to_contain_text("dieser Satz hat 7")
    expect(page.locator("#new-words")).to_contain_text("Hund, bellt")
    expect(page.locator("#sentence-note")).to_contain_text("ausgedacht")
    field.fill("Wort " * 40)
    expect(page.locator("#problem-sentence")).to_contain_text("hat 40 Textstücke")
    expect(ways).to_be_empty()
    expect(page.locator("#new-words")).to_have_text("")
    expect(page.locator("#sentence-note")).to_have_text("")
    page.get_by_role("radio", name="so vielen").check()  # the page's own answer says no more
    expect(page.locator("html.computing")).to_have_count(0)
    expect(ways).to_be_empty()
    expect(page.locator("#new-words")).to_have_text("")
    expect(page.locator("#sentence-note")).to_have_text("")


def test_an_old_sheet_is_pale_until_the_new_one_is_there(seen):
    page = seen()
    field, frame = page.get_by_label("Satz", exact=True), page.locator("#look iframe")
    frame.content_frame.get_by_text("Paris").first.wait_for()
    held = []
    page.route("**/sheet?*", lambda route: held.append(route))
    with page.expect_request("**/sheet?*sentence*"):
        field.fill("Die Katze jagt die Maus")
        expect(frame).to_have_css("opacity", "0.3")
    expect(page.locator("#stale")).to_have_text("wird gerechnet …")
    expect(page.locator("#summary")).to_contain_text("Blatt")
    expect(page.locator("html.computing")).to_have_count(1)  # the page is there, the sheet is not
    (one,) = held
    one.continue_()
    page.unroute("**/sheet?*")
    expect(frame).to_have_css("opacity", "1")
    expect(page.locator("#stale")).to_have_text("")
    page.get_by_role("radio", name="so vielen").check()
    expect(frame).to_have_css("opacity", "0.3")
    page.get_by_role("radio", name="nur für mich").check()  # the sheet that is there already
    expect(frame).to_have_css("opacity", "1")


def test_on_a_phone_one_button_leads_to_the_sheet(seen):
    page = seen(size="phone")
    assert page.locator("header").bounding_box()["height"] < 100  # two lines to tap on
    for name in ("Modelle", "Raum", "Klasse auswerten", "Verlorenes Blatt", "English"):
        expect(page.locator("header").get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    frame = page.locator("#look iframe")
    expect(frame).not_to_be_in_viewport()
    page.get_by_role("link", name="Blatt ansehen").tap()
    expect(frame).to_be_in_viewport()
    desktop = seen()
    expect(desktop.get_by_role("link", name="Blatt ansehen")).to_be_hidden()


def test_on_a_phone_topics_are_folded_unless_one_is_chosen(seen):
    page = seen(size="phone")
    topic = page.get_by_role("radio", name="Self-Attention für ein Wort")
    expect(topic).to_be_hidden()
    assert page.locator("#sheet").evaluate("one => one.offsetTop") < 3 * SIZES["phone"][1]
    page.goto(page.url.split("?")[0] + "?lang=de&lesson=attention")
    expect(topic).to_be_visible()
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("radio", name="Eine Stunde (45 Minuten)").check()
    page.get_by_text("Worum geht es").click(force=True)  # a heading where there is room
    expect(topic).to_be_visible()


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
    said = page.locator("#people")
    expect(said).to_be_empty()
    field.set_input_files({**big, "buffer": "Jörg Müßig\n".encode("mac_roman")})
    expect(said).to_contain_text("Gelesen als Mac Roman. Sieht ein Name falsch")
    field.set_input_files({**big, "buffer": b"%PDF-1.7"})
    expect(said).to_contain_text("lässt sich nicht als Klassenliste lesen")
    expect(said.locator(".problem")).to_be_visible()
    field.set_input_files({**big, "buffer": "Ayşe Yılmaz\nJörg Müßig\n".encode()})
    few = "Das sind sehr wenige. Ist es die richtige Datei?"
    names = said.locator("li")
    expect(said).to_contain_text(f"Personen auf der Liste: 2. Stimmt das? {few}")
    expect(names).to_have_text(["Ayşe Yılmaz", "Jörg Müßig"])
    expect(said.locator(".problem")).to_have_count(0)
    field.set_input_files({**big, "buffer": b"Mia Au\nMoe Au\nMax Au\n" * 2 + b"x7!??\n"})
    sure = said.get_by_label("Ja, so bestellen")
    expect(sure).to_be_visible()
    go.click()
    assert "/make" not in page.url
    assert sure.evaluate("one => one.validity.valueMissing")
    page.get_by_role("radio", name="nur für mich").check()
    assert sure.evaluate("one => one.validity.valid")
    page.get_by_role("radio", name="Klassenliste").check()
    page.get_by_label("Namen hier einfügen").fill("Mia\nMoe\nMax")
    expect(names).to_have_text(["Mia", "Moe", "Max"])
    expect(said.locator(".doubt")).to_have_count(0)
    finish = page.locator(".finish").bounding_box()
    place = said.bounding_box()
    assert 0 < place["y"] <= finish["y"] - place["height"]  # not under the bar
    page.get_by_role("radio", name="nur für mich").check()
    assert page.evaluate(DROPPED, ["8c.csv", "Name\nIda\n"])
    expect(page.get_by_role("radio", name="Klassenliste")).to_be_checked()
    expect(names).to_have_text(["Ida"])
    expect(page.get_by_label("Namen hier einfügen")).to_be_empty()
    assert "Ida" not in page.url
    page.get_by_role("checkbox", name="als Klassenarbeit").check()
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


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_by_touch_alone(seen, size):
    page = seen(size=size)
    page.get_by_text("Worum geht es").tap()  # unfolds the topics
    page.get_by_text("Doppelstunde").tap()
    page.get_by_label("Satz", exact=True).tap()
    page.keyboard.type("Die Katze jagt die Maus")  # what the tablet's keyboard on the screen sends
    page.get_by_role("link", name="4b").wait_for()
    page.get_by_role("link", name="Rechnung zeigen").tap()
    for _ in range(3):  # the beats of the input
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


def test_at_400_percent_nothing_covers_what_is_read(seen):
    page = seen()
    page.set_viewport_size({"width": 341, "height": 192})  # 1366×768, four times as large
    field = page.get_by_label("Satz", exact=True)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 341
    # Scrolled and looked at in one turn: the drawing above is still growing meanwhile.
    there = """field => {
        field.scrollIntoView({ block: "center", behavior: "instant" });
        const box = field.getBoundingClientRect();
        return document.elementFromPoint(box.x + 20, box.y + 8)?.id;
    }"""
    assert field.evaluate(there) == "sentence"
    assert page.locator(".finish").evaluate("one => getComputedStyle(one).position") == "static"


def test_the_chosen_tab_is_seen_in_forced_colours(seen):
    page = seen()
    page.emulate_media(forced_colors="active")
    looks = "one => getComputedStyle(one).backgroundColor"
    chosen, other = (
        page.locator("#tabs a[aria-current]"),
        page.locator("#tabs a:not([aria-current])"),
    )
    assert chosen.first.evaluate(looks) != other.first.evaluate(looks)


@pytest.mark.parametrize("path", ["/?lang=de&who=list", "/walk?lang=de", *list(PAGES)[:-1]])
def test_what_is_touched_is_large_enough(seen, address, path):
    page = seen(size="phone")
    page.goto(address + path)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    touched = "a, button, summary, select, input:not([type=radio], [type=checkbox], [type=hidden])"
    every = page.locator(touched).locator("visible=true")
    assert every.count() > 1
    small = "all => all.filter(one => one.offsetHeight < 44).map(one => one.outerHTML)"
    assert every.evaluate_all(small) == []
    assert page.locator("label:has(input)").locator("visible=true").evaluate_all(small) == []


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
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    page.locator("#drawing .words button").first.wait_for()
    assert page.locator("#drawing .words button").evaluate_all(cut) == []
