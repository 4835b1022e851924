"""The exercise: a simulated pupil fills it, and two programs judge as the Python evaluator does."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product

import numpy as np
import pytest

from generator.checks.exercise import found_in
from generator.checks.verdict import (
    CAUSES,
    GATE,
    NO_NUMBER,
    NOT_YET,
    PAUSED,
    RIGHT,
    TOLERANCE,
    WRONG,
    slips_in,
    unit,
    verdict,
)
from generator.engine.evaluate import evaluate
from generator.engine.expr import Ref
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking import causes
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Paper
from generator.grading.marking.scheme import USUAL
from generator.notation.shown import shown_decimals
from generator.plans.workbook import plan
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import TITLE_ROW
from generator.render.workbook.layout.layout import WORDS_COLUMN
from generator.render.workbook.layout.tabs import FOCUS_ROW
from generator.render.workbook.sheet_tabs import cut
from tests.reference.options import Draws
from tests.support.covering import covering, each, first
from tests.support.office import Office
from tests.support.pairs import pairs
from tests.support.pupil import Desk, desk, entries, trace_of
from tests.support.recalculate import Typed, Values, ironcalc_values, libreoffice_values
from tests.support.workbook import LANGUAGES, SHIPPED, compare

LEVELS = (1, 2, 3)
ODD_WORDS = ("0,86", "abc", "", "1/2", "x")
ODD_ENTRIES = (*ODD_WORDS, 0.0, -3.5, 99.0)
FEW, MANY = 2, 20
# First each level and each moment once, and of them one with verdicts.
DIAGONAL = [("katze", 2, "once"), ("katze", 3, "block"), ("katze", 1, "off")]
VERDICTS = list(dict.fromkeys([*DIAGONAL, *product(SHIPPED, LEVELS, ("once", "block", "off"))]))
BY_LIBREOFFICE = (
    *(("katze", 2, "once"), ("katze", 3, "block"), ("random", 3, "once")),
    *(("paris", 3, "once"), ("ausgabe", 2, "once"), ("brille", 1, "block")),
)
EXP, SUM, SCORES = (f"block1.head1.{name}" for name in ("exp", "sum", "scores"))
MESSAGE = at(FOCUS_ROW, WORDS_COLUMN)


def slips(made: Desk, draws: Draws) -> tuple[dict[Cell, object], dict[Cell, object]]:
    """What a careless pupil enters, and the same with formulas typed in for some numbers."""
    trace, asked = made.trace, sorted(made.plan.asked)
    some = [cell for cell in asked if unit(trace[cell[0]]) and draws.number() < 0.1]
    wrong = {c: float(trace[c[0]].values[c[1:]]) + draws.choice((-0.3, 0.02, 0.5)) for c in some}
    entered = entries(made.exercise, {cell: round(value, 3) for cell, value in wrong.items()})
    for cell in asked:
        if draws.number() < 0.08:
            entered[cell] = draws.choice(ODD_ENTRIES if unit(trace[cell[0]]) else ODD_WORDS)
    typed = dict(entered)
    for cell, value in entered.items():
        if isinstance(value, float) and draws.number() < 0.2:
            typed[cell] = Typed(f"={value!r}+0.25-0.25")
    return entered, typed


# The pupil ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "language", "level"), covering(SHIPPED, LANGUAGES, LEVELS))
def test_all_right_is_all_green(name: str, language: str, level: int) -> None:
    made = desk(name, level, language)
    values, number = made.shown(), len(made.plan.asked)
    assert set(made.verdicts(values).values()) == {RIGHT}
    assert f"{number} / {number}" in values[made.layout.start.sheet].values()


@pytest.mark.parametrize(("name", "level", "when"), first(3, VERDICTS))
def test_every_verdict_is_the_evaluators(name: str, level: int, when: str) -> None:
    draws = Draws(f"paperformer/pupil3/{name}/{level}/{when}")
    made = desk(name, level)
    entered, typed = slips(made, draws)
    tolerance = draws.choice((0, 1, 2))
    expected = made.expected(entered, when, tolerance)
    assert made.judged(typed, when, tolerance=tolerance) == expected
    if when == "once":
        assert {RIGHT, WRONG} <= set(expected.values())


@pytest.mark.parametrize(("name", "level", "when"), each(5, BY_LIBREOFFICE))
def test_libreoffice_judges_alike(name: str, level: int, when: str, office: Office) -> None:
    made = desk(name, level)
    entered, typed = slips(made, Draws(f"paperformer/pupil/office/{name}/{level}"))
    files = [made.filled(typed, when), made.filled()]
    wanted = [made.expected(entered, when), dict.fromkeys(made.plan.asked, RIGHT)]
    for expected, values in zip(wanted, libreoffice_values(files, office), strict=True):
        assert not made.errors(values)
        assert made.verdicts(values) == expected


def test_rounding_exactly_and_several_rounds() -> None:
    for rounding, rounds in (("exact", 1), ("paper", 2), ("exact", 2)):
        made = Desk(trace_of("katze", "en", rounding, rounds), 2, "en")
        values = made.shown()
        assert set(made.verdicts(values).values()) == {RIGHT}
        if (rounding, rounds) == ("paper", 2):
            later = {k: x for k, x in made.trace.steps.items() if k.startswith("round2.")}
            numbers = {name: step for name, step in later.items() if not step.text}
            assert compare(made, values, replace(made.trace, steps=numbers)) > 100


def test_random_models_and_sentences() -> None:
    prove(list(pairs(FEW)))


@pytest.mark.sweep
def test_many_random_models_and_sentences(office: Office) -> None:
    many = pairs(MANY)
    while some := list(islice(many, 10)):
        prove(some, office)


def prove(some: list, office: Office | None = None) -> None:
    """IronCalc, and LibreOffice, judge what pupils enter in workbooks of these pairs."""
    draws, kept = Draws("paperformer/pupil/pairs"), []
    for number, pair in enumerate(some):
        made = Desk(pair.trace(), 1 + number % 3, LANGUAGES[number % 2])
        entered, typed = slips(made, draws)
        for filled, known in ((typed, entered), (made.right, made.right)):
            wanted, file = made.expected(known), made.filled(filled)
            assert made.judged(filled) == wanted, pair.name
            # For 2^x or 3^x below the smallest float LibreOffice shows an error, to which wild
            # slips lead; others and its own EXP give 0.
            if made.trace.preset.softmax_base is None:
                kept.append((made, wanted, file))
    if office:
        computed = libreoffice_values([file for *_, file in kept], office)
        for (made, wanted, _), values in zip(kept, computed, strict=True):
            assert made.verdicts(values) == wanted


def test_formulas_that_give_no_number() -> None:
    made = desk()
    cell, after = (EXP, made.plan.own, 0), (SUM, made.plan.own, 0)
    for formula in ("=1/0", '="abc"', "=NA()"):
        values = ironcalc_values(made.filled({**made.right, cell: Typed(formula)}))
        verdicts = made.verdicts(values)
        assert (verdicts[cell], verdicts[after]) == (NO_NUMBER, NOT_YET)
    verdicts = made.judged({**made.right, cell: Typed(f"={made.right[cell]!r}*1")})
    assert set(verdicts.values()) == {RIGHT}


def test_parts_of_a_computation() -> None:
    for sheets in (("4a",), ("4a", "5"), ("1", "4b"), ("6",)):
        verdicts = Desk(cut(trace_of("katze", "en"), sheets), 2, "en").judged()
        assert len(verdicts) >= 17  # 4a alone: a token that sees three
        assert set(verdicts.values()) == {RIGHT}
    both = plan(cut(trace_of("katze"), ("4a", "5")), 3).asked
    assert not any(name.endswith("head1.output") for name, _, _ in both)


# Hints and progress ------------------------------------------------------------------------


def test_a_cross_names_its_cause_as_marking_does() -> None:
    """Whoever makes one of the slips, in whichever cell, hears the same in the file and later."""
    made, found, gate = desk("katze", 2, "en"), Counter[str](), Ref(GATE, 0, 0)
    question = Question("", made.trace, made.plan, USUAL)
    arrays = made.exercise.filled(made.right) | {PAUSED: np.zeros((1, 1))}
    arrays |= {one: np.ones((1, 1)) for one in (TOLERANCE, GATE)}
    slips = {(cell[0], key, cell[2] * (key == "negative_kept")): (cell, slip)
             for cell in sorted(made.plan.asked, reverse=True)
             for key, slip in slips_in(made.exercise, cell).items()}  # fmt: skip
    for cell, slip in slips.values():  # in the first cell of a step, for all are alike
        number = evaluate(slip, partial(found_in, arrays, made.trace))
        wrong = guarded_number(float(number), shown_decimals(made.trace[cell[0]]))
        values = arrays[cell[0]].copy()
        values[cell[1:]] = wrong
        judged = verdict(made.exercise, cell, gate, causes=True)
        reached = evaluate(judged, partial(found_in, {**arrays, cell[0]: values}, made.trace))
        if reached != RIGHT:
            key = next(key for key, number in CAUSES.items() if number == reached)
            paper = Paper(question, {**made.right, cell: wrong})
            marked = causes.told(paper, paper.judged().values())[cell]
            assert key in marked.causes, (cell, wrong)
            found[key] += 1
    assert found.keys() == CAUSES.keys()
    assert sum(found.values()) > 50, found


def test_the_causes_of_a_block_are_said_beside_its_counts(office: Office) -> None:
    made, scaled = desk("katze", 2, "en"), "block1.head1.scaled"
    first, second, third = sorted(cell for cell in made.plan.asked if cell[0] == scaled)
    score = made.right["block1.head1.scores", *first[1:]]
    slips = {first: score, second: -made.right[second], third: made.right[third] + 3.21}
    block = next(block for _, block in made.checked if first in block.cells)
    place = "Head 1", at(block.band.help_row, 6)
    t = made.catalogue.t
    names = [t("grading.possibly", causes=t(f"grading.cause.{k}")) for k in ("sign", "not_divided")]
    for entered, wrong, told in ((made.right, 0, []), (made.right | slips, 3, names),
                                   (made.right | {third: slips[third]}, 1, [])):  # fmt: skip
        file = made.filled(entered)
        for values in (ironcalc_values(file), *libreoffice_values([file], office)):
            said = str(values[place[0]][place[1]])
            assert f"{t('exercise.state.wrong')}{wrong}" in said
            assert said.split("  ·  ")[4:] == told
            assert made.verdicts(values) == made.expected(entered)


@pytest.mark.ci
def test_hints_on_demand() -> None:
    made = desk("katze", 2, "en")
    chosen, line = made.help(EXP)
    shown = []
    for level in range(5):
        sheet = made.shown(edits={chosen: float(level)})[chosen[0]]
        shown.append((sheet[at(line.row, 6)], sheet[at(line.functions[0], 6)]))
    assert shown[:2] == [("", ""), (made.catalogue.t("formula.exp", base="e"), "")]
    assert shown[2][1] == "Exp = ROUND(IF(ISNUMBER(Ŝ_M), EXP(Ŝ_M), 0), 4)"
    assert re.match(r"[A-Z]+\d+: =ROUND\(IF\(ISNUMBER\([A-Z]+\d+\),EXP\(", shown[3][1])
    digits = [f"{made.right[cell]:.4f}" for cell in sorted(made.plan.asked) if cell[0] == line.step]
    assert shown[4][1] == made.catalogue.t("exercise.help.results") + " · ".join(digits)
    assert made.plan.own == 2  # the token of the series, which the sheets ask for as well


def test_interim_results_can_be_switched_off_and_follow_the_entries() -> None:
    made = desk("katze", 2, "en")
    chosen, line = made.help(SUM)
    own, edits, place = made.plan.own, {chosen: 4.0}, at(line.functions[0], 6)
    entered = {**made.right, (EXP, own, 0): made.right[EXP, own, 0] + 1.0}
    wanted = f"{made.right[SUM, own, 0] + 1.0:.4f}"
    for interim, text in ((1, wanted), (0, made.catalogue.t("exercise.help.not_shown"))):
        found = made.shown(entered, edits=edits, interim=interim)[chosen[0]][place]
        assert found.endswith(text)
        assert "exp" not in found
    # Who has not begun sees nothing; what was tried is told, or that numbers are missing before it.
    blank = {cell: value for cell, value in made.right.items() if cell[0] != SUM}
    assert made.shown(blank, edits=edits)[chosen[0]][place] == made.catalogue.t(
        "exercise.help.first"
    )
    tried = {(SUM, own, 0): 7.0}
    assert made.shown(blank | tried, edits=edits)[chosen[0]][place].endswith(
        f"{made.right[SUM, own, 0]:.4f}"
    )
    assert made.shown(tried, edits=edits)[chosen[0]][place].endswith("–")


def test_hint_4_tells_only_of_what_was_tried_and_its_blocks_are_counted() -> None:
    made = desk("katze", 2, "en")
    chosen, line = made.help(EXP)
    first, *others = sorted(cell for cell in made.plan.asked if cell[0] == EXP)
    assert others
    entered = {cell: value for cell, value in made.right.items() if cell not in others}
    sheet = made.shown({**entered, first: 99.0}, edits={chosen: 4.0})["Head 1"]
    told = " · ".join([f"{made.right[first]:.4f}", *("□" for _ in others)])
    assert sheet[at(line.functions[0], 6)] == made.catalogue.t("exercise.help.results") + told
    counted = made.catalogue.t("exercise.progress.help")
    assert str(sheet[at(1, 6)]).endswith(f"{counted}1")
    both = {chosen: 4.0, made.help("block1.head1.query")[0]: 4.0}
    assert str(made.shown(entered, edits=both)["Head 1"][at(1, 6)]).endswith(f"{counted}2")
    assert counted not in str(made.shown(entered, edits={chosen: 3.0})["Head 1"][at(1, 6)])


def test_progress_and_states() -> None:
    made = desk("katze", 2, "en")
    own, chosen = made.trace.exercise, ("ids", "embedding", "similarity")
    entered = {cell: value for cell, value in made.right.items() if cell[0] in chosen}
    del entered["similarity", own, 2]
    values = made.shown({**entered, ("similarity", own, 0): 4.0, ("similarity", own, 1): "x"})
    tab, head = made.draft.checks["Tokens"], str(values["Tokens"][at(1, 6)])
    states = [values["Tokens"][at(block.band.help_row, 6)] for block in tab.blocks]
    assert states[0] == "✓ right 1  ·  ✗ wrong 0  ·  ? not a number 0  ·  open 0"
    assert states[1] == "✓ right 7  ·  ✗ wrong 1  ·  ? not a number 1  ·  open 1"
    assert re.search("■+□+", head)
    assert "Right: " in head
    assert f"8 of {len(tab.asked)}" in head


def test_each_tab_says_which_one_comes_first() -> None:
    made = desk("katze", 2, "en")
    first_ones = {c: v for c, v in made.right.items() if c[0] in ("ids", "embedding", "similarity")}
    wait = {x: "→ " + made.catalogue.t("exercise.waits", tab=x) for x in ("Tokens", "Input")}
    for filled, told in (
        ({}, ["", wait["Tokens"], wait["Tokens"]]),
        (first_ones, ["", wait["Input"], wait["Input"]]),
        (made.right, ["", "", ""]),
    ):
        values = made.shown(filled)
        assert [values[tab].get("F3", "") for tab in ("Tokens", "Head 1", "Output")] == told


# What a pupil cannot walk into: judging pauses while anything is changed ------------------------


def changes(made: Desk) -> list[Mapping]:
    """An experiment and three controls, each by itself."""
    word, temperature = made.input("tokens", 1), made.input("temperature")
    return [{made.experiment: 1}, {made.input("switch.scale"): 0},
            {word: made.trace.tokens[0]}, {temperature: 0.7}]  # fmt: skip


def no_changes(made: Desk) -> list[Mapping]:
    """Entries that leave everything as delivered: the same again, refused, the focus."""
    return [{made.input("switch.scale"): 1}, {made.input("temperature"): "warm"}, {made.focus: 1}]


def counted(made: Desk, values: Values) -> bool:
    """Whether Start, every tab and every block say how much is right; else none of them does."""
    number = len(made.plan.asked)
    said = [f"{number} / {number}" in values[made.layout.start.sheet].values()]
    lines = [(title, block.band.help_row) for title, block in made.checked]
    lines += [(title, TITLE_ROW) for title in made.draft.checks]
    said += [values[title][at(row, WORDS_COLUMN)] != "" for title, row in lines]
    assert len(set(said)) == 1
    return said[0]


def pauses(made: Desk, read: Sequence[Values]) -> None:
    """Nothing is judged while one of `changes` is on, and each tab says so; then all is again."""
    sentence, number = made.catalogue.t("exercise.paused"), len(changes(made))
    assert set(made.expected().values()) == {RIGHT}
    assert set(made.expected(paused=True).values()) == {NOT_YET}
    for k, values in enumerate(read):
        told = {made.warning(values), *(values[sheet.tab.title][MESSAGE] for sheet, _ in made.tabs)}
        assert made.verdicts(values) == made.expected(paused=k < number)
        assert counted(made, values) is (k >= number)
        assert told == {sentence} if k < number else sentence not in told


def test_judging_pauses_on_every_tab_while_anything_differs() -> None:
    made = desk()
    pauses(made, [made.shown(edits=one) for one in (*changes(made), *no_changes(made))])


@pytest.mark.ci
@pytest.mark.parametrize("language", LANGUAGES)
def test_libreoffice_pauses_alike(language: str, office: Office) -> None:
    made = desk("katze", 2, language)
    files = [made.filled(edits=one) for one in (*changes(made), *no_changes(made))]
    pauses(made, libreoffice_values(files, office))


def test_interim_results_pause_too() -> None:
    made = desk("katze", 2, "en")
    blocks = [block for title, block in made.checked if title == "Head 1"]
    chosen = {("Head 1", at(block.band.help_row, 2)): 4.0 for block in blocks}
    values = made.shown(edits={**chosen, made.input("switch.scale"): 0})["Head 1"]
    helps = [
        values[at(line.functions[0], WORDS_COLUMN)]
        for block in blocks
        for line in block.band.lines
        if line.functions and any(cell[0] == line.step for cell in block.cells)
    ]
    assert len(helps) >= 4
    assert set(helps) == {made.catalogue.t("exercise.paused")}
