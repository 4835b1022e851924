"""Sheet 4a, self-attention: one token's scores, shares and output."""

from generator.sheets.kind import Kind

KIND = Kind(order=50, slug="self-attention", board="tokens", steps=r"scale|block1\.head1\..+")
