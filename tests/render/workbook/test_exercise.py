"""The exercise: a simulated pupil fills it, and two programs judge as the Python evaluator does."""

import re
from itertools import islice, product

import numpy as np
import pytest

from generator.checks.verdict import unit
from generator.engine.model import compute
from generator.engine.step import Cell
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.render.workbook.layout.box import at
from generator.render.workbook.sheet_tabs import cut
from tests.reference.options import Draws
from tests.support.covering import covering, each, first
from tests.support.office import Office
from tests.support.pairs import pairs
from tests.support.pupil import (
    LANGUAGES,
    SHIPPED,
    Desk,
    Typed,
    desk,
    enter,
    entries,
    first_number,
    no_error,
    trace_of,
)
from tests.support.recalculate import (
    Values,
    ironcalc_values,
    libreoffice_values,
)

LEVELS = (1, 2, 3)
RIGHT, WRONG, NO_NUMBER, NOT_YET = 1, -1, -2, 0
ODD_WORDS = ("0,86", "abc", "", "1/2", "x")
ODD_ENTRIES = (*ODD_WORDS, 0.0, -3.5, 99.0)
FEW, MANY = 2, 40
# First each level and each moment once.
DIAGONAL = [("katze", 1, "off"), ("katze", 2, "once"), ("katze", 3, "block")]
VERDICTS = sorted(
    product(SHIPPED, LEVELS, ("once", "block", "off")), key=lambda case: case not in DIAGONAL
)


def judged(made: Desk, xlsx: bytes) -> dict[Cell, int]:
    values = ironcalc_values(xlsx)
    no_error(values)
    return made.verdicts(values)


def slips(made: Desk, draws: Draws) -> tuple[dict[Cell, object], dict[Cell, object]]:
    """What a careless pupil enters, and the same with formulas typed in for some numbers."""
    entered = entries(made.exercise, _some(made, draws))
    for cell in sorted(made.plan.asked):
        if draws.number() < 0.08:
            entered[cell] = draws.choice(ODD_ENTRIES if unit(made.trace[cell[0]]) else ODD_WORDS)
    typed = dict(entered)
    for cell, value in entered.items():
        if isinstance(value, float) and draws.number() < 0.2:
            typed[cell] = Typed(f"={value!r}+0.25-0.25")
    return entered, typed


def _some(made: Desk, draws: Draws) -> dict[Cell, object]:
    trace = made.trace
    cells = [c for c in sorted(made.plan.asked) if unit(trace[c[0]]) and draws.number() < 0.1]
    wrong = (-0.3, 0.02, 0.5)
    return {c: round(float(trace[c[0]].values[c[1:]]) + draws.choice(wrong), 3) for c in cells}


# The pupil ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "language", "level"), covering(SHIPPED, LANGUAGES, LEVELS))
def test_all_right_is_all_green(name: str, language: str, level: int) -> None:
    made = desk(name, level, language)
    values = ironcalc_values(made.filled(entries(made.exercise)))
    no_error(values)
    assert set(made.verdicts(values).values()) == {RIGHT}
    number = len(made.plan.asked)
    start = load(language).t("workbook.tab.start")
    assert f"{number} / {number}" in values[start].values()


@pytest.mark.parametrize("name", each(2, SHIPPED))
def test_one_early_slip_is_one_red_cell(name: str) -> None:
    made = desk(name, 2)
    slip = first_number(made.exercise)
    entered = entries(made.exercise, {slip: made.trace[slip[0]].values[slip[1:]] + 0.3})
    verdicts = judged(made, made.filled(entered))
    assert {cell: v for cell, v in verdicts.items() if v != RIGHT} == {slip: WRONG}


@pytest.mark.parametrize(("name", "level", "when"), first(3, VERDICTS))
def test_every_verdict_is_the_evaluators(name: str, level: int, when: str) -> None:
    draws = Draws(f"paperformer/pupil3/{name}/{level}/{when}")
    made = desk(name, level)
    entered, typed = slips(made, draws)
    tolerance = draws.choice((0, 1, 2))
    xlsx = made.filled(typed, when, tolerance=tolerance)
    expected = made.expected(entered, when, tolerance)
    assert judged(made, xlsx) == expected
    if when == "once":
        assert {RIGHT, WRONG} <= set(expected.values())


