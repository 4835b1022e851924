"""Sheet math, the reference: the whole model at a glance. Nothing to fill, no limit of tokens."""

from generator.sheets.kind import Kind

KIND = Kind(order=100, slug="mathematics", filled=False, levels=False)
