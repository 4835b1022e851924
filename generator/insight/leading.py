"""Which numbers of a row are the largest, as a reader sees them."""

from collections.abc import Iterable

from generator.engine.trace import Trace
from generator.notation.shown import shown_value


def leaders(trace: Trace, step: str, row: int, among: Iterable[int]) -> tuple[int, ...]:
    """The columns with the largest number of a row: several where these are printed alike."""
    shown = {j: shown_value(trace[step], row, j) for j in among}
    most = max(shown.values())
    return tuple(j for j, value in shown.items() if value == most)
