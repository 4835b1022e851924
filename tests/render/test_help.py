"""Help cards: three for each block of each sheet that has them, none with an answer."""

import re

import pytest

from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.notation.html import HtmlWorked
from generator.render.worksheet.help import has_helps, render_help
from generator.render.worksheet.worksheet import page, planned, view
from generator.sheets.context import Help
from generator.sheets.maths import Formulas, typeset
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.cli.command import files_below
from tests.support.covering import covering
from tests.support.filled import filling
from tests.support.sheets import tampered, text, traces
from tests.support.structure import stays_within

PRINTED = [sheet for sheet in SHEETS if not SERIES[sheet].kind.screen]
CASES = [(sheet, language) for sheet in PRINTED for language in ("de", "en")]


def cards(sheet: str, language: str, level: int = 3, *, tamper: float = 0.0) -> str:
    """The HTML of a sheet's cards, or of one whose asked cells hold other numbers."""
    trace, exact = traces(filling(sheet), language)
    options = SheetOptions(language=language, level=level)
    plan = planned(sheet, trace, options)
    if tamper:
        trace = tampered(trace.with_steps(plan.extra), plan, tamper)
    return page(plan, trace, exact, options, Formulas(), blank=True, other="help.html.j2")


def blocks(sheet: str, language: str, level: int = 3) -> tuple[Help, ...]:
    """The blocks of a sheet that have cards."""
    trace, exact = traces(filling(sheet), language)
    options = SheetOptions(language=language, level=level)
    plan = planned(sheet, trace, options)
    return view(plan, trace, exact, options, Formulas(), blank=True).helps()


def helped(sheet: str, language: str) -> bool:
    trace, _ = traces(filling(sheet), language)
    return has_helps(sheet, trace, SheetOptions(language=language))


@pytest.mark.parametrize(("sheet", "language"), CASES)
def test_three_cards_a_block_in_stages(sheet, language):
    helps = blocks(sheet, language, 2)
    assert bool(helps) == helped(sheet, language)
    if not helps:
        return
    found = cards(sheet, language, 2)
    assert len(helps) <= 6
    assert found.count('class="card"') == 3 * len(helps)
    assert found.count('class="first"') == len(helps)
    for block in helps:
        phrase = load(language).phrases[f"sheet{sheet}.help.{block.key}"]
        assert 5 <= len(phrase.split()) <= 45, (block.key, phrase)


@pytest.mark.parametrize(("sheet", "language"), [case for case in CASES if case[1] == "de"])
def test_no_card_hangs_on_an_asked_number_or_says_a_result(sheet, language):
    if not helped(sheet, language):
        return
    trace, _ = traces(filling(sheet), language)
    plan = planned(sheet, trace, SheetOptions(language=language, level=3))
    found = cards(sheet, language)
    if not plan.extra:
        assert found == cards(sheet, language, tamper=0.37)
    firsts = re.findall(r'<p class="first">(.*?)</p>', found)
    whole = trace.with_steps(plan.extra)
    for block, first in zip(blocks(sheet, language), firsts, strict=True):
        assert first.endswith((" + …", " = …", " | …")), first
        if block[2:] in plan.asked:
            result = HtmlWorked(whole, language).spelled(*block[2:])
            assert first not in (f"{result} = …", f"({result}) = …"), (block.key, first)


@pytest.mark.parametrize(("language", "large"), covering(("de", "en"), (False, True)))
def test_cards_stay_on_the_page(language, large):
    trace, exact = traces("katze", language)
    options = SheetOptions(language=language, large_print=large)
    document = render_help("4a", trace, exact, options)
    assert stays_within(document) == (4 if large else 2)
    shown = text(document)
    assert ("Cut along", "Schneide an")[language == "de"] in shown
    assert ("0.116 × 1.1 + …", "0,116 · 1,1 + …")[language == "de"] in shown


@pytest.mark.parametrize("large", [False, True])
def test_a_long_line_with_empty_boxes_begins_within_its_card(large):
    trace, exact = traces("katze", "de")
    assert stays_within(render_help("5", trace, exact, SheetOptions(large_print=large)))
    spread = re.findall(r'<p class="first">(.*?)</p>', cards("5", "de"))[1]
    assert re.fullmatch(r"\(\(<.*>\s−\s<.*>\)² \+ …\)\s:\s4 = …", spread)
    assert spread.count('class="gap"') == 2


def test_what_is_only_copied_begins_a_row_without_an_equals_sign():
    assert re.findall(r'<p class="first">(.*?)</p>', cards("4b", "de"))[-1] == "1,26 | …"


def test_cards_as_html_and_what_there_is_none_of():
    trace, exact = traces("katze", "de")
    document = render_help("4a", trace, exact, SheetOptions(), kind="html").decode()
    assert "Hilfekarten zu Blatt 4a" in document
    assert set(re.findall(r'(?:src|href)="([^"]{5})', document)) == {"data:"}
    with pytest.raises(UserError, match="no output 'xlsx'"):
        render_help("4a", trace, exact, SheetOptions(), kind="xlsx")
    assert not has_helps("4a", traces("ausgabe", "de")[0], SheetOptions())


def test_make_writes_cards_into_the_hand_out_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = ["make", "--sheets", "4a", "--only", "html", "--out"]
    assert main([*made, "both"]) == 0
    assert main([*made, "teacher", "--variant", "solution"]) == 0
    names = [name.partition("/")[2] for name in files_below(tmp_path / "both")]
    assert "hand-out/4a-self-attention-help.html" in names
    assert not [name for name in files_below(tmp_path / "teacher") if "help" in name]


@pytest.mark.parametrize(("language", "times"), [("de", "·"), ("en", "×")])
def test_cards_of_generate_begin_as_pupils_write(language, times):
    found = cards("generate", language)
    ends, path = re.findall(r'<p class="first">(.*?)</p>', found)
    assert re.fullmatch(r"0[.,]\d+ \+ …", ends), ends
    box = '<span class="gap"><span class="answer"></span></span>'
    assert path == f"{box} {times} {box} {times} {box} = …"
    trace, exact = traces(filling("generate"), language)
    options, formulas = SheetOptions(language=language, level=3), Formulas()
    view(planned("generate", trace, options), trace, exact, options, formulas, blank=True).helps()
    cross = "\\times" if language == "en" else "\\cdot"
    assert typeset(f"P = P_1 {cross} P_2 {cross} P_3", True) in formulas.cache.values()
