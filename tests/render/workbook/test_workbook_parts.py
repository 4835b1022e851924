"""Rounds and cuts of a workbook: tabs of their own, live inside, the same numbers as the whole."""

import pytest

from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.behaviour import to_see
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.workbook.layout.tabs import tabs
from generator.render.workbook.sheet_tabs import cut
from generator.sheets.series import SERIES
from tests.support.recalculate import cached_values, edit_cells, ironcalc_values, strip_caches
from tests.support.workbook import book, compare, played


def test_later_rounds_have_tabs_of_their_own() -> None:
    one = played("katze", "Die Katze sitzt", rounds=2)
    found = tabs(one.trace, load("de"))
    assert [t.title for t in found if t.round == 2][:3] == ["R2 Tokens", "R2 Eingabe", "R2 Head 1"]
    assert found[-1].kind == "count"
    values = cached_values(one.xlsx)["R2 Head 1"]
    word = one.trace["sampling.next"].values[0, 0]
    assert f"4 {word}" in values.values()
    assert compare(one, ironcalc_values(strip_caches(one.xlsx)))


@pytest.mark.parametrize(("sheet", "titles"), [
    ("1", ["Tokens"]), ("2", ["Tokens"]), ("3", ["Eingabe"]), ("4a", ["Head 1"]),
    ("4b", ["Head 1", "Head 2", "Attention"]), ("5", ["Attention", "Feed-Forward"]),
    ("6", ["Ausgabe"]),
])  # fmt: skip
def test_a_cut_has_only_the_tabs_of_its_sheets(sheet: str, titles: list[str]) -> None:
    whole = played().trace
    for rounding in ("paper", "exact"):
        whole = compute(whole.preset, rounding=rounding, controls=True)
        part = cut(whole, (sheet,))
        for step in part:
            assert (step.values == whole[step.name].values).all()
            assert step.decimals == whole[step.name].decimals
        one = book(part, "de")
        assert [s.tab.title for s in one.layout.sheets] == titles
        assert compare(one, ironcalc_values(strip_caches(one.xlsx)))


@pytest.mark.parametrize("preset", ["previous-word", "same-word", "subject-verb", "mental"])
def test_what_a_preset_shows_is_known_of_a_cut(preset: str) -> None:
    whole = compute(load_preset(preset), controls=True)
    assert to_see(whole)
    assert to_see(cut(whole, ("4a",)))


def test_switches_inside_a_cut_stay_live() -> None:
    whole = played().trace
    one = book(cut(whole, ("4a",)), "de")
    edits = {"switch.mask": 0, "input[2,1]": 0.3}
    values = ironcalc_values(edit_cells(one.xlsx, one.typed(edits)))
    changed = compute(whole.preset, edits={"switch.mask": 0}, controls=True)
    box = one.layout.home("block1.head1.mask")
    assert values[box.sheet][box.cell(0, 5)] == changed["block1.head1.mask"].values[0, 5] == 0
    assert one.trace["input"].kind == one.trace["tokens"].kind == "given"


def test_cuts_join_and_keep_all_that_is_computed_inside() -> None:
    whole = played().trace
    part = cut(whole, ("5", "6"))
    assert part["last"].kind == "computed"
    assert part["input"].kind == "given"
    assert cut(whole, ("6",))["last"].kind == "given"
    everything = cut(whole, tuple(sheet for sheet in SERIES if SERIES[sheet].kind.steps))
    kinds = {step.name: step.kind for step in everything}
    assert kinds == {s.name: s.kind for s in whole if not s.name.startswith("count.")}


def test_unknown_and_missing_sheets() -> None:
    with pytest.raises(UserError, match=r"no sheet '4c'; choose from: 1, bpe, 2, 3"):
        cut(played().trace, ("4c",))
    paris: Trace = compute(load_preset("paris"), controls=True)
    with pytest.raises(UserError, match=r"'paris' computes nothing of sheet 6.*such as 'katze'"):
        cut(paris, ("4a", "6"))
