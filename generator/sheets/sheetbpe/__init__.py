"""Sheet bpe, byte-pair encoding: count pairs, merge the winner, cut a new word."""

from generator.sheets.kind import Kind

KIND = Kind(order=20, slug="byte-pairs", own_steps=True, notes=True)
