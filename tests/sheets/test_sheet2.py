"""Sheet 2: right rows and similarities, no leak, the declared counts, readable limits."""

import re
from dataclasses import replace

import numpy as np
import pytest

import generator
from generator.engine.model import compute
from generator.errors import UserError
from generator.notation.shown import number, shown_decimals
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet2 import plan as sheet2
from generator.sheets.sheet2 import vectors
from tests.support import battery
from tests.support.sheets import html, traces
from tests.support.views import view

SHEET = "2"


def view_of(trace, exact, options):
    """The view that the sheet's template is given."""
    plan = planned(SHEET, trace, options)
    return view(plan, trace, exact, options, Formulas(), blank=False)


def shown_row(trace, plan, row):
    """One row of similarities as a German sheet shows it."""
    step = trace.with_steps(plan.extra)["chosen.similarity"]
    return " ".join(number(v, shown_decimals(step), "de") for v in step.values[row])


def test_the_numbers_of_source_000_and_their_products_by_hand():
    trace, _ = traces("brille", "de")
    plan = sheet2.plan(trace, 3)
    whole = trace.with_steps(plan.extra)
    assert whole["chosen.embedding"].values.tolist() == [
        [0.9, 0.1, 0.0, 0.1],
        [0.0, 0.9, 0.1, 0.2],
        [0.0, 0.1, 0.9, 0.0],
        [0.5, 0.0, 0.3, 0.4],
        [0.9, 0.1, 0.0, 0.1],
        [0.0, 0.0, 0.0, 0.9],
    ]
    assert (trace.tokens[plan.own], plan.left, plan.right, plan.second) == ("sitzt", 1, 0, 4)
    assert shown_row(trace, plan, plan.x) == "0,01 0,18 0,82 0,27 0,01 0,00"
    assert shown_row(trace, plan, 4) == "0,83 0,11 0,01 0,49 0,83 0,09"
    assert np.allclose(whole["check.sum"].values, [[2.3, 1.1, 0.4, 1.7]])
    assert whole["check.product"].values[0, 0] == pytest.approx(0.47)
    assert whole["example.products"].values[0].tolist() == [0.0, 0.09, 0.0, 0.02]


@pytest.mark.parametrize(("preset", "level"), [("katze", 2), ("random", 3), ("brille", 1)])
def test_the_check_holds(preset, level):
    trace, _ = traces(preset, "de")
    plan = sheet2.plan(trace, level)
    whole = trace.with_steps(plan.extra)
    row = whole["chosen.similarity"].values[plan.x]
    total = whole["check.product"].values[0, 0]
    assert row.sum() - row[plan.x] == pytest.approx(total, abs=0.03)


def test_the_teacher_reads_what_slips_give_beside_the_right_number():
    trace, exact = traces("brille", "de")
    solution = html(trace, exact, SheetOptions(), blank=False, sheet=SHEET)
    for wrong in ("0,50", "1,20", "2,20"):
        assert f'<td class="number">{wrong}</td><td class="number">0,27</td>' in solution


def test_the_next_row_is_the_next_one_on_the_sheet():
    """Of ten words the sheet prints six: below “sitzt” (ID 3) stands “auf” (ID 5), not ID 4."""
    trace, exact = traces("katze-trained", "de")
    found = view_of(trace, exact, SheetOptions())
    whole = trace.with_steps(found.plan.extra)
    slip = next(slip for slip in found.slips() if slip.key == "next_row")
    shown = [int(k) for k in whole["chosen.ids"].values[:, 0]]
    assert shown[slip.i + 1] - shown[slip.i] > 1, "or this test shows nothing"
    assert slip.wrong == whole["chosen.similarity"].values[slip.i + 1, slip.j]


def test_expected_answers_follow_the_numbers():
    trace, exact = traces("brille", "de")
    one = view_of(trace, exact, SheetOptions(level=3))
    assert one.why().startswith("„auf“ mit 0,27.")
    assert "u₃ · w₃ = 0,9 · 0,3" in one.why()
    assert one.itself().startswith("Ja: 0,82 ist größer als 0,27.")
    assert "aus 0,01 wird 0,02" in one.doubling()
    about = (compute(load_preset("katze"), rounding=r, exercise=4) for r in ("paper", "exact"))
    twin = view_of(*about, SheetOptions(level=3))
    assert twin.own == "der"
    assert twin.itself().startswith("Nicht allein: „Die“ hat dieselbe Zeile")
    preset = replace(load_preset("brille"), worked=("sitzt",), exercise=("Katze",))
    two = view_of(*(generator.compute(preset=preset, rounding=r) for r in ("paper", "exact")),
                  SheetOptions(level=3))  # fmt: skip
    assert two.why().startswith("„sitzt“ und „Matte“ mit je 0,18.")


