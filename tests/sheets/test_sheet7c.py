"""Sheet 7c: back through attention, against autograd, central differences and a calculator."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import generator
from generator.engine.ops.learning import MatTMul
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.output_step import GRADIENT
from generator.insight.way_back import RISE, SLOPE, WayBack
from generator.notation.shown import shown_decimals
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support.at_hand import made_of, places, printed
from tests.support.learning import planned_steps
from tests.support.sheets import Paper, html, solved, traces
from tests.support.words import words

PRESETS = ["katze", "katze-trained", "random"]


seen = partial(planned_steps, "7c", 3)


def test_numbers_by_hand() -> None:
    """The last row of attention of "katze", worked out with a pocket calculator."""
    trace, plan = seen(preset="katze")
    head, last = "grad.block1.head1", 5
    assert plan.tokens == (0, 1, 5)
    assert trace.values("grad.block1.hidden")[last].tolist()[:2] == [0, -0.357]  # h1 = −1.56
    assert trace.values("grad.block1.normalised1")[last, 1] == -0.416  # −0.357 + (−0.059)
    assert trace.values(f"{head}.weights")[last, 5] == -0.699  # 0.026·0.3 + (−0.372)·1.9
    assert trace.values(f"{head}.weights.average")[last, 0] == -0.486
    assert trace.values(f"{head}.masked")[last, 5] == -0.043  # 0.203 · (−0.699 + 0.486)
    assert trace.values(f"{head}.scores")[last, 5] == -0.030  # ÷ 1.41
    assert trace.values(f"{head}.value")[5].tolist() == [0.005, -0.076]  # 0.203 · ∂o
    assert trace.values(f"{head}.query")[last, 1] == -0.026
    assert trace.values(f"{head}.weight.query")[3, 1] == -0.049  # 1.9 · (−0.026)
    assert trace.values(RISE)[0, 0] == -0.0051
    assert trace.values(SLOPE)[0, 0] == -0.051


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_asked_is_at_hand_and_softmax_sums_to_nothing(preset: str) -> None:
    """Every asked number follows from numbers that are printed or were asked before."""
    trace, plan = seen(preset=preset)
    way, row = plan.way, plan.way.row
    arrives, values = trace.values(way.of("output"))[row], trace.values(f"{way.at}.value")
    shares = trace.values(f"{way.at}.weights")[row]
    slopes = np.array([arrives @ value for value in values])
    assert trace.values(way.of("weights"))[row] == pytest.approx(slopes, abs=0.00051)
    whole = trace.values(f"{way.of('weights')}")[row]
    average = trace.values(way.of("weights.average"))[row, 0]
    assert average == pytest.approx(shares @ whole, abs=0.00051)
    slope = trace.values(trace[way.of("scores")].inputs[0])[row]
    assert slope == pytest.approx(shares * (whole - average), abs=0.00051)
    assert abs(slope.sum()) <= 0.0005 * (len(way.looked_at) + 3)
    assert 20 <= len({cell for cell in plan.asked if "masked" not in cell[0]}) <= 25
    assert 12 <= plan.minutes <= 18


@pytest.mark.parametrize("preset", PRESETS)
def test_the_gradient_is_the_slope_of_the_loss(preset: str) -> None:
    """Central differences of the whole computation, for the weight that the sheet ends with."""
    trace, plan = seen(preset=preset, rounding="exact")
    way = plan.way
    weight = f"{way.at}.weight.query"
    old = float(trace.values(weight)[way.line, way.column])
    word = trace["output.logits"].columns[plan.right]

    def loss(value: float) -> float:
        edits = {"loss.target": word, f"{weight}[{way.line + 1},{way.column + 1}]": value}
        again = generator.compute(preset=preset, rounding="exact", edits=edits)
        return float(again.values("loss.cross_entropy")[0, 0])

    difference = (loss(old + 1e-5) - loss(old - 1e-5)) / 2e-5
    assert trace.values(f"grad.{weight}")[way.line, way.column] == pytest.approx(
        difference, abs=1e-7
    )
    assert plan.wiggles


@pytest.mark.parametrize("preset", PRESETS)
def test_a_step_against_the_gradient_makes_the_weight_what_the_solution_says(preset: str) -> None:
    paper, exact = traces(preset, "de")
    solution, blank = (html(paper, exact, SheetOptions(), blank=one, sheet="7c")
                       for one in (False, True))  # fmt: skip
    trace, plan = seen(preset=preset)
    way = plan.way
    slope = trace.values(way.of("weight.query"))[way.line, way.column]
    words = {-1: "größer", 1: "kleiner"}
    assert f'<span class="answer">{words[int(np.sign(slope))]}</span>' in solution
    assert not [word for word in words.values() if f">{word}<" in blank]
    signs = {
        -1: "ist negativ. Eine größere Zahl heißt weniger Loss, also wird sie größer.",
        1: "ist positiv. Eine größere Zahl hieße mehr Loss, also wird sie kleiner.",
    }
    assert signs[int(np.sign(slope))] in solution
    assert signs[-int(np.sign(slope))] not in solution


def test_a_slope_that_does_not_confirm_the_gradient_is_left_out() -> None:
    """Where the loss is bent strongly nothing is measured, asked or said."""
    sentence = "Die schläft Maus"
    trace, plan = seen(preset="katze-trained", sentence=sentence)
    assert not plan.wiggles
    assert SLOPE not in trace
    exact = generator.compute(sentence, preset="katze-trained", rounding="exact")
    page = html(trace, exact, SheetOptions(level=3), blank=False, sheet="7c")
    assert "Gegenprobe" not in page
    assert "Fast gleich" not in page


@pytest.mark.parametrize(("preset", "places"), [("katze", 3), ("katze-trained", 2)])
def test_a_slope_has_no_more_places_than_the_losses_that_it_is_measured_by(
    preset: str, places: int
) -> None:
    """1.1879 − 1.1568 = 0.0311, divided by 0.01, is 3.11 and not 3.110."""
    trace, _ = seen(preset=preset)
    assert shown_decimals(trace["wiggle.slope"]) == places


def test_pupils_have_all_that_they_need() -> None:
    """Whatever an asked number is computed from is printed or asked, but for gradients of 0."""
    for preset in PRESETS:
        trace, exact = (generator.compute(preset=preset, rounding=r) for r in ("paper", "exact"))
        for level in (1, 2, 3):
            options = SheetOptions(level=level)
            plan = planned("7c", trace, options)
            whole = trace.with_steps(plan.extra)
            had = printed(places(plan, trace, exact, options), plan, whole) | plan.asked
            needed = {one for cell in plan.asked for one in _counting(whole, cell)}
            missing = {cell for cell in needed - had if not cell[0].endswith(("scale", "factor"))}
            assert not missing, (preset, level, missing)


def _counting(trace: Trace, cell: Cell) -> set[Cell]:
    """What a cell is computed from, but for products with a gradient that is 0."""
    found, last = set(made_of(trace, *cell)), len(trace.tokens) - 1
    if not isinstance(trace[cell[0]].op, MatTMul):
        return found
    return {one for one in found if one[1] == last}


def test_a_model_without_relu_or_residual_shows_what_it_has(
    parts: tuple[str, ...], parted: str
) -> None:
    preset = replace(load_preset("katze"), parts=frozenset(parts), norm="none")
    trace, exact = (generator.compute(preset=preset, rounding=r) for r in ("paper", "exact"))
    plan = planned("7c", trace, SheetOptions(level=3))
    assert bool(plan.gates) == ("gate" in parted)
    assert bool(plan.way.skip) == ("path" in parted)
    page = html(trace, exact, SheetOptions(level=3), blank=True, sheet="7c")
    assert ("ReLU durch?" in page) == ("gate" in parted)
    assert ("am Netz vorbei" in page) == ("path" in parted)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("preset", PRESETS)
def test_gradients_have_one_sign_at_all_levels(preset: str, language: str) -> None:
    """Both leaves say what ∂ is; the information is the same for all."""
    leaves = {}
    for level in (1, 2, 3):
        traced = {r: generator.compute(preset=preset, language=language, rounding=r)
                  for r in ("paper", "exact")}  # fmt: skip
        for part in ("info", "work"):
            options = SheetOptions(language=language, level=level, part=part)
            for blank in (True, False):
                page = html(*traced.values(), options, blank=blank, sheet="7c")
                leaves[part, level, blank] = page.partition("</head>")[2]
    info = {leaves["info", level, True] for level in (1, 2, 3)}
    assert len(info) == 1
    assert "■" not in "".join(info)
    said = {"de": "∂h heißt „Gradient von h“", "en": "∂h means “gradient of h”"}[language]
    for page in leaves.values():
        assert "←" not in page
        assert page.count("∂") >= 10
        assert page.count(said) == 1
    titles = re.findall(r'rowspan="[124]">([^<]+)<', *info)
    assert len(titles) == 5
    assert all(f"· {title}</h2>" in leaves["work", 3, True] for title in titles)


def test_small_gradients_need_more_decimals() -> None:
    """What "nihao" has learned leaves little to learn: it says grad = 4, for sheet 7c alone."""
    nihao = load_preset("nihao")
    fewer = {**nihao.decimals, "grad": 2}
    with pytest.raises(UserError, match="so small here that rounding leaves nothing of them"):
        seen(preset=replace(nihao, decimals=fewer))
    trace, plan = seen(preset="nihao")
    assert shown_decimals(trace["grad.block1.head1.scores"]) == 4
    assert shown_decimals(trace["wiggle.before"]) == 5
    assert plan.wiggles
    output = planned("7a", generator.compute(preset="nihao"), SheetOptions())
    assert {shown_decimals(step) for step in output.extra if step.name == GRADIENT} == {3}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_squares_stand_below_the_products_fewer_where_more_tokens_need_a_row(level: int) -> None:
    page = solved("7c", "katze-trained", level)
    assert page.scratch_rows[1] == 13 - 3 * (level > 1) - (level > 2) - 6
    more = solved("7c", "katze", level, sentence="Die Katze sitzt auf der Matte und schläft")
    assert more.scratch_rows[1] == page.scratch_rows[1] - 2
    assert page.tolerance() == "0,005"
    assert page.plan.phases(45)["entry"] == 12  # five rules, and nine lines at the board


def test_the_way_goes_back_through_the_head_that_it_matters_most_for() -> None:
    """In "random" the W_Q of the first head has gradients of 0.014 at most, the second's 0.816."""
    for preset, at in (("katze", 1), ("katze-trained", 1), ("random", 2), ("nihao", 2)):
        trace, plan = seen(preset=preset)
        sizes = [abs(trace.values(f"grad.block{trace.preset.blocks}.head{k}.weight.query")).max()
                 for k in (1, 2)]  # fmt: skip
        assert 1 + int(np.argmax(sizes)) == at
        assert plan.way.at.endswith(f"head{at}")


