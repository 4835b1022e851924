"""Help cards and hints: where a calculator does more than the four rules, one hint a block."""

import io
import re

import pypdfium2
import pytest

from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.context import Help
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.cli.command import files_below
from tests.support.covering import covering
from tests.support.filled import filling
from tests.support.sheets import Paper, html_of, paper, text, traces
from tests.support.structure import stays_within
from tests.support.views import page, render_help
from tests.support.workbook import LANGUAGES

FILLED = [s for s in SHEETS if SERIES[s].kind.filled and not SERIES[s].kind.screen]
CARDS = ("3", "4a", "4b", "5", "6")  # sine and cosine; powers and shares; squares and quotients
THREE = ("4a", "4b", "5")  # cards, on a page
STRIP = re.compile(r'<aside class="hints">.*?</aside>', re.DOTALL)


def asked(sheet: str, language: str, level: int = 2) -> Paper:
    """A sheet that it fills."""
    return paper(sheet, filling(sheet), language, level=level)


def cards(sheet: str, language: str, level: int = 3, *, tamper: float = 0.0) -> str:
    """The HTML of a sheet's cards, or of one whose asked cells hold other numbers."""
    own = asked(sheet, language, level)
    trace = own.trace
    if tamper:
        trace = tampered(trace.with_steps(own.plan.extra), own.plan, tamper)
    return page(own.plan, trace, *own.given[2:], blank=True, other="help.html.j2")


def work(sheet: str, language: str, level: int) -> str:
    """The HTML of a sheet's work leaf, blank."""
    return html_of(sheet, filling(sheet), language, level=level, part="work")


def helps(sheet: str, language: str, level: int = 2) -> tuple[Help, ...]:
    return asked(sheet, language, level).view.helps()


@pytest.mark.parametrize("sheet", SHEETS)
def test_cards_are_only_where_keys_are_pressed(sheet):
    both = traces(filling(sheet), "de")
    assert PrintedSheet(sheet, *both, SheetOptions()).has_helps is (sheet in CARDS)


@pytest.mark.parametrize(("sheet", "language"), covering(CARDS, LANGUAGES))
def test_a_card_says_keys_formula_and_how_the_own_line_begins(sheet, language):
    found = cards(sheet, language, 2)
    blocks = helps(sheet, language)
    count = 3 if sheet in THREE else 2
    assert len(blocks) == count
    assert found.count('class="card"') == found.count('class="squares"') == count
    keys = [
        re.findall(r'class="key(?: put)?">(.*?)<', one)
        for one in re.findall(r"Tasten:.*?</p>|Press:.*?</p>", found)
    ]
    assert len(keys) == count
    assert all(len(row) >= 5 and row[-1] == "=" for row in keys), keys
    assert not [key for row in keys for key in row if "{" in key]
    put_in = set(re.findall(r'class="key put">(.*?)<', found))
    assert put_in
    assert not put_in & {"(", ")", "=", "eˣ", "sin", "STO", "A"}, "a key has a frame"
    for level in (1, 2, 3):
        view = asked(sheet, language, level).view
        assert all(view.asks(*one[2:5]) for one in view.helps())
    for block in blocks:
        phrase = load(language).phrases[f"sheet{sheet}.help.{block.key}"]
        assert 5 <= len(phrase.split()) <= 18, (block.key, phrase)


@pytest.mark.parametrize("sheet", CARDS)
def test_no_card_hangs_on_an_asked_number(sheet):
    found = cards(sheet, "de")
    assert "So beginnt deine Rechnung" in found
    assert found == cards(sheet, "de", tamper=0.37)


def test_cards_begin_as_the_sheets_do():
    """Sheet 3 with the divisions that it prints, the others with boxes for the own results."""
    begun = {
        sheet: [
            re.sub(r"<span.*?></span>", "▢", one.replace('<span class="answer"></span>', ""))
            for one in re.findall(r"So beginnt deine [^:]*:</b>\s+(.*?)</p>", cards(sheet, "de"))
        ]
        for sheet in CARDS
    }
    assert begun["3"] == [f"sin(2 : {d}) = … und cos(2 : {d}) = …" for d in (1, 100)]
    assert [line.count("▢") for line in begun["4a"] + begun["4b"]] == [1, 1, 2, 0, 1, 0]
    assert re.fullmatch(r"\(\(.+\s−\s.+\)² \+ …\)\s:\s4 = …", begun["5"][0])
    assert "▢" in begun["5"][0]
    assert begun["5"][1].replace("\xa0", " ") == "(▢ − ▢) : ▢ = …"
    assert begun["5"][2].startswith("▢")
    assert begun["6"][1].count("▢") == 2