def test_a_longer_vector_can_beat_the_word_itself():
    words = {"a": (0.1, 0.2), "b": (0.9, 0.9), "c": (-0.5, 0.1), "d": (0.0, -0.3)}
    preset = replace(load_preset("random"), words=words, d_model=2)
    # "a" with "b": 0,09 + 0,18; with itself 0,01 + 0,04
    trace = generator.compute("b c a d", preset=replace(preset, parts=frozenset(), weights={}))
    one = view_of(trace, trace, SheetOptions(level=3))
    assert one.own == "a"
    assert one.itself().startswith("Nein: 0,27 bei „b“ ist größer als 0,05.")


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("sentence", ["Die Katze", "Matte auf Matte", "der Katze der Katze"])
def test_a_short_sentence_borrows_words_of_the_vocabulary(sentence, level):
    trace, exact = traces("katze", "de", sentence)
    assert battery.boxes(SHEET, trace, exact, SheetOptions(level=level)) == (3, 10, 14)[level - 1]


def test_the_info_leaf_shows_no_similarity_that_is_asked():
    for preset in ("katze", "brille", "random"):
        trace, _ = traces(preset, "de")
        for level in (1, 2, 3):
            plan = sheet2.plan(trace, level)
            assert len({plan.x, plan.left, plan.right} - {plan.second}) == 3
            shown = {(plan.left, plan.right), (plan.right, plan.left)}
            assert not shown & {(i, j) for name, i, j in plan.asked if "similarity" in name}
            assert (plan.left, plan.right) == (sheet2.plan(trace, 1).left, plan.right)


def test_too_many_numbers_in_an_embedding_are_said():
    preset = replace(load_preset("random"), d_model=9, parts=frozenset(), weights={})
    trace = generator.compute("eins zwei drei vier", preset=preset)
    with pytest.raises(UserError, match=r"d_model = 9.*2 to 8 numbers"):
        sheet2.plan(trace, 2)


def test_scales_have_round_ends_and_few_ticks():
    one = vectors.scale(0.0, 0.86, 150.0)
    assert (one.low, one.high, one.step, len(one.ticks())) == (0.0, 0.9, 0.1, 10)
    two = vectors.scale(-1.9, 1.9, 150.0)
    assert (two.low, two.high, two.step) == (-2.0, 2.0, 0.5)
    assert two.at(0.0) == 75.0
    flat = vectors.scale(0.0, 0.0, 150.0)
    assert flat.high > flat.low


def test_names_over_the_number_line_do_not_touch():
    places = [("Katze", 20.0), ("Matte", 20.0), ("sitzt", 24.0), ("auf", 90.0)]
    boxes = [label.box for label in vectors.rows_of_marks(places, 150.0)]
    for k, a in enumerate(boxes):
        for b in boxes[:k]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
    assert all(left >= 0 and right <= 150 for left, _, right, _ in boxes)


@pytest.mark.parametrize(("language", "sign"), [("de", "·"), ("en", "×")])
def test_each_language_has_its_own_sign_for_times(language, sign):
    trace, exact = traces("random", language)
    options = SheetOptions(language=language, level=3)
    document = html(trace, exact, options, blank=False, sheet=SHEET)
    body = re.sub(r"<footer.*?</footer>|alt=\"[^\"]*\"", "", document, flags=re.DOTALL)
    signs = re.findall(r"(?:\d|\)|[₀-₉]) ([·×]) (?:\d|\(|[xy])", body)
    assert len(signs) >= 4
    assert set(signs) == {sign}
    assert not re.search(r"[·×] −", body), "a sign meets an operator without brackets"


def test_a_product_of_vectors_is_no_cross_product():
    trace, exact = traces("katze", "en")
    found = html(trace, exact, SheetOptions(language="en"), blank=False, sheet=SHEET)
    assert "<i>u</i> · <i>w</i> =" in found
    assert "x × y" not in found


def test_no_name_stands_outside_the_figure():
    trace, exact = traces("katze", "de")
    found = html(trace, exact, SheetOptions(part="info"), blank=True, sheet=SHEET)
    figure = found.partition('<div class="plane">')[2].partition("</svg>")[0]
    top, high = (float(re.search(r'viewBox="-9 (\S+) 78\s+(\S+)"', figure)[k]) for k in (1, 2))
    names = {text: float(y) for y, text in re.findall(r'y="([^"]+)"[^>]*>(\w+)</text>', figure)}
    assert {"sitzt", "Matte"} <= names.keys()
    assert max(names.values()) < top + high
