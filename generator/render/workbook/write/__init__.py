"""The contents of the tabs: headings, labels, numbers, formulas."""
