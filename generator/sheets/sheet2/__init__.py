"""Sheet 2, the embedding: a row read off, words compared by dot products."""

from generator.sheets.kind import Kind

KIND = Kind(order=30, slug="embedding", steps=r"embedding|similarity")
