"""The solved workbook: two spreadsheet programs compute what the engine computed, cell by cell."""

import contextlib
import io
import re
import zipfile
from dataclasses import replace
from functools import cache
from itertools import islice, product

import numpy as np
import pytest
from openpyxl import load_workbook

import generator
from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import defined_name, legal
from generator.render.workbook.solution import render
from tests.benchmarks import models
from tests.support.covering import covering, each
from tests.support.office import Office
from tests.support.pairs import ODD, Pair, edits_for, pairs
from tests.support.recalculate import (
    cached_values,
    edit_cells,
    formula_cells,
    ironcalc_values,
    libreoffice_edited,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import Book, book, compare

SHIPPED = ("katze", "brille", "ausgabe", "paris", "random")
LANGUAGES = ("de", "en")
ROUNDINGS = ("paper", "exact")
FEW, MANY, BATCH = 3, 120, 10  # of three one is a shipped preset
PARTS = [  # of the many; the second half only where somebody waits for it
    *(pytest.param(part, marks=pytest.mark.sweep) for part in range(3)),
    *(pytest.param(part, marks=pytest.mark.whole) for part in range(3, 6)),
]


@cache
def made_of(name: str, language: str, rounding: str) -> Book:
    """The workbook of a shipped preset."""
    return book(played(preset=name, language=language, rounding=rounding), language)


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.ci)])
def shipped(request: pytest.FixtureRequest) -> list[Book]:
    """Every shipped preset, each language and arithmetic in turn, or all of them."""
    cases = covering(SHIPPED, LANGUAGES, ROUNDINGS)
    assert len(cases) == 4 * len(SHIPPED)
    everything = request.param == "all"
    return [made_of(*case.values) for case in cases if everything or not case.marks]


@cache
def strategies(rounding: str) -> list[Book]:
    """Katze with each way to choose the next token, and a number for each position."""
    drawn = {"k": 2, "p": 0.6, "random": 0.37, "output_positions": "all"}
    presets = [replace(load_preset("katze"), strategy=s, **drawn) for s in STRATEGIES]
    return [book(compute(p, rounding=rounding, controls=True), "en") for p in presets]


@cache
def in_rounds(rounding: str) -> list[Book]:
    """Three rounds, greedy and drawn, with two heads and with several blocks."""
    drawn = replace(load_preset("random"), strategy="sample", random=0.37)
    presets = [load_preset("katze"), drawn]
    return [book(compute(p, rounding=rounding, controls=True, rounds=3), "de") for p in presets]


def played(sentence: str | None = None, **options: object) -> Trace:
    """A computation as a workbook needs it, with its controls."""
    return generator.compute(sentence, controls=True, **options)


def prove(books: list[Book], office: Office) -> int:
    """Both programs, caches stripped, against the engine; gives the number of cells compared."""
    stripped = [strip_caches(made.xlsx) for made in books]
    compared = 0
    for made, bare, values in zip(
        books, stripped, libreoffice_values(stripped, office), strict=True
    ):
        cells = compare(made, values)
        assert compare(made, ironcalc_values(bare)) == cells
        compared += cells
    return compared


@cache
def drawn() -> list[Book]:
    """The workbooks of the first pairs, in both languages in turn."""
    return [book(pair.trace(), LANGUAGES[n % 2]) for n, pair in enumerate(pairs(FEW))]


def prove_edits(some: list[Pair], books: list[Book], office: Office) -> int:
    """The workbooks, and each edit typed into their cells, against the engine with that edit."""
    wanted = [_after_edits(pair) for pair in some]
    typed = [
        [_typed(made, edit) for edit, _ in edits] for made, edits in zip(books, wanted, strict=True)
    ]
    bare = [strip_caches(made.xlsx) for made in books]
    computed = libreoffice_edited(bare, typed, office)
    for made, xlsx, edits, cells, states in zip(books, bare, wanted, typed, computed, strict=True):
        compare(made, states[0])
        compare(made, ironcalc_values(xlsx))
        for (_, trace), edit, values in zip(edits, cells, states[1:], strict=True):
            compare(made, values, trace)
            compare(made, ironcalc_values(edit_cells(made.xlsx, edit)), trace)
    return sum(map(len, wanted))


def _after_edits(pair: Pair) -> list[tuple[dict[str, object], Trace]]:
    """What is edited in a pair, and its computation then; not what leaves no result (σ = 0)."""
    found = []
    for edit in edits_for(pair):
        with contextlib.suppress(UserError):
            found.append((edit, pair.trace(edit)))
    return found


