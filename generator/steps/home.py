"""On which tab of a workbook a step is at home, and so what is asked together with it."""

from typing import NamedTuple

from generator.engine.place import Place
from generator.steps import named


class Home(NamedTuple):
    """The key of a tab: steps with equal homes stand on the same one."""

    kind: str
    block: int = 0
    head: int = 0
    round: int = 1
    step: int = 1  # of training


def home_of(place: Place, norm_first: bool) -> Home:
    """The tab of a step; with `norm_first` the first norm of a block has its own."""
    if place.learning:  # gradients on the way back, new weights where one learns, then the pass
        after = "again" if place.step > 1 and place.kind != "update" else "learn"
        return Home("back" if place.kind.startswith("grad") else after, step=place.step)
    kind = named(place.kind)
    block, head = place.block or 0, place.head or 0
    if place.final:
        return Home("final", round=place.round)
    if kind.tab == "layer":
        first = "norm" if norm_first and kind.layer_norm else "attention"
        return Home("feedforward" if place.number == 2 else first, block, 0, place.round)
    if kind.tab == "head":  # √d_k belongs to no head; it is shown where it is needed first
        return Home("head", block or 1, head or 1, place.round)
    return Home(kind.tab, block, 0, place.round)
