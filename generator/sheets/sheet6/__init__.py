"""Sheet 6, output: from the last vector to shares at several temperatures and to the next token."""

from generator.sheets.kind import Kind

KIND = Kind(order=80, slug="output", board="words", steps=r"last|output\..+|sampling\..+")