@pytest.mark.parametrize(
    ("preset", "fork", "last"),
    [("katze-trained", "y", "<i>y</i>′ letzter Vektor (Blatt 7a: y)"), ("katze", "y", "<i>y</i>′"),
     ("nihao", "r", "<i>y</i> letzter Vektor")],
)  # fmt: skip
def test_the_letters_are_those_of_sheet_5(preset: str, fork: str, last: str) -> None:
    """Where the norm follows the sum, its result y goes past the network; else the sum r does."""
    page = html(*traces(preset, "de"), SheetOptions(), blank=True, sheet="7c")
    for printed_so in (last, f"beide zusammen: ∂<i>{fork}</i>", "hinter der ReLU ∂<i>a</i>"):
        assert printed_so in page
    assert ("<b><i>r</i></b>" in page) == (fork == "r")
    sheet5 = html(*traces(preset, "de"), SheetOptions(), blank=True, sheet="5")
    assert ("Ergebnis y′" in sheet5) == (fork == "y")


def test_a_model_without_network_has_no_hidden_value_on_the_way() -> None:
    parts = frozenset(("attention", "residual", "output"))
    preset = replace(load_preset("katze"), parts=parts, norm="none")
    paper, exact = (generator.compute(preset=preset, rounding=r) for r in ("paper", "exact"))
    page = html(paper, exact, SheetOptions(), blank=True, sheet="7c")
    chain = re.sub(r"<[^>]*>|\s", "", page.partition('<p class="chain7">')[2].partition("</p>")[0])
    assert chain == "Loss→P→z→y→o→α→s→q→WQ"


@pytest.mark.parametrize(
    ("sentence", "closed"), [(None, False), ("Der Regenwurm frisst gern Apfelschalen", True)]
)
def test_both_paths_count_is_said_only_where_something_comes_through(sentence, closed) -> None:
    """With every ReLU shut the row "through the network" is 0.000 four times."""
    one = Paper("7c", *traces("katze", "de", sentence), SheetOptions(level=1))
    way = one.view.plan.way
    through = one.view.trace.values(one.view.trace[f"grad.{way.skip}"].inputs[1])[way.row]
    assert through.round(3).any() != closed
    assert ("diesmal nichts durch" in one.blank) == closed
    assert ("Beide zählen." in one.blank) != closed


def test_the_sum_that_is_to_be_shown_to_be_zero_is_zero_without_rounding() -> None:
    trace, plan = seen(preset="katze", rounding="exact")
    way = plan.way
    slope = WayBack(trace, way).slope
    assert trace.values(slope)[way.row].sum() == pytest.approx(0, abs=1e-12)
    for level, asked in ((2, False), (3, True)):
        page = words(
            html(*traces("katze", "de"), SheetOptions(level=level), blank=True, sheet="7c")
        )
        assert ("Zeige: Ohne Runden ist die Summe" in page) == asked
