"""What pupils tick at the end of the series: a line for each sheet that their model fills."""

from collections.abc import Iterator
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.sheets.filling import fills
from generator.sheets.plan import Plan

JOURNEY = ("1", "2", "3", "4a", "4b", "5", "6")


class Skill(NamedTuple):
    """A line to tick: the sheet's name, the key of its phrase, whether pupils compute it."""

    sheet: str
    key: str
    computed: bool = True


def skills(trace: Trace, plan: Plan, catalogue: Catalogue) -> Iterator[Skill]:
    """The lines in the order of the sheets, the last one for the loop, which is only explained.

    A sheet does not know which others are printed, today or next week: the model's count.
    """
    for name in JOURNEY:
        if fills(name)(trace, plan):
            yield Skill(catalogue.t(f"sheet{name}.name"), f"sheet{name}.skill")
    yield Skill(catalogue.t("sheet6.name"), "sheet6.skill.loop", computed=False)
