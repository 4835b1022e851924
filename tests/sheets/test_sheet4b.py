"""Sheet 4b: right numbers, no leak, the declared counts, what other presets get."""

import re
from dataclasses import replace

import numpy as np
import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.insight.attention import concat_slips, head_slips
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.sheet4b import plan as sheet4b
from tests.support.battery import blank_does_not_hang_on_answers, boxes, cells_are_the_traces
from tests.support.covering import each
from tests.support.sheets import TWELVE_WORDS, Cells, Paper, html, paper, text
from tests.support.structure import stays_within
from tests.support.words import words

KATZE = load_preset("katze")
FREE = "unmasked.block1.head1.exp"


def changed(level=2, **fields: object) -> Paper:
    """The sheet of `katze` with fields of its preset put differently."""
    alone = {"parts": frozenset({"attention"}), "norm": "none"}
    trace = compute(replace(KATZE, **alone, **fields))
    return Paper("4b", trace, trace, SheetOptions(level=level))


def about_auf(**options: object) -> Paper:
    """`katze` about "auf", the token that source 000 writes out."""
    traces = (compute(KATZE, exercise=3, rounding=one) for one in (None, "exact"))
    return Paper("4b", *traces, SheetOptions(**options))


@pytest.mark.parametrize("language", each(2, ["de", "en"]))
def test_no_page_is_printed_for_squares_alone(language):
    """With one head and little to compute the work leaf is one page."""
    one = paper("4b", "previous-word", language, level=1, part="work")
    assert stays_within(one.pdf("blank")) == 1


def test_a_long_sentence_has_no_page_for_squares_and_hints():
    """Of twelve words three are seen: two pages of work, and no third one with nothing to do."""
    one = paper("4b", sentence=TWELVE_WORDS, part="work")
    assert stays_within(one.pdf("blank")) == 2


@pytest.mark.parametrize("level", [1, 2, 3])
def test_how_shares_grow_is_explained_at_the_third_level_only(level):
    one = paper("4b", level=level, part="work")
    assert ("Erkläre mit alter und neuer Σ" in one.blank) == (level == 3)
    told = one.solution.count("Jeder sichtbare Anteil wächst um den Faktor")
    assert told == 1 + (level == 3), "the teacher page has it, too"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_blank_does_not_say_which_cells_are_masked_in_the_table_to_cross_out(level):
    one = paper("4b", level=level, part="work")
    [table] = re.findall(r'(?s)<table class="attention masking.*?</table>', one.blank)
    assert "verdeckt" not in table
    asked = 6 + 1 + one.plan.outputs  # tokens, Σ, o
    assert len(re.findall(r'<td class="ask step', table)) == asked
    assert table.count('class="jot"') == 6 * one.plan.outputs, "room for each token's products"


@pytest.mark.parametrize("blank", [True, False])
def test_what_follows_from_an_asked_output_is_not_printed(blank):
    one = paper("4b", "random", level=3)
    assert not np.array_equal(one.trace["block1.weight.output"].values, np.eye(4))
    mixed = one.trace["block1.attention"]
    values = mixed.values.copy()
    values[one.plan.own] = 47.11
    altered = one.trace.with_steps([mixed._replace(values=values)])
    other = html(altered, one.exact, one.options, blank=blank, sheet="4b")
    assert other == (one.blank if blank else one.solution)


@pytest.mark.parametrize("sentence", ["Die Katze sitzt", "die die die die die"])
def test_the_example_is_another_token(sentence):
    plan = paper("4b", sentence=sentence).plan
    assert plan.worked != plan.own


def test_the_solution_prints_the_shares_of_source_000():
    """Those of "auf", without the future."""
    one = about_auf()
    assert one.row("block1.head1.weights", 3, 4) == "0,225 0,218 0,352 0,205"
    assert one.row("block1.head2.weights", 3, 4) == "0,372 0,492 0,093 0,043"


def test_without_the_mask_is_what_the_switch_gives():
    one = paper("4b")
    free = compute(one.trace.preset, one.trace.sentence, edits={"switch.mask": 0})
    steps = [s for s in one.plan.extra if s.name.startswith("unmasked.")]
    assert len(steps) == 4
    for step in steps:
        assert np.array_equal(step.values, free[step.name.removeprefix("unmasked.")].values)


