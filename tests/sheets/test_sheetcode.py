"""Sheet code: the program on the page, run, computes this very head."""

import ast
import html as entities
import re

import numpy as np
import pytest

import generator
from generator.notation.program import NAMES, Program
from generator.sheets.attending import AT
from generator.sheets.options import SheetOptions
from tests.support.covering import each
from tests.support.filled import PRESETS, reason
from tests.support.sheets import Paper, html, traces
from tests.support.words import words

SHEET = "code"
MOST_LINES = 15  # beside the import and what it prints
FITTING = ("katze", "brille", "random", "katze-trained", "nihao", "previous-word", "mental")


def _run(lines: list[str]) -> dict[str, np.ndarray]:
    names: dict[str, np.ndarray] = {}
    exec("\n".join(lines), names)
    return names


def _printed(preset: str, language: str) -> list[str]:
    page = html(*traces(preset, language), SheetOptions(language=language), blank=True, sheet=SHEET)
    return [entities.unescape(line) for line in re.findall(r"<code>(.*?)</code>", page)]


@pytest.mark.parametrize("preset", each(3, FITTING))
def test_the_printed_program_computes_this_head(preset: str) -> None:
    lines = _printed(preset, "de")
    exact = traces(preset, "de")[1]
    names = _run(lines)
    given = exact[exact[f"{AT}.query"].inputs[0]].values
    tolerance = 1e-12 if np.allclose(given, given.round(4), rtol=0, atol=1e-13) else 1e-3
    compared = 0
    for step in exact:
        name = NAMES.get(step.place.kind)
        if step.name.startswith(f"{AT}.") and name in names and step.place.kind != "contribution":
            np.testing.assert_allclose(names[name], step.values, rtol=0, atol=tolerance)
            compared += 1
    assert compared >= 10
    assert len(lines) - 2 <= MOST_LINES


SAYS = {  # what the sheet says that its program computes, and the sheet on which that is asked
    "4a": "den Output {head}, wie auf Blatt 4a",
    "4b": "den Output {head} unter der Maske, wie auf Blatt 4b",
}


@pytest.mark.parametrize("preset", FITTING)
def test_what_it_prints_is_what_the_sheet_says_of_it(preset: str, capsys) -> None:
    """The paper's numbers, under 4b's mask or as on 4a without one; a blank names no row."""
    trace, exact = traces(preset, "de")
    pages = [words(html(trace, exact, SheetOptions(), blank=b, sheet=SHEET)) for b in (True, False)]
    _run(_printed(preset, "de"))
    said = capsys.readouterr().out.strip()
    rows = [re.findall(r"-?\d+\.\d*", line) for line in said.splitlines()]
    paper = trace[f"{AT}.output"].values
    assert np.abs(np.array(rows, dtype=float) - paper).max() < 0.025
    masked = f"{AT}.mask" in trace
    head = "des Heads" if trace.preset.heads == 1 else "von Head 1"
    told = [sheet for sheet, phrase in SAYS.items() if phrase.format(head=head) in pages[0]]
    exactly = bool(np.abs(np.array(rows, dtype=float) - paper).max() < 1e-9)
    assert ("auf Papier kommt hier dasselbe heraus" in pages[0]) is exactly
    assert told == [one for one in ("4b" if masked else "4a",) if not reason(one, preset)]
    assert all(" ".join(said.split()) in page for page in pages)
    named = [f"{line} {trace.tokens[k]}" for k, line in enumerate(said.splitlines())]
    assert " ".join(" ".join(named).split()) in pages[1]
    first = (pages[0].split("print(O.round(2))")[1]).split(" 1 ")[0]
    assert not any(f"] {token}" in first for token in trace.tokens)


@pytest.mark.parametrize("preset", FITTING)
def test_only_the_rows_of_tokens_that_see_a_changed_one_change(preset: str) -> None:
    """What ■ predicts, by the program itself with another row of X."""
    one = Paper(SHEET, *traces(preset, "de"), SheetOptions(level=3))
    lines, telling = list(Program(one.exact, AT).lines()), one.view.telling()
    before = _run(lines)["O"]
    rows = re.findall(r"\[[^][]*\]", lines[1])
    place = int(telling["place"]) - 1
    changed = lines[1].replace(rows[place], rows[place].replace("[", "[9 + ", 1))
    after = _run([lines[0], changed, *lines[2:]])["O"]
    moved = np.flatnonzero(np.abs(after - before).max(axis=1) > 0) + 1
    assert set(moved) <= {int(k) for k in re.findall(r"\d+", telling["seen"])}
    assert f"Klammer Nummer {place + 1}" in one.blank
    assert f"Diese: {telling['seen']}." in one.solution
    assert telling["seen"] not in one.blank.partition("print(O")[2]


def test_formulas_are_matched_by_letters_that_a_blank_does_not_hold() -> None:
    one = Paper(SHEET, *traces("katze", "de"), SheetOptions(level=1))
    gap = re.compile(r'class="gap"><span class="answer">(\w)</span></span>')
    assert gap.findall(one.solution) == ["C", "A", "D", "B"]
    assert not gap.findall(one.blank)
    assert one.blank.count('class="gap"></span>') == 4


