"""The Draw tab: from T, strategy and random number to the word hit and twenty draws, all live."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

import generator
from generator.engine.trace import Trace
from generator.insight.output_layer import printed_draws
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook import sheet_tabs
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
from tests.support.pupil import desk
from tests.support.recalculate import Value, Values
from tests.support.workbook import Book, book, made_of, played, shipped

CHANGED: tuple[Mapping[str, object], ...] = (
    {},
    {"temperature": 2.5, "sampling.strategy": "sample", "sampling.random": 0.83},
    {"sampling.strategy": "top-k", "sampling.k": 2, "sampling.random": 0.4},
    {"sampling.strategy": "top-p", "sampling.p": 0.6, "sampling.random": 0.99},
    {"block1.head1.weight.query[1,1]": -1, "sampling.strategy": "sample"},
)


@cache
def many() -> Book:
    """A workbook of more words than the tab shows."""
    katze = load_preset("katze")
    more = {f"w{k}": (0.01 * k, 0.2, 0.07 * (k % 3), 0.1) for k in range(14)}
    return made_of(replace(katze, words={**katze.words, **more}), "en")


def drawn(made: Book) -> DrawLayout:
    assert made.layout.start.draw
    return made.layout.start.draw


def require_shown(made: Book, values: Values, trace: Trace) -> None:
    """Assert that the tab shows what the engine computes for this trace, each draw included."""
    draw, numbers = drawn(made), printed_draws(made.trace, DRAWS)
    shown = values[draw.sheet]
    words = trace["vocabulary.words"].values[:, 0].tolist()

    def column(place: int, count: int = draw.shown) -> list[Value]:
        return [shown.get(at(row, place), "") for row in range(draw.top, draw.top + count)]

    rank = dict(zip(words, trace["sampling.rank"].values[0], strict=True))
    ranked = sorted(words, key=rank.__getitem__)[: draw.shown]
    listed = [word for word in words if word in ranked]
    assert column(SORTED.first + 1) == ranked
    assert column(INTERVALS.first) == listed
    for names, place, order in (
        (("share", "kept"), SORTED.first + 2, ranked),
        (("renormalised", "from", "cumulative", "digits"), INTERVALS.first + 1, listed),
    ):
        for number, name in enumerate(names, start=place):
            row = trace[f"sampling.{name}"].values[0]
            wanted = [row[words.index(word)] for word in order]
            if name == "kept":
                assert column(number) == ["✓" if kept else "–" for kept in wanted]
            elif isinstance(wanted[0], str):
                assert column(number) == wanted
            else:
                assert column(number) == pytest.approx(wanted, abs=1e-9), name
    after = [made.after({**trace.edits, "sampling.random": n / 100}) for n in numbers]
    hit = [one["sampling.next"].values[0, 0] for one in after]
    tally, chosen = Counter(hit), trace["sampling.next"].values[0, 0]
    assert column(DRAWN.first + 1, DRAWS) == numbers
    assert column(DRAWN.first + 2, DRAWS) == hit
    assert column(INTERVALS.first + 5) == [tally[word] for word in listed]
    assert [x == "◀" for x in column(INTERVALS.last)] == [word == chosen for word in listed]
    assert shown[at(draw.hit_row, 2)] == chosen


@pytest.mark.parametrize("edits", each(5, CHANGED))
def test_everything_follows_what_is_typed_in(edits: Mapping[str, object]) -> None:
    made = shipped("katze-trained", "en", "exact")
    require_shown(made, made.values(edits), made.after(edits))


@pytest.mark.ci
def test_both_programs_show_the_same(office: Office) -> None:
    made = many()
    for edits, found in zip(CHANGED, made.by_both(CHANGED, office), strict=True):
        for values in found:
            require_shown(made, values, made.after(edits))


@pytest.mark.ci
def test_of_many_words_the_first_ranks_are_shown_and_the_rest_is_counted() -> None:
    made, draw = many(), drawn(many())
    assert draw.words > MOST_WORDS == draw.shown
    edits = {"sampling.strategy": "sample", "temperature": 5}
    values = made.values(edits)
    require_shown(made, values, made.after(edits))
    rows = range(draw.top, draw.rest_row + 1)
    for column, total in (
        (SORTED.first + 2, pytest.approx(1.0, abs=0.02)),  # rounded, as on paper
        (INTERVALS.first + 1, pytest.approx(1.0, abs=0.02)),
        (INTERVALS.first + 5, DRAWS),
    ):
        parts = [values[draw.sheet][at(row, column)] for row in rows]
        assert sum(parts) == total
        assert parts[-1] > 0.1


def test_a_draw_that_is_refused_is_named_and_counts_as_delivered() -> None:
    made, draw = shipped("katze", "en"), drawn(shipped("katze", "en"))
    edits = {"sampling.strategy": "sample"}
    typed = {
        (draw.sheet, at(draw.top + k, DRAWN.first + 1)): number
        for k, number in enumerate((None, 120, "x", 0.07))
    }
    before, values = made.values(edits)[draw.sheet], made.values({**edits, **typed})
    shown, number = values[draw.sheet], printed_draws(made.trace, DRAWS)[1]
    reason = load("en").t("workbook.refused.random", least="0", most="99")
    said = f"4. Draw 20 times, No. 2: {reason} ({number} counts)"
    assert str(shown["A3"]).endswith(said)
    assert shown["A3"] == values[made.layout.start.sheet]["A3"]
    words = [at(draw.top + k, DRAWN.first + 2) for k in range(4)]
    hit = made.after({**edits, "sampling.random": 0.07})["sampling.next"].values[0, 0]
    assert [shown[cell] for cell in words] == [*(before[cell] for cell in words[:3]), hit]
    hits = [shown[at(draw.top + k, INTERVALS.first + 5)] for k in range(draw.shown)]
    assert sum(hits) == DRAWS


def test_start_repeats_what_is_typed_in_and_takes_nothing() -> None:
    made = shipped("katze", "en")
    start, page = made.layout.start, made.start
    values = made.values({"temperature[2,1]": 1.7, "sampling.strategy": "top-k", "sampling.k": 99})[
        start.sheet
    ]
    rows = {e.step: e.cells for g in start.mirrored for e in g.entries if e.i < 2}
    heat, k = rows["temperature"], rows["sampling.k"]
    assert (values[heat.own], values[heat.force]) == (1.7, 1.7)
    assert values[rows["sampling.strategy"].force] == "top-k"
    assert (values[k.own], values[k.force], values[k.delivered]) == (99, 3, 3)
    assert values[k.message] == "Only whole numbers from 1 to 6"
    assert "Only whole numbers from 1 to 6" in str(values["A3"])
    assert all(page[cell].protection.locked for row in rows.values() for cell in row[1:4])
    links = {c.hyperlink.location for row in page.iter_rows() for c in row if c.hyperlink}
    assert f"'{drawn(made).sheet}'!A1" in links


def test_an_exercise_and_a_model_without_output_have_no_such_tab() -> None:
    title = load("en").t("workbook.tab.draw")
    assert title not in desk("ausgabe", 2, "en").pages.sheetnames
    solved = shipped("ausgabe", "en").pages.sheetnames
    assert solved[solved.index(load("en").t("workbook.tab.output")) + 1] == title
    brille = shipped("brille", "en")
    assert brille.layout.start.draw is None
    assert title not in brille.pages.sheetnames


def test_only_what_is_typed_in_is_unlocked() -> None:
    made = shipped("katze", "en")
    draw, start = drawn(made), made.layout.start
    page = made.pages[draw.sheet]
    unlocked = {c.coordinate for row in page.iter_rows() for c in row if not c.protection.locked}
    entries = {e.cells.own for e in start.entries if e.sheet == draw.sheet}
    assert len(entries) == 7
    assert unlocked == entries | {at(draw.top + k, DRAWN.first + 1) for k in range(DRAWS)}
    for cell in unlocked:
        rules = [r for r in page.data_validations.dataValidation if cell in r.sqref]
        assert [bool(rule.error and rule.showErrorMessage) for rule in rules] == [True]


def test_it_fits_on_one_screen() -> None:
    for made in (shipped("katze", "en"), many()):
        draw = drawn(made)
        page = made.pages[draw.sheet]
        widths = [page.column_dimensions[at(1, k)[:-1]].width for k in range(1, DRAWN.last + 1)]
        assert sum(widths) <= 176
        points = sum(page.row_dimensions[row].height for row in range(1, draw.bottom + 1))
        assert points * 96 / 72 <= 500


@pytest.mark.parametrize("preset", ["katze", "katze-trained", "nihao"])
def test_a_workbook_is_delivered_with_words_that_are_drawn_and_the_same_next_one(preset) -> None:
    """Where all is greedy twenty draws are twenty times the same; katze's 0.5 hits another word."""
    trace = generator.compute(preset=preset)
    one = book(sheet_tabs.played(trace, None), "de")
    assert one.trace["sampling.strategy"].values.tolist() == [["sample"]]
    assert one.trace["sampling.next"].values == trace["sampling.next"].values
    title = drawn(one).sheet
    page, values = one.pages[title], one.cached[title]
    words = [values[f"U{row}"] for row in range(6, 26)]
    assert len({*words}) > 1
    assert page["T6"].number_format == "[<1]0.0###;00"  # 37 is 37, and 0.5 half of 1
    chosen = generator.compute(preset=preset, edits={"sampling.strategy": "top-k"})
    assert sheet_tabs.played(chosen, None)["sampling.strategy"].values.tolist() == [["top-k"]]


def test_powers_are_readable_beside_large_ones() -> None:
    """Of katze-trained e^(z : T) goes from 0.001 to 1.2 million: no 8.70E-02."""
    one = played("katze-trained")
    home = one.layout.homes["output.exp"]
    number = one.pages[home.sheet][home.cell(0, 0)].number_format
    assert number == "[>=1000000000]0.00E+00;[>=1000]#,##0;0.000"
    assert one.trace["output.exp"].values.max() > 1e6
