"""The tab "At a glance": one head on one screen, live, and never cut in silence."""

import pytest

from generator.engine.model import compute
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.glance import ROLES
from generator.render.workbook.styles import CHANGED
from tests.benchmarks import models
from tests.support.office import Office
from tests.support.workbook import compare, glance_cells, played

WITH_HEADS = ("katze", "brille", "paris", "nihao", "mental", "induction", "subject-verb")
WIDE, HIGH = 1160, 500  # pixels on a screen of 1366 × 768, counted in digits of 7
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
ASKED = frozenset({("block1.head1.scores", 4, 0)})


# One screen -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["katze", "induction", "subject-verb"])
def test_it_fits_on_one_screen_and_one_page(name: str) -> None:
    glance = played(name).glance
    page = played(name).pages[glance.sheet]
    assert page.max_row <= len(glance.rows.sizes)
    wide = [7 * found.width * (found.max - found.min + 1) for found in
            page.column_dimensions.values() if not found.hidden]  # fmt: skip
    zoom = page.sheet_view.zoomScale / 100
    assert zoom == {"katze": 1, "induction": 0.8, "subject-verb": 0.8}[name]
    assert 700 < sum(wide) * zoom <= WIDE
    high = sum(found.height for found in page.row_dimensions.values()) / 0.75
    assert 350 < high * zoom <= HIGH + 1
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("landscape", 1)
    bars = page._charts[0].anchor
    assert glance.panels["weights focus"].bottom == bars._from.row
    assert bars.to.row <= len(page.row_dimensions)


def test_panels_do_not_overlap_and_are_all_of_the_head() -> None:
    for name in WITH_HEADS:
        cells = list(glance_cells(played(name, language="en").glance, 0, 0))
        assert len({address for address, *_ in cells}) == len(cells)
        parts = {step.rpartition(".")[2] for _, step, _, _ in cells}
        assert {"query", "key", "value", "scores", "exp", "sum", "weights", "output"} <= parts


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Die Katze sitzt auf der Matte", "X, W and tokens"),
        ("Die Katze sitzt auf der Matte und der", "X, W and tokens"),
        (" ".join(["Katze", "auf"] * 6), "X, W and tokens"),  # smaller before anything is left out
        (" ".join(["Katze", "auf"] * 8), "X and W"),
        (f"Katze {LONG}", "X and W"),
        (" ".join(["Katze", "auf"] * 15), ""),
    ],
)
def test_what_there_is_no_room_for_is_left_out_with_words(sentence: str, shown: str) -> None:
    trace = compute(load_preset("katze"), sentence, controls=True)
    layout = lay_out(trace, load("en"))
    assert layout.planned
    assert layout.planned.sizes.tokens == len(trace.tokens)
    assert bool(layout.glance) is bool(shown)
    if layout.glance:
        variant = layout.glance.variant
        seen = {"X": variant.inputs, "W": variant.weighted, "tokens": variant.named}
        assert {k for k, is_shown in seen.items() if is_shown} == {k for k in seen if k in shown}


@pytest.mark.ci
def test_start_says_why_the_tab_is_left_out() -> None:
    for language, words in (("de", "20 Tokens"), ("en", "20 tokens")):
        made = played("katze", " ".join(["Katze", "auf"] * 10), language)
        start = made.layout.start.sheet
        (said,) = (str(text) for text in made.cached[start].values() if words in str(text))
        assert "d_model = 4" in said
        assert made.layout.glance is None
        assert made.focus[0] == start


def test_there_is_none_without_a_head_and_none_where_cells_are_asked() -> None:
    assert played("ausgabe").layout.planned is None
    assert lay_out(played().trace, load("de"), ASKED).planned is None


def test_many_heads_show_the_first_and_say_so() -> None:
    trace = compute(models.large(4), controls=True)
    glance = lay_out(trace, load("de")).glance
    assert glance
    assert (len(glance.heads), glance.of_all) == (1, trace.preset.heads * trace.preset.blocks)


def test_no_text_is_cut_by_its_neighbour(name: str, language: str) -> None:
    made, looked_at = played(name, language=language), 0
    widths = made.glance.columns.sizes
    for row in made.pages[made.glance.sheet].iter_rows():
        filled = [cell for cell in row if cell.value is not None]
        ends = [*(cell.column for cell in filled[1:]), len(widths) + 1]
        for cell, end in zip(filled, ends, strict=True):
            if cell.data_type == "s" and not cell.alignment.horizontal:
                room = sum(widths[cell.column - 1 : end - 1])
                assert 0.66 * cell.font.sz * len(cell.value) <= room, cell.value
                looked_at += 1
    assert looked_at >= 8


# Live -----------------------------------------------------------------------------------------


