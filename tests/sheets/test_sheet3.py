"""Sheet 3: the source's numbers, no leak through words or drawing, declared counts, limits."""

import re
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

import generator
from generator.errors import UserError
from generator.render.worksheet.worksheet import page, render_help
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet3 import plan as sheet3
from tests.support import battery
from tests.support.covering import each
from tests.support.sheet3 import view
from tests.support.sheets import html, pdf, tampered, text, traces


def test_a_blank_pdf_does_not_hang_on_the_asked_numbers_to_the_byte():
    trace, exact = traces("brille", "de")
    options = SheetOptions()
    other = tampered(trace.with_steps(sheet3.plan(trace, 1).extra), sheet3.plan(trace, 1), 0.37)
    first = pdf(trace, exact, options, "blank", "3")
    assert first == pdf(other, exact, options, "blank", "3")
    for answer in ("0,909", "−0,416", "−0,279", "0,960", "0,998"):
        assert answer not in text(first)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("sentence", [None, "Die Katze", "a b c d e f g h i j k l"])
def test_no_wave_and_no_mark_of_a_blank_stands_in_a_gap(level, sentence):
    waves = view("katze", "de", level, sentence).grid()
    assert len(waves.gaps) == min(level, 2)
    for column in range(4):
        drawn = [m.x for m in waves.marks(column)]
        for path in waves.curves(column):
            drawn += [float(x) for x in re.findall(r"[ML](\S+) ", path)]
        assert drawn
        for gap in waves.gaps:
            assert all(abs(x - waves.x(gap)) >= waves.unit / 2 - 0.01 for x in drawn)


def test_a_blank_draws_no_answer():
    trace, exact = traces("brille", "de")
    empty, solved = (
        html(trace, exact, SheetOptions(), blank=blank, sheet="3") for blank in (True, False)
    )
    assert 'stroke="#1d3fb0"' not in empty
    assert solved.count('stroke="#1d3fb0"') == 2 * 2 * 4, "a wave and a mark for each number"


def changed(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """The path of a variant of the preset of drawn numbers."""
    source = Path(generator.__file__).parent / "presets" / "random.toml"
    content = source.read_text(encoding="utf-8")
    for old, new in (('name = "random"', 'name = "other"'), *changes):
        assert old in content
        content = content.replace(old, new)
    path = tmp_path / "other.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_learned_positions_and_wide_models_are_refused(tmp_path):
    rows = ", ".join(["[0.1, 0.2, 0.3, 0.4]"] * 8)
    learned = (
        ('kind = "sinusoidal"', 'kind = "learned"'),
        ("[weights]", f"[weights]\nposition = [{rows}]\n#"),
    )
    with pytest.raises(UserError, match=r"learned positions.*'katze' or 'brille'"):
        sheet3.plan(traces(changed(tmp_path, *learned), "de")[0], 1)
    with pytest.raises(UserError, match=r"d_model = 8; .* 2 to 6.*'katze'"):
        sheet3.plan(traces(changed(tmp_path, ("d_model = 4", "d_model = 8")), "de")[0], 1)


def test_six_dimensions_give_their_divisors_and_angles(tmp_path):
    trace, exact = traces(changed(tmp_path, ("d_model = 4", "d_model = 6")), "de")
    options = SheetOptions(level=3)
    assert battery.boxes("3", trace, exact, options) == 36
    assert battery.stays_on_the_page(pdf(trace, exact, options, "solution", "3")) == 5
    assert "2 : 21,5443 ≈ 0,0928" in html(trace, exact, options, blank=True, sheet="3")


@pytest.mark.parametrize(("preset", "level", "boxes"), each(2, [("brille", 1, 0), ("katze", 2, 8),
                                                        ("katze", 3, 12)]))  # fmt: skip
def test_the_embedding_is_brought_along_where_sheet_2_read_it_off(preset, level, boxes):
    trace, exact = traces(preset, "de")
    options = SheetOptions(level=level, carry="own")
    blank = html(trace, exact, options, blank=True, sheet="3")
    assert blank.count('class="ask carry') == boxes
    assert ("die Zeile u von Blatt 2" in blank) == bool(boxes)
    assert battery.stays_on_the_page(pdf(trace, exact, options, "blank", "3")) == 4
    battery.blank_is_solution_without_answers("3", trace, exact, options)


def test_no_table_leaves_its_caption_behind_in_large_print():
    trace, exact = traces("katze", "de")
    document = pdf(trace, exact, SheetOptions(large_print=True), "blank", "3")
    pages = [" ".join(page.get_textpage().get_text_range().split())
             for page in pypdfium2.PdfDocument(document)]  # fmt: skip
    with_caption = [page for page in pages if re.search("“ an Position [26]", page)]
    tables = [page for page in with_caption if "„sitzt“ an Position" in page and "Winkel" in page]
    assert len(tables) == 2


def test_equals_and_roughly_stand_where_they_are_true():
    trace, exact = traces("brille", "de")
    shown = html(trace, exact, SheetOptions(), blank=False, sheet="3")
    plain = re.sub(r"<[^>]+>", "", shown).replace("\N{NO-BREAK SPACE}", " ")
    assert "d1: sin(1 : 1) = sin 1 ≈ 0,841; Summe: 0,0 + 0,841 ≈ 0,8" in plain
    assert "d4: cos(1 : 100) = cos 0,01 ≈ 1,000; Summe: 0,2 + 1,000 = 1,2" in plain


def test_the_info_leaf_is_the_same_for_every_own_token():
    trace, exact = traces("katze", "de")
    options = SheetOptions(part="info")
    other = replace(trace, exercise=4)
    first, second = (
        page(sheet3.plan(t, 2), t, exact, options, Formulas(), blank=True) for t in (trace, other)
    )
    assert first == second


@pytest.mark.parametrize(("language", "sign"), [("de", ":"), ("en", "÷")])
def test_a_help_card_begins_as_the_sheet_does(language, sign):
    """The division that the sheet prints, not the angle with all its decimals."""
    trace, exact = traces("katze", language)
    found = render_help("3", trace, exact, SheetOptions(language=language), kind="html").decode()
    lines = re.findall(r'<p class="first"><b>.*?</b> (.*?)</p>', found)
    place = view("katze", language, 2).plan.places[0].position
    assert lines == [f"sin({place:.0f} {sign} 1) = …", f"cos({place:.0f} {sign} 100) = …"]


def test_marks_and_qr_codes_leave_no_page_of_scratch_in_the_middle():
    trace, exact = traces("katze", "de")
    for carry in ("given", "own"):
        options = SheetOptions(points=True, qr=True, part="work", carry=carry)
        pages = pypdfium2.PdfDocument(pdf(trace, exact, options, "blank", "3"))
        assert len(pages) == 2
