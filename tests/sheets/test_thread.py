"""One token through the lesson: the same on all sheets, each number at hand when it is needed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from generator.engine.draws import draw
from generator.engine.fitness import Fitness, fit_tokens
from generator.engine.model import compute
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.presets.load import load_preset, shipped
from generator.sheets.left_out import notes
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS, Plan
from generator.sheets.series import SERIES
from tests.support.at_hand import alone, brought, made_of, places, printed, worked_from
from tests.support.covering import covering
from tests.support.sheets import html, traces
from tests.support.words import words

SHIPPED = tuple(shipped())
THREAD = ("2", "3", "4a", "4b", "5")
# On 1 and bpe pupils look up and count; there are no operations.
IN_ORDER = (*THREAD, "6", "generate", "7a", "7b")
# What is no number of a table: √d_k and the divisors stand in formulas, masks and switches are
# words, positions, temperatures and learning rates stand in headings or sentences, what is kept
# is ticked, and one-hot rows are how IDs are looked up; an angle is printed as a division.
SAID = {"scale", "mask", "onehot", "tokens", "temperature", "index", "divisor", "words", "kept"}
SAID |= {"angle", "rate"}
ALSO = {"attention": "concat"}  # where W_O is I the heads side by side are the output
# P of the right word, and what is divided by T = 1; so are scores that no mask hides.
READ_OFF = {"loss.probability", "step2.loss.probability"}
READ_OFF |= {"grad.output.logits", "step2.output.tempered"}


@cache
def planned(preset: str, language: str, level: int) -> dict[str, Plan]:
    """What the sheets of a default series ask, those that the preset can fill."""
    trace, _ = traces(preset, language)
    found = {}
    for sheet in IN_ORDER:
        try:
            found[sheet] = SERIES[sheet].plan(trace, level)
        except UserError:
            continue
    return found


@pytest.mark.parametrize("preset", SHIPPED)
@pytest.mark.parametrize("level", LEVELS)
def test_one_token_is_asked_and_one_is_worked_on_all_sheets(preset, level):
    plans = [p for sheet, p in planned(preset, "de", level).items() if sheet in THREAD]
    assert len({plan.own for plan in plans}) <= 1
    assert len({plan.worked for plan in plans}) <= 1
    assert all(plan.own != plan.worked for plan in plans)


class AtHand:
    """What a pupil has so far: numbers printed or asked, on this sheet and on those before."""

    def __init__(self) -> None:
        self.cells: set[Cell] = set()
        self.numbers: set[tuple[str, int, object]] = set()

    def add(self, trace: Trace, cells: Iterable[Cell]) -> None:
        self.cells |= set(cells)
        self.numbers |= {self._number(trace, cell) for cell in cells}

    def has(self, trace: Trace, cell: Cell) -> bool:
        """Whether the cell is there, or the same number in another table of that name."""
        if cell[0] in READ_OFF or last(cell[0]) == "masked":
            value = trace[cell[0]].values[cell[1:]]
            same = (c for c in made_of(trace, *cell) if trace[c[0]].values[c[1:]] == value)
            return any(self.has(trace, one) for one in same)
        return cell in self.cells or self._number(trace, cell) in self.numbers

    def lacks(self, trace: Trace, asked: Iterable[Cell]) -> set[Cell]:
        """What these cells are made of and is not there."""
        needed = {one for cell in asked for one in made_of(trace, *cell)}
        return {cell for cell in needed if last(cell[0]) not in SAID and not self.has(trace, cell)}

    @staticmethod
    def _number(trace: Trace, cell: Cell) -> tuple[str, int, object]:
        name, i, j = cell
        return ALSO.get(last(name), last(name)), j, trace[name].values[i, j]


def last(step: str) -> str:
    return step.rpartition(".")[2]


def walked(preset: str, language: str, level: int, carry: str) -> Iterator[tuple[Plan, set[Cell]]]:
    """Each sheet's plan with the cells that are needed there and not at hand."""
    trace, exact = traces(preset, language)
    options, had = SheetOptions(language=language, level=level, carry=carry), AtHand()
    for plan in planned(preset, language, level).values():
        whole = trace.with_steps(plan.extra)
        found = places(plan, trace, exact, options)
        missing = {cell for cell in brought(found) if not had.has(whole, cell)}
        had.add(whole, printed(found, plan, whole) | plan.asked)
        yield plan, missing | had.lacks(whole, plan.asked)


@pytest.mark.parametrize("preset", SHIPPED)
@pytest.mark.parametrize("level", LEVELS)
def test_every_number_asked_for_is_at_hand_when_it_is_needed(preset, level):
    for plan, missing in walked(preset, "de", level, "given"):
        assert not missing, (plan.sheet, sorted(missing))


