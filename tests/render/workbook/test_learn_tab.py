"""The tabs of training: live gradients and new weights, choices, copied weights, the curve."""

import io
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook

import generator
from generator.checks.exercise import Exercise
from generator.engine.place import LEARNS, RATE
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.layout import SCREEN
from generator.render.workbook.layout.start_layout import LOSS
from generator.render.workbook.layout.tabs import trainings
from generator.render.workbook.sheet_tabs import played
from tests.reference.cases import cases_of_round
from tests.support.covering import each
from tests.support.office import Grid, Office
from tests.support.recalculate import (
    Values,
    cached_values,
    edit_cells,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
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


def both(xlsx: bytes, office: Office) -> list[Mapping[str, Mapping[str, object]]]:
    """What LibreOffice and IronCalc find, without the values stored in the file."""
    return [*libreoffice_values([xlsx], office), ironcalc_values(xlsx)]


@pytest.mark.parametrize("number", each(6, range(len(CASES))))
def test_every_cell_of_training_is_computed_by_two_programs(number: int, office: Office) -> None:
    one = made(number)
    mine = [step for step in one.trace if step.place.learning]
    assert {step.place.kind for step in mine} >= {"grad", "update"}
    for values in both(strip_caches(one.xlsx), office):
        assert compare(one, values) > 100


def test_every_gradient_and_new_weight_is_a_formula() -> None:
    compare(alone(), cached_values(alone().xlsx))
    formulas = formula_cells(made().xlsx)
    mine = [step for step in made().trace if step.place.learning and step.kind == "computed"]
    assert len(mine) > 60
    for step in mine:
        for i, j in np.ndindex(step.shape):
            sheet, cell = made().cell(step.name, i, j)
            assert cell in formulas[sheet], (step.name, cell)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["round1-041", "round1-006"])
def test_drawn_models_learn_in_a_workbook_too(name: str, office: Office) -> None:
    (case,) = (case for case in cases_of_round(1) if case.name == name)
    options = {"next_word": case.tokens[0], "train": 1, "rounding": "exact"}
    one = book(learned(options, sentence=case.sentence, preset=case.preset), "en")
    for values in both(strip_caches(one.xlsx), office):
        compare(one, values)


def edited(one: Book, edits: Mapping[str, object]) -> tuple[bytes, Trace]:
    """A workbook of katze with edits typed in, and the engine's computation with them."""
    options = {"next_word": edits.get("loss.target", WHOLE["next_word"])}
    rest = {step: value for step, value in edits.items() if step != "loss.target"}
    case = ALONE if one is alone() else WHOLE
    return edit_cells(one.xlsx, one.typed(edits)), learned(case, edits=rest, **options)


def follows(one: Book, edits: Mapping[str, object]) -> None:
    """Assert that IronCalc finds the engine's numbers, and another loss than before."""
    xlsx, expected = edited(one, edits)
    compare(one, ironcalc_values(xlsx), expected)
    losses = [trace["step2.loss.cross_entropy"].values[0, 0] for trace in (one.trace, expected)]
    assert losses[0] != losses[1]


@pytest.mark.parametrize("edits", EDITS[:2])
def test_choices_weights_and_words_run_through_to_the_last_loss(edits: dict[str, object]) -> None:
    follows(alone(), edits)


@pytest.mark.ci
@pytest.mark.parametrize("edits", EDITS[1:])
def test_switches_and_every_weight_run_through(edits: dict[str, object]) -> None:
    follows(made(3), edits)


@pytest.mark.ci
def test_libreoffice_follows_the_same_edits(office: Office) -> None:
    found = [edited(made(3), edits) for edits in EDITS[1:]]
    values = libreoffice_values([xlsx for xlsx, _ in found], office)
    for one, (_, expected) in zip(values, found, strict=True):
        compare(made(3), one, expected)


