"""What a teacher may choose: start values, marks, both sides, large print, own texts."""

import re
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import environment
from generator.sheets.options import SheetOptions
from generator.sheets.own_texts import (
    long_texts,
    own_texts,
    phrased,
    read_texts,
    replaceable,
)
from generator.sheets.series import SERIES, SHEETS
from generator.sheets.slots import Filler, beginning
from generator.sheets.worth import worth
from tests.cli.command import written
from tests.support.covering import each
from tests.support.filled import filling
from tests.support.sheets import Cells, html_of, paper, pdf, pdf_of, pictures, text, traces
from tests.support.structure import stays_within, type_sizes
from tests.support.views import page, render, view
from tests.support.words import refused

PRINTED = [sheet for sheet in SHEETS if not SERIES[sheet].kind.screen]
LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst mit Appetit Kuchen am Tisch"
START = """{% from "_tables.j2" import carry_td with context %}
{% from "_page.j2" import start, carry with context %}
{% call start(c, t, '3') %}<table><tr>{{ carry_td(c, 'input', 0, 0) }}</tr></table>
{{ carry(c, 'input', 0, 1) }}{% endcall %}
<p>{{ c.cell('input', 0, 0) }};{{ c.line('block1.head1.query', 0, 0) }}</p>
"""


def started(carry: str, *, blank: bool) -> str:
    """A box of start values, filled; the same cells stand outside of it too."""
    own = paper("4a", carry=carry)
    c = view(own.plan, *own.given[1:], blank=blank)
    source = environment().from_string(START).render(c=c, t=c.catalogue.t)
    return Filler(own.trace, own.plan.asked, "de", blank).fill(source)


def test_start_values_are_given_unless_pupils_bring_their_own():
    given = started("given", blank=True)
    assert "Startwerte von Blatt 3" in given
    assert [cell[2] for cell in Cells(given).found] == ["0,9", "1,1"]
    assert not any(ask for _, ask, _ in Cells(given).found)
    assert given == started("given", blank=False)


def test_own_start_values_are_boxes_and_in_a_blank_their_numbers_stand_nowhere():
    blank, solution = (started("own", blank=one) for one in (True, False))
    assert "Übertrage deine Ergebnisse von Blatt 3" in blank
    assert [(ask, shown) for _, ask, shown in Cells(blank).found] == [(True, ""), (True, "")]
    assert [shown for _, _, shown in Cells(solution).found] == ["0,9", "1,1"]
    cell, _, line = blank.partition("<p>")[2].partition(";")
    terms, _, result = line.partition('class="sign"')
    assert cell == ""  # the same cell in the text
    assert terms.count('class="gap"') == 2
    assert "0,9" not in terms
    assert "0,0" in terms  # other cells of the step are given
    assert "0,9" in result  # the query is another cell, and this sheet does not ask it


def test_marks_count_each_number_once_and_answers_in_words_twice():
    shown = html_of("4a", points=True)
    asked = {cell for cell, ask, _ in Cells(shown).found if ask}
    assert worth(shown).marks == len(asked) + 2 * shown.count('class="lines"') + 2 == 32
    assert "von 32 BE" in shown
    assert shown.count('class="mark-box"') == 1
    assert "mark-box" not in html_of("4a")


def test_points_draw_a_box_beside_each_task():
    plain, counted = (pdf_of("4a", "katze", "en", part="work", points=on) for on in (False, True))
    without, drawn = (int((pictures(one)[0][:, -200:] < 100).sum()) for one in (plain, counted))
    assert drawn > without + 200
    assert "of 32 marks" in text(counted)


@pytest.mark.parametrize("large", each(2, [False, True]))
def test_on_both_sides_the_punched_edge_is_white(large):
    chosen = {"duplex": True, "points": True, "large_print": large}
    document = pdf_of("4a", variant="solution", sentence="a b c d e f g h i j k l", **chosen)
    assert stays_within(document, duplex=True) > 4


def test_an_even_page_is_the_same_moved_by_the_wide_margin():
    one, two = (pdf_of("4a", "katze-trained", "en", duplex=on) for on in (False, True))
    for number in (1, 3):  # the second page of the info leaf and of the work leaf
        alone, behind = (pictures(document, dpi=127)[number].astype(int) for document in (one, two))
        moved = behind[:, :-50] - alone[:, 50:]  # 10 mm
        assert np.mean(np.abs(moved) > 60) < 0.0001


