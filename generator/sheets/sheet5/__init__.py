"""Sheet 5: add & norm of one token's row, then the feed-forward network."""

import re

from generator.sheets.kind import Kind
from generator.steps import KINDS

_OWN = (re.escape(kind.name) for kind in KINDS.values() if kind.tab in ("layer", "feedforward"))

KIND = Kind(order=70, slug="add-norm-feed-forward", steps=rf"block1\.({'|'.join(_OWN)})[12]?")
