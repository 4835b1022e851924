"""Sheet 4b: right numbers, no leak, the declared counts, what other presets get."""

import dataclasses
import re

import numpy as np
import pytest

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.attention import concat_slips, head_slips
from generator.notation.shown import number
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.sheet4b import plan as sheet4b
from tests.support.battery import (
    boxes,
    cells_are_the_traces,
    stays_on_the_page,
)
from tests.support.covering import each
from tests.support.sheets import Cells, html, pdf, text, traces
from tests.support.structure import stays_within

SHEET = "4b"

# Source 000 (paper chain, reference/source_numbers.json): the rows of "auf", without the future.
SHARES_1, SHARES_2 = (0.225, 0.218, 0.352, 0.205), (0.372, 0.492, 0.093, 0.043)
JOINED = {1: (1.26, 1.15, 0.84, 0.06), 3: (0.24, 1.15, 0.84, 0.15)}


def changed(**fields: object) -> Trace:
    """The computation of `katze` with fields of its preset put differently."""
    preset = dataclasses.replace(
        load_preset("katze"), parts=frozenset({"attention"}), norm="none", **fields
    )
    return compute(preset)


def about_auf() -> tuple[Trace, Trace]:
    """`katze` about "auf", the token that source 000 writes out."""
    preset = load_preset("katze")
    return compute(preset, exercise=3), compute(preset, exercise=3, rounding="exact")


def three_heads() -> Preset:
    preset = load_preset("katze")
    third = {
        name.replace("head1", "head3"): weight
        for name, weight in preset.weights.items()
        if "head1" in name
    }
    weights = {**preset.weights, **third, "block1.weight.output": np.tile(np.eye(4), (2, 1))[:6]}
    return dataclasses.replace(
        preset, heads=3, weights=weights, parts=frozenset({"attention"}), norm="none"
    )


@pytest.mark.parametrize("language", each(2, ["de", "en"]))
def test_no_page_is_printed_for_squares_alone(language):
    """With one head and little to compute the work leaf is one page."""
    trace, exact = traces("previous-word", language)
    options = SheetOptions(language=language, level=1, part="work")
    assert stays_on_the_page(pdf(trace, exact, options, "blank", SHEET)) == 1


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_blank_does_not_say_which_cells_are_masked_in_the_table_to_cross_out(level):
    trace, exact = traces("katze", "de")
    options = SheetOptions(level=level, part="work")
    document = html(trace, exact, options, blank=True, sheet=SHEET)
    table = re.search(r'<table class="attention masking.*?</table>', document, re.DOTALL)
    assert table
    assert "verdeckt" not in table[0]
    plan = sheet4b.plan(trace, level)
    assert len(re.findall(r'<td class="ask step', table[0])) == 6 + 1 + plan.outputs, "tokens, Σ, o"
    assert table[0].count('class="jot"') == 6 * plan.outputs, "room for the products of each token"


@pytest.mark.parametrize("blank", [True, False])
def test_what_follows_from_an_asked_output_is_not_printed(blank):
    trace, exact = traces("random", "de")
    mixed, own = trace["block1.attention"], sheet4b.plan(trace, 3).own
    assert not np.array_equal(trace["block1.weight.output"].values, np.eye(4))
    values = mixed.values.copy()
    values[own] = 47.11
    altered = trace.with_steps([mixed._replace(values=values)])
    options = SheetOptions(level=3)
    document = html(altered, exact, options, blank=blank, sheet=SHEET)
    assert document == html(trace, exact, options, blank=blank, sheet=SHEET)


@pytest.mark.parametrize("sentence", ["Die Katze sitzt", "die die die die die"])
def test_the_example_is_another_token(sentence):
    plan = sheet4b.plan(traces("katze", "de", sentence)[0], 2)
    assert plan.worked != plan.own


def test_every_asked_number_has_a_box_but_the_masked_copies_of_the_scaled_scores():
    trace, exact = traces("katze", "de")
    for level in (1, 2, 3):
        asked = {cell for cell in sheet4b.plan(trace, level).asked if "masked" not in cell[0]}
        assert len(asked) == boxes(SHEET, trace, exact, SheetOptions(level=level))


def test_the_numbers_of_source_000():
    trace, exact = about_auf()
    plan = sheet4b.plan(trace, 2)
    assert (trace.tokens[plan.worked], trace.tokens[plan.own]) == ("Katze", "auf")
    for number_of_head, shares in ((1, SHARES_1), (2, SHARES_2)):
        row = trace[f"block1.head{number_of_head}.weights"].values[plan.own]
        assert row[:4] == pytest.approx(shares)
        assert not row[4:].any()
    for token, joined in JOINED.items():
        assert trace["block1.concat"].values[token] == pytest.approx(joined)
    shown = text(pdf(trace, exact, SheetOptions(), "solution", SHEET))
    assert all(number(v, 3, "de") in shown for v in (*SHARES_1, *SHARES_2))


