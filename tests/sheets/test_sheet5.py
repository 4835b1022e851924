"""Sheet 5: right numbers, no leak, the declared counts, checks that hold, readable limits."""

import re
from dataclasses import replace

import numpy as np
import pytest

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.presets.load import load_preset, parse
from generator.sheets.options import SheetOptions
from generator.sheets.sheet5 import plan as sheet5
from tests.support import battery
from tests.support.sheets import Paper, paper, solved, traces
from tests.support.words import refused, words

LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst am Tisch"
TWELVE = "a b c d e f g h i j k l"

DRAWN = """
format = 1
name = "drawn"
language = "de"
sentence.de = "a b c"
rounding = "paper"
model = { d_model = @D@, heads = 1, d_ff = 8 }
norm = { kind = "post" }
vocabulary.unknown = "draw"
@MORE@
[weights]
"""


def about_der(**options) -> Paper:
    """`katze` with "Matte" as the example and "der" asked: what is worked out by hand below."""
    tokens = {"worked": 5, "exercise": 4}
    both = (compute(load_preset("katze"), rounding=one, **tokens) for one in ("paper", "exact"))
    return Paper("5", *both, SheetOptions(**options))


def drawn(d: int = 4, more: str = "", **weights: str) -> Preset:
    """One block with drawn weights; `more` replaces or adds sections, `weights` adds arrays."""
    given = {f"head1.weight.{w}": "draw -1 1 0.5" for w in ("query", "key", "value")}
    given |= {f"weight.{w}": "draw -1 1 0.5" for w in ("output", "hidden", "feedforward")}
    given |= {name.replace("_", "."): value for name, value in weights.items()}
    head = DRAWN.replace("@D@", str(d)).replace("@MORE@", more)
    if "norm" in more:
        head = head.replace('norm = { kind = "post" }\n', "")
    lines = [f'"block1.{name}" = "{value}"' for name, value in given.items()]
    return parse(head + "\n".join(lines), "drawn.toml")


PRE = 'norm = { kind = "pre", final = true }'
VARIANTS = {
    "pre": drawn(more=PRE),
    "pre, nothing after": drawn(more='norm = { kind = "pre" }'),
    "bias": drawn(bias_hidden="draw -1 1 0.5", bias_feedforward="draw -1 1 0.5"),
    "gain": drawn(gain1="draw 0.5 1.5 0.1", beta1="draw -1 1 0.1", gain2="draw 0.5 1.5 0.1"),
    "rms": drawn(more='norm = { kind = "post", form = "rms", epsilon = 0.0001 }'),
    "rms, pre": drawn(
        more='norm = { kind = "pre", form = "rms", final = true }', gain1="draw 0.5 1.5 0.1"
    ),
    "wide": drawn(d=6),
    "few": drawn(d=3),
}


def of_preset(preset: Preset, level: int) -> Paper:
    both = (compute(preset, "a b c", rounding=one) for one in (None, "exact"))
    return Paper("5", *both, SheetOptions(level=level))


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_other_blocks_are_shown_as_they_are(name, level):
    one = of_preset(VARIANTS[name], level)
    battery.cells_are_the_traces(*one.given, least=60)
    battery.blank_does_not_hang_on_answers(*one.given)
    assert battery.boxes(*one.given) == len(one.plan.asked) <= sheet5.MOST[level]
    assert one.plan.minutes <= sheet5.MOST_MINUTES[level][0]


def test_with_full_matrices_some_products_are_given():
    """Dot products of 6 and of 8 terms take 58 s and 76 s: with checks and all two of each do."""
    one = of_preset(VARIANTS["wide"], 2)
    plan = one.plan
    assert (plan.hiddens, plan.outputs) == ((5, 7), (4, 5))
    assert not {(plan.hidden, plan.own, 4), (plan.output, plan.own, 1)} & plan.asked
    assert (plan.activation, plan.own, 0) in plan.asked
    assert "Berechne die leeren Zwischenwerte h." in one.blank
    assert "Berechne, was im Output f noch fehlt" in one.blank
    assert "Berechne alle Zwischenwerte h" in paper("5").blank


