"""The Start tab: what is typed in there is computed with, or refused with one clear sentence.

That each control is computed with by both programs is proven in test_workbook, always of katze.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from openpyxl.utils.cell import cols_from_range, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import Exercise
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.plans.workbook import plan
from generator.presets.load import load_preset
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import LONGEST_TEXT, chunks
from generator.render.workbook.file.package import to_bytes
from generator.render.workbook.layout.start_layout import LAST_COLUMN
from generator.render.workbook.layout.tabs import is_control
from generator.render.workbook.print_setup import UPRIGHT, points_of
from generator.render.workbook.solution import render
from generator.render.workbook.start_tab import StartTab
from tests.support.covering import each
from tests.support.office import Office
from tests.support.pupil import desk
from tests.support.recalculate import Value, Values, ironcalc_values
from tests.support.workbook import LANGUAGES, SHIPPED, Book, compare, made_of, shipped

ODD = ("?", "*", "TRUE", "=1+1", "The", "the")
KATZE = load_preset("katze")
ROW = (0.1, 0.2, 0.3, 0.4)


def knowing(*words: str) -> Preset:
    """Katze with further words."""
    return replace(KATZE, words={**KATZE.words, **dict.fromkeys(words, ROW)})


def message(made: Book, values: Values, step: str, i: int = 0) -> Value:
    """What is said beside an entry."""
    entry = made.layout.start.by_cell[step, i, 0]
    return values[entry.sheet][entry.cells.message]


def follows(made: Book, edits: Mapping, typed: Mapping | None = None) -> None:
    """Assert that IronCalc finds the engine's numbers with the edits, and no warning."""
    values = made.values(typed or edits)
    compare(made, values, made.after(edits))
    assert made.warning(values) == ""


@pytest.mark.parametrize("name", each(4, SHIPPED))
def test_each_experiment_is_what_the_engine_computes(name: str) -> None:
    made = shipped(name, "en")
    for number, experiment in enumerate(made.layout.start.experiments, start=1):
        follows(made, experiment.edits, {made.experiment: number})
    for none in (0, None, 9, "x"):
        compare(made, made.values({made.experiment: none}))


def test_an_experiment_stands_above_own_values_and_leaves_them() -> None:
    made = shipped("katze")
    number, sharper = next(
        (n, e) for n, e in enumerate(made.layout.start.experiments, 1) if e.key == "sharper"
    )
    own = {"temperature": 1.7, "sampling.strategy": "sample", "tokens[1]": "auf"}
    follows(made, {**own, **sharper.edits}, {**own, made.experiment: number})
    follows(made, own)


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
    made = shipped("katze")
    for entry in entries:
        values = made.values({made.input(step): entry})
        compare(made, values)
        explained = message(made, values, step)
        assert len(str(explained)) > 5, (step, entry)
        assert str(explained) in made.warning(values)


@pytest.mark.ci
def test_the_decimal_sign_is_explained() -> None:
    for language, text in (
        ("de", "Dezimalzeichen hier: „.“"),
        ("en", "decimal separator here: “.”"),
    ):
        made = shipped("katze", language)
        values = made.values({made.input("temperature", 1): "0,86"})
        assert text in str(message(made, values, "temperature", 1))


def test_the_warning_names_the_first_refused_entry() -> None:
    made = shipped("katze", "en")
    first = "Not accepted – Divide by √d_k: Only 1 (on) or 0 (off)"
    assert made.warning(made.values({"tokens[3]": "dog", "switch.scale": 7})) == first
    assert "Token 3: not in the vocabulary" in made.warning(made.values({"tokens[3]": "dog"}))


def test_a_word_renamed_in_the_vocabulary_is_renamed_in_the_sentence() -> None:
    edits = {"vocabulary.words[2,1]": "Hund", "tokens[2]": "Hund"}
    follows(shipped("katze"), edits, {"vocabulary.words[2,1]": "Hund"})


def test_a_word_that_differs_in_case_only_is_another_word() -> None:
    words = {("The" if word == "Die" else word): row for word, row in KATZE.words.items()}
    made = made_of(replace(KATZE, words=words), sentence="The Katze sitzt")
    values = made.values({"tokens[2]": "the"})
    compare(made, values)
    assert message(made, values, "tokens", 1)


