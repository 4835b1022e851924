"""The tabs of training: live gradients and new weights, choices, copied weights, the curve.

In an exercise sheets 7a and 7b as tabs: the paper's step, filled by a simulated pupil.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import generator
from generator.checks.exercise import Exercise
from generator.checks.verdict import RIGHT
from generator.engine.learning import training_of
from generator.engine.place import LEARNS, RATE
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.output_step import AFTER, ERROR, GRADIENT, LOSS, NEW
from generator.insight.visible_word import visible_word
from generator.locales.catalogue import load
from generator.make import Request
from generator.render.workbook.draft import Draft
from generator.render.workbook.exercise import render
from generator.render.workbook.layout import start_layout
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.layout import SCREEN
from generator.render.workbook.layout.tabs import trainings
from generator.render.workbook.sheet_tabs import cut, played
from generator.sheets.sheet7a.plan import plan as plan_a
from generator.sheets.sheet7b.plan import plan as plan_b
from tests.reference.cases import cases_of_round
from tests.render.workbook.test_exercise_file import overwritten
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import Desk, entries
from tests.support.recalculate import cached_values, libreoffice_values
from tests.support.strict_xlsx import problems
from tests.support.workbook import Book, book, compare

WHOLE = {"preset": "katze", "next_word": "Matte", "train": 1}
ALONE = {**WHOLE, "train": 2, "only": "output.matrix"}
CASES = (
    {"preset": "random", "next_word": "Sonne", "train": 1},
    {"preset": "nihao", "targets": "all", "train": 1, "rounding": "exact"},
    {"preset": "katze-trained", "next_word": "und", "train": 1},
    WHOLE,
    {"preset": "ausgabe", "next_word": "Matte", "train": 1},
    {**ALONE, "train": 5},
)
EDITS: tuple[dict[str, object], ...] = (
    {RATE: 0.5, "loss.target": "Katze", "tokens[2]": "Matte", "output.matrix[1,3]": 0.4},
    {RATE: 2, f"{LEARNS}[1,1]": 0},
    {"block1.head2.weight.value[3,1]": 0.7, "vocabulary.embedding[6,4]": -0.3, RATE: 1},
    {"switch.heads[1,2]": 0, "temperature": 0.5, "switch.mask": 0, f"{LEARNS}[4,1]": 0},
)
REFUSED: dict[str, object] = {RATE: 0, "loss.target": "matte", LEARNS: 2}
BOTH = ("7a", "7b")


def learned(case: Mapping[str, Any], **options: Any) -> Trace:
    """A computation with training as a workbook has it."""
    return generator.compute(**{"controls": True, **case, **options})


@cache
def made(number: int = 0) -> Book:
    """The workbook of a case."""
    return book(learned(CASES[number]), ("de", "en")[number % 2])


@cache
def alone() -> Book:
    """A small one: two steps of the output alone."""
    return book(learned(ALONE), "de")


def after(one: Book, edits: Mapping[str, object]) -> Trace:
    """What the engine computes with edits typed into a workbook of katze; another loss it is."""
    rest = {step: value for step, value in edits.items() if step != "loss.target"}
    word = edits.get("loss.target", WHOLE["next_word"])
    found = learned(ALONE if one is alone() else WHOLE, edits=rest, next_word=word)
    losses = [trace["step2.loss.cross_entropy"].values[0, 0] for trace in (one.trace, found)]
    assert losses[0] != losses[1]
    return found


@pytest.mark.parametrize("number", each(6, range(len(CASES))))
def test_every_cell_of_training_is_computed_by_two_programs(number: int, office: Office) -> None:
    one = made(number)
    kinds = {step.place.kind for step in one.trace if step.place.learning}
    assert kinds >= {"grad", "update"}
    for values in (*libreoffice_values([one.bare], office), one.values()):
        assert compare(one, values) > 100


@pytest.mark.ci
@pytest.mark.parametrize("name", ["round1-041", "round1-006"])
def test_drawn_models_learn_in_a_workbook_too(name: str, office: Office) -> None:
    (case,) = (case for case in cases_of_round(1) if case.name == name)
    options = {"next_word": case.tokens[0], "train": 1, "rounding": "exact"}
    one = book(learned(options, sentence=case.sentence, preset=case.preset), "en")
    for values in (*libreoffice_values([one.bare], office), one.values()):
        compare(one, values)


def test_every_gradient_and_new_weight_is_a_formula() -> None:
    compare(alone(), alone().cached)
    mine = [step for step in made().trace if step.place.learning and step.kind == "computed"]
    assert len(mine) > 60
    cells = [made().cell(step.name, i, j) for step in mine for i, j in np.ndindex(step.shape)]
    assert not [cell for title, cell in cells if cell not in made().formulas[title]]


def test_p_heads_a_column_only_where_one_word_has_one() -> None:
    """With every word of a sentence as a target there are several P, and none stands there."""
    for number, heads in ((1, [None, "Loss"]), (3, ["P", "Loss"])):
        page = made(number).pages[made(number).input(RATE)[0]]
        row, learn = start_layout.FIRST_ROW + 1, made(number).layout.start.learn
        assert learn
        columns = (learn.chance, learn.loss)
        assert [page.cell(row, column).value for column in columns] == heads


@pytest.mark.parametrize("edits", EDITS[:2])
def test_choices_weights_and_words_run_through_to_the_last_loss(edits: dict[str, object]) -> None:
    compare(alone(), alone().values(edits), after(alone(), edits))


@pytest.mark.ci
def test_switches_and_every_weight_run_through_in_both_programs(office: Office) -> None:
    both = made(3).by_both(EDITS[1:], office)
    for edits, found in zip(EDITS[1:], both, strict=True):
        for values in found:
            compare(made(3), values, after(made(3), edits))


def test_what_is_refused_is_said_and_does_not_count() -> None:
    one = alone()
    values = one.values({f"{k}[1,1]": v for k, v in REFUSED.items()})
    compare(one, values)
    entries = {entry.step: entry.cells.message for entry in one.layout.start.entries}
    said = [values["Lernen 1"][entries[step]] for step in REFUSED]
    assert said == ["Nur Zahlen über 0 bis 1000", "nicht im Vokabular", "Nur 1 (an) oder 0 (aus)"]
    warning = one.warning(values)
    assert "Wort, das wirklich folgt: nicht im Vokabular" in warning
    assert values["Rückweg 2"]["F3"] == warning


# Weights that are copied on -------------------------------------------------------------------


def strips(one: Book) -> list[tuple[Box, ...]]:
    """Of each tab of learning the areas of old weights, gradients, new weights."""
    return [sheet.strips for sheet, _ in one.tabs if sheet.strips]


def matched(old: Box, new: Box) -> Iterator[tuple[str, str]]:
    """The cells of a strip, each with that which is pasted over it."""
    assert (old.height, old.width) == (new.height, new.width)
    yield from ((old.cell(*cell), new.cell(*cell)) for cell in old.cells())


def pasted(one: Book) -> tuple[dict[tuple[str, str], object], Trace]:
    """The last new weights to be copied over the given ones, and the same computed."""
    first, second = strips(one)
    typed = {
        ("Lernen 1", to): one.cached["Lernen 2"][cell]
        for to, cell in matched(first[0], second[2])
        if to in one.cached["Lernen 1"]
    }
    weights = {name: one.trace[f"step2.update.{name}"].values for name in one.trace[LEARNS].rows}
    return typed, learned(ALONE, edits=weights)


def test_new_weights_pasted_over_the_old_ones_go_on_learning() -> None:
    typed, expected = pasted(alone())
    whole = learned(ALONE, train=4)
    for here, later in (
        ("step3.loss.cross_entropy", "step5.loss.cross_entropy"),
        ("step2.update.output.matrix", "step4.update.output.matrix"),
    ):
        np.testing.assert_array_equal(expected[here].values, whole[later].values)
    compare(alone(), alone().values(typed), expected)


@pytest.mark.ci
def test_libreoffice_goes_on_learning_too(office: Office) -> None:
    """The block of new weights, labels and all, pasted as values by LibreOffice: nothing locked."""
    one, (_, expected) = alone(), pasted(alone())
    first, second = strips(one)
    new, old = second[2].span(), first[0].cell(0, 0)
    grids = office.pasted(one.bare, ("Lernen 2", new), ("Lernen 1", old))
    found = {
        title: {at(i, j): value for i, row in enumerate(grid, 1) for j, value in enumerate(row, 1)}
        for title, grid in grids.items()
    }
    compare(one, found, expected)
    with pytest.raises(RuntimeError, match="LibreOffice failed"):
        office.pasted(one.xlsx, ("Lernen 2", new), ("Lernen 2", new.split(":")[0]))


def test_the_strip_that_is_pasted_over_takes_it_and_has_the_same_labels() -> None:
    page, (old, _, new) = alone().pages["Lernen 1"], strips(alone())[0]
    assert all(not cell.protection.locked for row in page[old.span()] for cell in row)
    assert all(cell.protection.locked for row in page[new.span()] for cell in row if cell.value)
    labels = [
        (page[to].value, page[cell].value)
        for to, cell in matched(old, new)
        if isinstance(page[cell].value, str) and not page[cell].value.startswith("=")
    ]
    assert len(labels) == alone().trace["output.matrix"].shape[1]
    assert all(here == there for here, there in labels)
    (how,) = (str(cell.value) for cell in page["A"] if new.span() in str(cell.value))
    assert old.cell(0, 0) in how


def test_gradients_stand_beside_their_weights_shaded_and_the_loss_has_a_curve() -> None:
    one, matrix = alone(), "output.matrix"
    page, (_, gradients, _) = one.pages["Lernen 1"], strips(one)[0]
    ((span, (low, middle, high)),) = (
        (str(area.sqref), rule.colorScale.cfvo)
        for area in page.conditional_formatting
        for rule in area.rules
        if rule.colorScale
    )
    assert span == gradients.span()
    assert low.val == f"-{high.val}"
    assert gradients.span(fixed=True) in high.val
    assert middle.val in (0, "0")
    beside = []
    for sheet in (sheet for sheet, _ in one.tabs if sheet.strips):
        band = next(b for b in sheet.bands if any(f"update.{matrix}" in x.step for x in b.boxes))
        boxes = [box for box in band.boxes if box.column > 1]
        shapes = {(box.row, box.height, box.width) for box in boxes}
        assert shapes == {(band.top + 2, *one.trace[matrix].shape)}
        beside.append([box.step for box in boxes])
    assert beside == [
        [matrix, f"grad.{matrix}", f"update.{matrix}"],
        [f"update.{matrix}", f"step2.grad.{matrix}", f"step2.update.{matrix}"],
    ]
    (chart,) = page._charts
    (series,) = chart.series
    learn = one.layout.start.learn
    assert learn
    assert series.tx.strRef.f == f"'Lernen 1'!{at(5, learn.loss, True)}"
    column = at(6, learn.loss, True), at(8, learn.loss, True)
    assert series.val.numRef.f.endswith(":".join(column))
    assert chart.anchor._from.row + 1 == start_layout.FIRST_ROW  # beside the losses, on the screen
    assert trainings(one.trace) == 2


def test_the_tabs_fit_on_a_screen_and_the_file_is_strict() -> None:
    for one in (made(), alone()):
        grids = Draft(Exercise(one.trace, ()), load("de")).layout.grids
        assert {t for t in grids if t.startswith(("Lernen", "Rückweg", "Durchgang"))}
        assert max(sum(g.widths) * g.zoom / 100 for g in grids.values()) <= SCREEN + 0.01
        assert min(grid.zoom for grid in grids.values()) > 70
        choices = one.layout.start.learn  # the curve stands on the screen, too
        assert choices
        assert sum(grids[choices.sheet].widths[: choices.chart + 7]) <= SCREEN
    assert problems(alone().xlsx) == []
    whole = Draft(Exercise(made(3).trace, ()), load("de")).layout
    assert whole.grids["Lernen"].zoom == 100
    (learn,) = (sheet for sheet in whole.sheets if sheet.strips)
    turned = [box for box in learn.boxes if box.turned]
    assert {box.step.rpartition("block1.")[2] for box in turned} == {"weight.hidden"}


def test_the_way_back_begins_with_what_flows_where() -> None:
    """From the loss part by part, in the order of the blocks, each with a link and what happens."""
    one = made(3)
    page, cached = one.pages["Way back"], one.cached["Way back"]
    rows = [row for row in range(5, 30) if page.cell(row, 1).hyperlink]
    titles = [str(page.cell(row, 1).value).removesuffix(" ↓") for row in rows]
    parts = ["Feed-forward", "Attention", "Head 2", "Head 1", "Input", "Tokens"]
    assert titles == ["Loss", "Output", *parts]
    assert len({page.cell(row, 2).value for row in rows} - {None}) == len(rows) - 1  # two heads
    places = [page.cell(row, 1).hyperlink.location.rpartition("!") for row in rows]
    assert [tab for tab, _, _ in places] == ["'Output'", *["'Way back'"] * (len(rows) - 1)]
    tops = [int(cell[1:]) for _, _, cell in places[1:]]
    assert tops == sorted(tops)
    assert tops[0] > rows[-1]
    for top, title in zip(tops, titles[1:], strict=True):
        assert str(cached[f"A{top}"]).removeprefix("(a)  ").startswith(f"{title} · ")


def test_what_was_learned_stands_on_top_and_follows() -> None:
    """P of the word before and after, from the first to the last pass, and by how many points."""
    one = book(learned({**WHOLE, "train": 5, "only": "output.matrix"}), "de")
    names = [f"{at}loss.probability" for at in ("", "step2.", "step6.")]
    first, second, last = (float(one.trace[name].values[0, 0]) for name in names)
    assert last - first >= 0.2
    for values, tab, pair in (
        (one.values(), "Lernen 1", (first, last)),
        (one.values(), "Durchgang 2", (first, second)),
        (one.cached, "Durchgang 6", (first, last)),
    ):
        row = values[tab]
        assert (row["F1"], row["G1"], row["I1"]) == ("P von „Matte“, vorher → nachher", *pair)
        assert row["J1"] == round(100 * (pair[1] - pair[0]))
    assert 'Prozentpunkte"' in one.pages["Lernen 1"]["J1"].number_format
    edits = {"loss.target": "Katze", RATE: 2}
    found = learned({**ALONE, "train": 5, "rate": 2}, next_word="Katze")
    points = float(found[names[2]].values[0, 0] - found[names[0]].values[0, 0]) * 100
    row = one.values(edits)["Lernen 1"]
    assert row["F1"] == "P von „Katze“, vorher → nachher"
    assert row["J1"] == round(points)
    (losses,) = (sheet for sheet, _ in made(1).tabs if sheet.strips)
    assert made(1).cached[losses.tab.title]["F1"] == "Loss, before → after"


@pytest.mark.parametrize(("preset", "word"), [("katze", "Matte"), ("katze-trained", ".")])
def test_a_word_that_visibly_learns_is_taken_where_none_is_named(preset: str, word: str) -> None:
    training = training_of(5)
    assert training
    assert visible_word(generator.compute(preset=preset), training) == word
    assert visible_word(generator.compute(preset="brille"), training) is None


@pytest.mark.ci
def test_the_lines_of_the_focus_token_say_on_the_way_back_too_what_is_computed() -> None:
    one = made(1)  # English, as IronCalc writes numbers
    kept = one.cached["Way back"]
    lines = {cell: text for cell, text in kept.items() if str(text).startswith("Token ")}
    assert len(lines) > 20
    assert lines.items() <= one.values()["Way back"].items()
    again = one.values({one.focus: 2})["Way back"]
    assert all(str(again[cell]).startswith("Token 2 “") for cell in lines)


def test_the_way_back_is_spelled_out_for_a_token_that_has_one() -> None:
    """In a model of one block only the last token's rows are not 0, where one word is learned."""
    assert not made().trace["grad.block1.hidden"].values[:-1].any()
    lines = [x for x in map(str, made().cached["Rückweg"].values()) if x.startswith("Token ")]
    assert len(lines) > 20
    assert not [text for text in lines if text.endswith(" 0,000")]


