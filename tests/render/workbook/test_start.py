"""The Start tab: what is typed in there is computed with, or refused with one clear sentence."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import Exercise
from generator.engine.choices import STRATEGIES
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from generator.render.workbook import exercise
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import LONGEST_TEXT, chunks
from generator.render.workbook.file.package import to_bytes
from generator.render.workbook.layout.start_layout import LAST_COLUMN
from generator.render.workbook.layout.tabs import is_control
from generator.render.workbook.print_setup import UPRIGHT, points_of
from generator.render.workbook.sheet_tabs import check
from generator.render.workbook.solution import render
from generator.render.workbook.start_tab import StartTab
from tests.support.covering import each
from tests.support.office import Office
from tests.support.recalculate import (
    Value,
    Values,
    edit_cells,
    ironcalc_values,
    libreoffice_edited,
)
from tests.support.workbook import Book, book, compare

SHIPPED = ("katze", "brille", "ausgabe", "paris", "random")
ODD = ("?", "*", "TRUE", "=1+1", "The", "the")
Edits = Mapping[str, object]


def made_of(preset: Preset, language: str = "de", **options: object) -> Book:
    return book(compute(preset, controls=True, **options), language)


def recalculated(made: Book, cells: Mapping[tuple[str, str], Value | None]) -> Values:
    return ironcalc_values(edit_cells(made.xlsx, cells))


def warning(made: Book, values: Values) -> Value:
    sheet, cell = made.layout.warning
    return values[sheet][cell]


def message(made: Book, values: Values, step: str, i: int = 0, j: int = 0) -> Value:
    entry = made.layout.start.by_cell.get((step, i, j))
    assert entry is not None
    return values[entry.sheet][entry.cells.message]


def every_control(trace: Trace) -> list[Edits]:
    """Each switch off, each temperature and each choice changed, a word swapped."""
    edits: list[Edits] = []
    for step in trace:
        for i, j in ((i, j) for i in range(step.shape[0]) for j in range(step.shape[1])):
            if step.name.startswith("switch."):
                edits.append({f"{step.name}[{i + 1},{j + 1}]": 0})
            elif step.name == "temperature":
                edits.append({f"temperature[{i + 1},1]": 0.8})
    if "sampling.strategy" in trace:
        edits += [{"sampling.strategy": s, "sampling.random": 0.83} for s in STRATEGIES]
        edits += [{"sampling.strategy": "top-k", "sampling.k": 2}]
        edits += [{"sampling.strategy": "top-p", "sampling.p": 0.4, "sampling.random": 0.99}]
    if "onehot" in trace:
        edits += [{"tokens[1]": trace["vocabulary.words"].values[-1, 0], "tokens[2,1]": "der"}]
    return edits if "der" in trace.tokens else [e for e in edits if "tokens[2,1]" not in e]


@pytest.mark.parametrize("name", each(4, SHIPPED))
def test_what_is_typed_in_is_computed_with(name: str) -> None:
    preset = load_preset(name)
    made = made_of(preset)
    edits = every_control(made.trace)
    assert len(edits) >= 2
    for edit in edits:
        values = recalculated(made, made.typed(edit))
        compare(made, values, compute(preset, edits=edit, controls=True))
        assert warning(made, values) == ""


@pytest.mark.parametrize("name", each(4, SHIPPED))
def test_each_experiment_is_what_the_engine_computes(name: str) -> None:
    preset = load_preset(name)
    made = made_of(preset, "en")
    chooser = made.layout.setting_inputs["experiment"]
    for number, experiment in enumerate(made.layout.start.experiments, start=1):
        values = recalculated(made, {chooser: number})
        compare(made, values, compute(preset, edits=experiment.edits, controls=True))
    for none in (0, None, 9, "x"):
        compare(made, recalculated(made, {chooser: none}))


def test_an_experiment_stands_above_own_values_and_leaves_them() -> None:
    katze = load_preset("katze")
    made = made_of(katze)
    number, sharper = next(
        (n, e) for n, e in enumerate(made.layout.start.experiments, 1) if e.key == "sharper"
    )
    own = {"temperature": 1.7, "sampling.strategy": "sample", "tokens[1]": "auf"}
    cells = made.typed(own)
    experiment = {made.layout.setting_inputs["experiment"]: number}
    both = compute(katze, edits={**own, **sharper.edits}, controls=True)
    compare(made, recalculated(made, {**cells, **experiment}), both)
    compare(made, recalculated(made, cells), compute(katze, edits=own, controls=True))


REFUSED: tuple[tuple[str, tuple[Value, ...]], ...] = (
    ("switch.mask", (2, -1, "on", "1", 0.5)),
    ("switch.heads", (2, "x")),
    ("temperature", (0, -1, "0,86", "0.86", 1e9, "warm")),
    ("sampling.strategy", ("foo", "Greedy", 3)),
    ("sampling.k", (0, -1, 2.5, 99, "2")),
    ("sampling.p", (0, -0.1, 1.5, 60, "0,6")),
    ("sampling.random", (-0.1, 1.5, 100, "0,37")),
    ("tokens", ("Hnd", " ", "katze", "Katze ", "Die\nKatze", "*", "?")),
)


@pytest.mark.parametrize(("step", "entries"), REFUSED)
def test_what_is_refused_changes_nothing_and_is_explained(
    step: str, entries: Sequence[Value]
) -> None:
    made = made_of(load_preset("katze"))
    where = made.input(step, 0, 0)
    for entry in entries:
        values = recalculated(made, {where: entry})
        compare(made, values)
        explained = message(made, values, step)
        assert len(str(explained)) > 5, (step, entry)
        assert str(explained) in str(warning(made, values))


@pytest.mark.ci
def test_the_decimal_sign_is_explained() -> None:
    for language, text in (("de", "Dezimalzeichen hier: „.“"), ("en", "decimal sign here: “.”")):
        made = made_of(load_preset("katze"), language)
        values = recalculated(made, {made.input("temperature", 1, 0): "0,86"})
        assert text in str(message(made, values, "temperature", 1))


def test_the_warning_names_the_first_refused_entry() -> None:
    made = made_of(load_preset("katze"), "en")
    cells: dict[tuple[str, str], Value | None] = {
        made.input("tokens", 2, 0): "dog",
        made.input("switch.scale", 0, 0): 7,
    }
    assert warning(made, recalculated(made, cells)) == (
        "Not accepted – Divide by √d_k: Only 1 (on) or 0 (off)"
    )
    del cells[made.input("switch.scale", 0, 0)]
    assert "Token 3: not in the vocabulary" in str(warning(made, recalculated(made, cells)))


def test_a_word_renamed_in_the_vocabulary_is_renamed_in_the_sentence() -> None:
    katze = load_preset("katze")
    made = made_of(katze)
    edits = {"vocabulary.words[2,1]": "Hund", "tokens[2]": "Hund"}
    values = recalculated(made, {made.input("vocabulary.words", 1, 0): "Hund"})
    compare(made, values, compute(katze, edits=edits, controls=True))
    assert warning(made, values) == ""


def test_a_word_that_differs_in_case_only_is_another_word() -> None:
    katze = load_preset("katze")
    words = {("The" if word == "Die" else word): row for word, row in katze.words.items()}
    made = made_of(replace(katze, words=words), sentence="The Katze sitzt")
    values = recalculated(made, {made.input("tokens", 1, 0): "the"})
    compare(made, values)
    assert message(made, values, "tokens", 1)


def test_words_that_look_like_something_else_are_accepted() -> None:
    katze = load_preset("katze")
    preset = replace(katze, words={**katze.words, **dict.fromkeys(ODD, (0.1, 0.2, 0.3, 0.4))})
    made = made_of(preset)
    for word in ODD:
        values = recalculated(made, {made.input("tokens", 1, 0): word})
        compare(made, values, compute(preset, edits={"tokens[2]": word}, controls=True))
        assert warning(made, values) == ""


def test_a_draw_of_two_digits_counts_as_hundredths() -> None:
    ausgabe = load_preset("ausgabe")
    made = made_of(ausgabe)
    for typed, drawn in ((37, 0.37), (1, 0.01), (99, 0.99), (0, 0.0), (0.5, 0.5)):
        values = recalculated(made, {made.input("sampling.random", 0, 0): typed})
        trace = compute(ausgabe, edits={"sampling.random": drawn}, controls=True)
        compare(made, values, trace)


def test_random_numbers_of_all_rounds() -> None:
    preset = replace(load_preset("katze"), strategy="sample", random=0.4)
    made = made_of(preset, rounds=3)
    edits = {"sampling.random": 0.05, "round2.sampling.random": 0.93, "round3.sampling.random": 0.5}
    values = recalculated(made, made.typed(edits))
    compare(made, values, compute(preset, edits=edits, controls=True, rounds=3))


@pytest.mark.ci
def test_both_programs_take_and_refuse_alike(office: Office) -> None:
    katze, ausgabe = (made_of(load_preset(name)) for name in ("katze", "ausgabe"))
    chooser = katze.layout.setting_inputs["experiment"]
    cases: list[tuple[Book, Mapping[tuple[str, str], Value | None], Edits]] = [
        (katze, {}, {}),
        (katze, katze.typed({"tokens[2]": "Hnd", "temperature": "0,86", "switch.mask": 2}), {}),
        (katze, katze.typed({"tokens[2]": "matte", "sampling.k": "a"}), {}),
        (katze, katze.typed({"tokens[2]": "auf", "switch.heads[1,2]": 0}),
         {"tokens[2]": "auf", "switch.heads[1,2]": 0}),
        *((katze, {chooser: n}, e.edits) for n, e in enumerate(katze.layout.start.experiments, 1)),
        (ausgabe, ausgabe.typed({"sampling.random": 12}), {"sampling.random": 0.12}),
        (ausgabe, ausgabe.typed({"sampling.p": -1, "sampling.strategy": "foo"}), {}),
    ]  # fmt: skip
    books = (katze, ausgabe)
    typed = [[cells for made, cells, _ in cases if made is one] for one in books]
    by_book = libreoffice_edited([made.xlsx for made in books], typed, office)
    computed = [values for _, *states in by_book for values in states]
    for (made, cells, edit), values in zip(cases, computed, strict=True):
        xlsx = edit_cells(made.xlsx, cells)
        compare(made, values, compute(made.trace.preset, edits=edit, controls=True))
        sheet = made.layout.start.sheet
        assert bool(warning(made, values)) == bool(cells and not edit)
        assert warning(made, values) == warning(made, ironcalc_values(xlsx)), sheet


def test_a_vocabulary_too_long_for_one_cell() -> None:
    katze = load_preset("katze")
    more = {f"w{k}": (0.1, 0.2, 0.3, 0.4) for k in range(190)}
    preset = replace(katze, words={**katze.words, **more})
    made = made_of(preset)
    for word in ("w189", "w93", "w94", "w0", "Die"):
        values = recalculated(made, {made.input("tokens", 1, 0): word})
        compare(made, values, compute(preset, edits={"tokens[2]": word}, controls=True))
    compare(made, recalculated(made, {made.input("tokens", 1, 0): "w190"}))


def test_chunks_hold_every_word_once() -> None:
    words = ["a" * 12_000] * 7 + ["b"] * 250
    parts = list(chunks(words))
    assert [k for part in parts for k in part] == list(range(len(words)))
    assert all(sum(len(words[k]) + 2 for k in part) <= LONGEST_TEXT for part in parts)


def test_settings_are_in_force_only_where_they_make_sense() -> None:
    made = made_of(load_preset("katze"))
    sheet, force = made.layout.settings["focus"]
    where = made.layout.setting_inputs["focus"]
    initial = made.trace.exercise + 1
    for typed, expected in ((2, 2), (None, initial), (0, initial), (7, initial), ("x", initial)):
        assert recalculated(made, {where: typed})[sheet][force] == expected


def test_an_exercise_asks_for_its_settings() -> None:
    trace = compute(load_preset("katze"), controls=True)
    catalogue = load("en")
    draft = Draft(Exercise(trace, plan(trace, 2).asked), catalogue)
    tab = StartTab(draft)
    tab.progress = {"Head 1": ("1+1", 8), "Head 2": ("0+1", 8)}
    tab.write()
    values = ironcalc_values(to_bytes(draft.workbook))["Start"]
    settings = {name: values[cell] for name, (_, cell) in draft.layout.settings.items()}
    judged = catalogue.t("workbook.judge.block")
    assert settings == {
        "experiment": 0, "focus": 3, "judge": judged, "tolerance": 1, "interim": 1
    }  # fmt: skip
    shown = list(values.values())
    assert {"2 / 8", "1 / 8", "3 / 16"} <= set(shown)
    assert shown.count(3 / 16) == 2  # in the map, and once more at the top


def test_every_control_is_at_home_on_start_or_draw_and_only_there() -> None:
    for name in SHIPPED:
        made = made_of(load_preset(name))
        start = made.layout.start
        for step in made.trace:
            home = made.layout.home(step.name).sheet
            chosen = step.name == "temperature" or step.place.kind.startswith("sampling.")
            expected = start.draw.sheet if start.draw and chosen else start.sheet
            assert (home == expected) == is_control(step.name)
        cells = [(e.sheet, c) for e in start.entries for c in e.cells[1:]]
        assert len(cells) == len(set(cells))


def test_only_entries_are_unlocked_and_each_has_a_list_or_limits() -> None:
    made = made_of(load_preset("katze"))
    start = made.layout.start
    page = load_workbook(io.BytesIO(made.xlsx))[start.sheet]
    unlocked = {c.coordinate for row in page.iter_rows() for c in row if not c.protection.locked}
    entries = {e.cells.own for e in start.entries if e.sheet == start.sheet}
    entries.add(start.setting("experiment").own)
    assert made.layout.setting_inputs["focus"][0] == made.layout.glance.sheet  # not here
    assert unlocked == entries
    ruled = {
        cell
        for rule in page.data_validations.dataValidation
        for cell in str(rule.sqref).split()
        if rule.error and rule.prompt and rule.showErrorMessage
    }
    assert {cell for area in ruled for cell in _cells(area)} == entries


def _cells(area: str) -> list[str]:
    left, top, right, bottom = range_boundaries(area)
    assert left == right
    letters = area.rstrip("0123456789").split(":")[0].rstrip("0123456789")
    return [f"{letters}{row}" for row in range(top, bottom + 1)]


@pytest.mark.parametrize("name", SHIPPED)
def test_start_fits_the_screen_and_the_page_and_links_to_every_tab(name: str) -> None:
    made = made_of(load_preset(name), "en")
    workbook = load_workbook(io.BytesIO(made.xlsx))
    page = workbook[made.layout.start.sheet]
    widths = [page.column_dimensions[chr(64 + k)].width for k in range(1, LAST_COLUMN + 1)]
    assert sum(widths) <= 175
    assert page.freeze_panes == "A4"
    assert page.print_title_rows == "$1:$3"
    assert not page.merged_cells.ranges
    targets = {c.hyperlink.location for row in page.iter_rows() for c in row if c.hyperlink}
    for sheet in made.layout.sheets:
        assert f"'{sheet.tab.title}'!A1" in targets
    assert len(targets) >= 2 * len(made.layout.sheets) - 1
    printed = page.print_area.replace("$", "").rpartition("!")[2]
    _, _, right, bottom = range_boundaries(printed)
    assert right == LAST_COLUMN
    start = made.layout.start
    mirrored = [entry for group in start.mirrored for entry in group.entries]
    here = [entry for entry in start.entries if entry.sheet == start.sheet]
    assert bottom >= max(entry.row for entry in (*mirrored, *here))
    heights = sum(page.row_dimensions[row].height for row in range(1, bottom + 1))
    size = min(UPRIGHT[0] / sum(map(points_of, widths)), UPRIGHT[1] / heights)
    assert size >= 0.6
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("portrait", 1)
    assert not page.row_breaks.brk


@pytest.mark.ci
def test_a_longer_start_tab_takes_pages_across() -> None:
    katze = load_preset("katze")
    made = made_of(katze, "en", sentence=" ".join(["Katze"] * 28))
    page = load_workbook(io.BytesIO(made.xlsx)).worksheets[0]
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("landscape", 0)
    assert page.row_breaks.brk


@pytest.mark.ci
@pytest.mark.parametrize("asks", [False, True])
def test_no_text_is_cut_by_its_neighbour(asks: bool) -> None:
    """Texts run over empty cells; they must end before the next filled one, or the page."""
    for name in SHIPPED:
        for language in ("de", "en"):
            page = first_page(name, language, asks)
            widths = [page.column_dimensions[chr(64 + k)].width for k in range(1, 15)]
            for row in page.iter_rows(min_row=4, max_col=LAST_COLUMN):
                filled = [c for c in row if c.value not in (None, "")]
                ends = [c.column for c in filled[1:]] + [LAST_COLUMN + 1]
                rights = [c.alignment.horizontal == "right" for c in filled[1:]] + [False]
                for cell, end, right in zip(filled, ends, rights, strict=False):
                    if not right and not cell.alignment.horizontal:
                        room = 1.12 * sum(widths[cell.column - 1 : end - 1])
                        assert len(str(cell.value)) <= room, (name, language, cell.value)


def first_page(name: str, language: str, asks: bool) -> Worksheet:
    """Start of the exercise or of the solution."""
    trace, catalogue = compute(load_preset(name), controls=True), load(language)
    xlsx = exercise.render(trace, catalogue) if asks else render(trace, catalogue)
    return load_workbook(io.BytesIO(xlsx), data_only=True).worksheets[0]


def test_a_trace_without_controls_makes_no_workbook() -> None:
    with pytest.raises(ValueError, match="controls=True"):
        render(compute(load_preset("katze")), load("de"))


def test_limits_say_what_to_do() -> None:
    katze = load_preset("katze")
    long = compute(katze, " ".join(["Katze"] * 29), controls=True, rounds=3)
    with pytest.raises(UserError, match="29 tokens and each of the 2 further rounds adds one"):
        check(long)
    words = {**katze.words, **{f"w{k}": (0.1, 0.2, 0.3, 0.4) for k in range(200)}}
    many = compute(replace(katze, words=words), controls=True)
    with pytest.raises(UserError, match=r"206 for words in the vocabulary.*200.*--format csv"):
        check(many)
