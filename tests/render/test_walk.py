"""The walk: every step, every number, both languages, any terminal, any word."""

import dataclasses
import io
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

import generator
from generator.engine.fitness import unmasked
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.locales.locale import locale_of
from generator.notation.shown import grouped, number, shown_decimals
from generator.presets.load import load_preset
from generator.render.walk import keyboard, pages, show, terminal
from generator.render.walk.page import MASK
from generator.render.walk.show import bar, wrapped
from tests.support.terminal import until

PRESETS = ["katze", "brille", "ausgabe", "paris", "random"]
AWKWARD = f"Die {'Donau' * 12} [red]x[/red] 日本語 שלום 👩‍👩‍👧 {{7*7}} =1+1 Katze"
SCRIPT = """
import sys, generator
from generator.render.walk import keyboard, pages, show, terminal
from generator.locales.catalogue import load
from generator.locales.locale import locale_of
trace = generator.compute(preset="paris")
show(pages(trace, load("de")), load("de"), terminal(), keyboard(sys.stdin))
"""


def walked(trace, language, steps="*", width=100):
    stream = io.StringIO()
    catalogue, console = load(language), Console(file=stream, width=width)
    show(pages(trace, catalogue, steps), catalogue, console, None)
    return stream.getvalue()


@pytest.fixture(scope="module", params=[(p, x) for p in PRESETS for x in ("de", "en")], ids=str)
def told(request):
    preset, language = request.param
    trace = generator.compute(preset=preset, language=language)
    return trace, language, pages(trace, load(language))


def test_every_step_has_a_page_in_an_order_of_computation(told):
    trace, _, found = told
    names = list(dict.fromkeys(name for page in found for name in page.steps))
    assert sorted(names) == sorted(trace.steps)
    for place, name in enumerate(names):
        assert set(trace[name].inputs) <= set(names[:place])


@pytest.mark.parametrize("preset", PRESETS)
def test_switches_and_settings_have_pages_where_an_edit_brings_them(preset):
    trace = generator.compute(preset=preset, language="en", controls=True)
    found = pages(trace, load("en"))
    assert {name for page in found for name in page.steps} == set(trace.steps)
    assert "sampling.digits" not in trace or "00–" in walked(trace, "en", "sampling.digits")


def test_every_number_is_the_traces_at_its_decimals(told):
    trace, language, found = told
    mark, count = {"de": ",", "en": "."}[language], 0
    for page in found:
        step = trace[page.steps[0]]
        if len(page.steps) > 1 or step.text or "slide" in page.title or "Folie" in page.title:
            continue
        for cell, value in zip(np.ravel(page.tables[0].cells), np.ravel(step.values), strict=True):
            if np.isinf(value) or cell == MASK:
                assert cell in (MASK, "−∞")
                assert value in (0, -np.inf)  # a power, share or product of 0
                continue
            ungrouped = cell.replace(locale_of(language).numbers.group, "")
            shown = float(ungrouped.replace("−", "-").replace(mark, "."))
            decimals = len(cell.partition(mark)[2])
            assert step.decimals in (None, decimals) or (
                decimals < step.decimals and trace.rounding == "exact" and shown == value
            )
            assert abs(shown - value) <= 0.5 * 10.0**-decimals + 1e-12
            count += 1
    assert count > 50


def test_decimal_marks(told):
    trace, language, _ = told
    text = walked(trace, language)
    counts = {v for s in trace if s.name.startswith("count.") for v in s.values[0] if v >= 10_000}
    for count in sorted(counts, reverse=True):
        text = text.replace(grouped(count, language), "")
    assert not re.search({"de": r"\d\.\d", "en": r"\d,\d(?!\d\d)"}[language], text)
    assert not re.search(r"−0[.,]?0*(?![\d.,])", text)
    assert "nan" not in text.split()