@pytest.mark.parametrize("preset", ["katze", "katze-trained", "nihao", "random"])
def test_a_class_has_time_for_all_of_it(preset):
    """As much as for "katze", whose matrices are mostly zeros, give or take what a bias costs."""
    for level, most in {2: 28, 3: 34}.items():
        trace, exact = (compute(load_preset(preset), rounding=one) for one in ("paper", "exact"))
        plan = Paper("5", trace, exact, SheetOptions(level=level)).plan
        assert plan.in_all <= most, level
        assert len(plan.sums) >= 2 or (preset, level) == ("nihao", 3), "old and new are added"


@pytest.mark.parametrize("preset", ["katze", "katze-trained", "nihao", "random"])
def test_relu_cuts_and_keeps_some_of_the_values_asked(preset):
    """For every token and level, where there are both kinds; too many products are given."""
    looked, some = 0, set()
    one = compute(load_preset(preset))
    for level in (2, 3):
        for own in set(range(len(one.tokens))) - {one.worked}:
            plan = sheet5.plan(replace(one, exercise=own), level)
            negative = one[plan.hidden].values[own] < 0
            asked = set(negative[list(plan.hiddens)].tolist())
            assert asked == set(negative.tolist()), one.tokens[own]
            assert plan.hiddens == tuple(sorted(plan.hiddens))
            some.add(len(plan.hiddens))
            looked += len(asked)
    assert looked > 5
    assert preset in ("katze", "random") or min(some) < 6, "or nothing had to be chosen"


def test_both_sides_of_the_checks_of_products_are_filled_in_the_solution():
    """Σ h and Σ f of "sitzt", once added and once from the sums of the rows of W."""
    one = paper("5", level=3)
    box = r'<span class="twin-box">(?:<span class="answer">([^<]+)</span>)?</span>'
    assert re.findall(box, one.solution) == ["0,89", "0,89", "0,72", "0,72"]
    assert re.findall(box, one.blank) == [""] * 4


def test_what_adding_keeps_is_asked_once_in_general_and_once_of_the_numbers_at_hand():
    """katze-trained: old −0.6, −0.2, −3.2, 2.6, new 3.53, 0.55, −1.28, 1.71; every sum is asked."""
    said = {
        "katze-trained": "Alt überwiegt bei d₃ und d₄, neu bei d₁ und d₂ (größerer Betrag).",
        "nihao": "Alt überwiegt bei d₁, d₂ und d₄ (größerer Betrag), neu nirgends.",
    }
    for preset, finding in said.items():
        one = paper("5", preset)
        assert "Was bleibt von alt, wenn in neu nur Nullen stehen?" in words(one.blank)
        assert "Addiert bleibt alt, wie es war; ersetzt bleiben nur Nullen." in words(one.solution)
        assert "Bei welchen Zahlen der Summe überwiegt alt, bei welchen neu?" in words(one.blank)
        assert finding in words(one.solution)
    for level in (1, 2, 3):
        assert paper("5", "katze-trained", level=level).plan.sums == (0, 1, 2, 3)


def test_rows_of_zeros_after_relu_are_said_to_change_nothing():
    """katze: a₃, a₄, a₇ and a₈ go with rows of zeros; katze-trained has single zeros only."""
    for preset, unused in {"katze": True, "katze-trained": False}.items():
        told = "Hat eine Zeile von W₂ nur Nullen, so ändert ihr a am Output nichts."
        assert (told in words(paper("5", preset).blank)) is unused


def test_what_relu_makes_possible_is_seen_with_all_signs_of_y_changed():
    """katze-trained: h₂, h₆ and h₇ are negative."""
    one = paper("5", "katze-trained", level=3)
    assert "Kehre alle Vorzeichen von y um. Gib an: Welche h bleiben jetzt?" in words(one.blank)
    assert "Nein. Jetzt bleiben h₂, h₆ und h₇, die vorher gestrichen waren." in words(one.solution)
    sums = "jedes eine Summe von Produkten mit y:"
    assert sums in words(paper("5", "katze-trained", level=1).blank)
    assert sums not in of_preset(VARIANTS["bias"], 1).blank
    biased = of_preset(VARIANTS["bias"], 3)
    assert "Vorzeichen von y um" not in biased.blank
    assert "Was wird durch ReLU möglich" in biased.blank


def test_a_condition_on_sigma_is_printed_only_where_it_fails():
    for sentence, least in (("Die auf Die", 0.26), (None, 0.36)):
        one = paper("5", "katze", sentence=sentence)
        assert one.trace[one.plan.first.root].values[one.plan.own, 0] == least
        assert ("ab σ = 0,3" in one.blank) == (least < 0.3)
        assert ("Durch Runden nur ungefähr gilt" in one.blank) == (least >= 0.3)