@pytest.mark.parametrize(("preset", "level"), covering(SHIPPED, LEVELS))
@pytest.mark.parametrize("carry", ["given", "own"])
def test_also_in_english_and_with_start_values_of_ones_own(preset, level, carry):
    for plan, missing in walked(preset, "en", level, carry):
        assert not missing, (plan.sheet, sorted(missing))


@pytest.mark.parametrize("preset", ["paris", "katze"])
@pytest.mark.parametrize("level", LEVELS)
def test_the_hand_out_needs_nothing_from_other_sheets(preset, level):
    """Beside its checks, which are sums of printed columns."""
    (trace, exact), had = traces(preset, "de"), AtHand()
    plan = SERIES["slide"].plan(trace, level)
    whole = trace.with_steps(plan.extra)
    found = places(plan, trace, exact, SheetOptions(level=level))
    had.add(whole, printed(found, plan, whole) | plan.asked)
    asked = [cell for cell in plan.asked if not cell[0].startswith("check.")]
    assert len(asked) >= 7
    added = {cell for cell in had.lacks(whole, asked) if whole[cell[0]].values[cell[1:]]}
    assert not added, "apart from zeros, of tokens that are covered"


def unprinted(preset: str, language: str, level: int) -> Iterator[tuple[str, set[Cell]]]:
    """Each sheet with the numbers that its examples take and that stand nowhere by themselves."""
    trace, exact = traces(preset, language)
    options, had = SheetOptions(language=language, level=level), AtHand()
    for plan in planned(preset, language, level).values():
        whole = trace.with_steps(plan.extra)
        found = places(plan, trace, exact, options)
        had.add(whole, alone(found, plan) | plan.asked)
        taken = {cell for cell in worked_from(found, plan, whole) if last(cell[0]) not in SAID}
        yield plan.sheet, {cell for cell in taken if not had.has(whole, cell)}


@pytest.mark.parametrize(("preset", "level"), covering(SHIPPED, LEVELS))
def test_every_number_of_a_worked_example_stands_on_paper(preset, level):
    for sheet, missing in unprinted(preset, "de", level):
        assert not missing, (sheet, sorted(missing))


def test_the_row_is_carried_from_sheet_to_sheet():
    """3 → 4a → 4b → 5: each takes over the own token's row from the one before."""
    trace, exact = traces("katze", "de")
    options, own = SheetOptions(level=3, carry="own"), trace.exercise
    steps = {
        plan.sheet: {(last(step), i) for step, i, _ in brought(places(plan, trace, exact, options))}
        for plan in planned("katze", "de", 3).values()
    }
    assert steps["3"] == {("embedding", own), ("embedding", 0)}  # the same one, seven turns on
    assert steps["4a"] == {("input", own)}
    assert steps["4b"] == {("exp", own), ("weights", own), ("sum", own), ("output", own)}
    assert steps["5"] == {("input", own), ("attention", own)}


def rows_on_6(preset: str, language: str, level: int, carry: str) -> dict[int, str]:
    """What stands on sheet 6 for each row that sheet 5 ends with: "printed", "brought" or ""."""
    trace, exact = traces(preset, language)
    plan, end = planned(preset, language, level)["6"], trace["last"].inputs[0]
    options = SheetOptions(language=language, level=level, carry=carry)
    found, kinds = places(plan, trace, exact, options), {}
    there = printed(found, plan, trace.with_steps(plan.extra))
    for i in range(len(trace.tokens)):
        row = {(end, i, j) for j in range(trace[end].shape[1])}
        kinds[i] = "brought" if row <= brought(found) else "printed" if row <= there else ""
    return kinds


GOES_ON = ("katze", "katze-trained", "random")  # sheet 6 begins where sheet 5 ends


@pytest.mark.parametrize("preset", GOES_ON)
@pytest.mark.parametrize("level", LEVELS)
def test_the_thread_reaches_sheet_6(preset, level):
    """The example's row of sheet 5 stands there, and the last one, which goes on as y.

    A row that pupils have calculated to the end is theirs to bring; those of others are answers.
    """
    trace, _ = traces(preset, "de")
    before, last = planned(preset, "de", level)["5"], len(trace.tokens) - 1
    end = trace["last"].inputs[0]
    whole = {(end, before.own, j) for j in range(trace[end].shape[1])} <= before.asked
    assert whole == (level == 3)
    for carry in ("given", "own"):
        kinds = rows_on_6(preset, "de", level, carry)
        mine = {before.own: "brought"} if whole and carry == "own" else {}
        met = {before.worked: "printed", last: "printed"} | mine
        assert {i: kind for i, kind in kinds.items() if kind} == met


