"""Sheet 7a, learning: how wrong a prediction is, and which way the output's numbers have to go."""

from generator.sheets.kind import Kind

KIND = Kind(order=92, slug="which-way", borrows=("6",), own_steps=True)