@pytest.mark.ci
def test_focus_head_and_weights_are_live_in_both_programs(office: Office) -> None:
    made = played(language="en")
    sheet, focus, head = made.glance.sheet, made.focus, (made.glance.sheet, made.glance.own_head)
    assert focus[0] == sheet
    cases = [
        ({focus: 6, head: 2}, {}, 6, 2),
        ({head: 1}, {"block1.head1.weight.query[1,1]": 0.3, "switch.mask": 0}, 3, 1),
        ({focus: 99, head: "x"}, {}, 3, 1),
        ({focus: None, head: 2.5}, {"tokens[2]": "mat"}, 3, 1),
    ]
    both = made.by_both([typed | edits for typed, edits, *_ in cases], office)
    for (_, edits, place, number), found in zip(cases, both, strict=True):
        trace = made.after(edits)
        for values in found:
            assert compare(made, values, trace) > 600
            page = values[sheet]
            assert (page["C3"], page[made.glance.head.replace("$", "")]) == (place, number)
            assert page["D3"] == trace.tokens[place - 1]


def test_what_is_refused_is_said() -> None:
    made = played(language="en")
    sheet = made.glance.sheet
    page = made.values({made.focus: 99, (sheet, made.glance.own_head): 7})[sheet]
    said = [str(text) for text in page.values() if "Only whole numbers from 1 to" in str(text)]
    assert any("1 to 6" in text for text in said)
    assert any(text.startswith("Head 1") and "1 to 2" in text for text in said)


def test_other_tabs_and_start_follow_its_focus_token() -> None:
    made = played(language="en")
    values = made.values({made.focus: 5})
    start = made.layout.start
    assert values[start.sheet][start.settings["focus"].own] == 5
    tabs = [values[sheet.tab.title] for sheet, _ in made.tabs]
    assert [page["C3"] for page in tabs if "D3" in page] == [5] * 6


def test_query_key_and_value_have_the_same_colours_on_the_tab_of_the_head() -> None:
    made, colours = played(), set()
    glance, head = made.glance, made.of_kind("head")[0]
    tags = {box.step: place for band in head.bands for box, place in band.tags.items() if box.home}
    for role in ROLES:
        column = glance.panels[role].column
        here = made.pages[glance.sheet].cell(glance.rows["tags"], column).font.color.rgb
        for part in (role, f"weight.{role}"):
            there = made.pages[head.tab.title].cell(*tags[f"{glance.heads[0].prefix}.{part}"])
            assert here == there.font.color.rgb
        colours.add(here)
    assert len(colours) == len(ROLES)


# The map --------------------------------------------------------------------------------------


@pytest.mark.ci
def test_the_map_leads_to_the_tabs_and_lights_the_head_that_is_shown() -> None:
    for name in ("katze", "nihao", "paris", "induction"):
        made = played(name, language="en")
        glance = made.glance
        page = made.pages[glance.sheet]
        links = {cell.hyperlink.location for row in page for cell in row if cell.hyperlink}
        titles = ["Start", *(sheet.tab.title for sheet, _ in made.tabs)]
        assert {place.rpartition("!")[0].strip("'") for place in links} <= set(titles)
        assert len(links) >= len(glance.map)
        column = len(glance.columns.sizes) - 1
        for k, shown in enumerate(glance.heads):
            several = len(glance.heads) > 1
            found = made.values({(glance.sheet, glance.own_head): k + 1} if several else None)
            (lit,) = (
                str(page.cell(cell.row, column + 1).value)
                for cell in page[page.cell(1, column).column_letter]
                if found[glance.sheet].get(cell.coordinate) == "►"
            )
            block, _, head = shown.prefix.partition(".head")
            assert head in lit or "Attention" in lit
            assert block[-1] in lit or made.trace.preset.blocks == 1


def test_what_has_changed_is_tinted_for_the_choices_in_force() -> None:
    """Hidden columns hold the same cells as delivered, of the chosen head and focus token."""
    made = played("katze-trained", language="en")
    sheet, shift = made.glance.sheet, len(made.glance.columns.sizes) + 1

    def apart(edits: dict[str, object], focus: int) -> set[str]:
        values = made.values({**edits, made.focus: focus})[sheet]
        return {
            panel.step
            for panel in made.glance.panels.values()
            for i, j in panel.cells()
            if values[panel.cell(i, j)]
            != values[panel._replace(column=panel.column + shift).cell(i, j)]
        }

    assert apart({}, 3) == apart({}, 6) == set()
    changed = apart({"block1.head1.weight.query[2,1]": 4}, 3)
    assert {"weight.query", "query", "scores", "weights", "output"} <= changed
    assert not changed & {"key", "value", "weight.key"}
    page = made.pages[sheet]
    fills = [rule.dxf.fill for area in page.conditional_formatting for rule in area.rules
             if rule.dxf and rule.dxf.fill]  # fmt: skip
    tints = [fill for fill in fills if fill.bgColor.rgb.endswith(CHANGED)]
    assert len(tints) == 2  # those of the focus token are framed as well


def test_every_tab_names_the_running_experiment() -> None:
    made = played("katze", language="en")
    values = made.values({made.experiment: 2})
    title = made.layout.start.experiments[1].title(load("en"))
    said = f"→ Experiment 2 is running: {title}. 0 on Start brings all back."
    shown = {sheet: said in cells.values() for sheet, cells in values.items()}
    assert all(shown.values()), shown
    assert made.warning(values) == ""
