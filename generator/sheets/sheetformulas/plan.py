"""Sheet formulas: every formula on one page, without numbers. Nothing to fill."""

from functools import partial

from generator.sheets.plan import nothing_asked

plan = partial(nothing_asked, "formulas")