def test_the_steps_of_source_000_are_asked_and_its_squares_are_right():
    """Its worked row "Katze" (sections 5 to 7); its other numbers are compared in `reference`."""
    one = about_der(level=3)
    one = replace(one, trace=replace(one.trace, exercise=1))
    plan, whole = one.plan, one.view.trace
    first, second = plan.first, plan.second
    assert whole[first.deviations].values[1].tolist() == [0.36, 0.85, -0.76, -0.44]
    assert whole[first.squares(1)].values[0].tolist() == [0.1296, 0.7225, 0.5776, 0.1936]
    steps = [plan.hidden, plan.activation, plan.output, first.deviations, first.square]
    steps += [*(part.total for part in (first, second)), *first.of_row]
    steps += [first.normalised, second.normalised]
    asked = {(name, 1, j) for name in steps for j in range(whole[name].shape[1])}
    assert asked | {(first.squares(1), 0, j) for j in range(4)} <= plan.asked


@pytest.mark.parametrize("preset", ["katze", "random"])
def test_squares_lead_to_the_variance_of_the_trace(preset):
    drawn, _ = traces(preset, "de", TWELVE)
    for own in range(len(drawn.tokens) - 1):
        trace = replace(drawn, worked=len(drawn.tokens) - 1, exercise=own)
        plan = sheet5.plan(trace, 3)
        whole = trace.with_steps(plan.extra)
        for part in (plan.first, plan.second):
            mean = whole[part.squares(own)].values.mean()
            found = trace.rounded_as(part.square, np.array([[mean]]))
            assert found[0, 0] == whole[part.square].values[own, 0]


@pytest.mark.parametrize("preset", ["katze", "random"])
def test_the_checks_hold_for_every_token(preset):
    looked = 0
    for sentence in (None, TWELVE, LONG):
        sheet = solved("5", preset, 3, sentence=sentence)
        plan, trace, first = sheet.plan, sheet.trace, sheet.plan.first
        printed = sheet.deviations_tolerance(first), sheet.normalised_tolerance(first)
        printed += (sheet.square_tolerance(first),)
        off, total, squares = (float(one.replace(",", ".")) for one in printed)
        for part in (plan.first, plan.second):
            assert np.abs(trace[part.deviations].values.sum(axis=1)).max() <= off + 1e-9
            z = trace[part.normalised].values[trace[part.root].values[:, 0] >= 0.3]
            looked += len(z)
            assert np.abs(z.sum(axis=1)).max() <= total + 1e-9
            assert np.abs((z**2).sum(axis=1) - z.shape[1]).max() <= squares + 1e-9
    assert looked > 30


def test_the_checks_of_the_products():
    assert "Summe aller h ist" not in paper("5").blank, "at the third level only"
    one = paper("5", level=3)
    shown, plan = re.sub("<.*?>", "", one.blank), one.plan
    assert "Summe aller h ist y2 + 2 · y3 + y4." in shown
    assert "Summe aller f ist a1 + a2 + a5 + a6." in shown
    steps = plan.first.result, plan.hidden, plan.activation, plan.output
    z, h, a, y = (one.trace[name].values for name in steps)
    assert np.allclose(h.sum(axis=1), z[:, 1] + 2 * z[:, 2] + z[:, 3])
    assert np.allclose(y.sum(axis=1), a[:, [0, 1, 4, 5]].sum(axis=1))


def test_what_usual_slips_give():
    """By hand for "der": s = 0.22, 0.55, 0.77, 1.26; μ = 0.70; Σ squares = 0.5734; σ = 0.38."""
    assert {slip.key: (slip.j, slip.wrong) for slip in about_der().view.slips()} == {
        "sample": (0, 0.44),  # √(0.5734 ÷ 3) = √0.191
        "variance": (3, 3.92),  # 0.56 ÷ 0.143
        "no_mean": (3, 3.32),  # 1.26 ÷ 0.38
        "no_old": (3, -0.91),  # (0.16 − 0.55) ÷ 0.43
        "no_relu": (0, -1.26),  # h₁ and h₅ are negative, y₁ takes h₁
    }