def _typed(made: Book, edit: dict[str, object]) -> dict[tuple[str, str], object]:
    typed: dict[tuple[str, str], object] = {}
    for address, value in edit.items():
        name, _, index = address.rstrip("]").partition("[")
        alone = [drawing_row(made.trace.preset) if name == "temperature" else 0]
        place = [int(k) - 1 for k in index.split(",")] if index else alone
        typed[made.input(name, place[0], place[1] if len(place) > 1 else 0)] = value
    return typed


def test_shipped_presets(shipped: list[Book], office: Office) -> None:
    assert prove(shipped, office) >= 600 * len(shipped)


@pytest.mark.ci
@pytest.mark.parametrize("rounding", each(2, ROUNDINGS))
def test_strategies(rounding: str, office: Office) -> None:
    assert prove(strategies(rounding), office) >= 4 * 1_400


@pytest.mark.ci
@pytest.mark.parametrize("rounding", each(2, ROUNDINGS))
def test_rounds(rounding: str, office: Office) -> None:
    assert prove(in_rounds(rounding), office) >= 2 * 2_000


@pytest.mark.parametrize(("rounding", "name"), each(9, list(product(ROUNDINGS, SHIPPED))))
def test_every_switch_both_ways_and_every_strategy(
    rounding: str, name: str, office: Office
) -> None:
    preset = load_preset(name)
    made = book(compute(preset, rounding=rounding, controls=True), "de")
    edits: list[dict[str, object]] = [
        {f"{step.name}[{i + 1},{j + 1}]": 0}
        for step in made.trace
        if step.name.startswith("switch.")
        for i, j in np.ndindex(step.shape)
    ]
    if "sampling.next" in made.trace:
        edits += [{"sampling.strategy": s, "sampling.random": 0.83} for s in STRATEGIES]
    cells = [_typed(made, edit) for edit in edits]
    ((_, *computed),) = libreoffice_edited([made.xlsx], [cells], office)
    for edit, typed, values in zip(edits, cells, computed, strict=True):
        trace = compute(preset, rounding=rounding, edits=edit, controls=True)
        by_ironcalc = ironcalc_values(edit_cells(made.xlsx, typed))
        assert compare(made, values, trace) == compare(made, by_ironcalc, trace)


@pytest.mark.ci
def test_edits_run_through_all_rounds(office: Office) -> None:
    made = in_rounds("paper")[0]
    edits: list[dict[str, object]] = [
        {"tokens[2]": "Matte"},
        {"switch.mask": 0, "block1.head1.weight.query[1,1]": 0.3},
        {"sampling.strategy": "sample", "round2.sampling.random": 0.93},
    ]
    cells = [_typed(made, edit) for edit in edits]
    ((_, *computed),) = libreoffice_edited([made.xlsx], [cells], office)
    for edit, typed, values in zip(edits, cells, computed, strict=True):
        trace = compute(load_preset("katze"), edits=edit, controls=True, rounds=3)
        by_ironcalc = ironcalc_values(edit_cells(made.xlsx, typed))
        assert compare(made, values, trace) == compare(made, by_ironcalc, trace)


@pytest.mark.ci
def test_the_largest_workbook(office: Office) -> None:
    preset = models.large()  # 30 tokens, d_model 16, 4 heads, 4 blocks
    made = book(compute(preset, controls=True), "en")
    assert prove([made], office) > 100_000


def test_random_pairs(office: Office) -> None:
    assert prove(drawn(), office) >= FEW * 50


def test_edits(office: Office) -> None:
    some = list(pairs(2))  # both arithmetics
    assert prove_edits(some, drawn()[:2], office) >= 2 * FEW


@pytest.mark.parametrize("part", PARTS)
def test_many_random_pairs(office: Office, part: int) -> None:
    many = islice(pairs(MANY), part, None, len(PARTS))
    while some := list(islice(many, BATCH)):
        prove_edits(some, [book(pair.trace(), "en") for pair in some], office)


def test_caches_are_the_engines_values(shipped: list[Book]) -> None:
    for made in shipped:
        compare(made, cached_values(made.xlsx))


def test_every_computed_cell_is_a_formula_over_cells(shipped: list[Book]) -> None:
    for made in [*shipped, *strategies("paper")]:
        formulas = formula_cells(made.xlsx)
        for step in made.trace:
            for i, j in np.ndindex(step.shape):
                sheet, address = made.cell(step.name, i, j)
                formula = formulas.get(sheet, {}).get(address)
                live = step.kind == "computed" or made.layout.in_force(step.name, i, j) is not None
                assert (formula is not None) == live, (step.name, address)
                assert formula is None or formula.startswith("=")


