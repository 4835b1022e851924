"""The tab "The whole model": the matrices of the way forward, live, with arrows; one page of A3."""

import math
from pathlib import Path

import pytest

import generator
from generator.engine.trace import Trace
from generator.presets.load import load_preset
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.whole import Whole
from generator.resources import PACKAGE
from tests.support.office import Office
from tests.support.pupil import desk
from tests.support.recalculate import Values
from tests.support.workbook import Book, made_of, played, shipped

EDITS: tuple[dict[str, object], ...] = (
    {"block1.head1.weight.query[2,1]": 0.7, "switch.mask": 0},
    {"tokens[2]": "Matte", "temperature": 0.5, "block1.weight.hidden[1,1]": -1},
)


def whole(one: Book) -> Whole:
    assert one.layout.whole
    return one.layout.whole


def agrees(one: Book, values: Values, trace: Trace) -> int:
    """How many cells are compared with a computation; all of them are right."""
    shown, count = values[whole(one).sheet], 0
    for box in whole(one).boxes:
        for i, j in box.cells():
            value, wanted = shown[box.cell(i, j)], trace[box.step].values[i, j]
            same = value == wanted or (
                not isinstance(value, str) and math.isclose(value, wanted, abs_tol=1e-9)
            )
            assert same, (box.step, i, j, value, wanted)
            count += 1
    return count


@pytest.mark.parametrize("preset", ["katze", "brille", "paris", "ausgabe"])
def test_it_repeats_what_is_computed_elsewhere(preset: str) -> None:
    one = shipped(preset)
    if one.layout.whole is None:
        assert preset == "ausgabe"  # one stage
        return
    assert agrees(one, one.values(), one.trace) > 100
    assert agrees(one, one.cached, one.trace) > 100


def test_it_follows_what_is_typed_in() -> None:
    one = played("katze")
    for edits in EDITS:
        trace = generator.compute(preset="katze", controls=True, edits=edits)
        assert agrees(one, one.values(edits), trace) > 100


@pytest.mark.ci
def test_both_programs_show_the_same(office: Office) -> None:
    one = played("katze")
    for edits, found in zip(EDITS, one.by_both(EDITS, office), strict=True):
        trace = generator.compute(preset="katze", controls=True, edits=edits)
        for values in found:
            assert agrees(one, values, trace) > 100


def test_an_arrow_leads_from_what_is_computed_with() -> None:
    one = played("katze")
    signs = {
        (before.step, box.step): sign
        for line in whole(one).lines
        for (before, _), (box, sign) in zip(line.cards, line.cards[1:], strict=False)
    }
    head = "block1.head1."
    assert signs["position", "input"] == signs[f"{head}weights", f"{head}output"] == "→"
    assert signs["input", f"{head}weight.query"] == "·"
    assert signs["embedding", "position"] == signs[f"{head}value", f"{head}weights"] == ""
    page, (line, *_) = one.pages[whole(one).sheet], whole(one).lines
    for box, sign in line.cards[1:]:
        cells = [page.cell(row, box.column - 1).value for row in range(line.row, 20)]
        assert (sign in cells) or not sign


def test_it_is_one_page_of_a3_and_not_in_an_exercise() -> None:
    one = played("katze")
    setup = one.pages[whole(one).sheet].page_setup
    assert (str(setup.paperSize), setup.orientation) == ("8", "portrait")
    assert one.pages[whole(one).sheet].sheet_view.zoomScale == 100
    assert (setup.fitToWidth, setup.fitToHeight) == (1, 1)
    assert desk("katze").draft.layout.whole is None
    assert (
        played("katze", " ".join(["Katze", "auf"] * 8)).layout.whole is None
    )  # nobody could read it


@pytest.mark.parametrize("words", ["", "abcdefghijklm"])  # more than stand beside each other
def test_above_each_column_stands_what_it_is(words: str, tmp_path: Path) -> None:
    text = (PACKAGE / "presets/random.toml").read_text(encoding="utf-8")
    text = text.replace("d_ff = 6", "d_ff = 13").replace(', en = "The sun shines today"', "")
    known = "".join(f"{word} = [0.1, 0.2, 0.{k}, 0.4]\n" for k, word in enumerate(words))
    wide = tmp_path / "wide.toml"
    wide.write_text(f"{text}\n[vocabulary.words]\n{known}", encoding="utf-8")
    one = made_of(load_preset(wide), "de", " ".join(words[:3]) or None)
    values, turned = one.values()[whole(one).sheet], 0
    for box in whole(one).boxes:
        step = one.trace[box.step]
        names = step.rows if box.turned else step.columns
        for k in range(box.width if len(names) > 1 else 0):
            head = values[at(box.row - 1, box.column + k)]
            assert str(head).removeprefix(f"{k + 1} ") == names[k], (step.name, head)
        for k in range(box.height if box.turned else 0):
            assert values[at(box.row + k, box.column - 1)] == words[k]
        turned += box.turned
    assert turned == (2 if words else 0)
