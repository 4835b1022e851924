"""The same bytes on each Python: from 3.12 on `sum` adds floats with less error than before."""

import builtins
import math

import pytest

import generator
from generator.locales.catalogue import load
from generator.make import unfit
from generator.render.workbook import exercise, solution
from generator.render.worksheet.worksheet import render
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS

PLAIN = builtins.sum


def compensated(numbers, /, start=0):
    """As `sum` adds from Python 3.12 on, for what is added here."""
    found = list(numbers)
    if found and all(type(one) in (int, float) for one in found) and float in map(type, found):
        return math.fsum([start, *found])
    return PLAIN(found, start)


def made(preset: str) -> dict[str, bytes]:
    """Both workbooks and every sheet as HTML."""
    trace, exact = (generator.compute(preset=preset, rounding=one) for one in ("paper", "exact"))
    texts, options = load(trace.language), SheetOptions(language=trace.language)
    live = generator.compute(preset=preset, controls=True)
    files = {"solution": solution.render(live, texts), "exercise": exercise.render(live, texts, 2)}
    for sheet in SHEETS:
        if not unfit(sheet, trace):
            for variant in ("blank", "solution"):
                files[f"{sheet}-{variant}"] = render(
                    sheet, trace, exact, options, kind="html", variant=variant
                )
    return files


@pytest.mark.ci
@pytest.mark.parametrize("preset", ["katze", "brille"])
def test_files_do_not_hang_on_how_floats_are_added(preset: str, monkeypatch: pytest.MonkeyPatch):
    usual = made(preset)
    monkeypatch.setattr(builtins, "sum", compensated)
    assert [name for name, content in made(preset).items() if content != usual[name]] == []
    assert compensated([0.1] * 10) == 1.0 != PLAIN([0.1] * 10)
