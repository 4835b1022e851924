"""The solved workbook: two spreadsheet programs compute what the engine computed, cell by cell.

Also its rounds and cuts: tabs of their own, live inside, the same numbers as the whole.
"""

import contextlib
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product

import numpy as np
import pytest

import generator
from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.behaviour import to_see
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import defined_name, legal
from generator.render.workbook.layout.tabs import tabs
from generator.render.workbook.sheet_tabs import cut
from generator.render.workbook.solution import render
from generator.sheets.series import SERIES
from tests.benchmarks import models
from tests.support.covering import covering, each
from tests.support.office import Office
from tests.support.pairs import ODD, edits_for, pairs
from tests.support.recalculate import libreoffice_edited, libreoffice_values
from tests.support.workbook import (
    LANGUAGES,
    SHIPPED,
    Book,
    book,
    cells_in,
    compare,
    made_of,
    played,
)

ROUNDINGS = ("paper", "exact")
FEW, MANY, BATCH = 3, 120, 10  # of three one is a shipped preset
PARTS = [  # of the many; most only where somebody waits for them
    *(pytest.param(part, marks=pytest.mark.sweep) for part in range(1)),
    *(pytest.param(part, marks=pytest.mark.whole) for part in range(1, 6)),
]
KATZE = load_preset("katze")


@cache
def preset_book(name: str, language: str, rounding: str) -> Book:
    """The workbook of a shipped preset."""
    trace = generator.compute(preset=name, language=language, rounding=rounding, controls=True)
    return book(trace, language)


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.ci)])
def shipped(request: pytest.FixtureRequest) -> list[Book]:
    """Every shipped preset, each language and arithmetic in turn, or all of them."""
    cases = covering(SHIPPED, LANGUAGES, ROUNDINGS)
    assert len(cases) == 4 * len(SHIPPED)
    everything = request.param == "all"
    return [preset_book(*case.values) for case in cases if everything or not case.marks]


@cache
def strategies(rounding: str) -> list[Book]:
    """Katze with each way to choose the next token, and a number for each position."""
    drawn = {"k": 2, "p": 0.6, "random": 0.37, "output_positions": "all"}
    presets = [replace(KATZE, strategy=s, **drawn) for s in STRATEGIES]
    return [made_of(preset, "en", rounding=rounding) for preset in presets]


@cache
def in_rounds(rounding: str) -> list[Book]:
    """Three rounds, greedy and drawn, with two heads and with several blocks."""
    drawn = replace(load_preset("random"), strategy="sample", random=0.37)
    return [made_of(preset, rounding=rounding, rounds=3) for preset in (KATZE, drawn)]


@cache
def drawn() -> list[Book]:
    """The workbooks of the first pairs, in both languages in turn."""
    return [book(pair.trace(), LANGUAGES[n % 2]) for n, pair in enumerate(pairs(FEW))]


def prove(books: list[Book], office: Office) -> int:
    """Both programs, caches stripped, against the engine; gives the number of cells compared."""
    compared = 0
    found = libreoffice_values([made.bare for made in books], office)
    for made, values in zip(books, found, strict=True):
        cells = compare(made, values)
        assert compare(made, made.values()) == cells
        compared += cells
    return compared


Edited = Sequence[tuple[Mapping[str, object], Trace]]  # what is edited, and its computation then


def prove_edited(made: Book, edited: Edited, office: Office) -> set[str]:
    """Each edit typed into its cells, by both programs, against the engine; gives the warnings."""
    both, warnings = made.by_both([edit for edit, _ in edited], office), set()
    for (_, trace), (values, known) in zip(edited, both, strict=True):
        assert compare(made, values, trace) == compare(made, known, trace)
        warnings |= {made.warning(values), made.warning(known)}
    return warnings


def after_edits(pair) -> list[tuple[dict[str, object], Trace]]:
    """What is edited in a pair, and its computation then; not what leaves no result (σ = 0)."""
    found = []
    for edit in edits_for(pair):
        with contextlib.suppress(UserError):
            found.append((edit, pair.trace(edit)))
    return found


def test_shipped_presets(shipped: list[Book], office: Office) -> None:
    assert prove(shipped, office) >= 600 * len(shipped)


@pytest.mark.ci
@pytest.mark.parametrize("rounding", each(2, ROUNDINGS))
def test_strategies_and_rounds(rounding: str, office: Office) -> None:
    assert prove(strategies(rounding), office) >= 4 * 1_400
    assert prove(in_rounds(rounding), office) >= 2 * 2_000


@pytest.mark.ci
def test_the_largest_workbook(office: Office) -> None:
    made = made_of(models.large(), "en")  # 30 tokens, d_model 16, 4 heads, 4 blocks
    assert prove([made], office) > 100_000


