"""Sheet 5: add & norm of one token's row, then the feed-forward network."""

from generator.sheets.kind import Kind

_NORM = r"(residual|mean|variance|deviation|normalised|gain|beta|norm)[12]"
_FORWARD = (
    r"(hidden|activation|feedforward|weight\.(hidden|feedforward)|bias\.(hidden|feedforward))"
)

KIND = Kind(order=70, slug="add-norm-feed-forward", steps=rf"block1\.({_NORM}|{_FORWARD})")
