"""Before and after: the solved workbook keeps its delivered values and tells what has changed."""

import io
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from openpyxl import load_workbook
from openpyxl.formula.translate import Translator

from generator.checks.exercise import Exercise
from generator.engine.learning import training_of
from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from generator.render.workbook import exercise
from generator.render.workbook.build import dress, write
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import put
from generator.render.workbook.file.package import CellFormula, to_bytes
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import COUNT, LARGEST, KeptTab
from generator.render.workbook.layout.start_layout import LEADING
from generator.render.workbook.tab_map import NOW, RANK, THEN, VALUE, WORD
from tests.support.covering import each
from tests.support.office import Office
from tests.support.recalculate import (
    Values,
    edit_cells,
    ironcalc_values,
    libreoffice_edited,
    libreoffice_values,
    strip_caches,
)
from tests.support.stage_tabs import drafted_tabs
from tests.support.workbook import Book, book

LEAST, SHARE = 1e-6, 1e-9  # noise is smaller than the first, or than so much of a large number
GROWING = ("exp", "sum", "output.exp", "output.sum")
MASKABLE = ("mask", "masked", "shifted")
CASES: tuple[tuple[str, str, Mapping[str, object]], ...] = (
    ("katze-trained", "exact", {"tokens[2]": "Matte", "switch.mask": 0}),
    ("katze", "paper", {}),
    ("katze", "paper", {"switch.mask": 0}),
    ("katze", "paper", {"temperature": 0.5, "sampling.strategy": "sample"}),
    ("random", "exact", {"block1.head1.weight.query[1,1]": 3, "switch.heads[1,2]": 0}),
    ("nihao", "exact", {"switch.heads[1,1]": 0}),
    ("brille", "paper", {"switch.scale": 0}),
)


@cache
def made_of(name: str, rounding: str) -> tuple[Book, Draft]:
    trace = compute(load_preset(name), rounding=rounding, controls=True)
    return book(trace, "en"), Draft(Exercise(trace, ()), load("en"))


def differs(before: Trace, after: Trace, name: str) -> np.ndarray:
    """Which cells of a step the workbook counts as changed, by the engine's numbers."""
    old, new = before[name].values, after[name].values
    if before[name].text:
        return old != new
    if before[name].place.kind in MASKABLE:
        return np.isinf(old) != np.isinf(new)
    return np.abs(new - old) > np.hypot(LEAST, SHARE * old)


def largest_change(before: Trace, after: Trace, name: str) -> float:
    """The largest difference among the cells that count as changed."""
    apart = np.abs(after[name].values - before[name].values)
    return float(apart[differs(before, after, name)].max(initial=0.0))


def require_told(made: Book, draft: Draft, values: Values, after: Trace) -> int:
    """Assert that each tab and Start say how much has changed; gives how many cells that are."""
    in_all, most = 0, 0.0
    start = values[draft.layout.start.sheet]
    for sheet in draft.layout.sheets:
        kept = draft.kept[sheet.tab.title]
        computed = [step for step in sheet.tab.steps if step.kind == "computed"]
        count = sum(int(differs(made.trace, after, step.name).sum()) for step in computed)
        largest = max(
            (
                largest_change(made.trace, after, s.name)
                for s in computed
                if not s.text and s.place.kind not in (*MASKABLE, *GROWING)
            ),
            default=0.0,
        )
        shown = values[sheet.tab.title]
        assert shown[_total(kept, COUNT)] == count, sheet.tab.title
        assert shown[_total(kept, LARGEST)] == pytest.approx(largest, abs=1e-9, rel=1e-9)
        in_all, most = in_all + count, max(most, largest)
    row = draft.layout.start.changes_row + 2
    assert start[at(row, VALUE)] == in_all
    assert start[at(row + 1, VALUE)] == pytest.approx(most, abs=1e-9, rel=1e-9)
    if "sampling.share" in after:
        _require_leading(draft, values, made.trace, after)
    return in_all


def _total(kept: KeptTab, which: int) -> str:
    return kept.total(which).rpartition("!")[2].replace("$", "")


def _require_leading(draft: Draft, values: Values, before: Trace, after: Trace) -> None:
    start, row = values[draft.layout.start.sheet], draft.layout.start.changes_row + 1
    words = after["vocabulary.words"].values[:, 0]
    order = np.argsort(after["sampling.rank"].values[0])[:LEADING]
    for k, word in enumerate(order, start=1):
        assert (start[at(row + k, RANK)], start[at(row + k, WORD)]) == (k, words[word])
        for column, trace in ((NOW, after), (THEN, before)):
            share = trace["sampling.share"].values[0, word]
            assert start[at(row + k, column)] == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(("name", "rounding", "edits"), each(9, CASES))
def test_changes_are_counted_as_the_engine_has_them(
    name: str, rounding: str, edits: Mapping[str, object]
) -> None:
    made, draft = made_of(name, rounding)
    after = compute(load_preset(name), rounding=rounding, edits=edits, controls=True)
    values = ironcalc_values(edit_cells(made.xlsx, made.typed(edits)))
    assert bool(require_told(made, draft, values, after)) == bool(edits)


