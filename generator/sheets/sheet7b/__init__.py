"""Sheet 7b, learning: the prediction again with the new numbers, and how fast one may learn."""

from generator.sheets.kind import Kind

KIND = Kind(order=93, slug="did-it-learn", borrows=("6",), own_steps=True, notes=True)
