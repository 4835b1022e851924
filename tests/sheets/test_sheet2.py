"""Sheet 2: right rows and similarities, no leak, the declared counts, readable limits."""

import re
from dataclasses import replace

import numpy as np
import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import load_preset, shipped
from generator.sheets.options import SheetOptions
from generator.sheets.sheet2 import plan as sheet2
from generator.sheets.sheet2 import vectors
from tests.support import battery
from tests.support.sheets import Paper, paper, traces


def about(make, **options) -> Paper:
    """The sheet of computations that are made by a rounding."""
    return Paper("2", make("paper"), make("exact"), SheetOptions(**options))


def test_the_numbers_of_source_000_and_their_products_by_hand():
    one = paper("2", "brille", level=3)
    plan, whole = one.plan, one.view.trace
    assert whole["chosen.embedding"].values.tolist() == [
        [0.9, 0.1, 0.0, 0.1],
        [0.0, 0.9, 0.1, 0.2],
        [0.0, 0.1, 0.9, 0.0],
        [0.5, 0.0, 0.3, 0.4],
        [0.9, 0.1, 0.0, 0.1],
        [0.0, 0.0, 0.0, 0.9],
    ]
    assert (one.trace.tokens[plan.own], plan.left, plan.right, plan.second) == ("sitzt", 1, 0, 4)
    rows = {plan.x: "0,01 0,18 0,82 0,27 0,01 0,00", 4: "0,83 0,11 0,01 0,49 0,83 0,09"}
    for i, row in rows.items():
        values = whole["chosen.similarity"].values[i]
        assert " ".join(one.view.show("chosen.similarity", v) for v in values) == row
    assert np.allclose(whole["check.sum"].values, [[2.3, 1.1, 0.4, 1.7]])
    assert whole["check.product"].values[0, 0] == pytest.approx(0.47)
    assert whole["example.products"].values[0].tolist() == [0.0, 0.09, 0.0, 0.02]


@pytest.mark.parametrize(("preset", "level"), [("katze", 2), ("random", 3), ("brille", 1)])
def test_the_check_holds(preset, level):
    one = paper("2", preset, level=level)
    x, whole = one.plan.x, one.view.trace
    row = whole["chosen.similarity"].values[x]
    total = whole["check.product"].values[0, 0]
    assert row.sum() - row[x] == pytest.approx(total, abs=0.03)


def test_the_teacher_reads_what_slips_give_beside_the_right_number():
    solution = paper("2", "brille").solution
    for wrong in ("0,50", "1,20", "2,20"):
        assert f'<td class="number">{wrong}</td><td class="number">0,27</td>' in solution


def test_the_next_row_is_the_next_one_on_the_sheet():
    """Of ten words the sheet prints six: below “auf” (ID 5) stands “und” (ID 7), not ID 6."""
    preset = load_preset("katze-trained")
    view = about(lambda r: compute(preset, rounding=r, exercise=3)).view
    slip = next(slip for slip in view.slips() if slip.key == "next_row")
    assert view.ids[slip.i + 1] - view.ids[slip.i] > 1, "or this test shows nothing"
    assert slip.wrong == view.trace["chosen.similarity"].values[slip.i + 1, slip.j]


def test_expected_answers_follow_the_numbers():
    one = paper("2", "brille", level=3).view
    assert one.why().startswith("„auf“ mit 0,27.")
    assert "u₃ · w₃ = 0,9 · 0,3" in one.why()
    assert one.itself().startswith("Ja: 0,82 ist größer als 0,27. Mit sich selbst")
    assert "wird aus 0,01 dann 0,02" in one.doubling()
    twin = about(lambda r: compute(load_preset("katze"), rounding=r, exercise=4), level=3).view
    assert twin.own == "der"
    assert twin.itself().startswith("Nicht allein: „Die“ hat dieselbe Zeile")
    preset = replace(load_preset("brille"), worked=("sitzt",), exercise=("Katze",))
    two = about(lambda r: compute(preset, rounding=r), level=3).view
    assert two.why().startswith("„sitzt“ und „Matte“ mit je 0,18.")


def neighbours(preset):
    """The view at each level for each token, and each word's similarity as it is printed."""
    one = compute(load_preset(preset))
    for own in range(len(one.tokens)):
        trace = replace(one, exercise=own)
        if own == trace.worked:
            continue
        for level in (1, 2, 3):
            view = about(lambda _, t=trace: t, level=level).view
            row = view.trace["chosen.similarity"].values[view.plan.x]
            yield view, [view.show("chosen.similarity", value) for value in row.tolist()]