def test_words_that_look_like_something_else_are_accepted() -> None:
    made = made_of(knowing(*ODD))
    for word in ODD:
        follows(made, {"tokens[2]": word})


def test_a_vocabulary_too_long_for_one_cell() -> None:
    made = made_of(knowing(*(f"w{k}" for k in range(190))))
    for word in ("w189", "w93", "w94", "w0", "Die"):
        follows(made, {"tokens[2]": word})
    compare(made, made.values({"tokens[2]": "w190"}))


def test_a_draw_of_two_digits_counts_as_hundredths() -> None:
    for typed, drawn in ((37, 0.37), (1, 0.01), (99, 0.99), (0, 0.0), (0.5, 0.5)):
        follows(shipped("ausgabe"), {"sampling.random": drawn}, {"sampling.random": typed})


def test_random_numbers_of_all_rounds() -> None:
    made = made_of(replace(KATZE, strategy="sample", random=0.4), rounds=3)
    numbers = {"sampling.random": 0.05, "round2.sampling.random": 0.93}
    follows(made, {**numbers, "round3.sampling.random": 0.5})


@pytest.mark.ci
def test_both_programs_take_and_refuse_alike(office: Office) -> None:
    katze, ausgabe = shipped("katze"), shipped("ausgabe")
    chosen = enumerate(katze.layout.start.experiments, 1)
    swapped = {"tokens[2]": "auf", "switch.heads[1,2]": 0}
    cases: dict[Book, list[tuple[Mapping, Mapping]]] = {
        katze: [
            ({}, {}),
            ({"tokens[2]": "Hnd", "temperature": "0,86", "switch.mask": 2}, {}),
            ({"tokens[2]": "matte", "sampling.k": "a"}, {}),
            (swapped, swapped),
            *(({katze.experiment: number}, one.edits) for number, one in chosen),
        ],
        ausgabe: [
            ({"sampling.random": 12}, {"sampling.random": 0.12}),
            ({"sampling.p": -1, "sampling.strategy": "foo"}, {}),
        ],
    }
    for made, some in cases.items():
        both = made.by_both([typed for typed, _ in some], office)
        for (typed, edit), (values, known) in zip(some, both, strict=True):
            compare(made, values, made.after(edit))
            assert bool(made.warning(values)) == bool(typed and not edit)
            assert made.warning(values) == made.warning(known)


def test_chunks_hold_every_word_once() -> None:
    words = ["a" * 12_000] * 7 + ["b"] * 250
    parts = list(chunks(words))
    assert [k for part in parts for k in part] == list(range(len(words)))
    assert all(sum(len(words[k]) + 2 for k in part) <= LONGEST_TEXT for part in parts)


def test_settings_are_in_force_only_where_they_make_sense() -> None:
    made = shipped("katze")
    sheet, force = made.layout.settings["focus"]
    initial = made.trace.exercise + 1
    for typed, expected in ((2, 2), (None, initial), (0, initial), (7, initial), ("x", initial)):
        assert made.values({made.focus: typed})[sheet][force] == expected


def test_an_exercise_asks_for_its_settings() -> None:
    trace, catalogue = shipped("katze").trace, load("en")
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
    for made in map(shipped, SHIPPED):
        start = made.layout.start
        for step in made.trace:
            chosen = step.name == "temperature" or step.place.kind.startswith("sampling.")
            expected = start.draw.sheet if start.draw and chosen else start.sheet
            assert (made.layout.home(step.name).sheet == expected) == is_control(step.name)
        cells = [(e.sheet, c) for e in start.entries for c in e.cells[1:]]
        assert len(cells) == len(set(cells))


def test_only_entries_are_unlocked_and_each_has_a_list_or_limits() -> None:
    made = shipped("katze")
    start, page = made.layout.start, made.start
    unlocked = {c.coordinate for row in page.iter_rows() for c in row if not c.protection.locked}
    entries = {e.cells.own for e in start.entries if e.sheet == start.sheet}
    entries.add(start.experiment.own)
    assert made.focus[0] == made.glance.sheet  # not here
    assert unlocked == entries
    ruled = [
        str(area)
        for rule in page.data_validations.dataValidation
        if rule.error and rule.prompt and rule.showErrorMessage
        for area in rule.sqref.ranges
    ]
    assert {
        cell for area in ruled for (cell,) in zip(*cols_from_range(area), strict=True)
    } == entries