@pytest.mark.ci
def test_both_programs_count_alike(office: Office) -> None:
    edits_of = defaultdict(list)
    for name, rounding, edits in CASES:
        edits_of[name, rounding].append(edits)
    books = [made_of(*which)[0] for which in edits_of]
    typed = [
        [made.typed(edits) for edits in some]
        for made, some in zip(books, edits_of.values(), strict=True)
    ]
    computed = libreoffice_edited([made.xlsx for made in books], typed, office)
    for (which, some), (_, *states) in zip(edits_of.items(), computed, strict=True):
        for edits, values in zip(some, states, strict=True):
            after = compute(load_preset(which[0]), rounding=which[1], edits=edits, controls=True)
            require_told(*made_of(*which), values, after)


@pytest.mark.parametrize("name", each(4, ("katze-trained", "nihao", "random", "katze")))
def test_noise_of_large_numbers_is_no_change(name: str, office: Office) -> None:
    """A perplexity of 7 million differs by 0.00000003 from program to program."""
    preset = replace(load_preset(name), rounding="exact")
    word = "Matte" if name == "katze-trained" else compute(preset).tokens[-1]
    trace = compute(preset, controls=True, edits={"loss.target": word}, training=training_of(1))
    made, draft = book(trace, "en"), Draft(Exercise(trace, ()), load("en"))
    bare = strip_caches(made.xlsx)
    for values in (ironcalc_values(bare), *libreoffice_values([bare], office)):
        require_unchanged(made, draft, values)


def require_unchanged(made: Book, draft: Draft, values: Values) -> None:
    """Assert that no cell of changes shows anything but exactly 0."""
    for title, kept in draft.kept.items():
        for which in (COUNT, LARGEST):
            assert values[title][_total(kept, which)] == 0, title
    assert require_told(made, draft, values, made.trace) == 0


def test_the_copy_holds_what_was_delivered_as_plain_hidden_values() -> None:
    made, draft = made_of("katze-trained", "exact")
    pages = load_workbook(io.BytesIO(made.xlsx))
    computed = ironcalc_values(strip_caches(made.xlsx))
    compared = 0
    for sheet in draft.layout.sheets:
        kept, page = draft.kept[sheet.tab.title], pages[sheet.tab.title]
        for box in (box for band in sheet.bands for box in band.boxes):
            for row in range(box.row, box.bottom + 1):
                for column in range(box.column, box.right + 1):
                    copy = page.cell(row, kept.column(column)).value
                    now = computed[sheet.tab.title][at(row, column)]
                    same = now if isinstance(now, str) else pytest.approx(now, abs=1e-9, rel=1e-9)
                    assert copy == same, (sheet.tab.title, at(row, column))
                    compared += 1
        first = page.column_dimensions[at(1, kept.first)[:-1]]
        assert (first.hidden, first.min, first.max) == (True, kept.first, kept.last)
        assert "delivered" in page.cell(2, kept.first).value
        printed = page.print_area.replace("$", "").rpartition(":")[2]
        assert printed == at(kept.bottom, kept.wide)
    assert compared > 1_500


@pytest.mark.ci
def test_the_tint_is_for_changed_cells_and_no_others() -> None:
    """The rule, written into free cells, is true where the engine's numbers differ."""
    trace = compute(load_preset("katze"), controls=True)
    edits = {"switch.mask": 0, "block1.head1.weight.query[1,1]": 2}
    after = compute(load_preset("katze"), edits=edits, controls=True)
    draft = Draft(Exercise(trace, ()), load("en"))
    write(draft)
    dress(draft)
    page, sheet, _ = next(tab for tab in drafted_tabs(draft) if tab[1].tab.kind == "head")
    kept = draft.kept[sheet.tab.title]
    rule = next(r for r in page.conditional_formatting if str(r.sqref).startswith("A4:"))
    assert str(rule.sqref) == f"A4:{at(kept.bottom, kept.wide)}"
    probes: dict[str, bool] = {}
    for step in sheet.tab.steps:
        box, new = draft.layout.home(step.name), after[step.name].values
        for i, j in np.ndindex(step.shape):
            row, column = box.place(i, j)
            there = Translator(f"={rule.rules[0].formula[0]}", "A4")
            probe = page.cell(row, kept.last + column)
            put(probe, CellFormula(there.translate_formula(at(row, column)), False))
            same = np.isclose(step.values[i, j], new[i, j], rtol=0, atol=LEAST)
            probes[probe.coordinate] = not same
    made = Book(trace, to_bytes(draft.workbook), draft.layout)
    values = ironcalc_values(edit_cells(made.xlsx, made.typed(edits)))[sheet.tab.title]
    assert {cell: bool(values[cell]) for cell in probes} == probes
    assert 20 < sum(probes.values()) < len(probes)


def test_an_exercise_keeps_nothing() -> None:
    trace = compute(load_preset("ausgabe"), controls=True)
    asked = plan(trace, 2).asked
    assert not Draft(Exercise(trace, asked), load("en")).kept
    pages = load_workbook(io.BytesIO(exercise.render(trace, load("en"))))
    assert not [d for page in pages for d in page.column_dimensions.values() if d.hidden]
    title = load("en").t("workbook.changes")
    assert title not in [c.value for row in pages["Start"].iter_rows() for c in row]


@pytest.mark.ci
def test_a_sentence_of_one_word_and_one_step_has_a_copy_too() -> None:
    katze = replace(load_preset("katze"), rounding="exact")
    made = book(compute(katze, "Katze", controls=True), "en")
    draft = Draft(Exercise(made.trace, ()), load("en"))
    values = ironcalc_values(strip_caches(made.xlsx))
    assert require_told(made, draft, values, made.trace) == 0
