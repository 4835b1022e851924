"""Sheet 8, the end of the series: how a model has learned, its curve, and its texts on the way."""

from generator.sheets.kind import Kind

KIND = Kind(order=96, slug="from-random-to-text", borrows=("6",), levels=False)