@pytest.mark.parametrize("steps", [6, 50])
def test_too_many_steps_for_a_class(steps: int) -> None:
    with pytest.raises(UserError, match=f"found {steps} steps; a workbook unrolls 1 to 5"):
        played(learned(ALONE, train=steps), None)


def test_training_has_a_folder_of_its_own_and_reaches_the_workbooks(tmp_path) -> None:
    trace = learned(ALONE, controls=False, train=1, rate=0.5)
    assert "-train-1-rate-0.5-output-matrix-" in Request().folder(trace)
    (path,) = generator.write(trace, tmp_path, only=["xlsx"], variant="solution")
    values = cached_values(path.read_bytes())
    assert load("de").t("workbook.tab.learn") in values
    assert str(trace["step2.loss.cross_entropy"].values[0, 0]) in str(values["Lernen"])


# The exercise ---------------------------------------------------------------------------------


@cache
def whole(preset: str = "katze") -> Trace:
    return generator.compute(preset=preset, controls=True)


@cache
def at_desk(level: int = 2, sheets: tuple[str, ...] = BOTH, preset: str = "katze") -> Desk:
    return Desk(cut(whole(preset), sheets), level, "de")


def wanted() -> int:
    """The row of the word that really follows."""
    return at_desk().trace["loss.onehot"].values[0].tolist().index(1.0)