@pytest.mark.parametrize("preset", [p for p in SHIPPED if "6" in planned(p, "de", 2)])
@pytest.mark.parametrize("language", ["de", "en"])
def test_where_y_comes_from_is_said(preset, language):
    """Given; or the last row of sheet 5; or what a computer made of it, or without sheet 5."""
    trace, exact = traces(preset, language)
    page = words(html(trace, exact, SheetOptions(language=language), blank=True, sheet="6"))
    more = load(language).t("sheet6.origin.more") in page
    rows = load(language).t("sheet6.rows.text") in page
    met = "5" in planned(preset, language, 2)
    assert rows == (preset in GOES_ON)
    assert more == (met and not rows)
    given = load(language).t("sheet6.origin.given", token=trace.tokens[-1]) in page
    assert given == (preset == "ausgabe")


def test_what_a_mixing_matrix_gives_is_printed():
    """On sheet 4b nobody multiplies by W_O, so nobody can bring what comes of it."""
    trace, exact = traces("random", "de")
    plan = planned("random", "de", 2)["5"]
    found = brought(places(plan, trace, exact, SheetOptions(carry="own")))
    assert {last(step) for step, *_ in found} == {"input"}


@pytest.mark.parametrize("preset", ["katze", "random", "subject-verb", "same-word", "induction"])
def test_sheet_4a_sees_all_words_whatever_the_mask_and_sheet_4b_begins_with_that_row(preset):
    trace, exact = traces(preset, "de")
    plans = planned(preset, "de", 2)
    whole = trace.with_steps(plans["4a"].extra)
    shares = {cell for cell in plans["4a"].asked if last(cell[0]) == "weights"}
    assert len(shares) == len(trace.tokens)
    assert abs(sum(whole[step].values[i, j] for step, i, j in shares) - 1) < 0.04
    assert all(step.startswith("unmasked.") for step, *_ in shares)
    assert not any(last(step) == "masked" for step, *_ in plans["4a"].asked)
    if "4b" in plans:
        assert shares <= brought(places(plans["4b"], trace, exact, SheetOptions(carry="own")))


NAMES = ("katze", "katze-trained", "random")
WORDS = ("Die", "Katze", "sitzt", "auf", "der", "Matte", "Hund", "schläft", "Sonne", "heute")


def sentences(seed: str) -> Iterator[str]:
    """Drawn sentences of three to twelve words, known and unknown ones, some of them twice."""
    for number in range(8):
        length = 3 + draw("thread", seed, str(number), 0, 10)
        drawn = (
            WORDS[draw("thread", seed, str(number), k, len(WORDS))] for k in range(1, 1 + length)
        )
        yield " ".join(drawn)


@pytest.mark.parametrize("preset", NAMES)
def test_the_asked_token_of_a_drawn_sentence_is_fit_if_any_is(preset):
    fit = 0
    for sentence in sentences(preset):
        trace = compute(load_preset(preset), sentence)
        fitness, own, worked = Fitness(trace), trace.exercise, trace.worked
        assert own != worked
        alone = [
            k
            for k in range(len(trace.tokens))
            if not fitness.unmet(k)
            and not all(fitness.copies(k, w) for w in range(len(trace.tokens)) if w != k)
        ]
        if alone:
            fit += 1
            assert own in alone, sentence
            assert not fitness.copies(own, worked)
            assert trace["block1.feedforward"].values[own].any()
            assert np.isfinite(trace["block1.head1.mask"].values[own]).sum() >= 3
            assert own in fit_tokens(trace, THREAD)
            assert not notes(trace, THREAD)
        else:
            assert notes(trace, THREAD), sentence
    assert fit >= 2


def test_the_wish_of_a_preset_is_taken_where_it_is_fit():
    preset = replace(load_preset("katze"), worked=("Matte",), exercise=("auf",))
    trace = compute(preset)
    assert (trace.worked, trace.exercise) == (1, 2), "„auf“ gets only zeros, „Matte“ sees all words"
    trace = compute(replace(preset, worked=("Die",), exercise=("sitzt",)))
    assert trace.exercise == 2
    trace = compute(preset, exercise=4)
    assert trace.exercise == 4, "whoever asks for a token gets it"
    assert trace.worked != 4


def test_edits_do_not_change_the_tokens():
    preset = load_preset("katze")
    zero = {f"block1.weight.feedforward[{i},{j}]": 0.0 for i in range(1, 9) for j in range(1, 5)}
    for edits in (zero, {"switch.mask": 0}, {"block1.head1.weight.query[1,1]": 3.0}):
        trace = compute(preset, edits=edits)
        assert (trace.worked, trace.exercise) == (1, 2)


def test_what_is_not_fit_is_said():
    trace, _ = traces("previous-word", "de")
    (note,) = notes(trace, ("2", "3", "4a", "4b"))
    assert "sheet 4b: 'auf' has no attention weight that the mask changes by 0.02" in note
    assert notes(trace, ("2", "3")) == []
    three = compute(load_preset("katze"), "Die Katze sitzt")
    assert any("sees fewer than 3 tokens" in one for one in notes(three, THREAD))