@pytest.mark.parametrize("name", SHIPPED)
def test_start_fits_the_screen_and_the_page_and_links_to_every_tab(name: str) -> None:
    made = shipped(name, "en")
    page, start = made.start, made.layout.start
    widths = [page.column_dimensions[chr(64 + k)].width for k in range(1, LAST_COLUMN + 1)]
    assert sum(widths) <= 175
    assert (page.freeze_panes, page.print_title_rows) == ("A4", "$1:$3")
    targets = {c.hyperlink.location for row in page.iter_rows() for c in row if c.hyperlink}
    assert {f"'{sheet.tab.title}'!A1" for sheet, _ in made.tabs} <= targets
    assert len(targets) >= 2 * len(made.layout.sheets) - 1
    printed = page.print_area.replace("$", "").rpartition("!")[2]
    _, _, right, bottom = range_boundaries(printed)
    assert right == LAST_COLUMN
    mirrored = [entry for group in start.mirrored for entry in group.entries]
    here = [entry for entry in start.entries if entry.sheet == start.sheet]
    assert bottom >= max(entry.row for entry in (*mirrored, *here))
    heights = sum(page.row_dimensions[row].height for row in range(1, bottom + 1))
    assert min(UPRIGHT[0] / sum(map(points_of, widths)), UPRIGHT[1] / heights) >= 0.6
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("portrait", 1)
    assert not page.row_breaks.brk


def test_an_exercise_leads_to_its_first_yellow_cell_from_start_and_from_each_tab() -> None:
    made = desk("katze", 2, "de")
    links = [made.start["A6"].hyperlink.location]
    for title, checks in made.draft.checks.items():
        (cell,) = [one for one in made.pages[title][2] if one.value == "→ erste gelbe Zelle"]
        links.append(cell.hyperlink.location)
        assert made.entry(min(checks.asked, key=checks.asked.index)) == checks.entry
    assert links[0] == links[1]
    for link in links:
        tab, _, cell = link.rpartition("!")
        assert not made.pages[tab.strip("'")][cell].protection.locked


@pytest.mark.ci
def test_a_longer_start_tab_takes_pages_across() -> None:
    page = made_of(KATZE, "en", " ".join(["Katze"] * 28)).start
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("landscape", 0)
    assert page.row_breaks.brk


@pytest.mark.ci
@pytest.mark.parametrize("name", SHIPPED)
def test_no_text_is_cut_by_its_neighbour(name: str) -> None:
    """Texts run over empty cells; they must end before the next filled one, or the page."""
    for language in LANGUAGES:
        for made in (shipped(name, language), desk(name, 2, language)):
            uncut(made, made.start)


def uncut(made: Book, page: Worksheet) -> None:
    widths = [page.column_dimensions[chr(64 + k)].width for k in range(1, 15)]
    for row in page.iter_rows(min_row=4, max_col=LAST_COLUMN):
        shown = [(c, made.cached[page.title].get(c.coordinate)) for c in row]
        filled = [(c, value) for c, value in shown if value is not None]
        ends = [*((c.column, c.alignment.horizontal) for c, _ in filled[1:]), (LAST_COLUMN + 1, "")]
        for (cell, value), (end, side) in zip(filled, ends, strict=False):
            if side != "right" and not cell.alignment.horizontal:
                room = 1.12 * sum(widths[cell.column - 1 : end - 1])
                assert len(str(value)) <= room, value


@pytest.mark.parametrize(
    ("preset", "words", "options", "said"),
    [
        (KATZE, 29, {"rounds": 3}, "29 tokens and each of the 2 further rounds adds one"),
        (knowing(*map(str, range(200))), 6, {}, "206 for words in the.*200.*--format csv"),
        (KATZE, 6, {"controls": False}, "without controls"),
    ],
)
def test_limits_say_what_to_do(preset, words: int, options: dict, said: str) -> None:
    trace = compute(preset, " ".join(["Katze"] * words), **{"controls": True} | options)
    with pytest.raises((UserError, ValueError), match=said):
        render(trace, load("en"))