def test_the_tabs_have_the_step_of_the_sheets() -> None:
    part = cut(whole(), BOTH)
    for plan in (plan_a(whole(), 2), plan_b(whole(), 2)):
        paper = {step.name: step for step in plan.extra}
        for name in {name for name, _, _ in plan.asked}:
            np.testing.assert_array_equal(part[name].values, paper[name].values)
            assert part[name].decimals == paper[name].decimals
    one = book(part, "en")
    titles = [sheet.tab.title for sheet, _ in one.tabs]
    assert titles == ["Output", "Way back", "Learn", "Pass 2"]
    assert compare(one, one.values()) > 100


def test_a_table_of_the_output_that_two_sheets_need_is_there_once() -> None:
    part = cut(
        generator.compute(preset="nihao"), ("6", "7a")
    )  # whose table is its own, with a bias
    assert part["output.matrix"].kind == "given"
    assert {NEW, "output.logits"} <= set(part.steps)


@pytest.mark.parametrize(("level", "rows"), each(3, [(2, 2), (1, 1), (3, 3)]))
def test_what_is_asked_is_the_same_whatever_the_model_says(level: int, rows: int) -> None:
    asked = at_desk(level).plan.asked
    assert {i for name, i, _ in asked if name == NEW} == {(wanted() + k) % 6 for k in range(rows)}
    first = {LOSS, ERROR, GRADIENT, NEW}
    second = {f"{AFTER}{LOSS}"}
    second |= {f"{AFTER}output.{name}" for name in ("logits", "exp", "sum", "probabilities")}
    alone = at_desk(level, ("7b",))
    for plan, names in (
        *((at_desk(level).plan, first | second), (at_desk(level, ("7a",)).plan, first)),
        (alone.plan, second),
    ):
        assert {name for name, _, _ in plan.asked} == names
    assert [tab.title for tab in alone.draft.checks.values()] == ["Durchgang 2"]
    assert alone.trace[NEW].kind == "given"


