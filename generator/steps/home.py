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
    if place.learning:
        return Home(_of_learning(place), step=place.step)
    kind = named(place.kind)
    block, head = place.block or 0, place.head or 0
    if place.final:
        return Home("final", round=place.round)
    if kind.tab == "layer":
        return Home(_layer(norm_first and kind.layer_norm, place.number), block, 0, place.round)
    if kind.tab == "head":  # √d_k belongs to no head; it is shown where it is needed first
        return Home("head", block or 1, head or 1, place.round)
    return Home(kind.tab, block, 0, place.round)


def _of_learning(place: Place) -> str:
    """Gradients on the way back, new weights where one learns, then the pass with these."""
    if place.kind.startswith("grad"):
        return "back"
    return "again" if place.step > 1 and place.kind != "update" else "learn"


def _layer(own_tab: bool, number: int | None) -> str:
    if number == 2:
        return "feedforward"
    return "norm" if own_tab else "attention"
