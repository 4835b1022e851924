"""Sheet formulas: every formula on one page, without numbers. Nothing to fill."""

from generator.sheets.kind import Kind

KIND = Kind(order=110, slug="formula-sheet", filled=False, single=True, borrows=("math",))