def test_an_english_walk_has_no_german_word():
    text = walked(generator.compute(preset="katze", language="en"), "en")
    assert not re.search("[äöüßÄÖÜ„]|Schritt|Zeile|Spalte|verdeckt|Katze", text)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_terminal(width):
    trace = generator.compute(AWKWARD, preset="katze")
    lines = walked(trace, "de", width=width).splitlines()
    assert len(lines) > 1000
    assert max(cell_len(line) for line in lines) <= width


def test_long_wide_and_marked_up_words_do_not_break_a_table():
    trace = generator.compute(AWKWARD, preset="katze")
    text = walked(trace, "de", "block1.head1.query")
    rows = [line for line in text.splitlines() if re.search(r"\d,\d +−?\d,\d$", line)]
    assert len(rows) == len(trace.tokens)
    assert len({cell_len(line) for line in rows}) == 1
    assert "日本語" in text
    assert "שלום" in text
    assert "[" in walked(trace, "de", "tokens")


def test_the_slides_steps_come_in_its_order():
    trace = generator.compute(preset="paris")
    chapters = list(dict.fromkeys(page.chapter for page in pages(trace, load("de"))))
    wanted = ["Eingabe", "Gewichtsmatrizen", "Query", "Keys", "Scores", "Softmax", "Values"]
    for place, (chapter, word) in enumerate(zip(chapters, [*wanted, "Output"], strict=False), 1):
        assert chapter.startswith(f"Schritt {place}: {word}")


def test_the_slides_contributions_ranking_and_comparison():
    text = walked(generator.compute(preset="paris"), "de")
    assert "  0,334 · (0,0 | 0,5 | 1,5 | 0,5) = (0,000 | 0,167 | 0,501 | 0,167)" in text
    assert "Output = (0,304 | 0,529 | 0,603 | 0,399)" in text
    ranking = text.partition("Sortiert nach Anteil")[2].splitlines()[3:7]
    assert [line.split() for line in ranking] == [
        ["Hauptstadt", "0,334", "1,25", "3,490"],
        ["ist", "0,260", "1,00", "2,718"],
        ["Paris", "0,203", "0,75", "2,117"],
        ["die", "0,203", "0,75", "2,117"],
    ]
    compared = text.partition("Vergleich mit der Folie")[2]
    assert re.search("Vorlage +0,304 +0,529 +0,603 +0,339", compared)
    assert re.search("Abweichung +0,000090 +−0,000210 +−0,000277 +0,059637", compared)
    assert "0,399" in compared.partition("Abweichung")[2].partition("Schritt")[0]


def test_bars_are_as_long_as_the_shares():
    assert (bar(0), bar(1), bar(0.5), bar(1 / 320)) == ("", "█" * 40, "█" * 20, "▏")
    trace = generator.compute(preset="katze", language="de")
    for page in pages(trace, load("de"), "*.weights"):
        (chart,) = page.charts
        assert list(chart.shares) == sorted(chart.shares, reverse=True)


