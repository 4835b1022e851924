"""Sheet 3, position: sines and cosines of a word's place, added to its embedding."""

from generator.sheets.kind import Kind

KIND = Kind(order=40, slug="position", steps=r"position(\..+)?|input")