@pytest.mark.parametrize("level", each(3, (2, 1, 3)))
def test_an_early_slip_is_one_red_cell_and_the_rest_follows_from_it(level: int) -> None:
    made = at_desk(level)
    slip: Cell = (ERROR, 0, wanted())
    wrong = -made.trace[ERROR].values[0, wanted()]  # y − P
    for slips in ({}, {slip: wrong}):
        entered = entries(made.exercise, slips)
        verdicts = made.judged(entered)
        assert verdicts == made.expected(entered)
        assert {cell for cell, v in verdicts.items() if v != RIGHT} == slips.keys()
    assert entered[NEW, wanted(), 0] != round(float(made.trace[NEW].values[wanted(), 0]), 2)


@pytest.mark.ci
@pytest.mark.parametrize("preset", ["katze", "random", "ausgabe"])
def test_libreoffice_judges_as_the_evaluator_does(preset: str, office: Office) -> None:
    made = at_desk(3, BOTH, preset)
    slip = min(cell for cell in made.plan.asked if cell[0] == NEW)
    entered = entries(made.exercise, {slip: 5.0})
    (values,) = libreoffice_values([made.filled(entered)], office)
    assert not made.errors(values)
    assert made.verdicts(values) == made.expected(entered)


def test_no_answer_is_in_the_file() -> None:
    made = at_desk()
    other = overwritten(made.trace, made.exercise.hidden)
    assert len({cell[0] for cell in made.exercise.hidden}) > 8
    assert render(other, load("de"), 2) == made.xlsx


@pytest.mark.ci
def test_every_weight_learns_in_an_exercise_too() -> None:
    made = Desk(played(generator.compute(**WHOLE), None), 1, "de")
    asked = {name for name, _, _ in made.plan.asked}
    assert {LOSS, ERROR, "update.vocabulary.embedding", f"{AFTER}{LOSS}"} <= asked
    assert "grad.vocabulary.embedding" not in asked
    assert set(made.judged().values()) == {RIGHT}


def test_a_chosen_training_and_the_sheets_of_paper_are_told_apart() -> None:
    with pytest.raises(UserError, match=r"--sheets 7a leaves.*leave out --sheets, or --train"):
        played(generator.compute(**WHOLE), ("7a",))