def test_only_solutions_cross_out_and_draw():
    one = about_der(part="work")
    empty, solved, plan = one.blank, one.solution, one.plan
    negative = int((one.trace[plan.hidden].values[plan.own] < 0).sum())
    assert len(re.findall(r'class="ask[^"]*\bout\b', solved)) == negative == 5
    assert not re.findall(r'class="ask[^"]*\bout\b', empty)
    assert solved.count('fill="#1d3fb0"') > empty.count('fill="#1d3fb0"') == 0
    zeros = int((one.trace["block1.weight.hidden"].values == 0).sum())
    assert empty.count('class="zero" data-cell="block1.weight.hidden') == zeros > 15


def test_a_given_hidden_value_is_for_pupils_to_strike():
    """A solution strikes it; in the blank all given ones look alike."""
    one = paper("5", "katze-trained", part="work")
    plan = one.plan
    given = [j for j in range(8) if (plan.hidden, plan.own, j) not in plan.asked]
    negative = sum(one.trace[plan.hidden].values[plan.own, j] < 0 for j in given)
    assert 0 < negative < len(given)
    assert one.solution.count('<span class="answer stroke">✗</span>') == negative
    assert one.blank.count('<span class="struck">') == len(given)
    assert 'class="out"' not in one.blank


@pytest.mark.parametrize(
    ("preset", "parts"),
    [
        (drawn(d=7), ("d_model = 7", "2 to 6", "'katze'", "--only xlsx")),
        (drawn(more='norm = { kind = "none" }'), ("no layer norm", "'katze'")),
        (drawn(more='activation = { kind = "gelu" }'), ("'gelu'", "ReLU", "'katze'")),
        (drawn(d=6, gain1="draw 0.5 1.5 0.1"), ("43 numbers", "at most 39", "'katze'")),
        (drawn(more='decimals = { "deviation1" = 0 }'), ("hardly differ", "'katze'")),
    ],
)
def test_what_paper_cannot_take_is_said(preset, parts):
    trace = compute(preset, "a b c", rounding="exact" if "hardly differ" in parts else None)
    if "hardly differ" in parts:
        small = trace["block1.deviation1"]
        trace = trace.with_steps([small._replace(values=small.values * 0.01)])
    with refused(*parts):
        sheet5.plan(trace, 2)


@pytest.mark.parametrize(("preset", "level"), [("katze", 2), ("nihao", 1)])
def test_a_solution_fills_in_its_check_boxes(preset, level):
    """With the sums of the numbers as they stand in the table."""
    one = paper("5", preset, level=level)
    found = re.findall(r'<td class="own"><span class="answer">([^<]*)</span>', one.solution)
    rows = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*<td class=\"own\">", one.solution, re.S)
    assert len(found) == len(rows) > 1
    for row, shown in zip(rows, found, strict=True):
        cells = re.findall(r'data-cell[^>]*><span class="answer">(−?[\d,]+)<', row)
        total = sum(float(cell.replace("−", "-").replace(",", ".")) for cell in cells)
        assert float(shown.replace("−", "-").replace(",", ".")) == pytest.approx(total, abs=1e-9)
    assert re.findall(r'<td class="own">(.*?)</td>', one.blank) == [""] * len(found)


@pytest.mark.parametrize(("preset", "sign"), [("katze", "c"), ("random", "MH")])
def test_the_output_of_attention_has_the_sign_of_sheet_4b(preset, sign):
    """Joined heads that nothing mixes are c there, and here."""
    page = paper("5", preset).blank
    assert f"neu: Attention {sign}" in page
    assert ("MH" in page) == (sign == "MH")


def test_the_second_stage_gives_what_the_first_has_practised():
    """At ■ μ′ and σ′ are printed, sum and result asked; at ● hidden values are struck."""
    one = paper("5", "katze-trained", level=3)
    plan, asked = one.plan, {name for name, _, _ in one.plan.asked}
    assert {plan.second.total, plan.second.normalised} <= asked
    assert not asked & {*plan.second.of_row, plan.second.deviations}
    first = paper("5", "katze-trained", level=1, part="work")
    assert first.blank.count('<span class="struck">') == 8
    assert first.solution.count('<span class="answer stroke">✗</span>') == 3
    assert "Übrig bleibt, was vorher gestrichen war: h₂, h₆ und h₇." in words(first.solution)
