"""Before and after: the solved workbook keeps its delivered values and tells what has changed."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from openpyxl.formula.translate import Translator

from generator.checks.exercise import Exercise
from generator.engine.learning import training_of
from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook.build import dress, write
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.package import CellFormula, put, to_bytes
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import COUNT, LARGEST, KeptTab
from generator.render.workbook.layout.start_layout import HEAD_ROW, LAST_COLUMN, LEADING
from generator.render.workbook.tab_map import CHANGES, NOW, RANK, THEN, WORD
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import desk
from tests.support.recalculate import Values, libreoffice_values
from tests.support.workbook import Book, cells_in, drafted_tabs, made_of, shipped

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
def kept_in(made: Book) -> Mapping[str, KeptTab]:
    """Where the tabs keep what they were delivered with."""
    return Draft(Exercise(made.trace, ()), load("en")).kept


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
    if before[name].text or before[name].place.kind in (*MASKABLE, *GROWING):
        return 0.0
    apart = np.abs(after[name].values - before[name].values)
    return float(apart[differs(before, after, name)].max(initial=0.0))


def require_told(made: Book, values: Values, after: Trace) -> int:
    """Assert that each tab and Start say how much has changed; gives how many cells that are."""
    before, in_all, most = made.trace, 0, 0.0
    start, row = values[made.start.title], HEAD_ROW + 2
    for sheet, _ in made.tabs:
        names = [step.name for step in sheet.tab.steps if step.kind == "computed"]
        count = sum(int(differs(before, after, name).sum()) for name in names)
        largest = max((largest_change(before, after, name) for name in names), default=0.0)
        found = told(made, values, sheet.tab.title)
        assert found == [count, pytest.approx(largest, abs=1e-9, rel=1e-9)], sheet.tab.title
        in_all, most = in_all + count, max(most, largest)
    shown = [start[at(made.layout.start.changes_row, value)] for _, value in CHANGES]
    assert shown == [in_all, pytest.approx(most, abs=1e-9, rel=1e-9)]
    if "sampling.share" in after:
        words = after["vocabulary.words"].values[:, 0]
        order = np.argsort(after["sampling.rank"].values[0])[:LEADING]
        for k, word in enumerate(order):
            assert (start[at(row + k, RANK)], start[at(row + k, WORD)]) == (k + 1, words[word])
            for column, trace in ((NOW, after), (THEN, before)):
                share = trace["sampling.share"].values[0, word]
                assert start[at(row + k, column)] == pytest.approx(share, abs=1e-9)
    return in_all


def told(made: Book, values: Values, title: str) -> list:
    """How many cells of a tab have changed, and by how much at most."""
    cells = (kept_in(made)[title].total(which) for which in (COUNT, LARGEST))
    return [values[title][cell.rpartition("!")[2].replace("$", "")] for cell in cells]


@pytest.mark.parametrize(("name", "rounding", "edits"), each(9, CASES))
def test_changes_are_counted_as_the_engine_has_them(
    name: str, rounding: str, edits: Mapping[str, object]
) -> None:
    made = shipped(name, "en", rounding)
    assert bool(require_told(made, made.values(edits), made.after(edits))) == bool(edits)


@pytest.mark.ci
def test_both_programs_count_alike(office: Office) -> None:
    edits_of = defaultdict(list)
    for name, rounding, edits in CASES:
        edits_of[name, rounding].append(edits)
    for (name, rounding), some in edits_of.items():
        made = shipped(name, "en", rounding)
        for edits, both in zip(some, made.by_both(some, office), strict=True):
            for values in both:
                require_told(made, values, made.after(edits))


@pytest.mark.parametrize("name", each(4, ("katze-trained", "nihao", "random", "katze")))
def test_noise_of_large_numbers_is_no_change(name: str, office: Office) -> None:
    """A perplexity of 7 million differs by 0.00000003 from program to program; 0 is told."""
    preset = replace(load_preset(name), rounding="exact")
    word = "Matte" if name == "katze-trained" else compute(preset).tokens[-1]
    made = made_of(preset, "en", edits={"loss.target": word}, training=training_of(1))
    for values in (made.values(), *libreoffice_values([made.bare], office)):
        assert all(told(made, values, title) == [0, 0] for title in kept_in(made))
        assert require_told(made, values, made.trace) == 0


def test_the_copy_holds_what_was_delivered_as_plain_hidden_values() -> None:
    made, compared = shipped("katze-trained", "en", "exact"), 0
    computed = made.values()
    for sheet, page in made.tabs:
        kept = kept_in(made)[sheet.tab.title]
        for row, column in (cell for box in sheet.boxes for cell in cells_in(box)):
            copy = page.cell(row, kept.column(column)).value
            now = computed[page.title][at(row, column)]
            same = now if isinstance(now, str) else pytest.approx(now, abs=1e-9, rel=1e-9)
            assert copy == same, (page.title, at(row, column))
            compared += 1
        first = page.column_dimensions[at(1, kept.first)[:-1]]
        assert (first.hidden, first.min, first.max) == (True, kept.first, kept.last)
        assert "when the file was made" in page.cell(2, kept.first).value
        printed = page.print_area.replace("$", "").rpartition(":")[2]
        assert printed == at(kept.bottom, kept.wide)
    assert compared > 1_500


@pytest.mark.ci
def test_the_tint_is_for_changed_cells_and_no_others() -> None:
    """The rule, written into free cells, is true where the engine's numbers differ."""
    made, edits = shipped("katze"), {"switch.mask": 0, "block1.head1.weight.query[1,1]": 2}
    trace, after = made.trace, made.after(edits)
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
    values = Book(trace, to_bytes(draft.workbook), draft.layout).values(edits)[sheet.tab.title]
    assert {cell: bool(values[cell]) for cell in probes} == probes
    assert 20 < sum(probes.values()) < len(probes)


def test_an_exercise_keeps_nothing() -> None:
    made = desk("ausgabe", 2, "en")
    assert not made.draft.kept
    for page in made.pages:
        hidden = [found for found in page.column_dimensions.values() if found.hidden]
        assert [found.min > LAST_COLUMN for found in hidden] == [True] * (page is made.start)
    texts = [c.value for row in made.start.iter_rows() for c in row]
    assert made.catalogue.t("workbook.changes") not in texts


@pytest.mark.ci
def test_a_sentence_of_one_word_and_one_step_has_a_copy_too() -> None:
    made = made_of(load_preset("katze"), "en", "Katze", rounding="exact")
    assert require_told(made, made.values(), made.trace) == 0
