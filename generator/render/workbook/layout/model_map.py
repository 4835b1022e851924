"""The map of the whole model: its stages from token to next token, and the tab of each."""

from collections.abc import Iterator
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.tabs import Tab

MOST_HEADS = 4  # of one block, each with a line of its own
MOST_STAGES = 20


class Stage(NamedTuple):
    """A stage: what it is called, the step it leads to, and the block and head it stands for.

    A head of 0 means all heads of the block; a block of 0 no attention at all.
    """

    title: str
    step: str
    block: int = 0
    head: int = 0


def stages(trace: Trace, tabs: tuple[Tab, ...], catalogue: Catalogue) -> tuple[Stage, ...]:
    """The stages of the first round that this workbook has, from top to bottom."""
    known = {step.name for tab in tabs if tab.round == 1 for step in tab.steps}
    blocks = trace.preset.blocks
    for heads in (MOST_HEADS, 0):
        for brief in (False, True):
            shown_stages = tuple(_stages(trace, catalogue, heads, brief or blocks > 2))
            shown_stages = tuple(stage for stage in shown_stages if stage.step in known)
            if len(shown_stages) <= MOST_STAGES:
                return shown_stages
    return shown_stages


def _stages(trace: Trace, catalogue: Catalogue, most: int, brief: bool) -> Iterator[Stage]:
    def named(key: str, **names: int) -> str:
        return catalogue.t(f"workbook.glance.map.{key}", **names)

    for step in ("tokens", "embedding", "position"):
        yield Stage(named(step), step)
    for block in range(1, trace.preset.blocks + 1):
        yield from _block(trace, catalogue, block, most, brief)
    yield Stage(named("norm"), "final.mean")
    yield Stage(named("norm"), "final.square")
    yield Stage(named("output"), "output.logits")
    yield Stage(named("next"), "sampling.next")


def _block(
    trace: Trace, catalogue: Catalogue, block: int, most: int, brief: bool
) -> Iterator[Stage]:
    """The stages of one block; `brief` shows its attention and its network in a line each."""
    preset = trace.preset
    one = preset.blocks == 1

    def named(key: str, **names: int) -> str:
        text = catalogue.t(f"workbook.glance.map.{key}", **names)
        return text if one else catalogue.t("workbook.tab.block", block=block, name=text)

    pre = preset.norm == "pre" and not brief
    if pre:
        yield from _first(trace, named("norm"), block, "mean1", "square1")
    if preset.heads > most or brief:
        yield Stage(named("attention"), f"block{block}.head1.query", block)
    else:
        for head in range(1, preset.heads + 1):
            name = named("head" if one else "head.short", head=head)
            yield Stage(name, f"block{block}.head{head}.query", block, head)
    if not brief and preset.heads > 1:
        yield Stage(named("concat"), f"block{block}.concat")
    if not brief:
        key = "add.norm" if preset.norm == "post" else "add"
        yield Stage(named(key), f"block{block}.residual1")
    if pre:
        yield from _first(trace, named("norm"), block, "mean2", "square2")
    yield Stage(named("feedforward"), f"block{block}.hidden")
    if not brief:
        key = "add.norm" if preset.norm == "post" else "add"
        yield Stage(named(key), f"block{block}.residual2")


def _first(trace: Trace, title: str, block: int, *names: str) -> Iterator[Stage]:
    """A stage that leads to the first of the steps that there is."""
    known = [f"block{block}.{name}" for name in names if f"block{block}.{name}" in trace]
    yield from (Stage(title, name) for name in known[:1])
