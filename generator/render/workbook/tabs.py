"""Which step stands on which tab: the stages in teaching order."""

from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.text.catalogue import Catalogue, step_place


class Tab(NamedTuple):
    """One tab: its kind, its title (never a user's text) and its steps in order."""

    kind: str
    title: str
    steps: tuple[Step, ...]


def tabs(trace: Trace, catalogue: Catalogue) -> tuple[Tab, ...]:
    """All tabs but the first one, in order; every step of the trace is on exactly one."""
    found: dict[tuple[str, int, int], list[Step]] = {}
    for step in trace:
        found.setdefault(_key(step.name, trace.preset.norm == "pre"), []).append(step)
    many = trace.preset.blocks > 1
    ordered = sorted(found.items(), key=lambda item: _order(trace, *item[0]))
    return tuple(Tab(key[0], _title(catalogue, *key, many), tuple(steps)) for key, steps in ordered)


STAGES = ("tokens", "input", "block", "final", "output", "count")
PARTS = ("norm", "head", "attention", "feedforward")

_TOKENS = {"tokens", "vocabulary.words", "vocabulary.embedding", "onehot", "ids", "embedding"}
_FIRST_NORM = {"mean1", "variance1", "deviation1", "normalised1", "gain1", "beta1", "norm1"}
_SECOND = ("hidden", "activation", "feedforward", "residual2")


def _key(name: str, norm_first: bool) -> tuple[str, int, int]:
    block, head, rest = step_place(name)
    if head is not None:
        return "head", block or 0, head
    if block is not None:
        return _part(rest, norm_first), block, 0
    if rest in _TOKENS or rest == "similarity":
        return "tokens", 0, 0
    if rest == "scale":
        return "head", 1, 1
    stage = rest.partition(".")[0]
    if stage in ("position", "input"):
        return "input", 0, 0
    return (stage if stage in ("final", "count") else "output"), 0, 0


def _part(rest: str, norm_first: bool) -> str:
    if norm_first and rest in _FIRST_NORM:
        return "norm"
    second = rest.endswith("2") or rest.rpartition(".")[2] in _SECOND
    return "feedforward" if second else "attention"


def _order(trace: Trace, kind: str, block: int, head: int) -> tuple[int, ...]:
    if kind in PARTS:
        return STAGES.index("block"), block, PARTS.index(kind), head
    return STAGES.index(kind), block, 0, head


def _title(catalogue: Catalogue, kind: str, block: int, head: int, many: bool) -> str:
    key = f"workbook.tab.{kind}"
    name = catalogue.t(key, head=head)
    return catalogue.t("workbook.tab.block", block=block, name=name) if many and block else name
