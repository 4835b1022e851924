"""Sheet generate: three rounds of making text by hand, drawn with random numbers or dice."""

from generator.sheets.kind import Kind

KIND = Kind(order=90, slug="text")
