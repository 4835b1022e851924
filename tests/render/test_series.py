"""The whole series for drawn presets, sentences, languages and levels.

Every case: the blank does not depend on what is asked, each cell shows its number. Some cases also
as PDF, solved or blank and solved: no warning (one is an error), nothing off the page, as many
pages as the sheet may have. The sweep has each sheet and each preset in each
language at each level.

The full product (every sheet, preset, language and level with a sentence of each kind, about
1800 sheets) takes most of an hour: `python -m pytest -m whole`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from generator.engine.trace import Trace
from generator.render.worksheet.pdf import Leaves
from generator.sheets.options import VARIANTS
from generator.sheets.series import SERIES, SHEETS
from tests.support.battery import (
    blank_does_not_hang_on_answers,
    boxes,
    cells_are_the_traces,
    most_boxes,
)
from tests.support.filled import PRESETS, reason
from tests.support.sheets import pdf
from tests.support.strata import (
    KINDS,
    LANGUAGES,
    LEVELS,
    Case,
    drawn,
    paired,
    sentences,
    swept,
)
from tests.support.strata import product as every_line
from tests.support.structure import stays_within

QUICK = 66
SWEEP = len(SHEETS) * len(LANGUAGES) * len(LEVELS)
RARELY, BLANK = 7, 5  # of so many one becomes a PDF, blank and solved; in the sweep
FEW_TOKENS = 6
FEW_WORDS = 8  # of the vocabulary, new ones included: sheet 6 has a row for each
USUAL_LENGTH = 14  # longer words are broken and need lines of their own
LONG = 10  # tokens: tables of the example on a page of their own
LEAVES = 4  # pages: two for the info leaf, two for the work leaf
TEACHER = 1
FOUR_GROUPS, BOARDS = 4, 2  # pages of sheet 7d
REFERENCE = {"math": 8, "formulas": 2, "slides": 24}  # nothing to fill: read, or shown on a wall


def look(case: Case) -> None:
    """What must hold of the sheet's HTML."""
    trace, exact = case.traces()
    options = case.options()
    if SERIES[case.sheet].kind.filled:
        blank_does_not_hang_on_answers(case.sheet, trace, exact, options)
        most = most_boxes(case.sheet, case.level)
        assert 0 < boxes(case.sheet, trace, exact, options) <= most
    cells_are_the_traces(case.sheet, trace, exact, options, least=0)


def print_out(case: Case, variants: Sequence[str] = VARIANTS) -> None:
    """What must hold of the sheet's PDF, blank and solved."""
    trace, exact = case.traces()
    leaves: Leaves = {}
    counts = {
        variant: stays_within(pdf(trace, exact, case.options(), variant, case.sheet, leaves))
        for variant in variants
    }
    most = _most_pages(case, trace)
    assert counts.get("blank", 0) <= most
    assert counts.get("solution", 0) <= counts.get("blank", most) + TEACHER + 1


def _most_pages(case: Case, trace: Trace) -> int:
    if not SERIES[case.sheet].kind.filled:
        return REFERENCE.get(case.sheet, LEAVES)
    if case.sheet == "7d":
        return 1 + FOUR_GROUPS + BOARDS + 2  # two more where words are long
    if case.level < 3 and _is_usual(trace):
        return LEAVES
    return LEAVES + 3 + (len(trace.tokens) > LONG)


def _is_usual(trace: Trace) -> bool:
    """Whether tables are no longer than those of a sentence as teachers choose it."""
    words = trace["vocabulary.words"].shape[0] if "vocabulary.words" in trace else 0
    short = max(map(len, trace.tokens)) <= USUAL_LENGTH
    return len(trace.tokens) <= FEW_TOKENS and words <= FEW_WORDS and short


@cache
def cases_of(count: int, purpose: str) -> list[Case]:
    """Cases drawn at the first call: drawing computes, which no collection of tests should."""
    return drawn(count, purpose)


@pytest.mark.parametrize("k", range(QUICK))
def test_a_sheet_of_the_series(k):
    case = cases_of(QUICK, "worksheets")[k]
    print(case)
    look(case)
    if k % RARELY == 0:
        print_out(case)


@pytest.mark.sweep
@pytest.mark.parametrize("k", range(SWEEP))
def test_a_sheet_of_the_sweep(k):
    case = swept(k)
    print(case)
    look(case)
    if k % BLANK in (0, 2):  # the latter solved only
        print_out(case, VARIANTS if k % BLANK == 0 else ("solution",))


@pytest.mark.whole
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sheet_of_the_full_product(sheet, language, level):
    presets = [line[1] for line in every_line() if line == (sheet, line[1], language, level)]
    assert presets
    for preset in presets:
        cases = sentences(sheet, preset, language, level)
        assert cases
        for case in cases:
            print(case)
            look(case)
            print_out(case)


def test_the_cases_cover_the_series():
    """Those that are always tried, those of the sweep, and the full product."""
    quick, met = cases_of(QUICK, "worksheets"), set(product(LANGUAGES, LEVELS))
    assert {case.sheet for case in quick} == set(SHEETS) == set(SERIES)
    assert {(case.language, case.level) for case in quick} == met
    assert len({case.preset for case in quick}) >= 3
    assert any(not case.sentence for case in quick)
    assert sum(len(case.sentence.split()) > FEW_TOKENS for case in quick) > len(KINDS)
    assert drawn(QUICK, "worksheets") == quick
    for lines in (paired(), every_line()):
        for which, all_of_them in ((0, SHEETS), (1, PRESETS)):
            found = {(line[which], line[2], line[3]) for line in lines}
            assert found == set(product(all_of_them, LANGUAGES, LEVELS))
    every = every_line()
    fitting = [(s, p) for s in SHEETS for p in PRESETS if not reason(s, p)]
    assert len(set(every)) == len(every) == len(fitting) * len(met)
    kinds = [len(sentences("3", "katze", language, 2)) for language in LANGUAGES]
    assert min(kinds) == len(KINDS)
