"""Sheet 7d, learning: the class trains together, each group its own sentence."""

from generator.sheets.kind import Kind

KIND = Kind(order=95, slug="the-class-learns", borrows=("6", "7a"), together=True)
