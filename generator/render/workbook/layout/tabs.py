"""Which step stands on which tab: the stages in teaching order, round after round."""

from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.controls import is_control
from generator.steps.home import Home, home_of


class Tab(NamedTuple):
    """One tab: its kind, its title (never a user's text), its steps in order, its round."""

    kind: str
    title: str
    steps: tuple[Step, ...]
    round: int = 1

    @property
    def prefix(self) -> str:
        """What the names of the round's own steps begin with: "round2.", nothing in the first."""
        return round_prefix(self.round)


def tabs(trace: Trace, catalogue: Catalogue) -> tuple[Tab, ...]:
    """All tabs but the first one, in order; every step that is no control is on exactly one."""
    steps_at: dict[Home, list[Step]] = {}
    for step in trace:
        if not is_control(step.name):
            steps_at.setdefault(home_of(step.place, trace.preset.norm == "pre"), []).append(step)
    steps_at = _with_readers(steps_at)
    many = trace.preset.blocks > 1
    return tuple(
        Tab(place.kind, _title(catalogue, place, many), tuple(steps_at[place]), place.round)
        for place in sorted(steps_at, key=_order)
    )


def _with_readers(steps_at: dict[Home, list[Step]]) -> dict[Home, list[Step]]:
    """Where a tab would hold nothing but given cells, they stand where they are first read."""
    working = [place for place in sorted(steps_at, key=_order) if _computes(steps_at[place])]
    hosts = [place for place in working if place.kind != "bpe"]  # a corpus of its own
    settled: dict[Home, list[Step]] = {place: [] for place in working}
    for place in sorted(steps_at, key=_order):
        names = {step.name for step in steps_at[place]}
        readers = [
            other for other in hosts if any(names & {*step.inputs} for step in steps_at[other])
        ]
        target = place if place in working or not hosts else (readers or hosts)[0]
        settled.setdefault(target, []).extend(steps_at[place])
    return settled


def _computes(steps: list[Step]) -> bool:
    return any(step.kind == "computed" for step in steps)


def round_prefix(number: int) -> str:
    """What the names of a round's steps begin with."""
    return f"round{number}." if number > 1 else ""


STAGES = ("tokens", "bpe", "input", "block", "final", "output", "count")
PARTS = ("norm", "head", "attention", "feedforward")


def _order(place: Home) -> tuple[int, ...]:
    """The rounds one after the other, the count of the parameters last."""
    kind, block, head, number = place
    late = int(kind == "count")
    if kind in PARTS:
        return late, number, STAGES.index("block"), block, PARTS.index(kind), head
    return late, number, STAGES.index(kind), block, 0, head


def _title(catalogue: Catalogue, place: Home, many: bool) -> str:
    name = catalogue.t(f"workbook.tab.{place.kind}", head=place.head)
    if many and place.block:
        name = catalogue.t("workbook.tab.block", block=place.block, name=name)
    if place.round > 1:
        name = catalogue.t("workbook.tab.round", round=place.round, name=name)
    return name
