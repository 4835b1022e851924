"""The solved workbook: every number of every step a live formula, from tokens to next token."""

from generator.checks.exercise import Exercise
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.build import build
from generator.render.workbook.draft import Draft
from generator.render.workbook.sheet_tabs import check


def render(trace: Trace, catalogue: Catalogue) -> bytes:
    """`workbook-solution.xlsx`: tokens, words, weights, temperatures as cells, all else formulas.

    The trace is one with controls; tabs and texts are in the catalogue's language. Raises
    `UserError` for more than 30 tokens, a model too wide and a token that no cell can hold.
    """
    check(trace)
    return build(Draft(Exercise(trace, ()), catalogue))