def test_learned_neighbours_mean_alike_and_stand_on_the_sheet():
    """The nearest of all ten words are asked, worked through, and near in the drawing."""
    for level in (1, 2, 3):
        one = paper("2", "katze-trained", level=level)
        plan, words = one.plan, one.view.words
        assert words == ("Die", "Katze", "Maus", "sitzt", "schläft", "auf")
        assert [words[k] for k in (plan.left, plan.right)] == ["Katze", "Maus"]
        assert "= <b>12,30</b>" in one.blank
        assert ("chosen.similarity", plan.x, words.index("schläft")) in plan.asked
        assert one.view.why().startswith("„schläft“ mit 10,38.")
        assert "Was haben sie gemeinsam?" in one.blank
        assert "Beide können nach „Katze“ und „Maus“ stehen" in one.solution
        assert "bei „Maus“: mit sich selbst 12,09, mit „Katze“ 12,30" in one.solution
        flat = dict(zip(words, one.view.flat, strict=True))
        for a, b in (("sitzt", "schläft"), ("Katze", "Maus")):
            assert vectors.cosine(flat[a], flat[b]) > 0.85
        drawn = {word: flat["sitzt"] @ arrow for word, arrow in flat.items() if word != "sitzt"}
        assert max(drawn, key=lambda word: drawn[word]) == "schläft"  # in d3 and d4 it was "Die"


@pytest.mark.parametrize("preset", [one for one in shipped() if one != "paris"])
def test_the_nearest_of_the_vocabulary_is_asked_or_the_sheet_says_of_these(preset):
    for view, _ in neighbours(preset):
        plan, trace = view.plan, view.trace
        words = trace["vocabulary.words"].values[:, 0].tolist()
        table = trace["vocabulary.embedding"].values
        alike = table @ table[words.index(view.own)]
        if trace.rounding == "paper":
            alike = np.round(np.round(alike, 10), trace["chosen.similarity"].decimals)
        alike = np.round(alike, 9)
        most = max(s for word, s in zip(words, alike, strict=True) if word != view.own)
        best = {w for w, s in zip(words, alike, strict=True) if s == most and w != view.own}
        assert view.words[plan.near] in best
        assert ("chosen.similarity", plan.x, plan.near) in plan.asked
        task = view.catalogue.t("sheet2.task.why", token="x")
        assert ("dieser Tokens" in task) == (not best <= set(view.words))


def test_of_many_equally_near_words_the_sheet_asks_about_these():
    assert "Welches dieser Tokens" in paper("2", "subject-verb").blank
    assert "Welches andere Token" in paper("2", "katze-trained").blank


@pytest.mark.parametrize("preset", [one for one in shipped() if one != "paris"])
def test_the_first_dot_product_is_not_0(preset):
    """Neither that of the example nor the first that is asked, where another one is not 0."""
    for view, row in neighbours(preset):
        plan = view.plan
        first, *others = [row[k] for k in range(len(row)) if k != plan.x]
        assert float(first.replace(",", ".").replace("−", "-")) or not any(
            float(one.replace(",", ".").replace("−", "-")) for one in others
        )
        example = view.trace["chosen.similarity"].values[plan.left]
        rows = view.trace["chosen.embedding"].values
        shared = np.minimum(np.count_nonzero(rows * rows[plan.left], axis=1), 2)
        possible = [k for k in range(len(row)) if k not in (plan.left, plan.x)]
        possible = [k for k in possible if shared[k] == max(shared[possible])]
        assert example[plan.right] == max(example[possible])


def test_words_are_compared_in_meaning_only_where_numbers_have_one():
    asked = {name: "Was haben sie gemeinsam?" in paper("2", name).blank
             for name in ("katze", "katze-trained", "mental", "nihao", "random")}  # fmt: skip
    assert asked == {"katze": False, "katze-trained": True, "mental": True,
                     "nihao": False, "random": False}  # fmt: skip
    matte = about(lambda r: compute(load_preset("katze-trained"), rounding=r, exercise=5)).view
    assert (matte.own, matte.words[matte.plan.near]) == ("Matte", "sitzt")
    assert not matte.holds("sheet2.task.meaning")  # 61° apart


@pytest.mark.parametrize("preset", ["katze-trained", "mental", "subject-verb"])
def test_a_blank_that_asks_about_meaning_does_not_hang_on_answers(preset):
    for level in (1, 2):
        battery.blank_does_not_hang_on_answers(*paper("2", preset, level=level).given)


def test_ticks_of_the_figure_lie_within_it():
    up = vectors.scale(-3.0, 2.0, 1.0, 6).by(2.0).times(9.0)
    assert (up.low, up.high, up.length) == (-4.0, 2.0, 54.0)
    assert next((tick.value, tick.at) for tick in up.ticks()) == (-4.0, 0.0)
    view = paper("2", "katze-trained").view
    for scale in (view.plane.across, view.plane.up):
        assert all(-1e-9 <= tick.at <= scale.length + 1e-9 for tick in scale.ticks())


