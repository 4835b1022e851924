"""The Draw tab: from T, strategy and random number to the word hit and twenty draws, all live."""

import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from openpyxl import load_workbook

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.insight.output_layer import printed_draws
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook import exercise
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.start_layout import (
    DRAWN,
    DRAWS,
    INTERVALS,
    MOST_WORDS,
    SORTED,
    DrawLayout,
)
from tests.support.covering import each
from tests.support.office import Office
from tests.support.recalculate import (
    Value,
    Values,
    cached_values,
    edit_cells,
    ironcalc_values,
    libreoffice_edited,
    strip_caches,
)
from tests.support.workbook import Book, book

CHANGED: tuple[Mapping[str, object], ...] = (
    {},
    {"temperature": 2.5, "sampling.strategy": "sample", "sampling.random": 0.83},
    {"sampling.strategy": "top-k", "sampling.k": 2, "sampling.random": 0.4},
    {"sampling.strategy": "top-p", "sampling.p": 0.6, "sampling.random": 0.99},
    {"block1.head1.weight.query[1,1]": -1, "sampling.strategy": "sample"},
)


@cache
def made_of(name: str, rounding: str = "paper") -> Book:
    preset = many_words() if name == "many" else load_preset(name)
    return book(compute(preset, controls=True, rounding=rounding), "en")


def drawn(made: Book) -> DrawLayout:
    assert made.layout.start.draw is not None
    return made.layout.start.draw


def require_shown(made: Book, values: Values, trace: Trace) -> None:
    """Assert that the tab shows what the engine computes for this trace, each draw included."""
    draw = drawn(made)
    shown = values[draw.sheet]
    words = trace["vocabulary.words"].values[:, 0].tolist()
    rows = range(draw.top, draw.top + draw.shown)
    rank = {word: trace["sampling.rank"].values[0, j] for j, word in enumerate(words)}
    first = sorted(words, key=rank.__getitem__)[: draw.shown]
    assert [shown[at(row, SORTED.first + 1)] for row in rows] == first
    listed = [word for word in words if word in first]
    assert [shown[at(row, INTERVALS.first)] for row in rows] == listed
    for columns, part, order in (
        (("share", "kept"), SORTED.first + 2, first),
        (("renormalised", "from", "cumulative", "digits"), INTERVALS.first + 1, listed),
    ):
        for row, word in zip(rows, order, strict=True):
            for column, name in enumerate(columns, start=part):
                wanted = trace[f"sampling.{name}"].values[0, words.index(word)]
                found = shown[at(row, column)]
                if name == "kept":
                    wanted = "✓" if wanted else "–"
                same = wanted if isinstance(wanted, str) else pytest.approx(wanted, abs=1e-9)
                assert found == same, (name, word)
    _require_draws(made, shown, trace, listed)


def _require_draws(made: Book, shown: Mapping[str, Value], trace: Trace, listed: list[str]) -> None:
    draw = drawn(made)
    numbers = printed_draws(made.trace, DRAWS)
    hit = [
        compute(
            trace.preset,
            rounding=trace.rounding,
            edits={**trace.edits, "sampling.random": n / 100},
            controls=True,
        )["sampling.next"].values[0, 0]
        for n in numbers
    ]
    rows = range(draw.top, draw.top + DRAWS)
    assert [shown[at(row, DRAWN.first + 1)] for row in rows] == numbers
    assert [shown[at(row, DRAWN.first + 2)] for row in rows] == hit
    tally = Counter(hit)
    for row, word in zip(range(draw.top, draw.top + draw.shown), listed, strict=True):
        assert shown[at(row, INTERVALS.first + 5)] == tally[word]
        marked = shown.get(at(row, INTERVALS.last)) or ""
        assert (marked == "◀") == (word == trace["sampling.next"].values[0, 0])
    assert shown[at(draw.hit_row, 2)] == trace["sampling.next"].values[0, 0]


@pytest.mark.parametrize("edits", each(5, CHANGED))
def test_everything_follows_what_is_typed_in(edits: Mapping[str, object]) -> None:
    preset = load_preset("katze-trained")
    made = made_of("katze-trained", "exact")
    trace = compute(preset, rounding="exact", edits=edits, controls=True)
    xlsx = edit_cells(made.xlsx, made.typed(edits))
    require_shown(made, ironcalc_values(xlsx), trace)


@pytest.mark.ci
def test_both_programs_show_the_same(office: Office) -> None:
    preset = many_words()
    made = made_of("many")
    typed = [made.typed(edits) for edits in CHANGED]
    ((_, *computed),) = libreoffice_edited([made.xlsx], [typed], office)
    for edits, cells, values in zip(CHANGED, typed, computed, strict=True):
        trace = compute(preset, edits=edits, controls=True)
        require_shown(made, values, trace)
        require_shown(made, ironcalc_values(edit_cells(made.xlsx, cells)), trace)


def many_words() -> Preset:
    katze = load_preset("katze")
    more = {f"w{k}": (0.01 * k, 0.2, 0.07 * (k % 3), 0.1) for k in range(14)}
    return replace(katze, words={**katze.words, **more})


@pytest.mark.ci
def test_of_many_words_the_first_ranks_are_shown_and_the_rest_is_counted() -> None:
    preset = many_words()
    made = made_of("many")
    draw = drawn(made)
    assert draw.words > MOST_WORDS == draw.shown
    edits = {"sampling.strategy": "sample", "temperature": 5}
    values = ironcalc_values(edit_cells(made.xlsx, made.typed(edits)))
    require_shown(made, values, compute(preset, edits=edits, controls=True))
    shown = values[draw.sheet]
    rows = range(draw.top, draw.rest_row + 1)
    for column, total in ((SORTED.first + 2, 1.0), (INTERVALS.first + 1, 1.0)):
        parts = [shown[at(row, column)] for row in rows]
        assert sum(parts) == pytest.approx(total, abs=0.02)  # rounded, as on paper
        assert parts[-1] > 0.1
    hits = [shown[at(row, INTERVALS.first + 5)] for row in rows]
    assert sum(hits) == DRAWS
    assert hits[-1] > 0


