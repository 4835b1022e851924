"""Sheet 1, the tokenizer: from a sentence to IDs and back."""

from generator.sheets.kind import Kind

KIND = Kind(order=10, slug="tokenizer", steps=r"vocabulary\..+|onehot|ids")