def test_lines_are_broken_at_spaces_and_long_words_anywhere():
    assert wrapped("ab cd ef", 5) == ["ab cd", "ef"]
    assert wrapped("abcdefgh ij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("a b c", 3, hanging=1) == ["a b", " c"]


def test_the_pattern_chooses_steps_and_an_unknown_one_is_an_error():
    trace = generator.compute(preset="katze")
    found = pages(trace, load("de"), "block1.head2.*")
    places = {page.steps[0].rpartition(".")[0] for page in found}
    assert places <= {"block1.head2", "block1.head2.weight"}
    with pytest.raises(UserError, match=r"block1\.head1\.scores"):
        pages(trace, load("de"), "block1.head1.score")


def test_keys_go_on_back_and_end():
    trace = generator.compute(preset="paris")
    keys = iter(["\n", " ", "b", "x", "q"])
    stream = io.StringIO()
    found = pages(trace, load("de"))
    show(found, load("de"), Console(file=stream, width=100), lambda: next(keys))
    places = [int(n) for n in re.findall(r"(\d+) von \d+", stream.getvalue())]
    assert places == [1, 2, 3, 2, 2]


def test_of_a_sheets_further_heads_only_what_differs():
    trace = generator.compute(preset="katze", language="en")
    found = pages(trace, load("en"), sheets=("4b",))
    again = [page for page in found if page.place == "Head 2 (calculates as head 1 does)"]
    assert [page.steps[0].partition("head2.")[2] for page in again] == ["weights", "output"]
    assert "block1.concat" in {page.steps[0] for page in found}


def test_large_numbers_stand_in_groups_and_bars_are_none_of_zeros():
    trace = generator.compute(preset="katze-trained", language="en")
    (powers,) = pages(trace, load("en"), "output.exp")
    assert "1,178,791.124" in powers.tables[0].cells[0]
    (shares,) = pages(trace, load("en"), "output.probabilities")
    assert [len(chart.labels) for chart in shares.charts] == [2, 5, 8]
    assert shares.example == "Example: T = 1 · word “.”"
    assert all(float(one) for chart in shares.charts for one in chart.shown)


def test_a_pipe_gets_a_hundred_columns_and_no_keys():
    assert keyboard(io.StringIO()) is None
    assert terminal(io.StringIO()).width == 100


def piped(encoding):
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-c", SCRIPT]
    shown = subprocess.check_output(command, stdin=subprocess.DEVNULL, env=environment, timeout=60)
    return shown.decode(encoding)


def test_a_pipe_has_no_colours_and_without_unicode_other_signs_which_is_told():
    assert "\x1b" not in piped("utf-8")
    text = piped("ascii")
    assert text.startswith("This terminal's encoding (ascii) lacks some signs")
    assert "sqrt" in text
    assert "####" in text


@pytest.mark.parametrize("no_colour", [False, True])
def test_a_real_terminal(no_colour):
    import pty

    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    if no_colour:
        environment["NO_COLOR"] = "1"
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdin=inner, stdout=inner, stderr=inner, env=environment
    )
    os.close(inner)
    try:
        shown = [until(outer, b"q: Ende")]
        for key in (b" ", b"\r", b"b"):
            os.write(outer, key)
            shown.append(until(outer, b"q: Ende"))
        os.write(outer, b"q")
        assert process.wait(timeout=30) == 0
    finally:
        os.close(outer)
        process.kill()
        process.wait()
    text = [re.sub(rb"\x1b\[[\d;?]*[A-Za-z]", b"", screen).decode() for screen in shown]
    assert [re.search(r"(\d+) von", screen)[1] for screen in text] == ["1", "2", "3", "2"]
    coloured = any(re.search(rb"\x1b\[[\d;]*3[1-7]", screen) for screen in shown)
    assert coloured is not no_colour


def test_a_comparison_that_does_not_fit_is_said():
    paris = generator.load_preset("paris")
    assert paris.compare is not None
    short = dataclasses.replace(paris.compare, values=(0.3, 0.5))
    trace = generator.compute(preset=dataclasses.replace(paris, compare=short))
    with pytest.raises(UserError, match="row 5 with 2 values, expected a row from 1 to 5 and 4"):
        pages(trace, load("de"))


def test_only_a_model_with_a_mask_speaks_of_masked_cells(preset, masks):
    trace = generator.compute(preset=preset, language="en")
    assert ("masked cell becomes 0" in walked(trace, "en", "*.exp")) == masks


def test_the_vocabulary_is_numbered_as_its_ids_are():
    trace = generator.compute("Die Katze", preset="katze-trained")
    lines = [line.split() for line in walked(trace, "de", "vocabulary.words").splitlines()]
    assert ["0", "Die"] in lines
    assert ["9", "Matte"] in lines