def test_random_pairs(office: Office) -> None:
    assert prove(drawn(), office) >= FEW * 50


@pytest.mark.parametrize(("rounding", "name"), each(9, list(product(ROUNDINGS, SHIPPED))))
def test_every_switch_both_ways_every_strategy_and_word(
    rounding: str, name: str, office: Office
) -> None:
    preset = load_preset(name)
    made = made_of(preset, rounding=rounding)
    edits: list[dict[str, object]] = [
        {f"{step.name}[{i + 1},{j + 1}]": 0}
        for step in made.trace
        if step.name.startswith("switch.")
        for i, j in np.ndindex(step.shape)
    ]
    if "sampling.next" in made.trace:
        edits += [{"sampling.strategy": s, "sampling.random": 0.83} for s in STRATEGIES]
        edits += [{f"temperature[{i + 1},1]": 0.8} for i in range(len(preset.temperatures))]
        edits += [{"sampling.strategy": "top-k", "sampling.k": 2}]
        edits += [{"sampling.strategy": "top-p", "sampling.p": 0.4, "sampling.random": 0.99}]
    if "onehot" in made.trace and "der" in made.trace.tokens:
        edits += [{"tokens[1]": "Matte", "tokens[2,1]": "der"}]
    assert prove_edited(made, [(edit, made.after(edit)) for edit in edits], office) == {""}


@pytest.mark.ci
def test_edits_run_through_all_rounds(office: Office) -> None:
    numbers = {"sampling.random": 0.05, "round2.sampling.random": 0.93}
    greedy: list[dict[str, object]] = [
        {"tokens[2]": "Matte"},
        {"switch.mask": 0, "block1.head1.weight.query[1,1]": 0.3},
        {"sampling.strategy": "sample", "round2.sampling.random": 0.93},
    ]
    drawn = [numbers | {"round3.sampling.random": 0.5}]
    for made, edits in zip(in_rounds("paper"), (greedy, drawn), strict=True):
        assert made.trace.rounds == 3
        prove_edited(made, [(edit, made.after(edit)) for edit in edits], office)


def test_edits(office: Office) -> None:
    for made, pair in zip(drawn(), pairs(2), strict=False):  # both arithmetics
        edited = after_edits(pair)
        assert len(edited) >= FEW
        prove_edited(made, edited, office)


@pytest.mark.parametrize("part", PARTS)
def test_many_random_pairs(office: Office, part: int) -> None:
    many = islice(pairs(MANY), part, None, len(PARTS))
    while some := list(islice(many, BATCH)):
        books, edited = [book(pair.trace(), "en") for pair in some], list(map(after_edits, some))
        typed = [[made.typed(e) for e, _ in x] for made, x in zip(books, edited, strict=True)]
        computed = libreoffice_edited([made.bare for made in books], typed, office)
        for made, edits, states in zip(books, edited, computed, strict=True):
            for values, known in ((states[0], None), *zip(states[1:], edits, strict=True)):
                edit, trace = known or (None, None)
                assert compare(made, values, trace) == compare(made, made.values(edit), trace)


def test_odd_tokens_stay_text(office: Office) -> None:
    words = {**KATZE.words, **dict.fromkeys(ODD, (0.1, 0.2, 0.3, 0.4))}
    some = [" ".join(ODD[k : k + 8]) for k in range(0, len(ODD), 8)]
    prove([made_of(replace(KATZE, words=words), "en", sentence) for sentence in some], office)


def test_a_token_that_looks_like_an_escape_is_kept(office: Office) -> None:
    made = made_of(KATZE, "de", "Die _x0041_")
    compare(made, libreoffice_values([made.bare], office)[0])  # IronCalc does not decode escapes


# What stands in the file ----------------------------------------------------------------------


def test_caches_are_the_engines_values_and_computed_cells_formulas(shipped: list[Book]) -> None:
    for made in [*shipped, *strategies("paper")]:
        compare(made, made.cached)
        for step in made.trace:
            for i, j in np.ndindex(step.shape):
                sheet, address = made.cell(step.name, i, j)
                formula = made.formulas[sheet].get(address)
                live = step.kind == "computed" or made.layout.in_force(step.name, i, j) is not None
                assert (formula is not None) == live, (step.name, address)


def test_every_step_has_one_home_and_boxes_do_not_overlap(shipped: list[Book]) -> None:
    for made in [*shipped, *drawn()]:
        assert set(made.layout.homes) == {*made.trace.steps, *made.trace.aliases}
        taken = [(box.sheet, *cell) for box in made.boxes for cell in cells_in(box)]
        assert len(taken) == len(set(taken))