def test_every_step_has_one_home_and_boxes_do_not_overlap(shipped: list[Book]) -> None:
    for made in [*shipped, *drawn()]:
        assert set(made.layout.homes) == {*made.trace.steps, *made.trace.aliases}
        taken: set[tuple[str, int, int]] = set()
        for sheet in made.layout.sheets:
            for box in (box for band in sheet.bands for box in band.boxes):
                cells = {
                    (box.sheet, row, column)
                    for row in range(box.row, box.bottom + 1)
                    for column in range(box.column, box.right + 1)
                }
                assert not cells & taken, box
                taken |= cells


def test_odd_tokens_stay_text(office: Office) -> None:
    katze = load_preset("katze")
    row = (0.1, 0.2, 0.3, 0.4)
    preset = replace(katze, words={**katze.words, **dict.fromkeys(ODD, row)})
    for start in range(0, len(ODD), 8):
        made = book(compute(preset, " ".join(ODD[start : start + 8]), controls=True), "en")
        stripped = strip_caches(made.xlsx)
        compare(made, libreoffice_values([stripped], office)[0])
        compare(made, ironcalc_values(stripped))


def test_a_token_that_looks_like_an_escape_is_kept(office: Office) -> None:
    made = book(played("Die _x0041_", preset="katze"), "de")
    compare(made, libreoffice_values([strip_caches(made.xlsx)], office)[0])


def test_same_bytes_and_no_user_text_in_names() -> None:
    trace = played("</sheet> 'x'!A1 =1+1", preset="katze")
    assert render(trace, load("de")) == render(trace, load("de"))
    titles = [sheet.tab.title for sheet in lay_out(trace, load("de")).sheets]
    known = {"Tokens", "Eingabe", "Head 1", "Head 2", "Attention", "Feed-Forward", "Ausgabe"}
    assert set(titles) == known | {"Parameter"}


def test_too_many_tokens() -> None:
    with pytest.raises(UserError, match="31 tokens; a workbook takes 30"):
        render(played(" ".join(["Katze"] * 31), preset="katze"), load("de"))


@pytest.mark.ci
def test_thirty_tokens_are_computed() -> None:
    made = book(played(" ".join(["Katze", "auf"] * 15), preset="katze"), "de")
    compare(made, ironcalc_values(strip_caches(made.xlsx)))


def test_nothing_volatile_no_macro_no_link_outside(shipped: list[Book]) -> None:
    for made in shipped:
        formulas = [f for cells in formula_cells(made.xlsx).values() for f in cells.values()]
        assert not [f for f in formulas if re.search(r"OFFSET|INDIRECT|NOW|RAND|TODAY|\[", f)]
        with zipfile.ZipFile(io.BytesIO(made.xlsx)) as archive:
            assert not [n for n in archive.namelist() if "external" in n.lower() or "vba" in n]
            assert not [n for n in archive.namelist() if b"External" in archive.read(n)]


def test_names_belong_to_the_homes(shipped: list[Book]) -> None:
    for made in shipped:
        names = load_workbook(io.BytesIO(made.xlsx)).defined_names
        for step in made.trace:
            name = defined_name(step.name)
            assert legal(name)
            assert names[name].attr_text == made.layout.home(step.name).area()


def test_every_tab_is_ready_for_screen_and_paper() -> None:
    made = made_of("katze", "de", "paper")
    workbook = load_workbook(io.BytesIO(made.xlsx))
    for page in (workbook[sheet.tab.title] for sheet in made.layout.sheets):
        assert page.freeze_panes == "B4"
        assert page.print_title_rows == "$3:$3"
        assert (page.page_setup.fitToWidth, page.page_setup.fitToHeight) == (1, 0)
        assert "katze" in page.oddFooter.left.text
        assert not page.merged_cells.ranges
        assert sum(page.column_dimensions[c].width for c in "ABCDEFGHIJKLMNOPQ") <= 175


def test_both_languages_say_the_same_things() -> None:
    german, english = load("de").phrases, load("en").phrases
    for prefix in ("workbook.", "step.", "formula."):
        assert {k for k in german if k.startswith(prefix)} == {
            k for k in english if k.startswith(prefix)
        }


def test_every_step_of_every_structure_has_a_title_and_a_formula() -> None:
    for pair in pairs(40):
        trace = pair.trace()
        for language in LANGUAGES:
            layout = lay_out(trace, load(language))
            for step in trace:
                assert layout.catalogue.step(step.name)
                assert "{" not in layout.in_words(step.name)


@pytest.mark.parametrize("name", ["Q1", "W1", "LN1", "R", "c", "R1C1", "true", "ROW3", "a b", "1a"])
def test_illegal_names(name: str) -> None:
    assert not legal(name)


@pytest.mark.parametrize("name", ["block1.head1.scores", "ids", "Q_1", "count.total", "position"])
def test_legal_names(name: str) -> None:
    assert legal(name)
