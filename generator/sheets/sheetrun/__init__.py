"""Sheet run, the complete run: every number of every token of one computation. For teachers."""

from generator.sheets.kind import Kind

KIND = Kind(order=105, slug="complete-run", filled=False, complete=True, borrows=("math",))