def test_the_wrong_numbers_of_the_usual_slips():
    view, own = about_auf().view, 3
    slips = view.row.mask_slips() + head_slips(view.trace, own, 1) + concat_slips(view.trace, own)
    assert {slip.key: round(slip.wrong, 4) for slip in slips} == {
        "counted": 2.7721,  # 0.4584 + 0.4449 + 0.7189 + 0.4190 + 0.4584 + 0.2725
        "old_sum": 0.259,  # 0.7189 ÷ 2.7721
        "other_query": -0.92,  # 0.6 × 0.8 + (−1.0) × 1.4
        "added": 1.08,  # 0.24 + 0.84
        "turned": 0.84,  # the first number of head 2
    }


@pytest.mark.parametrize("level", [1, 2, 3])
def test_one_head_has_no_second_head_and_no_concat(level):
    weights = {k: v for k, v in KATZE.weights.items() if "head1" in k}
    one = changed(level, heads=1, weights=weights)
    assert boxes(*one.given) == 6
    assert not any(word in one.blank for word in ("Head 2", "Concat", "Übergabe", "Zu zweit"))
    stays_within(one.pdf())


def test_of_three_heads_the_first_two_are_shown():
    third = {k.replace("head1", "head3"): v for k, v in KATZE.weights.items() if "head1" in k}
    output = {"block1.weight.output": np.tile(np.eye(4), (2, 1))[:6]}
    one = changed(heads=3, weights={**KATZE.weights, **third, **output})
    assert boxes(*one.given) == 25
    given = [shown for (step, i, _), ask, shown in Cells(one.blank).found
             if step == "block1.concat" and i == 2 and not ask]  # fmt: skip
    assert given == ["0,52", "1,08"], "the third head's numbers are given"
    assert "3 Heads" in one.blank
    stays_within(one.pdf())


def test_a_sum_of_one_number_is_not_set_equal_to_itself():
    """Of three words the example, the first one, sees itself only."""
    one = paper("4b", "katze-trained", sentence="Die Maus schläft")
    assert one.plan.worked == 0
    line = re.sub("<[^>]*>|\n", "", one.solution)
    assert "Σ = 0,3329Anteil von" in line
    assert "Σ = 0,3329 =" not in line


def test_the_strict_mask_hides_the_token_itself():
    one = changed(3, mask="strict")
    assert one.plan.own not in one.plan.visible
    assert "nicht einmal sich selbst" in one.solution
    cells_are_the_traces(*one.given)


def test_a_subtracted_maximum_is_said():
    with pytest.raises(UserError, match=r"subtracts each row's maximum.*'katze'"):
        sheet4b.plan(changed(shifted="always").trace, 2)


def test_what_sheet_4a_has_is_brought_from_there():
    """The whole row without the mask; its output is another with it."""
    given, own = (
        {cell: value for cell, ask, value in Cells(about_auf(carry=carry).blank).found
         if ask == (carry == "own")}
        for carry in ("given", "own")
    )  # fmt: skip
    powers = [given[FREE, 3, j] for j in range(5)]
    assert powers == ["0,4584", "0,4449", "0,7189", "0,4190", "0,4584"]  # the last masked here
    assert {own[FREE, 3, j] for j in range(5)} == {""}
    taken = {cell for cell in own if cell[0].startswith("unmasked.")}
    assert len(taken) == 6 + 6 + 1 + 1, "powers, shares, their sum and o₁"


