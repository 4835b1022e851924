"""The exercise workbook's plan: what is asked at each level, and what never is."""

from collections import Counter
from dataclasses import replace

import pytest

from generator.engine.model import compute
from generator.engine.ops.copying import Copy
from generator.engine.place import place_of
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.plans.workbook import MOST, plan
from generator.presets.load import load_preset
from generator.render.workbook.layout.tabs import tabs
from tests.support.pairs import pairs

SHIPPED = ("katze", "brille", "paris", "ausgabe", "random")
LEVELS = (1, 2, 3)
NEVER = ("switch", "mask", "onehot", "count", "concat", "last", "masked")


def played(preset: str | Preset, sentence: str | None = None, **options: object) -> Trace:
    chosen = load_preset(preset) if isinstance(preset, str) else preset
    return compute(chosen, sentence, controls=True, **options)


def traces() -> list[Trace]:
    long = [played("katze", " ".join(["Katze", "auf"] * n), exercise=2 * n - 2) for n in (6, 15)]
    shipped = [played(name) for name in SHIPPED]
    drawn = [played(p.preset, p.sentence, rounding=p.rounding) for p in pairs(20)]
    return [*shipped, played("katze", rounds=2), *drawn, *long]


def test_every_tab_asks_for_what_its_level_allows() -> None:
    for trace in traces():
        for level in LEVELS:
            asked = plan(trace, level).asked
            assert asked, trace.preset.name
            counts = [sum(name in {step.name for step in tab.steps} for name, _, _ in asked)
                      for tab in tabs(trace, load("de"))]  # fmt: skip
            assert max(counts) <= MOST[level]
            assert len(trace.tokens) < 12 or max(counts) > MOST[level] / 2


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_presets_ask_on_every_tab_with_something_to_compute(name: str) -> None:
    trace = played(name)
    plans = [plan(trace, level).asked for level in LEVELS]
    assert [len(asked) for asked in plans] == sorted({len(asked) for asked in plans})
    for asked in plans:
        for tab in tabs(trace, load("en")):
            if tab.kind != "count" and any(s.kind == "computed" for s in tab.steps):
                assert {step for step, _, _ in asked} & {step.name for step in tab.steps}, tab.title


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


def test_level_one_of_katze() -> None:
    trace = played("katze")
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
    wanted = plan(played(preset), 2)
    blocks = {place_of(name).block for name, _, _ in wanted.asked} - {None}
    assert blocks == set(range(1, preset.blocks + 1))
    assert {i for n, i, _ in wanted.asked if n.startswith("block")} == {wanted.own}


def test_numbers_and_switches_play_no_part() -> None:
    for edits in ({"switch.mask": 0}, {"temperature": 0.5}, {"block1.head1.weight.query[1,1]": 3}):
        for level in LEVELS:
            assert plan(played("katze", edits=edits), level) == plan(played("katze"), level)


def test_a_single_token_is_its_own_row() -> None:
    assert plan(played("katze", "Katze"), 1).own == 0
    assert plan(played(replace(load_preset("katze"), mask="strict"), "Katze"), 1).asked
