"""Sheet 4a: right numbers, no leak, the declared counts, readable limits."""

import re
from dataclasses import replace

import numpy as np
import pytest

from generator.errors import UserError
from generator.notation.shown import number
from generator.render.worksheet.sheet_check import tampered
from generator.sheets.fonts import MissingGlyph
from generator.sheets.options import SheetOptions
from tests.support.sheets import html_of, paper, pdf_of, text, traces
from tests.support.views import render

CASES = [("brille", "de", 2), ("brille", "en", 3), ("katze", "de", 3), ("katze", "en", 1)]


def test_a_blank_pdf_is_the_same_to_the_byte_again_and_with_other_asked_numbers():
    own = paper("4a", "brille")
    blank, shown = own.pdf("blank"), text(own.pdf("blank"))
    for answer in ("−0,48", "5,45", "0,83", "0,79"):
        assert answer in own.solution
        assert answer not in shown
        assert answer.encode() not in blank
    assert render(*own.given) == blank
    other = replace(own, trace=tampered(own.trace, own.plan, 0.37))
    assert render(*other.given) == blank


def test_the_teacher_has_the_worked_tokens_shares_sorted():
    own = paper("4a", "brille", part="work")
    trace = own.trace
    (table,) = re.findall(r'<table class="class shown ranked">.*?</table>', own.solution, re.DOTALL)
    weights = trace["block1.head1.weights"].values[trace.worked]
    order = np.argsort(-weights, kind="stable")
    assert re.findall(r'"word">([^<„]+)</th>', table) == [trace.tokens[j] for j in order]
    shares = re.findall(r">(\d,\d+)<", table)
    assert shares == [number(weights[j], len(shares[0]) - 2, "de") for j in order]
    assert "ranked" not in re.sub(r"<style.*?</style>", "", own.blank, flags=re.DOTALL)


def test_html_css_and_jinja_in_a_sentence_are_text():
    sentence = "<b>fett</b> {{ 7*7 }} url(http://x.test/a.png) </style>"
    document = pdf_of("4a", "brille", sentence="<b> {{ 7*7 }} <", header=sentence)
    assert "49" not in re.findall(r"\{\{.*?\}\}", text(document))
    assert "<b>fett</b> {{ 7*7 }}" in text(document).replace("\n", " ")


def test_a_missing_glyph_is_named():
    with pytest.raises(MissingGlyph, match=r"U\+1F41F"):
        pdf_of("4a", "brille", sentence="Die Katze mag 🐟 sehr")


def test_options_that_do_not_exist_are_said():
    trace, exact = traces("brille", "de")
    with pytest.raises(UserError, match=r"there is no sheet '4x'.*4a"):
        render("4x", trace, exact, SheetOptions())
    with pytest.raises(UserError, match="there is no level 4"):
        SheetOptions(level=4)
    with pytest.raises(UserError, match="there is no part 'inof'; did you mean 'info'"):
        SheetOptions(part="inof")
    with pytest.raises(UserError, match="at least 21 minutes"):
        render("4a", trace, exact, SheetOptions(budget=3))


def test_the_html_edition_stands_alone():
    document = render(*paper("4a", "brille").given, kind="html").decode()
    addresses = re.findall(r'(?:src|href)="([^"]{5})', document)
    assert set(addresses) == {"data:"}
    assert "@font-face" in document
    assert "5,45" not in document


@pytest.mark.parametrize(("preset", "language", "level"), CASES)
def test_each_language_has_its_own_sign_for_times(preset, language, level):
    document = html_of("4a", preset, language, blank=False, level=level)
    body = re.sub(r"<(head|footer)\b.*?</\1>", "", document, flags=re.DOTALL)
    signs = re.findall(r"(?:\d|\)|</sub>|[₀-₉]) ([·×]) (?:\d|\(|Σ|<i>|<span|[qkv])", body)
    assert len(signs) > 15
    assert set(signs) == {{"de": "·", "en": "×"}[language]}


LONG = "Die Donaudampfschifffahrtsgesellschaft und die Versicherung fahren langsam auf der Straße"


def test_a_negative_number_stands_whole_in_its_box_and_no_title_alone_at_the_foot():
    shown = text(pdf_of("4a", "random", variant="solution", sentence=LONG, level=3))
    assert re.search(r"· \(−\d,\d\d\) ", shown)
    assert not re.search(r"\(−\d,\d\d\s+\)", shown), "the bracket has slipped out of the box"
    after = shown.partition("2 · So rechnet")[2]
    assert "Seite" not in after.partition("Die Tabelle entsteht")[0]


def test_of_equal_tokens_the_sheet_says_which_one_is_the_own():
    """By its position, counted from 0 as on sheet 3: „um₅“ is the last token of six."""
    for sheet in ("4a", "4b", "slide"):
        assert "Du rechnest für „um₅“" in html_of(sheet, "same-word")
        assert not re.search(r"„\w+[₀-₉]“", html_of(sheet))
