"""How a teacher's papers call a step: by its title, with its task, its round or its head.

Also here:

* Which numbers a sheet of a series prints: beside sheet 4a the first lesson has its own.
"""

import re
from collections.abc import Collection
from functools import cache

from generator.engine.place import Place, place_of
from generator.engine.predict import temperature_of
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.locales.folders import spelling
from generator.notation.shown import number
from generator.presets.computed import computed
from generator.presets.load import load_preset
from generator.sheets.series import SERIES
from generator.steps import KINDS

ROUND = re.compile(r"(?:.*\.)?(task|draw|merge)([0-9]+)\..+")
GROUP = re.compile(r"group([0-9]+)\.(after\.)?(.+)")  # steps of a group of sheet 7d
OF_SECOND = re.compile(r"norm2\..+")  # steps that only sheet 5 has
DIGITS = "0123456789"
LETTERS = "ABCDEF"  # of groups


def title(catalogue: Catalogue, name: str) -> str:
    """The title of a step, also of one that only a sheet has, with its task or its round.

    A step that no phrase names is called by its last name: an author's sheet may leave that out.
    """
    if group := GROUP.fullmatch(name):
        key, letter = f"class.check.group{'.after' * bool(group[2])}", LETTERS[int(group[1]) - 1]
        return catalogue.t(key, letter=letter, title=title(catalogue, group[3]))
    if place_of(name).of:
        return catalogue.step(name)  # a gradient or a new weight, with the step that it belongs to
    rest, last = _rest(place_of(name)), name.rpartition(".")[2].rstrip(DIGITS)
    own = (f"class.check.step.{rest}", f"class.check.step.{last}")
    keys = (f"step.{rest}", *own, f"step.{last}")
    phrase = next((catalogue.phrases[key] for key in keys if key in catalogue.phrases), last)
    if not (place := ROUND.fullmatch(name)):
        return phrase
    kind = "task" if place[1] == "task" else "round"
    return catalogue.t(f"class.check.{kind}", number=place[2], title=phrase)


def placed(catalogue: Catalogue, name: str) -> str:
    """The title of a step with its head or norm, so that a sheet has it once.

    A block's second norm is told where its step has the title that the first one's has, and a loss
    of the pass after learning.
    """
    place, own_title = place_of(name), title(catalogue, name)
    twice = place.kind in KINDS and KINDS[place.kind].layer_norm and place.number == 2
    if OF_SECOND.fullmatch(name) or (twice and f"step.{_rest(place)}" not in catalogue.phrases):
        return catalogue.t("class.key.second", title=own_title)
    if place.step > 1 and place.kind.startswith("loss."):
        return catalogue.t("class.key.after", title=own_title)
    head = "" if place.head is None else catalogue.t("workbook.tab.head", head=place.head)
    return f"{head}: {own_title}" if head else own_title


def _rest(place: Place) -> str:
    return f"{'final.' * place.final}{place.kind}{place.number or ''}"


def row_label(catalogue: Catalogue, label: str) -> str:
    """A row's label as it is read: "T = 0,5" for the row of a temperature, others as they are."""
    t = temperature_of(label)
    if t is None:
        return label
    return catalogue.t("sheet.heat", t=number(t, None, catalogue.language))


REPEATED = "4a"
_shipped = cache(load_preset)


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
    return small_preset if spelling(language)[0] in small_preset.sentences else preset


def numbers_of(
    sheet: str, sheets: Collection[str], trace: Trace, exact: Trace
) -> tuple[Trace, Trace]:
    """The computation for one of these sheets, also unrounded, by the rule of `preset_of`."""
    preset, language = preset_of(sheet, sheets, trace.preset, trace.language), trace.language
    if preset is trace.preset:
        return trace, exact
    paper = computed(preset=preset, language=language)
    return paper, computed(preset=preset, language=language, rounding="exact")
