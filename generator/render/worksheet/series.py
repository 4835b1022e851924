"""The worksheets in the order in which they are taught; one line a sheet."""

from collections.abc import Callable
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.plans import sheet4a
from generator.plans.plan import Plan
from generator.render.worksheet.context import Context
from generator.render.worksheet.views import sheet4a as view4a


class Kind(NamedTuple):
    """One sheet: how it is planned, what its template may ask, its name in file names.

    `css` names further style sheets in `templates/` that only this sheet needs.
    """

    plan: Callable[[Trace, int], Plan]
    view: type[Context]
    slug: str
    css: tuple[str, ...] = ()


SERIES: dict[str, Kind] = {
    "4a": Kind(sheet4a.plan, view4a.View, "self-attention"),
}
SHEETS = tuple(SERIES)
