"""Which numbers a sheet of a series prints: beside sheet 4a the first lesson has its own."""

from collections.abc import Collection
from functools import cache

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.sheets.series import SERIES

REPEATED = "4a"


def preset_of(sheet: str, sheets: Collection[str], preset: Preset, language: str) -> Preset:
    """The preset whose numbers one of these sheets prints: the series' own or another.

    A sheet with `Kind.small` would repeat sheet 4a digit by digit where both are made of one
    computation; beside 4a it takes the small numbers of that preset, as far as these are written
    in the series' language. Alone it prints what it is given.
    """
    small = SERIES[sheet].kind.small
    if not small or REPEATED not in sheets or small == preset.name:
        return preset
    small_preset = _shipped(small)
    return small_preset if language in small_preset.sentences else preset


def numbers_of(
    sheet: str, sheets: Collection[str], trace: Trace, exact: Trace
) -> tuple[Trace, Trace]:
    """The computation for one of these sheets, also unrounded, by the rule of `preset_of`."""
    preset, language = preset_of(sheet, sheets, trace.preset, trace.language), trace.language
    if preset is trace.preset:
        return trace, exact
    paper = computed(preset=preset, language=language)
    return paper, computed(preset=preset, language=language, rounding="exact")


@cache
def _shipped(name: str) -> Preset:
    return load_preset(name)
