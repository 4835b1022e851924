"""Sheet code: why attention, vectors, and the head as a program. To read; nothing to fill."""

from generator.sheets.kind import Kind

KIND = Kind(order=98, slug="attention-as-code", filled=False)
