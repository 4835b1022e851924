"""Sheet 5: add & norm of one token's row, then the feed-forward network."""

from generator.sheets.kind import Kind

KIND = Kind(order=70, slug="add-norm-feed-forward")