def test_what_is_refused_is_said_and_does_not_count() -> None:
    one = alone()
    values = ironcalc_values(
        edit_cells(one.xlsx, one.typed({f"{k}[1,1]": v for k, v in REFUSED.items()}))
    )
    compare(one, values)
    said = [values["Lernen 1"][f"E{one.input(step, 0, 0)[1][1:]}"] for step in REFUSED]
    assert said == ["Nur Zahlen über 0 bis 1000", "nicht im Vokabular", "Nur 1 (an) oder 0 (aus)"]
    warning = str(values["Start"]["A3"])
    assert "Wort, das wirklich folgt: nicht im Vokabular" in warning
    assert values["Rückweg 2"]["F3"] == warning


def pasted(one: Book) -> tuple[bytes, Trace]:
    """The workbook with the last new weights copied over the given ones, and the same computed."""
    values, title = cached_values(one.xlsx), "Lernen 1"
    first, second = (sheet.strips for sheet in one.layout.sheets if sheet.strips)
    typed = {
        (title, to): values["Lernen 2"][cell]
        for to, cell in _matched(first[0], second[2])
        if to in values[title]
    }
    weights = {name: one.trace[f"step2.update.{name}"].values for name in one.trace[LEARNS].rows}
    return edit_cells(one.xlsx, typed), learned(ALONE, edits=weights)


def test_new_weights_pasted_over_the_old_ones_go_on_learning() -> None:
    xlsx, expected = pasted(alone())
    whole = learned(ALONE, train=4)
    for name in ("loss.cross_entropy", "update.output.matrix"):
        later = whole[f"step{5 if name.startswith('loss') else 4}.{name}"].values
        here = expected[f"step{3 if name.startswith('loss') else 2}.{name}"].values
        np.testing.assert_array_equal(here, later)
    compare(alone(), ironcalc_values(xlsx), expected)


@pytest.mark.ci
def test_libreoffice_goes_on_learning_too(office: Office) -> None:
    """The block of new weights, labels and all, pasted as values by LibreOffice: nothing locked."""
    one, (_, expected) = alone(), pasted(alone())
    first, second = (sheet for sheet in one.layout.sheets if sheet.strips)
    assert first.strips
    assert second.strips
    new, old = second.strips[2].span(), first.strips[0].cell(0, 0)
    grids = office.pasted(strip_caches(one.xlsx), (second.tab.title, new), (first.tab.title, old))
    compare(one, at_addresses(grids), expected)
    with pytest.raises(RuntimeError, match="LibreOffice failed"):
        office.pasted(one.xlsx, (second.tab.title, new), (second.tab.title, new.split(":")[0]))


def at_addresses(grids: Mapping[str, Grid]) -> Values:
    """What LibreOffice found, by address."""
    return {
        title: {at(i, j): value for i, row in enumerate(grid, 1) for j, value in enumerate(row, 1)}
        for title, grid in grids.items()
    }


def _matched(old: Box, new: Box) -> list[tuple[str, str]]:
    """The cells of a strip, each with that which is pasted over it."""
    assert (old.height, old.width) == (new.height, new.width)
    return [(old.cell(*cell), new.cell(*cell)) for cell in old.cells()]


def test_the_strip_that_is_pasted_over_takes_it_and_has_the_same_labels() -> None:
    one = alone()
    page = load_workbook(io.BytesIO(one.xlsx))["Lernen 1"]
    sheet = next(sheet for sheet in one.layout.sheets if sheet.strips)
    assert sheet.strips
    old, new = sheet.strips[0], sheet.strips[2]
    assert all(not cell.protection.locked for row in page[old.span()] for cell in row)
    assert all(cell.protection.locked for row in page[new.span()] for cell in row if cell.value)
    labels = 0
    for to, cell in _matched(old, new):
        if isinstance(page[cell].value, str) and not page[cell].value.startswith("="):
            assert page[to].value == page[cell].value
            labels += 1
    assert labels == one.trace["output.matrix"].shape[1]
    how = [cell.value for cell in page["A"] if cell.value and new.span() in str(cell.value)]
    assert len(how) == 1
    assert old.cell(0, 0) in how[0]


