"""For each registered sheet a preset that fills it."""

from functools import cache

from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from tests.support.sheets import traces

PRESETS = (  # in the order of preference
    "katze",
    "brille",
    "ausgabe",
    "paris",
    "random",
    "katze-trained",
    "nihao",
    "previous-word",
    "same-word",
    "induction",
    "subject-verb",
    "mental",
)


@cache
def filling(sheet: str) -> str:
    """The first shipped preset that fills a sheet with its own sentence at each level."""
    fits = [preset for preset in PRESETS if not reason(sheet, preset)]
    assert fits, f"no shipped preset fills sheet {sheet}: {reason(sheet, PRESETS[0])}"
    return fits[0]


@cache
def reason(sheet: str, preset: str) -> str:
    """Why a preset cannot fill a sheet; "" where it can."""
    trace, _ = traces(preset, "de")
    try:
        for level in (1, 2, 3):
            planned(sheet, trace, SheetOptions(level=level))
    except UserError as error:
        return str(error)
    return ""


assert SHEETS, "no sheet is registered"
