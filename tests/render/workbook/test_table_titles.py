"""What tabs call their tables: symbols in headings and hints, words that fit how they stand."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from openpyxl.worksheet.worksheet import Worksheet

from generator.api import compute
from generator.checks.exercise import Exercise
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.computed import computed
from generator.render.workbook.build import write
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.layout import Band, HeadingLine
from generator.render.workbook.sheet_tabs import played
from tests.support.covering import covering
from tests.support.workbook import LANGUAGES, drafted_tabs

ROW, COLUMN = re.compile(r"[Zz]eile|\brow\b"), re.compile(r"[Ss]palte|\bcolumn\b")
TEXT = re.compile(r'"((?:[^"]|"")*)"')
NAMES = ("katze", "nihao", "ausgabe", "brille", "mental", "bpe")
EACH = pytest.mark.parametrize(("name", "language"), covering(NAMES, LANGUAGES))
LETTERS = r"[\w′²³¹⁰-₟ᵀ⁽⁾]"


@cache
def drafted(name: str, language: str, level: int) -> Draft:
    """A written exercise, or at level 0 a solution; "bpe" is the tab of byte-pair encoding.

    "learning" goes back through the whole model.
    """
    chosen = {"bpe": "katze", "learning": "katze-trained"}.get(name, name)
    learns = {"train": 1, "targets": "all"} if name == "learning" else {}
    trace = compute(preset=chosen, controls=True, language=language, **learns)
    trace = played(trace, ("bpe",)) if name == "bpe" else trace
    asked = plan(trace, level).asked if level else ()
    draft = Draft(Exercise(trace, asked), load(language))
    write(draft)
    return draft


def shown(draft: Draft) -> Iterator[tuple[str, str]]:
    """Each text that a tab can show, with its place; check columns only through the tab's texts."""
    checked = {page.title: checks for page, _, checks in drafted_tabs(draft) if checks}
    for page in draft.workbook.worksheets:  # Start, At a glance and Draw as well
        checks = checked.get(page.title)
        hints = set(map(checks.hint, range(1, 5))) if checks else set()
        for row in page.iter_rows(min_row=1):
            for cell in (c for c in row if isinstance(c.value, str)):
                if checks and cell.column >= checks.first and cell.column not in hints:
                    continue
                texts = TEXT.findall(cell.value) if cell.data_type == "f" else [cell.value]
                yield from ((f"{page.title}!{cell.coordinate}", text) for text in texts)


def tagged(draft: Draft) -> Iterator[tuple[Worksheet, Band, Box, str]]:
    """Each heading of a table: its page, its band, its box, its text."""
    for page, sheet, _ in drafted_tabs(draft):
        for band in sheet.bands:
            for box, place in band.tags.items():
                yield page, band, box, str(page.cell(*place).value)


def lines(draft: Draft) -> Iterator[tuple[Worksheet, HeadingLine, Checks | None]]:
    """Each heading line, with its page and the checks of its tab."""
    for page, sheet, checks in drafted_tabs(draft):
        yield from ((page, line, checks) for band in sheet.bands for line in band.lines)


def hints(draft: Draft) -> Iterator[tuple[str, str]]:
    """The second hint of each block, and the step that it belongs to."""
    for page, line, checks in lines(draft):
        place = checks and line.functions and (line.functions[0], checks.hint(2))
        if place and (text := page.cell(*place).value):
            yield line.step, str(text)


@pytest.mark.parametrize(("name", "language", "level"), covering(NAMES, LANGUAGES, (3, 0, 2)))
def test_no_tab_shows_the_name_of_a_step(name: str, language: str, level: int) -> None:
    draft = drafted(name, language, level)
    dotted = {step.name for step in draft.trace if "." in step.name}
    dotted |= {re.sub(r"^block\d+\.", "", x) for x in dotted if x.count(".") > 1}
    texts = list(shown(draft))
    assert len(texts) > 40
    assert not [(at, text) for at, text in texts if any(x in text for x in dotted)]


def test_the_names_of_steps_stand_in_the_check_columns() -> None:
    draft = drafted("katze", "de", 3)
    assert all(checks or sheet.tab.kind == "count" for _, sheet, checks in drafted_tabs(draft))
    for page, line, checks in lines(draft):
        assert not checks or page.cell(line.row, checks.hint(0)).value == line.step


@EACH
def test_no_hint_names_what_it_asks_for(name: str, language: str) -> None:
    draft = drafted(name, language, 3)
    told = list(hints(draft))
    assert len(told) >= {"katze": 35, "bpe": 0}.get(name, 3)
    for step, text in told:
        target, _, formula = text.partition(" = ")
        assert target.strip("„“”") == (draft.names.symbol(step) or draft.names.name(step))
        assert not re.search(f"(?<!{LETTERS}){re.escape(target)}(?!{LETTERS})", formula), text
        short = {name.rpartition(".")[2] for name in draft.trace.steps} - {"scale", "k", "p"}
        assert not short & set(re.findall(r"[A-Za-z_]\w+", text)), text