@pytest.mark.parametrize(("among", "asked"), [((SHEET,), False), (("4a", "4b", SHEET), True)])
def test_pupils_look_for_their_row_where_they_have_computed_one(among, asked) -> None:
    one = Paper(SHEET, *traces("katze-trained", "de"), SheetOptions(among=among))
    assert ("Welche gedruckte Zeile ist deine?" in one.blank) is asked
    assert ("Wie viele Zeilen hat der ganze Head?" in one.blank) is not asked
    own = (
        f"Zeile {one.trace.exercise + 1}, wenn dein Token „{one.trace.tokens[one.trace.exercise]}“"
    )
    assert (own in one.solution) is asked
    lines = list(Program(one.view.exact, AT).lines())
    divided = next(k for k, line in enumerate(lines, 1) if line.endswith("/ total"))
    assert f"Angenommen, in Zeile {divided} fehlt „/ total“." in one.blank
    summed = next(k for k, line in enumerate(lines, 1) if line.startswith("total = "))
    first = Paper(SHEET, *traces("katze-trained", "de"), SheetOptions(among=among, level=1))
    assert f"Was liefern die Zeilen {summed} und {divided} für" in first.blank


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_tried_of_a_sign_and_run_by_hand_is_what_numpy_gives(language) -> None:
    """Tables stand there as they are printed; np.array(…) around them is all that is left out."""
    page = Paper(SHEET, *traces("katze", language), SheetOptions(level=1, language=language))
    tried = re.findall(r'tried">(.*?)</code> → <code class="of">(.*?)</code>', page.blank)
    assert len(tried) == 6
    for shown, gives in tried:
        made = re.sub(r"(\[\[.*?\]\])", r"np.array(\1)", shown).replace("…", "keepdims=True")
        given = np.array(ast.literal_eval(gives))
        np.testing.assert_array_equal(eval(made, {"np": np}).round(2), given)
    bare = re.sub("<[^>]*>", "", page.solution)
    powers, total, alpha = re.findall(r"(?:powers|total|alpha) = (\[\[[^a-z]*\]\])", bare)
    names = {"np": np, "powers": np.array(ast.literal_eval(powers))}
    lines = list(Program(page.view.exact, AT).lines())
    exec("\n".join(line for line in lines if line.startswith(("total", "alpha"))), names)
    np.testing.assert_array_equal(names["total"], ast.literal_eval(total))
    np.testing.assert_array_equal(names["alpha"], ast.literal_eval(alpha))
    assert 'class="gap run"></span>' in page.blank
    assert "0.25" not in page.blank


def test_its_lines_are_those_that_pupils_would_write() -> None:
    lines = _printed("katze-trained", "de")
    assert lines[-8:] == [
        "S_scaled = S / np.sqrt(2)",
        "i, j = np.indices(S.shape)",
        "S_masked = np.where(j <= i, S_scaled, -np.inf)",
        "powers = np.exp(S_masked)",
        "total = powers.sum(axis=1, keepdims=True)",
        "alpha = powers / total",
        "O = alpha @ V",
        "print(O.round(2))",
    ]


@pytest.mark.parametrize("seed", range(6))
def test_it_computes_any_head(seed: int) -> None:
    preset = generator.load_preset("random")
    trace = generator.compute(
        "eins zwei drei vier",
        preset=preset,
        rounding="exact",
        edits={f"{AT}.weight.query[1,{1 + seed % 2}]": seed / 10},
    )
    names = _run(list(Program(trace, AT).lines()))
    np.testing.assert_allclose(names["O"], trace[f"{AT}.output"].values, rtol=0, atol=1e-12)
    assert np.abs(names["alpha"].sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("preset", each(3, FITTING))
@pytest.mark.parametrize("level", [2, 3])
def test_formulas_to_be_written_are_in_no_blank(preset: str, level: int) -> None:
    """Beside the lines that make scores, shares and output; a solution shows them there."""
    one = Paper(SHEET, *traces(preset, "de"), SheetOptions(level=level))
    rows = [re.findall(r"<tr>.*?</tr>", page, re.S) for page in (one.blank, one.solution)]
    places = ["own" in row and re.findall(r"<code>(.*?)</code>", row)[0] for row in rows[0]]
    made = [line.split(" = ")[0] for line in places if line]
    assert made == ["S", "S_scaled", "alpha", "O"]
    boxes = [[row for row in page if 'class="gap own"' in row] for page in rows]
    assert all('class="gap own"></span>' in row and "<img" not in row for row in boxes[0])
    assert all("<img" in row or "<svg" in row for row in boxes[1])


def test_the_info_leaf_says_that_its_numbers_are_those_of_the_paper() -> None:
    """The program rounds only at the end, so its own powers and sums are others."""
    page = words(Paper(SHEET, *traces("katze-trained", "de"), SheetOptions()).blank)
    assert "mit den Werten vom Papier" in page
    assert "auf Papier, Zeile von „Katze“" in page


def test_both_languages_print_the_same_program() -> None:
    german, english = _printed("mental", "de"), _printed("mental", "en")
    assert german == english
    assert any("2 ** S_scaled" in line for line in german)


@pytest.mark.parametrize("preset", PRESETS)
def test_which_presets_it_takes(preset: str) -> None:
    assert (not reason(SHEET, preset)) == (preset in FITTING or preset == "subject-verb")
