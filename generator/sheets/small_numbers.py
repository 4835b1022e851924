"""Which computation a sheet of a series prints: beside sheet 4a the first lesson has its own."""

from collections.abc import Collection

from generator.engine.trace import Trace
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.sheets.series import SERIES

REPEATED = "4a"


def numbers_of(
    sheet: str, sheets: Collection[str], trace: Trace, exact: Trace
) -> tuple[Trace, Trace]:
    """The computation for one of these sheets, also unrounded: the series' own or another.

    A sheet with `Kind.small` would repeat sheet 4a digit by digit where both are made of one
    computation; beside 4a it takes the small numbers of that preset, as far as these are written
    in the series' language. Alone it prints what it is given.
    """
    small = SERIES[sheet].kind.small
    if not small or REPEATED not in sheets or small == trace.preset.name:
        return trace, exact
    preset = load_preset(small)
    if trace.language not in preset.sentences:
        return trace, exact
    found = computed(preset=preset, language=trace.language)
    return found, computed(preset=preset, language=trace.language, rounding="exact")
