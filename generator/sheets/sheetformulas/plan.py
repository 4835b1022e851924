"""Sheet formulas: every formula on one page, without numbers. Nothing to fill."""

from generator.sheets.plan import nothing_asked

plan = nothing_asked
