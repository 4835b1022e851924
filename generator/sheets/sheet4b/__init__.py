"""Sheet 4b, mask and heads: one row without the future, a second head, both side by side."""

from generator.sheets.kind import Kind

KIND = Kind(
    order=60,
    slug="mask-and-heads",
    borrows=("4a",),
    board="tokens",
    steps=r"scale|block1\.(head\d+\..+|concat|attention|weight\.output|bias\.output)",
)
