"""The HTML edition: what stands in its margins, what is in its file, how a browser prints it."""

import io
import re
from pathlib import Path

import pikepdf
import pytest

from generator.errors import UserError
from generator.render.worksheet import browser, margins
from generator.resources import templates
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.browser_print import compared, needs_a_browser
from tests.support.filled import PRESETS, reason
from tests.support.sheets import paper
from tests.support.strata import LANGUAGES
from tests.support.views import render

MOVED, DIFFERENT = 0.01, 0.05  # of the text, of a page; two different pages: 1, and 0.08 to 0.15
HIGHER = {("5", "nihao"): 0.1}  # a drawing begins a page: a browser leaves its margin out there
A4 = (0, 0, 595.28, 841.89)  # points
PRINTED = [*templates().glob("*.css"), *templates().glob("sheets/*/*.css")]
BORDER, PIXEL = re.compile(r"border[a-z-]*: ([\d.]+)pt"), 96 / 72 * browser.FINE


def printed(sheet: str = "4a", variant: str = "blank", **options: object) -> str:
    return render(*paper(sheet, **options).given, kind="html", variant=variant).decode()


def test_each_leaf_has_a_page_of_its_own_name_and_its_footer_in_the_margin():
    html = printed(variant="solution", code="K7QX2MPD", qr=True)
    for k, leaf in enumerate(("Infoteil", "Arbeitsteil", "Für die Lehrkraft"), start=1):
        assert html.count(f'style="page: leaf1-{k}"') == 1
        rules = html.partition(f"@page leaf1-{k} {{")[2].partition("\n}")[0]
        assert f'@bottom-left {{ content: "Blatt 4a · {leaf}" }}' in rules
        assert '" \\b7  4a \\b7  " counter(sheet1)' not in rules, "ordinary signs are not spelled"
        assert 'K7QX2MPD · 4a · " counter(sheet1)' in rules
        assert 'background-image: url("data:image/svg+xml;base64,' in rules
    assert 'style="page: leaf1-4"' not in html
    assert "@counter-style leaf1-2-whose" in html, "further pages of a work leaf say whose it is"


def test_what_stands_in_a_margin_cannot_leave_its_text():
    evil = 'a"; } </style><script>\\'
    leaf = f'{margins.LEAF}"><footer class="furniture"><span class="left">x&quot;</span></footer>'
    assert margins.printed(leaf).css.count('content: "x\\22 "') == 1
    html = printed(author=evil)
    assert html.count("</style>") == html.count("<style>") == 1
    assert "<script" not in html


def test_a_page_has_one_main_part_and_fits_a_phone():
    for sheet in ("4a", "slides"):
        html = printed(sheet)
        assert html.count("<main>") == html.count("</main>") == 1
        assert html.index("<main>") < html.index("<section") < html.index("</main>")
        assert html.count('<meta name="viewport" content="width=device-width') == 1


def test_browsers_are_found_where_they_usually_are(tmp_path: Path, platform, path, env):
    program = tmp_path / path
    program.parent.mkdir(parents=True, exist_ok=True)
    program.touch(mode=0o755)
    assert browser.found(platform, {env: str(tmp_path)}) == program
    assert browser.found(platform, {env: str(tmp_path), browser.OWN: "mine"}) == Path("mine")
    program.unlink()
    assert browser.found("win32", {env: str(tmp_path)}) is None


def test_a_browser_that_does_not_print_is_named(tmp_path: Path, monkeypatch, script, said):
    program = tmp_path / "chrome"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(browser, "require", lambda: program)
    with pytest.raises(UserError, match="printed nothing") as error:
        browser.to_pdf(b"<p>", "sheet 4a")
    assert said in str(error.value)
    assert str(error.value).startswith(f"sheet 4a: {program}")


@pytest.mark.ci
@needs_a_browser
def test_a_browser_prints_what_weasyprint_prints(sheet, preset, language, variant, further):
    options = SheetOptions(language=language, **further)
    moved, different = compared(sheet, preset, options, variant)
    assert moved <= MOVED
    assert different <= DIFFERENT


@pytest.mark.whole
@needs_a_browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_browser_prints_every_sheet_as_weasyprint_does(sheet, preset, language):
    if why := reason(sheet, preset):
        pytest.skip(why)
    for variant in SERIES[sheet].kind.variants(VARIANTS):
        moved, different = compared(sheet, preset, SheetOptions(language=language), variant)
        assert moved <= MOVED, variant
        assert different <= HIGHER.get((sheet, preset), DIFFERENT), variant


@pytest.mark.ci
@needs_a_browser
def test_the_same_page_gives_the_same_bytes_with_bookmarks_tags_and_no_date():
    page = printed(variant="solution").encode()
    made = browser.to_pdf(page, "sheet 4a")
    assert browser.to_pdf(page, "sheet 4a") == made
    with pikepdf.open(io.BytesIO(made)) as pdf, pdf.open_outline() as outline:
        assert outline.root[0].title.startswith("Self-Attention")
        assert "/StructTreeRoot" in pdf.Root
        assert str(pdf.Root.Lang) == "de"
        assert {"/CreationDate", "/ModDate"}.isdisjoint(pdf.docinfo.keys())
        assert [float(side) for side in pdf.pages[0].mediabox] == pytest.approx(A4, abs=0.6)
        (leaf, *_) = outline.root
        assert 780 < float(leaf.destination[3]) < 800, "a bookmark leads to its heading"


@pytest.mark.ci
@needs_a_browser
def test_links_lie_on_their_words_and_lead_to_their_place():
    page = """<!DOCTYPE html><title>t</title><style>@page { size: A4; margin: 20mm; }
    p { margin: 0; font-size: 12pt; line-height: 1; }</style><body style="margin: 0">
    <p><a href="#x">there</a></p><p id="x" style="break-before: page; margin-top: 50mm">here</p>"""
    with pikepdf.open(io.BytesIO(browser.to_pdf(page.encode(), "links"))) as pdf:
        (link,) = pdf.pages[0].obj.Annots
        left, bottom, _, top = map(float, link.Rect)
        _, _, _, goal, _ = pdf.Root.Dests[str(link.Dest)]
    assert [left, top] == pytest.approx([56.7, 841.9 - 56.7], abs=4)
    assert 8 < top - bottom < 20
    place = 841.9 - 56.7 - 141.7  # a browser leaves the margin of the page out
    assert place - 4 < float(goal) < place + 60


def test_paper_and_print_are_enlarged_alike_and_texts_are_left():
    css = "@page { size: A4; margin: 1mm } @page wide {\n  size: A4 landscape;\n}"
    slide = "@page { size: 338.67mm 190.5mm; } p { font-size: A4; }"
    found = browser.enlarged(f"<style>{css}{slide}</style><p>{css}</p>")
    assert f"</style><p>{css}</p>" in found
    rules = found.partition("</style>")[0]
    assert "{ size: 1050mm 1485mm; margin: 1mm }" in rules
    assert "{\n  size: 1485mm 1050mm;\n}" in rules
    assert "{ size: 1693.35mm 952.5mm; } p { font-size: A4; }" in rules
    assert rules.endswith("html { zoom: 5; }\n")


def test_each_border_is_a_whole_number_of_pixels_where_a_browser_prints():
    """Else it is cut to one, and on a full page all that is cut adds up to a line of text."""
    css = {path: path.read_text() for path in PRINTED}
    found = {(path.name, width) for path in PRINTED for width in BORDER.findall(css[path])}
    assert len(found) > 20
    assert {(name, width) for name, width in found if round(PIXEL * float(width), 9) % 1} == set()