@pytest.mark.ci
def test_delivered_values_are_those_computed() -> None:
    made = made_of("many")
    cached = cached_values(made.xlsx)[drawn(made).sheet]
    computed = ironcalc_values(strip_caches(made.xlsx))[drawn(made).sheet]
    for cell, value in computed.items():
        same = value if isinstance(value, str) else pytest.approx(value, abs=1e-9)
        assert cached.get(cell, "") == same, cell


def test_a_draw_that_is_refused_is_named_and_counts_as_delivered() -> None:
    made = made_of("katze")
    draw = drawn(made)
    cells = [(draw.sheet, at(draw.top + k, DRAWN.first + 1)) for k in range(4)]
    typed = dict(zip(cells, (None, 120, "x", 0.07), strict=True))
    edits = made.typed({"sampling.strategy": "sample"})
    as_delivered = ironcalc_values(edit_cells(made.xlsx, edits))[draw.sheet]
    values = ironcalc_values(edit_cells(made.xlsx, {**edits, **typed}))
    shown, number = values[draw.sheet], printed_draws(made.trace, DRAWS)[1]
    reason = load("en").t("workbook.refused.random", least="0", most="99")
    said = f"4. Draw 20 times, No. 2: {reason} ({number} counts)"
    assert str(shown["A3"]).endswith(said)
    assert shown["A3"] == values[made.layout.start.sheet]["A3"]
    words = [shown[at(draw.top + k, DRAWN.first + 2)] for k in range(4)]
    trace = compute(
        load_preset("katze"),
        edits={"sampling.strategy": "sample", "sampling.random": 0.07},
        controls=True,
    )
    kept = [as_delivered[at(draw.top + k, DRAWN.first + 2)] for k in range(3)]
    assert words == [*kept, trace["sampling.next"].values[0, 0]]
    hits = [shown[at(draw.top + k, INTERVALS.first + 5)] for k in range(draw.shown)]
    assert sum(hits) == DRAWS


def test_start_repeats_what_is_typed_in_and_takes_nothing() -> None:
    made = made_of("katze")
    start = made.layout.start
    typed = made.typed({"temperature[2,1]": 1.7, "sampling.strategy": "top-k", "sampling.k": 99})
    values = ironcalc_values(edit_cells(made.xlsx, typed))[start.sheet]
    rows = {e.step: e.cells for g in start.mirrored for e in g.entries if e.i < 2}
    assert (values[rows["temperature"].own], values[rows["temperature"].force]) == (1.7, 1.7)
    assert values[rows["sampling.strategy"].force] == "top-k"
    k = rows["sampling.k"]
    assert (values[k.own], values[k.force], values[k.delivered]) == (99, 3, 3)
    assert values[k.message] == "Only whole numbers from 1 to 6"
    assert "Only whole numbers from 1 to 6" in str(values["A3"])
    page = load_workbook(io.BytesIO(made.xlsx))[start.sheet]
    mirrored = [cell for row in rows.values() for cell in row[1:4]]
    assert all(page[cell].protection.locked for cell in mirrored)
    links = {c.hyperlink.location for row in page.iter_rows() for c in row if c.hyperlink}
    assert f"'{drawn(made).sheet}'!A1" in links


def test_an_exercise_and_a_model_without_output_have_no_such_tab() -> None:
    title = load("en").t("workbook.tab.draw")
    trace = compute(load_preset("ausgabe"), controls=True)
    names = load_workbook(io.BytesIO(exercise.render(trace, load("en")))).sheetnames
    assert title not in names
    solved = load_workbook(io.BytesIO(made_of("ausgabe").xlsx)).sheetnames
    assert solved[solved.index(load("en").t("workbook.tab.output")) + 1] == title
    brille = made_of("brille")
    assert brille.layout.start.draw is None
    assert title not in load_workbook(io.BytesIO(brille.xlsx)).sheetnames


def test_only_what_is_typed_in_is_unlocked() -> None:
    made = made_of("katze")
    draw, start = drawn(made), made.layout.start
    page = load_workbook(io.BytesIO(made.xlsx))[draw.sheet]
    unlocked = {c.coordinate for row in page.iter_rows() for c in row if not c.protection.locked}
    entries = {e.cells.own for e in start.entries if e.sheet == draw.sheet}
    assert len(entries) == 7
    assert unlocked == entries | {at(draw.top + k, DRAWN.first + 1) for k in range(DRAWS)}
    for cell in unlocked:
        rules = [r for r in page.data_validations.dataValidation if cell in r.sqref]
        assert [bool(rule.error and rule.showErrorMessage) for rule in rules] == [True]


def test_it_fits_on_one_screen() -> None:
    for made in (made_of("katze"), made_of("many")):
        draw = drawn(made)
        page = load_workbook(io.BytesIO(made.xlsx))[draw.sheet]
        widths = [page.column_dimensions[at(1, k)[:-1]].width for k in range(1, DRAWN.last + 1)]
        assert sum(widths) <= 176
        points = sum(page.row_dimensions[row].height for row in range(1, draw.bottom + 1))
        assert points * 96 / 72 <= 500
        assert not page.merged_cells.ranges