def test_each_leaf_begins_on_the_front_of_a_page():
    one = pdf_of("4a", "brille", variant="solution", duplex=True, level=1)
    shots = pictures(one, dpi=40)
    first = [number for number, shot in enumerate(shots) if np.any(shot[:60] < 120)]
    assert text(one).count("Arbeitsteil") >= 2
    assert {0, 2, 4} <= set(first)


@pytest.mark.parametrize(
    ("sheet", "level", "more"),
    [
        ("4a", 3, {"preset": "brille", "sentence": LONG}),
        ("4a", 1, {"language": "en", "variant": "blank"}),
        *each(9, [(sheet, 3, {}) for sheet in PRINTED]),
        *each(9, [(sheet, level, {}) for sheet, level in zip(PRINTED[::2], cycle((1, 2)))]),
    ],
)
def test_in_large_print_letters_have_18_pt_in_drawings_too_and_nothing_is_off_the_page(
    sheet, level, more
):
    chosen = {"preset": filling(sheet), "variant": "solution", "level": level, "points": True}
    document = pdf_of(sheet, large_print=True, **chosen | more)
    sizes = type_sizes(document)
    assert all(size >= 18 or 13.5 <= size < 14 for size in sizes), "less than 14 is an index"
    assert sheet != "4a" or sizes - {13.5} <= {18.0, 21.0, 25.5}
    assert stays_within(document) > (8 if sheet == "4a" else 1)


def test_large_print_blank_is_the_solution_without_answers():
    blank = pictures(pdf_of("4a", large_print=True), dpi=60)
    solution = pictures(pdf_of("4a", variant="solution", large_print=True), dpi=60)
    for empty, solved in zip(blank, solution, strict=False):
        assert (empty[(empty != solved).any(axis=2)] > 250).all()


def test_large_print_says_its_own_scale():
    assert "1 mm steht für 1 %" in html_of("4a")
    assert "1,5 mm stehen für 1 %" in html_of("4a", large_print=True)
    large = render(*paper("4a", large_print=True).given, kind="html")
    assert "zoom: 1.5" in large.decode()


TOML = """
sheet4a.story.open = "Im <b>Zoo</b> sieht „{own}“ sich um."
[sheet4a.task]
bars = "Zeichne Balken."
"""
PLAIN = """# eigene Texte
[sheet4a.story.open]
Im <b>Zoo</b>
sieht „{own}“ sich um.

[sheet4a.task.bars]
Zeichne Balken.
"""


@pytest.mark.parametrize(("name", "content"), [("a.toml", TOML), ("a.txt", PLAIN)])
def test_own_texts_take_the_place_of_ours_and_are_escaped(tmp_path: Path, name: str, content: str):
    (tmp_path / name).write_text(content, encoding="utf-8")
    texts = read_texts(tmp_path / name)
    shown = html_of("4a", texts=texts)
    assert "Im &lt;b&gt;Zoo&lt;/b&gt; sieht „Katze“ sich um." in shown
    assert "Zeichne Balken." in shown
    assert "1 mm steht" not in shown
    assert long_texts(texts) == []


def test_own_texts_that_do_not_work_are_named(texts, parts):
    with refused(*parts):
        own_texts(texts)