def test_without_the_mask_is_what_the_switch_gives():
    trace, _ = traces("katze", "de")
    free = compute(trace.preset, trace.sentence, edits={"switch.mask": 0})
    steps = [s for s in sheet4b.plan(trace, 2).extra if s.name.startswith("unmasked.")]
    assert len(steps) == 4
    for step in steps:
        assert np.array_equal(step.values, free[step.name.removeprefix("unmasked.")].values)


def test_the_wrong_numbers_of_the_usual_slips():
    trace, _ = about_auf()
    plan = sheet4b.plan(trace, 2)
    whole = trace.with_steps(plan.extra)
    found = plan.own_row(whole).mask_slips()
    found += head_slips(whole, plan.own, 1) + concat_slips(whole, plan.own)
    assert {slip.key: round(slip.wrong, 4) for slip in found} == {
        "counted": 2.7721,  # 0.4584 + 0.4449 + 0.7189 + 0.4190 + 0.4584 + 0.2725
        "old_sum": 0.259,  # 0.7189 ÷ 2.7721
        "other_query": -0.92,  # 0.6 × 0.8 + (−1.0) × 1.4
        "added": 1.08,  # 0.24 + 0.84
        "turned": 0.84,  # the first number of head 2
    }


def test_one_head_has_no_second_head_and_no_concat():
    weights = {k: v for k, v in load_preset("katze").weights.items() if "head1" in k}
    trace = changed(heads=1, weights=weights)
    for level, count in ((1, 6), (2, 6), (3, 6)):
        options = SheetOptions(level=level)
        assert boxes(SHEET, trace, trace, options) == count
        document = html(trace, trace, options, blank=True, sheet=SHEET)
        for word in ("Head 2", "Concat", "Übergabe", "Zu zweit"):
            assert word not in document, word
    stays_on_the_page(pdf(trace, trace, SheetOptions(), "solution", SHEET))


def test_of_three_heads_the_first_two_are_shown():
    trace = compute(three_heads())
    options = SheetOptions()
    assert boxes(SHEET, trace, trace, options) == 25
    document = html(trace, trace, options, blank=True, sheet=SHEET)
    given = [shown for (step, i, j), ask, shown in Cells(document).found
             if step == "block1.concat" and i == 2 and not ask]  # fmt: skip
    assert given == ["0,52", "1,08"], "the third head's numbers are given"
    assert "3 Heads" in document
    stays_on_the_page(pdf(trace, trace, options, "solution", SHEET))


def test_a_sum_of_one_number_is_not_set_equal_to_itself():
    """Of three words the example, the first one, sees itself only."""
    paper, exact = traces("katze-trained", "de", "Die Maus schläft")
    assert paper.worked == 0
    page = html(paper, exact, SheetOptions(), blank=False, sheet="4b")
    line = re.sub("<[^>]*>", "", page)
    assert "Σ = 0,3329Anteil von" in line.replace("\n", "")
    assert "Σ = 0,3329 =" not in line


def test_the_strict_mask_hides_the_token_itself():
    trace = changed(mask="strict")
    plan = sheet4b.plan(trace, 3)
    assert plan.own not in plan.visible
    document = html(trace, trace, SheetOptions(), blank=False, sheet=SHEET)
    assert "nicht einmal sich selbst" in document
    cells_are_the_traces(SHEET, trace, trace, SheetOptions(level=3))


def test_a_subtracted_maximum_is_said():
    with pytest.raises(UserError, match=r"subtracts each row's maximum.*'katze'"):
        sheet4b.plan(changed(shifted="always"), 2)


def test_what_sheet_4a_has_is_brought_from_there():
    """The whole row without the mask; its output is another with it."""
    trace, exact = about_auf()
    shown = {
        carry: {
            cell: value
            for cell, ask, value in Cells(
                html(trace, exact, SheetOptions(carry=carry), blank=True, sheet=SHEET)
            ).found
            if ask == (carry == "own")
        }
        for carry in ("given", "own")
    }
    brought = {("unmasked.block1.head1.exp", 3, j): v for j, v in
               enumerate(("0,4584", "0,4449", "0,7189", "0,4190"))}  # fmt: skip
    assert brought.items() <= shown["given"].items()
    assert {shown["own"][cell] for cell in brought} == {""}
    assert shown["given"]["unmasked.block1.head1.exp", 3, 4] == "0,4584"  # masked here, not on 4a
    assert shown["own"]["unmasked.block1.head1.exp", 3, 4] == ""
    taken = {cell for cell in shown["own"] if cell[0].startswith("unmasked.")}
    assert len(taken) == 6 + 6 + 1, "powers, shares and their sum"


@pytest.mark.parametrize("preset", ["same-word", "induction", "subject-verb"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_info_leaf_of_one_head_fits_on_a_page(preset, language):
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language, part="info")
    found = pdf(trace, exact, options, "blank", SHEET)
    assert stays_within(found) == 1
    assert ("Rounding.", "Runden.")[language == "de"] in text(found)