def test_gradients_stand_beside_their_weights_shaded_and_the_loss_has_a_curve() -> None:
    one = alone()
    page = load_workbook(io.BytesIO(one.xlsx))["Lernen 1"]
    sheet = next(sheet for sheet in one.layout.sheets if sheet.strips)
    assert sheet.strips
    scales = [
        (str(area.sqref), rule.colorScale)
        for area in page.conditional_formatting
        for rule in area.rules
        if rule.colorScale
    ]
    assert [span for span, _ in scales] == [sheet.strips[1].span()]
    low, middle, high = scales[0][1].cfvo
    assert low.val == f"-{high.val}"
    assert sheet.strips[1].span(fixed=True) in high.val
    assert middle.val in (0, "0")
    both = [sheet for sheet in one.layout.sheets if sheet.strips]
    at, beside = "output.matrix", []
    for sheet in both:
        band = next(b for b in sheet.bands if any(f"update.{at}" in x.step for x in b.boxes))
        boxes = [box for box in band.boxes if box.column > 1]
        shapes = {(box.row, box.height, box.width) for box in boxes}
        assert shapes == {(band.top + 2, *one.trace[at].shape)}
        beside.append([box.step for box in boxes])
    assert beside == [
        [at, f"grad.{at}", f"update.{at}"],
        [f"update.{at}", f"step2.grad.{at}", f"step2.update.{at}"],
    ]
    (chart,) = page._charts
    (series,) = chart.series
    assert series.tx.strRef.f == f"'Lernen 1'!${'ABCDEFGHIJKLM'[LOSS - 1]}$5"
    assert series.val.numRef.f.endswith("$K$6:$K$8")
    assert trainings(one.trace) == 2


def test_the_tabs_fit_on_a_screen_and_the_file_is_strict() -> None:
    for one in (made(), alone()):
        trace = one.trace
        draft = Draft(Exercise(trace, ()), load("de"))
        shown = {title: sum(g.widths) * g.zoom / 100 for title, g in draft.layout.grids.items()}
        assert {t for t in shown if t.startswith(("Lernen", "Rückweg", "Durchgang"))}
        assert max(shown.values()) <= SCREEN + 0.01
        assert min(grid.zoom for grid in draft.layout.grids.values()) > 70
    assert problems(alone().xlsx) == []


@pytest.mark.ci
def test_the_lines_of_the_focus_token_say_on_the_way_back_too_what_is_computed() -> None:
    one = made(1)  # English, as IronCalc writes numbers
    kept, found = cached_values(one.xlsx), ironcalc_values(strip_caches(one.xlsx))
    lines = {
        cell: text for cell, text in kept["Way back"].items() if str(text).startswith("Token ")
    }
    assert len(lines) > 20
    assert {cell: found["Way back"][cell] for cell in lines} == lines
    moved = edit_cells(one.xlsx, {one.layout.setting_inputs["focus"]: 2})
    again = ironcalc_values(moved)["Way back"]
    assert all(str(again[cell]).startswith("Token 2 “") for cell in lines)


def test_the_way_back_is_spelled_out_for_a_token_that_has_one() -> None:
    """In a model of one block only the last token's rows are not 0, where one word is learned."""
    one = made()
    assert not one.trace["grad.block1.hidden"].values[:-1].any()
    cells = map(str, cached_values(one.xlsx)["Rückweg"].values())
    lines = [text for text in cells if text.startswith("Token ")]
    assert len(lines) > 20
    assert not [text for text in lines if text.endswith(" 0,000")]


@pytest.mark.parametrize("steps", [6, 50])
def test_too_many_steps_for_a_class(steps: int) -> None:
    with pytest.raises(UserError, match=f"found {steps} steps; a workbook unrolls 1 to 5"):
        played(learned(ALONE, train=steps), None)


def test_training_has_a_folder_of_its_own_and_reaches_the_workbooks(tmp_path) -> None:
    from generator.make import Request

    trace = learned(ALONE, controls=False, train=1, rate=0.5)
    assert "-train-1-rate-0.5-output-matrix-" in Request().folder(trace)
    (path,) = generator.write(trace, tmp_path, only=["xlsx"], variant="solution")
    values = cached_values(path.read_bytes())
    catalogue = load("de")
    assert catalogue.t("workbook.tab.learn") in values
    found = {name: str(cells) for name, cells in values.items()}
    assert str(trace["step2.loss.cross_entropy"].values[0, 0]) in found["Lernen"]