@pytest.mark.parametrize("preset", [one for one in shipped() if one != "paris"])
def test_products_spread_over_the_number_line_and_none_is_off_it(preset):
    """By hand for katze: 0.1 · 0.9 + 0.9 · 0.3 = 0.36, less than 0.906 · 0.911."""
    for view, row in neighbours(preset):
        line, x = view.line_scale(), view.plan.x
        values = [float(v.replace(",", ".").replace("−", "-")) for v in row]
        others = [value for k, value in enumerate(values) if k != x]
        assert line.low - 1e-9 <= min(0.0, *others) <= max(0.0, *others) <= line.high + 1e-9
        rows = view.given_rows()
        most = np.linalg.norm(rows[x]) * max(np.linalg.norm(np.delete(rows, x, axis=0), axis=1))
        assert max(line.high, -line.low) <= max(most, line.step) + line.step
    assert paper("2").view.line_scale().high == 0.4
    trained = paper("2", "katze-trained").view.line_scale()
    assert (trained.low, trained.high) == (-20.0, 15.0)


def test_a_label_that_has_no_place_at_its_tip_is_led_to_it():
    """“Katze” stands between two longer arrows; no word is a mere point, as “Matte” was."""
    arrows = {arrow.label.text: arrow for arrow in paper("2").view.arrows()}
    led = {text for text, arrow in arrows.items() if arrow.lead}
    assert led == {"Katze"}
    assert all(arrow.head for arrow in arrows.values())
    assert 'stroke-width="0.25"' in paper("2").blank


@pytest.mark.parametrize("level", [1, 2, 3])
def test_each_question_of_sheet_2_has_lines_of_its_own(level):
    blank = paper("2", "katze-trained", level=level, part="work").blank
    tasks = re.split('<p class="task', blank)[1:]
    asked = [one for one in tasks if re.search("Begründe|gemeinsam|Erkläre", one)]
    assert [one.count('class="lines"') for one in asked] == [1] * (level + 1)


def bare(sentence, **fields):
    """The sheet of `random` without attention, with fields of its preset put differently."""
    preset = replace(load_preset("random"), parts=frozenset(), weights={}, **fields)
    return about(lambda _: compute(preset, sentence), level=3)


def test_a_longer_vector_can_beat_the_word_itself():
    words = {"a": (0.1, 0.2), "b": (0.9, 0.9), "c": (-0.5, 0.1), "d": (0.0, -0.3)}
    # "a" with "b": 0,09 + 0,18; with itself 0,01 + 0,04
    one = bare("b c a d", words=words, d_model=2).view
    assert one.own == "a"
    assert one.itself().startswith("Nein: 0,27 bei „b“ ist größer als 0,05.")


@pytest.mark.parametrize(("level", "count"), [(1, 3), (2, 10), (3, 14)])
@pytest.mark.parametrize("sentence", ["Die Katze", "Matte auf Matte", "der Katze der Katze"])
def test_a_short_sentence_borrows_words_of_the_vocabulary(sentence, level, count):
    assert battery.boxes(*paper("2", sentence=sentence, level=level).given) == count


@pytest.mark.parametrize("preset", ["katze", "brille", "random"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_info_leaf_shows_no_similarity_that_is_asked(preset, level):
    trace, _ = traces(preset, "de")
    plan = sheet2.plan(trace, level)
    assert len({plan.x, plan.left, plan.right} - {plan.second}) == 3
    shown = {(plan.left, plan.right), (plan.right, plan.left)}
    assert not shown & {(i, j) for name, i, j in plan.asked if "similarity" in name}
    assert (plan.left, plan.right) == (sheet2.plan(trace, 1).left, plan.right)


def test_too_many_numbers_in_an_embedding_are_said():
    with pytest.raises(UserError, match=r"d_model = 9.*2 to 8 numbers"):
        _ = bare("eins zwei drei vier", d_model=9).plan


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
    document = paper("2", "random", language, level=3).solution
    body = re.sub(r"<footer.*?</footer>|alt=\"[^\"]*\"", "", document, flags=re.DOTALL)
    signs = re.findall(r"(?:\d|\)|[₀-₉]) ([·×]) (?:\d|\(|[xy])", body)
    assert len(signs) >= 4
    assert set(signs) == {sign}
    assert not re.search(r"[·×] −", body), "a sign meets an operator without brackets"
    assert "<i>u</i> · <i>w</i> =" in document, "a product of vectors is no cross product"
    assert "x × y" not in document


def test_no_name_stands_outside_the_figure():
    found = paper("2", part="info").blank
    figure = found.partition('<div class="plane">')[2].partition("</svg>")[0]
    top, high = (float(re.search(r'viewBox="-9 (\S+) 78\s+(\S+)"', figure)[k]) for k in (1, 2))
    names = {text: float(y) for y, text in re.findall(r'y="([^"]+)"[^>]*>(\w+)</text>', figure)}
    assert {"sitzt", "Matte"} <= names.keys()
    assert max(names.values()) < top + high