def test_hints_speak_the_language_and_the_symbols_of_the_sheets() -> None:
    german, english = (dict(hints(drafted("katze", x, 3))) for x in ("de", "en"))
    query, scores = "block1.head1.query", "block1.head1.scores"
    assert german[query] == "Q = RUNDEN(SUMMENPRODUKT(Zeile von X; Spalte von W_Q); 1)"
    assert english[query] == "Q = ROUND(SUMPRODUCT(row of X, column of W_Q), 1)"
    assert german[scores] == "S = RUNDEN(SUMMENPRODUKT(Zeile von Q; Spalte von Kᵀ); 2)"
    assert german["output.sum"] == "Σ = RUNDEN(SUMME(Spalte von Exp); 3)"
    assert german["output.logits"] == "z = RUNDEN(SUMMENPRODUKT(y; Zeile von W_E); 2)"
    assert "WENN(„Schalter: Positionen“=1; E+PE; E)" in german["input"]
    end = "SUMPRODUCT((column of “Cumulative”<=“Random number”)*1)+1)"
    assert english["sampling.next"] == f"“Next token” = INDEX(“Vocabulary”, {end}"


@pytest.mark.parametrize(
    ("name", "language", "level"), covering((*NAMES, "learning"), LANGUAGES, (0, 3))
)
def test_no_heading_of_a_tab_is_cut(name: str, language: str, level: int) -> None:
    """What stands to the right in its row, also what only help fills, begins behind its end."""
    draft = drafted(name, language, level)
    for page, line, _ in lines(draft):
        text, grid = str(page.cell(line.row, 1).value), draft.layout.grids[page.title]
        filled = (c for c in range(2, grid.right + 1) if page.cell(line.row, c).value is not None)
        assert len(text) * 0.95 <= grid.span(1, next(filled, grid.right + 1) - 1), text


@EACH
def test_each_heading_belongs_to_its_table(name: str, language: str) -> None:
    draft = drafted(name, language, 0)
    signs = [draft.catalogue.t(f"workbook.role.{x}")[0] for x in ("given", "computed", "asked")]
    for page, band, box, text in tagged(draft):
        row, column = band.tags[box]
        others = [c for r, c in band.tags.values() if r == row and c > column]
        room = draft.layout.grids[page.title].span(column, min(others, default=99) - 1)
        assert len(text) <= 1.06 * room, text
        if not box.home:
            assert text.startswith("= "), text
            continue
        letters = {line.letter for line in band.lines if line.step == box.step}
        assert letters or box.step in band.known  # what is given has its name here only
        letter = "".join(letters)
        called = draft.names.name(box.step)  # without a letter: it has a row of its own
        begun = (f"({letter})",) if letter else (called, draft.names.symbol(box.step) or called)
        assert text.startswith(begun)
        assert not text.endswith("]") or text[text.rindex("[") + 1] in signs


def test_a_table_of_its_own_is_told_in_full() -> None:
    found = {box.step: text for _, _, box, text in tagged(drafted("katze", "de", 0))}
    assert found["block1.head1.query"] == "= Query Q (oben)"  # the last one, beside the scores
    assert found["block1.head1.key"] == "= Key Kᵀ (oben)"
    assert found["block1.head1.scores"] == "Scores S = Q · Kᵀ [B berechnet]"
    assert found["block1.head1.weight.value"] == "Gewichtsmatrix W_V [G gegeben]"
    assert found["block1.mean1"].startswith("(b) μ")
    assert found["temperature"] == "= Temperatur T (Reiter Ziehen)"


@EACH
def test_no_heading_tells_how_to_compute_what_is_asked(name: str, language: str) -> None:
    draft = drafted(name, language, 3)
    asked = {cell[0] for cell in draft.exercise.asked}
    told = [text for _, _, box, text in tagged(draft) if box.home and box.step in asked]
    assert len(told) >= 2
    assert not [text for text in told if "=" in text]


@EACH
def test_words_stand_as_rows_and_the_formula_says_so(name: str, language: str) -> None:
    draft = drafted(name, language, 3)
    turned = {
        step.name: draft.layout.in_words(step.name)
        for step in draft.trace
        if draft.layout.home(step.name).turned and step.kind == "computed"
    }
    assert name in ("brille", "mental", "bpe") or "output.sum" in turned
    for step, text in turned.items():
        assert step == "output.all.logits" or not ROW.search(text), (step, text)  # of another table
    for page, line, checks in lines(draft):
        said = page.cell(line.row, 6).value
        hint = checks and page.cell(line.row, checks.hint(1)).value
        assert turned.get(line.step) in (said, hint, None), line.step
    if "output.sum" in turned:
        assert COLUMN.search(turned["output.sum"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_rounded_to_ten_places_on_paper(language: str) -> None:
    catalogue = load(language)
    for rounding, told in (("paper", False), ("exact", True)):
        trace = computed(preset="katze", controls=True, language=language, rounding=rounding)
        text = lay_out(trace, catalogue).in_words("sampling.share")
        assert (catalogue.t("workbook.control.temperature.drawing") in text) is True
        assert bool(re.search("zehn|ten", text)) is told
        assert not re.search(r"\d", text)