def test_what_an_example_takes_is_marked_in_the_tables_it_starts_from():
    trace = generator.compute(preset="katze", language="de")
    (page,) = pages(trace, load("de"), "block1.head1.scores")
    query, key = page.inputs
    assert (query.title, key.title, page.letter) == ("Q", "K", "S")
    taken = [[one.cells[i][j] for i, j in sorted(one.read)] for one in (query, key)]
    numbers = [[float(cell.replace(",", ".").replace("−", "-")) for cell in one] for one in taken]
    assert {i for i, _ in query.read} == {page.tables[0].focus}
    assert np.dot(*numbers) == pytest.approx(trace["block1.head1.scores"].values[1, 0], abs=0.005)


def test_a_divisor_is_shown_with_what_is_put_in(told):
    trace, _, found = told
    for page in found:
        if page.steps == ("position.divisor",):
            last = trace[page.steps[0]].shape[1] - 1
            assert re.search(
                rf"\^\(2 [·×] {last} [:÷] {trace.preset.d_model}\) = ", page.worked[-1]
            )


def test_an_activation_is_shown_where_it_changes_something():
    trace = generator.compute(preset="katze", language="en")
    (page,) = pages(trace, load("en"), "block1.activation")
    assert page.worked[-1].startswith("max(−")


def test_a_letter_is_named_where_it_is_put_in():
    trace = generator.compute(preset="katze", language="en")
    (page,) = pages(trace, load("en"), "block1.residual1")
    assert [(one.title, one.name) for one in page.inputs] == [
        ("X", "Input X"), ("MH", "Output of attention")
    ]  # fmt: skip


def test_a_sheets_chapters_have_no_numbers_as_steps_are_counted():
    trace = generator.compute(preset="katze", language="en")
    assert pages(trace, load("en"))[-1].chapter.startswith("Step 15: ")
    assert pages(trace, load("en"), sheets=("6",))[0].chapter == "Logits"


def large_scores():
    """A model that subtracts each row's maximum, as what is seen alone would round to 0."""
    preset, query = load_preset("random"), "block1.head1.weight.query"
    larger = {**preset.weights, query: 20 * preset.weights[query]}
    return dataclasses.replace(preset, weights=larger)


@pytest.mark.parametrize("preset", ["katze", "paris", "random, large scores"])
def test_the_walk_of_4a_has_the_sheets_numbers_for_its_mask_comes_with_4b(preset):
    model = large_scores() if preset.endswith("scores") else preset
    trace = generator.compute(preset=model, language="de")
    found = {page.steps[0]: page.tables[0] for page in pages(trace, load("de"), sheets=("4a",))}
    for step in unmasked(trace, "block1.head1"):
        table = found[step.name.removeprefix("unmasked.")]
        decimals = shown_decimals(step)
        wanted = [tuple(number(x, decimals, "de") for x in row) for row in step.values]
        assert list(table.cells) == wanted
    assert MASK in walked(trace, "de", "*.weights")


def test_of_a_sheet_only_its_steps():
    trace = generator.compute(preset="katze", language="de")
    names = {name for page in pages(trace, load("de"), sheets=("4a",)) for name in page.steps}
    assert {"block1.head1.query", "block1.head1.output", "scale"} < names
    first = pages(trace, load("de"), sheets=("4a",))[0]
    assert first.steps == ("input",)
    assert first.sentence.startswith(f"Satz: „{trace.sentence}“.")
    assert "input" not in {
        one for page in pages(trace, load("de"), sheets=("6",)) for one in page.steps
    }
    names.remove("input")
    assert all(one == "scale" or one.startswith("block1.head1.") for one in names)
    told = {name for page in pages(trace, load("de"), sheets=("slide",)) for name in page.steps}
    assert told - names == {"input", "block1.head1.mask", "block1.head1.masked"}
    with pytest.raises(UserError, match="no steps of sheet formulas alone; it has those of: 1, 2"):
        pages(trace, load("de"), sheets=("formulas",))
    paris = generator.compute(preset="paris")
    with pytest.raises(UserError, match="computes nothing of sheet 6"):
        pages(paris, load("de"), sheets=("6",))