@pytest.mark.parametrize(
    ("name", "level", "when"),
    each(
        5,
        (
            *(("katze", 2, "once"), ("katze", 3, "block"), ("random", 3, "once")),
            *(("paris", 3, "once"), ("ausgabe", 2, "once"), ("brille", 1, "block")),
        ),
    ),
)
def test_libreoffice_judges_alike(name: str, level: int, when: str, office: Office) -> None:
    made = desk(name, level)
    entered, typed = slips(made, Draws(f"paperformer/pupil/office/{name}/{level}"))
    files = [made.filled(typed, when), made.filled(entries(made.exercise))]
    wanted = [made.expected(entered, when), dict.fromkeys(made.plan.asked, RIGHT)]
    for expected, values in zip(wanted, libreoffice_values(files, office), strict=True):
        no_error(values)
        assert made.verdicts(values) == expected


def test_rounding_exactly_and_several_rounds() -> None:
    for rounding, rounds in (("exact", 1), ("paper", 2), ("exact", 2)):
        made = Desk(trace_of("katze", "en", rounding, rounds), 2, "en")
        filled = made.filled(entries(made.exercise))
        values = ironcalc_values(filled)
        no_error(values)
        assert set(made.verdicts(values).values()) == {RIGHT}
        if rounds == 2 and rounding == "paper":
            for step in made.trace:
                if step.name.startswith("round2.") and not step.text:
                    _same_as_trace(made, values, step.name)


def _same_as_trace(made: Desk, values: Values, name: str) -> None:
    step = made.trace[name]
    for i, j in np.ndindex(step.shape):
        sheet, address = made.entry((name, i, j))
        wanted = step.values[i, j]
        found = values[sheet][address]
        assert found == ("−∞" if wanted == -np.inf else pytest.approx(wanted, abs=1e-9)), name


def test_random_models_and_sentences() -> None:
    prove(list(pairs(FEW)))


@pytest.mark.sweep
def test_many_random_models_and_sentences(office: Office) -> None:
    many = pairs(MANY)
    while some := list(islice(many, 10)):
        prove(some, office)


def prove(some: list, office: Office | None = None) -> None:
    draws = Draws("paperformer/pupil/pairs")
    files: list[bytes] = []
    wanted: list[tuple[Desk, dict[Cell, int]]] = []
    for number, pair in enumerate(some):
        trace = compute(pair.preset, pair.sentence, rounding=pair.rounding, controls=True)
        made = Desk(trace, 1 + number % 3, LANGUAGES[number % 2])
        entered, typed = slips(made, draws)
        for filled, known in ((typed, entered), (entries(made.exercise),) * 2):
            files.append(made.filled(filled))
            wanted.append((made, made.expected(known)))
            assert judged(made, files[-1]) == wanted[-1][1], pair.name
    if office:
        kept = [k for k, (made, _) in enumerate(wanted) if _same_powers(made)]
        computed = libreoffice_values([files[k] for k in kept], office)
        for k, values in zip(kept, computed, strict=True):
            made, expected = wanted[k]
            assert made.verdicts(values) == expected


def _same_powers(made: Desk) -> bool:
    """Whether LibreOffice computes the powers that wild slips lead to.

    For 2^x or 3^x below the smallest float it shows an error, where others and its own EXP give 0.
    """
    return made.trace.preset.softmax_base is None


def test_formulas_that_give_no_number() -> None:
    made = desk("katze", 2)
    entered: dict[Cell, object] = entries(made.exercise)
    cell, after = ("block1.head1.exp", made.plan.own, 0), ("block1.head1.sum", made.plan.own, 0)
    for formula in ("=1/0", '="abc"', "=NA()"):
        verdicts = made.verdicts(ironcalc_values(made.filled({**entered, cell: Typed(formula)})))
        assert (verdicts[cell], verdicts[after]) == (NO_NUMBER, NOT_YET)
    verdicts = judged(made, made.filled({**entered, cell: Typed(f"={entered[cell]!r}*1")}))
    assert set(verdicts.values()) == {RIGHT}


# Hints and progress ------------------------------------------------------------------------