@pytest.mark.parametrize("preset", ["same-word", "induction", "subject-verb"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_info_leaf_of_one_head_fits_on_a_page(preset, language):
    found = paper("4b", preset, language, part="info").pdf("blank")
    assert stays_within(found) == 1
    assert ("Rounding.", "Runden.")[language == "de"] in text(found)


def test_what_the_own_token_takes_most_from_is_asked_and_interpreted():
    """katze-trained: 0.199, 0.547 and 0.253; where numbers are made up nobody interprets them."""
    told = "mit Maske: „Katze“ (0,547). So trägt „sitzt“ jetzt etwas von „Katze“ in sich."
    for level in (1, 2):
        assert told in words(paper("4b", "katze-trained", level=level).solution)
    alone, task = paper("4b", "subject-verb"), "Deute deine Anteile"
    assert "Am meisten von „Hunde“ (99 %), mehr als von sich selbst." in words(alone.solution)
    assert [task in one.blank for one in (alone, paper("4b", level=1))] == [True, False]
    for preset in ("katze-trained", "subject-verb", "nihao"):
        blank_does_not_hang_on_answers(*paper("4b", preset, level=1).given)


def test_at_the_first_level_the_second_head_s_shares_are_given_below_room_for_the_own():
    """Of which the first row is copied, so a blank has none of its numbers."""
    one = paper("4b", level=1)
    for page, filled in ((one.blank, False), (one.solution, True)):
        (table,) = re.findall(r'(?s)<table class="handover both".*?</table>', page)
        first, second = re.findall(r"(?s)<tr><th scope=\"row\">.*?</tr>", table)
        assert ("answer" in first) == filled
        assert len(re.findall(r"\d,\d{3}", second)) == len(one.plan.visible)


def test_at_other_levels_the_shares_of_both_heads_are_copied_side_by_side():
    """They stand on two pages of two pupils; the last question asks who led and who leads."""
    one = paper("4b", level=2)
    for page, filled in ((one.blank, False), (one.solution, True)):
        (table,) = re.findall(r'(?s)<table class="handover both".*?</table>', page)
        assert table.count("answer") == filled * 2 * len(one.plan.visible)
    assert "Vorn ohne Maske:" in words(one.solution)


def test_in_pairs_each_computes_a_head():
    blank = words(paper("4b", level=2).blank)
    assert "A Berechne den Output von Head 1" in blank
    assert "B Berechne in Head 2 alle Scores" in blank
    assert "B Berechne Potenzen, ihre Summe Σ und alle Anteile." in blank


@pytest.mark.parametrize("sheet", ["1", "4a", "4b", "bpe", "slide"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_last_answer_has_two_lines_of_its_own(sheet, level):
    blank = paper(sheet, level=level, part="work").blank
    short = (sheet, level) == ("bpe", 2)  # two rounds, tree and vocabulary fill its page
    assert ('class="keep finding"' in blank) != short
    assert ('class="keep sentence"' in blank) == short


def test_where_two_heads_differ_most_is_asked_as_one_word_may_win_in_both():
    """Of two words both shares differ alike; a second head with the first one's numbers agrees."""
    same = {k.replace("head1", "head2"): v for k, v in KATZE.weights.items() if "head1" in k}
    two = compute(KATZE, exercise=1)
    papers = {
        "Am stärksten bei „Katze“: 21,8 % in Head 1, 49,2 % in Head 2.": about_auf(),
        "gleich stark, bei „Die“ und „Katze“.": Paper("4b", two, two, SheetOptions()),
        "Bei keinem: Beide Heads verteilen hier dieselben Anteile.": changed(
            weights=KATZE.weights | same
        ),
    }
    for answer, one in papers.items():
        assert answer in words(one.solution)
        assert "Bei welchem Token unterscheiden sich die beiden Heads am stärksten?" in one.blank


@pytest.mark.parametrize(("preset", "level"), [("katze-trained", 1), ("subject-verb", 2)])
def test_each_question_has_lines_of_its_own(preset, level):
    blank = paper("4b", preset, level=level, part="work").blank
    tasks = re.split('<p class="task', blank)[1:]
    asked = [one for one in tasks if re.search("Begründe|Deute|Vergleiche", one)]
    assert [one.count('class="lines"') for one in asked] == [1, 1]


def test_at_the_first_level_the_row_goes_into_the_matrix_that_shows_the_triangle():
    """Of the own row a blank does not say what is masked: that is task 1."""
    one = paper("4b", level=1, part="work")
    told = {"blank": [""] * 6, "solution": ["0,260", "0,271", "0,469", "–", "–", "–"]}
    for variant, own in told.items():
        table = re.findall(r'(?s)<table class="class.*?</table>', getattr(one, variant))[0]
        found = re.findall("(?s)<tr.*?</tr>", table)[1:]
        rows = [re.findall("(?s)<td>(.*?)</td>", row) for row in found]
        assert [re.sub("<.*?>", "", cell).strip() for cell in rows[2]] == own
        assert rows[1] == ["0,460", "0,540", "–", "–", "–", "–"]
    assert '<table class="class' not in paper("4b", level=2, part="work").blank


def test_an_equation_breaks_between_its_terms_only():
    """With ten words: a sum of eleven powers takes two lines, each other equation has its own."""
    one = paper(
        "4b", "katze-trained", sentence="Die Katze sitzt auf der Matte und die Maus schläft ."
    )
    steps = "".join(re.findall(r'(?s)<ol class="steps">.*?</ol>', one.blank))
    assert len(re.findall("[=≈]\u00a0<b>", steps)) == 10
    assert not re.findall("[=≈] <b>|[^\u00a0][=≈]\u00a0<b>", steps)
    lines = text(one.pdf("blank")).splitlines()
    assert not [line for line in lines if re.search(r"\d\s*[=≈]\s*$|^\s*[=≈]", line)]


def test_no_head_of_the_triangle_breaks(words, upright):
    """At 9 mm six letters have room; longer ones stand upright, none is cut in the middle."""
    blank = paper("4b", "katze-trained", sentence=words, level=1, part="info").blank
    assert ("rotate(-90)" in blank) == upright
    assert ('class="top"' in blank) != upright