@pytest.mark.parametrize(("sheet", "language"), covering(CARDS, LANGUAGES))
def test_a_card_has_the_example_with_its_numbers_and_begins_with_one_where_one_is_given(
    sheet, language
):
    for level in (1, 2, 3):
        found, view = cards(sheet, language, level), asked(sheet, language, level).view
        lines = re.findall(r"(?:Im Beispiel|In the example)[^:]*:</b> (.*?)</p>", found)
        for line, one in zip(lines, view.helps(), strict=True):
            assert re.search(r"\d.*[=≈]\u00a0<b>", line)
            assert one.like
            assert not view.asks(one.step, *one.like)
            assert "0000)" not in line, "an angle as nobody types it"
    first = asked("4a", language, 1)
    share = first.view.helps()[2]
    assert (f"{share.step.removesuffix('weights')}exp", *share[3:5]) not in first.plan.asked


@pytest.mark.parametrize(("sheet", "large"), covering(CARDS, (False, True)))
def test_cards_stay_on_the_page(sheet, large):
    trace, exact = traces(filling(sheet), "de")
    document = render_help(sheet, trace, exact, SheetOptions(large_print=large))
    assert stays_within(document) == (2 + (sheet in THREE) if large else 1)
    assert "Schneide an" in text(document)


@pytest.mark.parametrize("sheet", ["4a", "6"])
def test_the_box_of_a_power_stands_where_the_exponent_stands(sheet):
    """Its lower edge, in points, above the baseline of the line; that of a quotient's is below."""
    document = render_help(sheet, *traces("katze", "de"), SheetOptions())
    page = pypdfium2.PdfDocument(io.BytesIO(document))[0]
    words, above = page.get_textpage(), []
    edges = [one.get_bounds() for one in page.get_objects() if one.type == 2]
    boxes = [edge for edge in edges if 34 < edge[2] - edge[0] < 42]
    said = words.get_text_range()
    for found in re.finditer("So beginnt deine (?=R)", said):
        _, baseline, _, top = words.get_charbox(found.end())
        mine = [low for _, low, _, high in boxes if low < top and high > baseline]
        above += [min(mine) - baseline] if mine else []  # a score has its numbers
    assert len(above) == 2
    assert above[0] > 2
    assert above[1] < 0


def test_cards_as_html_and_what_there_is_none_of():
    trace, exact = traces("katze", "de")
    document = render_help("3", trace, exact, SheetOptions(), kind="html").decode()
    assert "Hilfekarten zu Blatt 3" in document
    assert set(re.findall(r'(?:src|href)="([^"]{5})', document)) == {"data:"}
    with pytest.raises(UserError, match="no output 'xlsx'"):
        render_help("3", trace, exact, SheetOptions(), kind="xlsx")
    with pytest.raises(
        UserError, match="sheet 2 has no help cards; sheets that have: 3, 4a, 4b, 5, 6"
    ):
        render_help("2", trace, exact, SheetOptions())
    for presets in ("mental", "subject-verb"):  # powers looked up in a table; one that has e
        has = presets == "subject-verb"
        assert PrintedSheet("4a", *traces(presets, "de"), SheetOptions()).has_helps is has
    assert not PrintedSheet("5", *traces("ausgabe", "de"), SheetOptions()).has_helps


def test_make_writes_cards_into_the_hand_out_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = ["make", "--sheets", "3,4a", "--only", "html", "--out"]
    assert main([*made, "both"]) == 0
    assert main([*made, "teacher", "--variant", "solution"]) == 0
    names = [name.partition("/")[2] for name in files_below(tmp_path / "both")]
    assert [name for name in names if "help" in name] == [
        "hand-out/3-position-help.html",
        "hand-out/4a-self-attention-help.html",
    ]
    assert not [name for name in files_below(tmp_path / "teacher") if "help" in name]


@pytest.mark.parametrize(
    ("sheet", "language"),
    [(s, one) for s in FILLED if s != "7d" for one in LANGUAGES],  # boards of two rows are full
)
def test_one_short_hint_a_block_at_the_foot_of_the_work_leaf(sheet, language):
    keys = asked(sheet, language).view.hints()
    assert 2 <= len(keys) <= 4
    strips = STRIP.findall(work(sheet, language, 2))
    assert len(strips) == (2 if sheet == "4b" else 1)  # of a pair each has a page and its hints
    strip = "".join(strips)
    phrases = load(language).phrases
    for key in keys:
        begin = f"sheet{sheet}.hint.{key}"
        for form in (k for k in phrases if k.startswith(begin) and "title" not in k):
            assert 6 <= len(phrases[form].split()) <= 15, form
        assert phrases[f"sheet{sheet}.hint.{key}.title"] in strip
    assert strip.count("<b>") == len(keys)
    assert not re.search(r"\d[.,]\d", strip), "a number of this computation"


@pytest.mark.parametrize("sheet", FILLED)
def test_the_highest_level_has_no_hints_but_where_all_levels_are_alike(sheet):
    assert bool(STRIP.search(work(sheet, "de", 3))) is SERIES[sheet].kind.alike