def test_files_of_own_texts_that_cannot_be_read_are_named(tmp_path: Path):
    for name, content, part in (
        ("a.toml", b"x =", "no TOML"),
        ("a.txt", b"\xff\xfe\xff", "UTF-8"),
        ("b.txt", b"Hallo", "before the first key"),
        ("b.toml", b"[sheet4a.story]\nopen = 3", "sheet4a.story.open: found 3, expected a text"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UserError, match=part):
            read_texts(tmp_path / name)
    with pytest.raises(UserError, match="cannot be read"):
        read_texts(tmp_path / "none.txt")


def test_each_story_and_task_may_be_replaced_and_all_is_said_that_is_long():
    keys = replaceable()
    assert {"sheet4a.story.open", "sheet4a.story.close", "sheet4a.task.bars"} <= set(keys)
    assert all(re.fullmatch(r"sheet[^.]+\.(story|task)\..+", key) for key in keys)
    texts = own_texts({"sheet4a.task.bars": "wort " * 16, "sheet4a.story.open": "wort " * 60})
    assert long_texts(texts) == ["own text sheet4a.task.bars: 16 words; better at most 15"]
    own = phrased(SheetOptions(large_print=True, texts=texts), generator.load_preset("katze"))
    assert own.t("sheet4a.task.bars") == "wort " * 16


def test_options_from_the_command_line_and_from_python(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.txt").write_text(PLAIN + "viel " * 20, encoding="utf-8")
    words = "make --preset katze --sheets 4a --only html --variant blank --points --large-print"
    assert main([*words.split(), "--duplex", "--carry", "own", "--texts", "own.txt"]) == 0
    assert "better at most 15" in capsys.readouterr().err
    shown = written(tmp_path, "4a-self-attention-blank.html").read_text(encoding="utf-8")
    for part in ("von 32 BE", 'class="blank large points"', "@page :left", "Im &lt;b&gt;"):
        assert part in shown
    assert main(["make", "--only", "html", "--carry", "mine"]) == 1
    assert "there is no carry 'mine'; choose from: given, own" in capsys.readouterr().err
    trace = generator.compute(preset="katze")
    for texts in ("own.txt", dict(read_texts("own.txt"))):
        made = generator.write(trace, "made", ["html"], sheets=["4a"], variant="blank",
                               texts=texts, points=True)  # fmt: skip
        assert "Im &lt;b&gt;" in made[0].read_text(encoding="utf-8")


def test_how_a_line_begins_is_its_first_term(terms, begun):
    assert beginning(terms, "5") == begun


def test_each_scale_in_a_task_has_one_for_large_print():
    for language in ("de", "en"):
        phrases = load(language).phrases
        keys = [key for key, phrase in phrases.items() if ".task." in key and " 1 mm " in phrase]
        assert len(keys) >= 1
        for key in keys:
            assert re.search(r" 1[.,]5 mm ", phrases[f"{key}.large"]), key


@pytest.mark.parametrize("sheet", SHEETS)
def test_own_start_values_are_nowhere_in_a_blank(sheet):
    own = paper(sheet, filling(sheet), carry="own")
    blank, plan = own.blank, own.plan
    brought = re.findall(r'class="[^"]*\bcarry\b[^"]*" data-cell="([^"]*)"', blank)
    cells = frozenset((step, int(i), int(j)) for step, i, j in (c.split("|") for c in brought))
    assert not {shown for cell, _, shown in Cells(blank).found if cell in cells} - {""}
    other = tampered(own.trace.with_steps(plan.extra), replace(plan, asked=cells), 0.4)
    extra = tuple(other[step.name] for step in plan.extra)
    assert page(replace(plan, extra=extra), other, *own.given[2:], blank=True) == blank


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sheet_stays_on_the_page_on_both_sides(sheet):
    options = SheetOptions(duplex=True, points=True)
    document = pdf(*traces(filling(sheet), "de"), options, "blank", sheet)
    assert stays_within(document, duplex=not SERIES[sheet].kind.screen) >= 1


STORY = {
    "de": "Erlebnispark Brille Namensschild Paket Stempel Steckbrief Armband Tor Kuchen Tüte Tür "
    "Koffer Rucksack Waage Werkstatt Drehkreuz Regler Rad Glücksrad Karussell Wagen Schlange",
    "en": "park glasses tag parcel stamp profile wristband gate cake bag door suitcase rucksack "
    "workshop turnstile dial wheel carousel carriage carriages queue",
}


@pytest.mark.parametrize("language", ["de", "en"])
def test_without_the_story_no_sheet_speaks_of_its_objects(language):
    for sheet in SHEETS:
        found = html_of(sheet, filling(sheet), language, story=False)
        assert "pictogram" not in found, sheet
        words = set(re.findall(r"\w+", re.sub("<[^>]*>", " ", found)))
        assert words & set(STORY[language].split()) == set(), sheet


@pytest.mark.parametrize(("sheet", "language"), list(zip(PRINTED, cycle(("en", "de")))))
def test_a_qr_code_adds_no_page_and_stays_on_it(sheet: str, language: str):
    both, options = traces(filling(sheet), language), SheetOptions(language=language)
    pages = len(pictures(pdf(*both, options, "blank", sheet), 20))
    coded = pdf(*both, replace(options, code="B-K7QX2MPD", qr=True), "blank", sheet)
    assert stays_within(coded) == pages >= 1
    assert all(has_code(page) for page in pictures(coded, 60))


def has_code(page: np.ndarray) -> bool:
    """Whether a QR code is in the lower right corner, and nothing below it for 4.5 mm."""
    millimetre = 60 / 25.4
    corner = page[-round(18 * millimetre) :, -round(28 * millimetre) :].min(axis=2) < 100
    return bool(not corner[-round(4.5 * millimetre) :].any() and corner.mean() > 0.06)
