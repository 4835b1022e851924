"""The exercise workbook's plan: what is asked at each level, and what never is."""

from collections import Counter
from dataclasses import replace

import pytest

from generator.engine.model import compute
from generator.engine.ops.copying import Copy
from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.plans.workbook import MOST, plan
from generator.presets.load import load_preset
from generator.render.workbook.layout.tabs import tabs
from tests.support.pairs import pairs

SHIPPED = ("katze", "brille", "paris", "ausgabe", "random")
LEVELS = (1, 2, 3)
NEVER = ("switch", "mask", "onehot", "count", "concat", "last", "masked")


def traces() -> list[Trace]:
    shipped = [compute(load_preset(name), controls=True) for name in SHIPPED]
    shipped.append(compute(load_preset("katze"), controls=True, rounds=2))
    drawn = [compute(p.preset, p.sentence, rounding=p.rounding, controls=True) for p in pairs(20)]
    return shipped + drawn


def test_every_tab_asks_for_what_its_level_allows() -> None:
    for trace in traces():
        for level in LEVELS:
            asked = plan(trace, level).asked
            assert asked, trace.preset.name
            for tab in tabs(trace, load("de")):
                mine = {step.name for step in tab.steps}
                assert sum(name in mine for name, _, _ in asked) <= MOST[level], tab.title


def test_shipped_presets_ask_on_every_tab_with_something_to_compute() -> None:
    for name in SHIPPED:
        trace = compute(load_preset(name), controls=True)
        for level in LEVELS:
            steps = {cell[0] for cell in plan(trace, level).asked}
            for tab in tabs(trace, load("en")):
                if tab.kind != "count" and any(s.kind == "computed" for s in tab.steps):
                    assert steps & {step.name for step in tab.steps}, (name, level, tab.title)


def test_only_computed_visible_cells_of_the_first_round_are_asked() -> None:
    for trace in traces():
        for name, i, j in plan(trace, 3).asked:
            step = trace[name]
            assert step.kind == "computed"
            assert not isinstance(step.op, Copy)
            assert not name.startswith("round")
            assert place_of(name).kind.split(".")[0] not in NEVER
            assert 0 <= i < step.shape[0]
            assert 0 <= j < step.shape[1]
            head = name.rpartition(".")[0]
            if name.endswith((".scores", ".exp", ".weights")) and f"{head}.mask" in trace:
                assert trace[f"{head}.mask"].values[i, j] == 0.0


def test_levels_ask_for_more() -> None:
    for name in SHIPPED:
        trace = compute(load_preset(name), controls=True)
        numbers = [len(plan(trace, level).asked) for level in LEVELS]
        assert numbers == sorted(set(numbers)), (name, numbers)


def test_level_one_of_katze() -> None:
    trace = compute(load_preset("katze"), controls=True)
    wanted = plan(trace, 1)
    counts = Counter(name.removeprefix("block1.head1.") for name, _, _ in wanted.asked)
    assert wanted.own == trace.exercise == 2
    assert [counts[n] for n in ("scores", "exp", "sum", "weights", "output")] == [3, 3, 1, 3, 2]
    assert counts["query"] == counts["scaled"] == counts["key"] == 0
    assert counts["sampling.next"] == counts["output.sum"] == 1


def test_every_block_is_asked_and_the_own_row_only() -> None:
    preset = next(
        p.preset for p in pairs(40) if p.preset.blocks > 1 and "attention" in p.preset.parts
    )
    trace = compute(preset, controls=True)
    wanted = plan(trace, 2)
    blocks = {place_of(name).block for name, _, _ in wanted.asked} - {None}
    assert blocks == set(range(1, preset.blocks + 1))
    assert {i for n, i, _ in wanted.asked if n.startswith("block")} == {wanted.own}


def test_numbers_and_switches_play_no_part() -> None:
    preset = load_preset("katze")
    trace = compute(preset, controls=True)
    for edits in ({"switch.mask": 0}, {"temperature": 0.5}, {"block1.head1.weight.query[1,1]": 3}):
        for level in LEVELS:
            assert plan(compute(preset, edits=edits, controls=True), level) == plan(trace, level)


def test_a_single_token_is_its_own_row() -> None:
    trace = compute(load_preset("katze"), "Katze", controls=True)
    assert plan(trace, 1).own == 0
    strict = replace(load_preset("katze"), mask="strict")
    assert plan(compute(strict, "Katze", controls=True), 1).asked


@pytest.mark.parametrize("tokens", [12, 30])
def test_long_sentences_keep_the_limit(tokens: int) -> None:
    sentence = " ".join(["Katze", "auf"] * (tokens // 2))
    trace = compute(load_preset("katze"), sentence, controls=True, exercise=tokens - 2)
    for level in LEVELS:
        counts = Counter(place_of(name)[1:3] for name, _, _ in plan(trace, level).asked)
        assert counts[1, 1] <= MOST[level]
        assert counts[1, 1] > MOST[level] / 2
