"""Sheet slide, the hand-out: the slide's numbers, no leak in its checks, the order of its bars."""

import re

import numpy as np
import pytest

from generator import compute
from generator.sheets.sheetslide.plan import plan
from tests.support.covering import each
from tests.support.sheets import paper
from tests.support.structure import stays_within

AT = "block1.head1"
ROWS = {  # of the slide (token 4, its slip of a digit mended) and of the task (token 3)
    (f"{AT}.output", 4): "0,304 0,529 0,603 0,399",
    (f"{AT}.sum", 4): "10,443",
    (f"{AT}.query", 3): "0 1 3 1",
    (f"{AT}.key", 3): "0,0 0,5 1,5 0,5",
    (f"{AT}.scores", 3): "2,0 1,5 0,5",
    (f"{AT}.scaled", 3): "1,00 0,75 0,25",
    (f"{AT}.exp", 3): "2,718 2,117 1,284",
    (f"{AT}.weights", 3): "0,444 0,346 0,210",
    (f"{AT}.output", 3): "0,549 0,451 0,222 0,395",
    ("covered.sum", 0): "3,401",  # without Paris: 2,117 + 1,284
}


def test_the_numbers_of_the_slide_of_the_task_and_of_its_checks():
    one = paper("slide", "paris", level=3)
    assert (one.plan.worked, one.plan.own, one.plan.visible) == (4, 3, (0, 1, 2))
    for (step, i), row in ROWS.items():
        assert one.row(step, i, len(row.split())) == row, step


def test_an_example_never_sees_itself_alone_where_another_token_sees_more():
    """Of three words the first would be worked through: a share of 1 shows nothing."""
    trace = compute("Die Katze schläft", preset="katze", language="de")
    assert (trace.worked, trace.exercise) == (0, 1)
    found = plan(trace, 1)
    assert (found.worked, found.own, found.visible) == (2, 1, (0, 1))
    usual = compute("Die Katze sitzt auf der Matte", preset="katze", language="de")
    assert plan(usual, 1).worked == usual.worked


def test_with_a_token_covered_all_others_grow_by_one_factor():
    """The shares of the rest are as they were to each other, and together 1."""
    one = paper("slide", "paris", level=3)
    assert one.plan.covered == (0,)
    trace = one.trace.with_steps(one.plan.extra)
    old, new = (
        trace[name].values[row, 1:3] for name, row in ((f"{AT}.weights", 3), ("covered.weights", 0))
    )
    assert np.isclose(new.sum(), 1)
    assert np.allclose(new / old, 6.119 / 3.401, atol=0.003)  # of shares with three decimals
    assert "altes Σ : neues Σ = 6,119 : 3,401" in one.solution
    assert paper("slide", "paris", level=2).plan.covered == ()


def test_to_how_many_decimals_pupils_round_is_said_before_the_first_task():
    for level, said in ((1, "Nachkommastellen: 3."), (2, "0 für Query, 1 für Score")):
        before = paper("slide", "paris", level=level, part="work").blank.partition('class="task"')[
            0
        ]
        assert said in before


def test_the_example_leaves_masked_tokens_out_of_its_lines():
    one = paper("slide", "paris")
    whole = one.view.trace
    for name in ("sum", "output"):  # with the three decimals that are printed
        right = one.trace[f"{AT}.{name}"].values[4]
        assert np.allclose(whole[f"example.{name}"].values[0], right, atol=0.0005)
    assert whole["example.exp"].shape == (1, 4)


@pytest.mark.parametrize("level", each(2, [1, 2, 3]))
def test_a_qr_code_costs_no_page(level: int):
    one = paper("slide", level=level, part="work", code="K7QX2MPD", qr=True)
    assert stays_within(one.pdf("blank")) == 2


def test_the_first_row_stays_empty_and_masked_cells_are_dashes():
    blank = paper("slide", "paris").blank
    matrix = re.search(r'(?s)<table class="class.*?</table>', blank)[0]
    first = re.findall(r"(?s)<tr.*?</tr>", matrix)[1]
    assert re.findall(r"<td>(.*?)</td>", first) == ["–"] * 5
    assert "Vor „Paris“ steht kein Wort" in blank
    assert "steht kein Wort" not in paper("slide").blank


def test_the_end_says_between_which_values_the_output_lies():
    """0,444 · 1,0 + 0,346 · 0,0 + 0,210 · 0,5: no largest value, no smallest."""
    one = paper("slide", "paris")
    told = "o₁ = 0,549 liegt zwischen 0,0 („ist“) und 1,0 („Paris“)"
    assert told in one.solution
    assert told not in one.blank


def test_the_last_answer_names_two_pairs_and_rows_that_tie_have_a_rule():
    one, rule = paper("slide", "paris"), "Gleich große zählen beide"
    assert "Paare: 2,0 → 0,444; 0,5 → 0,210." in one.solution
    assert "Paare:" not in one.blank
    assert rule in one.blank
    assert rule in paper("slide").blank  # a given row of it sees a single word
    assert rule not in paper("slide", "brille").blank  # no given row of it ties


@pytest.mark.parametrize(
    ("preset", "told"),
    [
        ("paris", "„Paris“ und „Hauptstadt“ (je 1 von 3)"),
        ("katze", "„sitzt“ (3 von 5 Zeilen)"),
        ("random", "„die“ (2 von 3 Zeilen)"),
    ],
)
def test_a_row_that_sees_a_single_word_has_nobody_ahead(preset, told):
    """The mask wins there, not the match."""
    one = paper("slide", preset)
    single = [i for i, _ in enumerate(one.trace.tokens) if np.isfinite(seen(one, i)).sum() == 1]
    assert single
    assert all(one.view.ahead(i) == () for i in single)
    assert one.view.most_attended() == told


def seen(one, i):
    """The scores that a row has of the words that it sees; those of others are infinite."""
    at = "block1.head1"
    name = f"{at}.masked" if f"{at}.masked" in one.trace else f"{at}.scaled"
    return one.trace[name].values[i]


def test_the_boxes_of_the_check_are_filled_in_the_solution_only():
    one = paper("slide", "paris")
    boxes = [re.findall(r'<td class="step own">.*?</td>', k) for k in (one.solution, one.blank)]
    answers = [re.search(r'answer">([^<]+)<', box)[1] for box in boxes[0]]
    assert answers == ["4,0", "1,000"]  # 2.0 + 1.5 + 0.5, and all shares
    assert ["answer" in box for box in boxes[1]] == [False, False]


def test_the_bars_of_the_example_are_sorted():
    bars = paper("slide", "paris", part="info").blank.partition('<div class="bars"')[2]
    words = re.findall(r'<div class="bar"><span class="word">([^<]+)<', bars)
    assert words == ["Hauptstadt", "ist", "Paris", "die"]
