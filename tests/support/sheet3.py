"""The view of sheet 3 for tests."""

from generator.locales.catalogue import load
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet3.view import View3
from tests.support.sheets import traces


def view(preset: str, language: str, level: int, sentence: str | None = None) -> View3:
    """What the template of the blank may ask."""
    trace, exact = traces(preset, language, sentence)
    plan = sheet3.plan(trace, level)
    options = SheetOptions(language=language, level=level)
    whole = trace.with_steps(plan.extra)
    return View3(plan, whole, exact, options, load(language), Formulas(), blank=True)