def test_names_belong_to_the_homes(shipped: list[Book]) -> None:
    for made in shipped:
        names = made.pages.defined_names
        for step in made.trace:
            assert legal(name := defined_name(step.name))
            assert names[name].attr_text == made.layout.home(step.name).area()


def test_nothing_volatile_no_macro_no_link_outside(shipped: list[Book]) -> None:
    for made in shipped:
        formulas = [f for cells in made.formulas.values() for f in cells.values()]
        assert not [f for f in formulas if re.search(r"OFFSET|INDIRECT|NOW|RAND|TODAY|\[", f)]
        with zipfile.ZipFile(io.BytesIO(made.xlsx)) as archive:
            assert not [n for n in archive.namelist() if "external" in n.lower() or "vba" in n]
            assert not [n for n in archive.namelist() if b"External" in archive.read(n)]


def test_same_bytes_and_no_user_text_in_names() -> None:
    trace = generator.compute("</sheet> 'x'!A1 =1+1", preset="katze", controls=True)
    assert render(trace, load("de")) == render(trace, load("de"))
    known = {"Tokens", "Eingabe", "Head 1", "Head 2", "Attention", "Feed-Forward", "Output"}
    assert {tab.title for tab in tabs(trace, load("de"))} == known | {"Parameter"}


def test_every_step_of_every_structure_has_a_title_and_a_formula() -> None:
    for trace in (pair.trace() for pair in pairs(40)):
        for layout in (lay_out(trace, load(language)) for language in LANGUAGES):
            for step in trace:
                assert layout.catalogue.step(step.name)
                assert "{" not in layout.in_words(step.name)


NAMES = {
    True: ("block1.head1.scores", "ids", "Q_1", "count.total", "position"),
    False: ("Q1", "W1", "LN1", "R", "c", "R1C1", "true", "ROW3", "a b", "1a"),
}


def test_names_are_legal_or_not() -> None:
    assert {is_legal: tuple(map(legal, names)) for is_legal, names in NAMES.items()} == {
        is_legal: (is_legal,) * len(names) for is_legal, names in NAMES.items()
    }


# Rounds and cuts ------------------------------------------------------------------------------


def test_later_rounds_have_tabs_of_their_own() -> None:
    one = played("katze", "Die Katze sitzt", rounds=2)
    found = tabs(one.trace, load("de"))
    assert [t.title for t in found if t.round == 2][:3] == ["R2 Tokens", "R2 Eingabe", "R2 Head 1"]
    assert found[-1].kind == "count"
    word = one.trace["sampling.next"].values[0, 0]
    assert f"4 {word}" in one.cached["R2 Head 1"].values()
    assert compare(one, one.values())


def test_a_cut_has_only_the_tabs_of_its_sheets(sheet: str, titles: list[str]) -> None:
    for rounding in ROUNDINGS:
        whole = compute(KATZE, rounding=rounding, controls=True)
        one = book(cut(whole, (sheet,)), "de")
        for step in one.trace:
            assert (step.values == whole[step.name].values).all()
            assert step.decimals == whole[step.name].decimals
        assert [s.tab.title for s, _ in one.tabs] == titles
        assert compare(one, one.values())


@pytest.mark.parametrize("preset", ["previous-word", "same-word", "subject-verb", "mental"])
def test_what_a_preset_shows_is_known_of_a_cut(preset: str) -> None:
    whole = compute(load_preset(preset), controls=True)
    assert to_see(whole)
    assert to_see(cut(whole, ("4a",)))


def test_switches_inside_a_cut_stay_live() -> None:
    one = book(cut(played().trace, ("4a",)), "de")
    values = one.values({"switch.mask": 0, "input[2,1]": 0.3})
    sheet, cell = one.cell("block1.head1.mask", 0, 5)
    assert values[sheet][cell] == 0
    assert one.trace["input"].kind == one.trace["tokens"].kind == "given"


def test_cuts_join_and_keep_all_that_is_computed_inside() -> None:
    whole = played().trace
    part = cut(whole, ("5", "6"))
    assert part["last"].kind == "computed"
    assert part["input"].kind == "given"
    assert cut(whole, ("6",))["last"].kind == "given"
    everything = cut(whole, tuple(sheet for sheet in SERIES if SERIES[sheet].kind.steps))
    kinds = {step.name: step.kind for step in everything}
    assert kinds == {s.name: s.kind for s in whole if not s.name.startswith("count.")}


def test_unknown_and_missing_sheets() -> None:
    with pytest.raises(UserError, match=r"no sheet '4c'; choose from: 1, bpe, 2, 3"):
        cut(played().trace, ("4c",))
    with pytest.raises(UserError, match=r"'paris' computes nothing of sheet 6.*such as 'katze'"):
        cut(played("paris").trace, ("4a", "6"))