@pytest.mark.ci
def test_hints_on_demand() -> None:
    made = desk("katze", 2, "en")
    tab = made.draft.checks["Head 1"]
    bands = [block.band for block in tab.blocks]
    band = next(b for b in bands if any(line.step.endswith(".exp") for line in b.lines))
    line = next(line for line in band.lines if line.step == "block1.head1.exp")
    entered = entries(made.exercise)
    filled = made.filled(entered)
    shown = {}
    for level in range(5):
        values = ironcalc_values(enter(filled, {(tab.title, at(band.help_row, 2)): float(level)}))
        no_error(values)
        sheet = values[tab.title]
        shown[level] = sheet[at(line.row, 6)], sheet[at(line.functions[0], 6)]
    assert shown[0] == ("", "")
    assert shown[1] == (load("en").t("formula.exp", base="e"), "")
    assert shown[2][1] == "Exp = ROUND(IF(ISNUMBER(Ŝ_M), EXP(Ŝ_M), 0), 4)"
    assert re.match(r"[A-Z]+\d+: =ROUND\(IF\(ISNUMBER\([A-Z]+\d+\),EXP\(", shown[3][1])
    own, mine = made.plan.own, [c for c in sorted(made.plan.asked) if c[0] == line.step]
    digits = [f"{entered[cell]:.4f}" for cell in mine]
    assert shown[4][1] == load("en").t("exercise.help.results") + " · ".join(digits)
    assert own == 2  # the token of the series, which the sheets ask for as well


def test_interim_results_can_be_switched_off_and_follow_the_entries() -> None:
    made = desk("katze", 2, "en")
    tab = made.draft.checks["Head 1"]
    bands = [block.band for block in tab.blocks]
    band = next(b for b in bands if any(line.step.endswith(".exp") for line in b.lines))
    line = next(line for line in band.lines if line.step == "block1.head1.sum")
    chosen = {(tab.title, at(band.help_row, 2)): 4.0}
    entered = entries(made.exercise)
    entered["block1.head1.exp", made.plan.own, 0] += 1.0
    wanted = f"{entered['block1.head1.sum', made.plan.own, 0] + 1.0:.4f}"
    for interim, text in ((1, wanted), (0, load("en").t("exercise.help.not_shown"))):
        xlsx = enter(made.filled(entered, interim=interim), chosen)
        found = ironcalc_values(xlsx)[tab.title][at(line.functions[0], 6)]
        assert found.endswith(text)
        assert ("exp" in found) is False
    values = ironcalc_values(enter(made.xlsx, chosen))[tab.title]
    assert values[at(line.functions[0], 6)].endswith("–")


def test_progress_and_states() -> None:
    made = desk("katze", 2, "en")
    own = made.exercise.trace.exercise
    chosen = ("ids", "embedding", "similarity")
    entered = {c: v for c, v in entries(made.exercise).items() if c[0] in chosen}
    entered["similarity", own, 0] = 4.0
    entered["similarity", own, 1] = "x"
    del entered["similarity", own, 2]
    values = ironcalc_values(made.filled(entered))
    tab = made.draft.checks["Tokens"]
    assert "Right: " in str(values["Tokens"][at(1, 6)])
    states = [values["Tokens"][at(block.band.help_row, 6)] for block in tab.blocks]
    assert states[0] == "✓ right 1  ·  ✗ wrong 0  ·  ? not a number 0  ·  open 0"
    assert states[1] == "✓ right 7  ·  ✗ wrong 1  ·  ? not a number 1  ·  open 1"
    assert re.search(r"■+□+", str(values["Tokens"][at(1, 6)]))
    assert f"8 of {len(tab.asked)}" in str(values["Tokens"][at(1, 6)])


def test_each_tab_says_which_one_comes_first() -> None:
    made = desk("katze", 2, "en")
    entered = entries(made.exercise)
    tokens = {
        cell: v for cell, v in entered.items() if cell[0] in ("ids", "embedding", "similarity")
    }
    texts = []
    for filled in ({}, tokens, entered):
        values = ironcalc_values(made.filled(filled))
        texts.append([values[tab].get("F3", "") for tab in ("Tokens", "Head 1", "Output")])
    line = "→ " + load("en").t("exercise.waits", tab="{tab}")
    assert texts[0] == ["", line.format(tab="Tokens"), line.format(tab="Tokens")]
    assert texts[1] == ["", line.format(tab="Input"), line.format(tab="Input")]
    assert texts[2] == ["", "", ""]


def test_parts_of_a_computation() -> None:
    for sheets in (("4a",), ("4a", "5"), ("1", "4b"), ("6",)):
        made = Desk(cut(trace_of("katze", "en"), sheets), 2, "en")
        verdicts = judged(made, made.filled(entries(made.exercise)))
        assert len(verdicts) >= 17  # 4a alone: a token that sees three
        assert set(verdicts.values()) == {RIGHT}
    both = plan(cut(trace_of("katze"), ("4a", "5")), 3).asked
    assert not any(name.endswith("head1.output") for name, _, _ in both)
