"""Can everyone read the sheets: the tags for screen readers, and the print after two copies.

Two checkers of PDF/UA-1 look at every sheet: `page` (104 rules, held by its makers to the corpus
of veraPDF) and `pdfua` (16 rules). What follows here no checker knows: that alternative texts are
of the sheet's language and hold nothing that pupils are asked.
"""

import io
import re
from dataclasses import replace

import pikepdf
import pytest

from generator.locales.catalogue import load
from generator.render.worksheet.booklet import booklet
from generator.render.worksheet.pdf import PdfDocument, document_css
from generator.render.worksheet.sheet_check import tampered
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import parsed
from generator.sheets.series import SHEETS
from tests.support.copier import pieces
from tests.support.covering import covering, first
from tests.support.filled import filling
from tests.support.sheets import paper, pdf, pdf_of, traces
from tests.support.structure import below, conforms, tags
from tests.support.views import page, render_help

LEGIBLE = 0.4  # the contrast that #767676, the lightest grey that WCAG calls legible, keeps
CASES = covering(SHEETS, (("de", "solution"), ("en", "blank")))
NEUTRAL = {"a", "d", "die", "an", "in", "so", "also", "am", "was", "war", "hat", "bin", "gift"}


def made(sheet: str, language: str, variant: str) -> bytes:
    """A sheet as PDF; its tags and its copies are looked at."""
    return pdf_of(sheet, filling(sheet), language, variant=variant)


@pytest.mark.parametrize(("sheet", "language", "variant"), CASES)
def test_each_sheet_conforms(sheet, language, variant, tmp_path):
    conforms(made(sheet, language, variant), tmp_path)


def test_booklet_help_cards_and_large_print_conform(tmp_path):
    trace, exact = traces("katze", "de")
    options = SheetOptions(points=True, duplex=True)
    conforms(booklet(("1", "4a"), trace, exact, options, variant="solution"), tmp_path)
    conforms(render_help("3", trace, exact, options), tmp_path)
    large = SheetOptions(large_print=True, points=True)
    conforms(pdf(trace, exact, large, "blank"), tmp_path)


@pytest.mark.parametrize(("sheet", "language", "variant"), CASES)
def test_title_language_headings_and_headers_of_tables(sheet, language, variant):
    with pikepdf.open(io.BytesIO(made(sheet, language, variant))) as opened:
        assert str(opened.Root.Lang) == language
        assert bool(opened.Root.MarkInfo.Marked)
        assert bool(opened.Root.ViewerPreferences.DisplayDocTitle)
        assert str(opened.docinfo["/Title"]).startswith(load(language).t(f"sheet{sheet}.title"))
        found = tags(opened)
        kinds = [tag.kind for tag in found]
        assert "H1" in kinds
        assert kinds.index("H1") < min((k for k, kind in enumerate(kinds) if kind in ("H2", "H3")),
                                       default=len(kinds))  # fmt: skip
        for tag in found:
            if tag.kind == "TH":
                assert str(tag.element.A.Scope) in ("/Row", "/Column")
            if tag.kind == "TD":
                assert "/Headers" in tag.element.A
            if tag.kind == "Figure":
                assert str(tag.element.Alt).strip()
            if tag.kind == "Table":
                parts = {one.kind for one in below(tag.element)}
                assert "TH" in parts or "TD" not in parts, "a table without headers"


@pytest.mark.parametrize(("sheet", "language", "variant"), CASES)
def test_alternative_texts_are_of_the_sheets_language(sheet, language, variant):
    other = {"de": "en", "en": "de"}[language]
    own, foreign = (_words(" ".join(load(one).phrases.values())) for one in (language, other))
    trace, _ = traces(filling(sheet), language)
    own |= _words(" ".join([*trace.tokens, *trace.preset.words])) | NEUTRAL
    with pikepdf.open(io.BytesIO(made(sheet, language, variant))) as opened:
        spoken = [str(tag.element.Alt) for tag in tags(opened) if tag.kind == "Figure"]
    for text in spoken:
        assert not (_words(text) & foreign) - own, text


def _words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]+", text)}


def spoken(html: str) -> list[str]:
    """What a screen reader says of pictures: alt, aria-label, the title of a drawing."""
    given = [
        (one.get("alt"), one.get("aria-label"), one.get("title"), one.tag == "title" and one.text)
        for one in parsed(html).iter("*")
    ]
    return [text for some in given for text in some if text]


@pytest.mark.parametrize("blank", [True, False], ids=["blank", "solution"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_no_alternative_text_holds_an_asked_number(sheet, blank):
    own = paper(sheet, filling(sheet), level=3)
    plan = own.plan
    if not plan.asked:
        return
    told = []
    for one in (own.view.trace, tampered(own.view.trace, plan, 0.37)):
        its = replace(plan, extra=tuple(one[step.name] for step in plan.extra))
        told.append(spoken(page(its, one, *own.given[2:], blank=blank)))
    assert told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize("sheet", first(1, SHEETS))
def test_text_survives_two_copies(sheet):
    copies = pieces(made(sheet, "de", "solution"))
    texts = [one for shot in copies for one in shot if sum(map(str.isalnum, one.text)) > 1]
    assert len(texts) > 15
    assert not [one for one in texts if one.kept < LEGIBLE]


def test_the_copier_tells_pale_text_from_dark():
    kinds = [(size, grey) for size in (6, 10) for grey in ("#000", "#5b656e", "#999", "#ccc")]
    lines = "".join(
        f'<p style="font-size:{size}pt;color:{grey}">{grey} Hamburg 0,12</p>'
        for size, grey in kinds
    )
    html = f'<html lang="de"><title>x</title>{lines}'
    (found,) = pieces(PdfDocument(html, [document_css()], Formulas(), where="copier").to_pdf())
    assert len(found) == 8
    for one in found:
        assert (one.kept >= LEGIBLE) == one.text.startswith(("#000", "#5b656e")), one
