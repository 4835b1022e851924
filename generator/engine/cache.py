"""A KV cache: the keys and values of earlier tokens, so that a new token's row is enough."""

from collections.abc import Mapping

import numpy as np

from generator.engine.ops.copying import Append
from generator.engine.scope import Scope

STORED = ("key", "value")  # the kinds of steps whose rows are kept


class Cache:
    """Keys and values [earlier tokens, d_head] by step name, for a computation of the next token.

    Every step of that computation has one row, the new token's. `grown` holds the keys and values
    of all tokens afterwards.
    """

    def __init__(self, tokens: tuple[str, ...], stored: Mapping[str, np.ndarray]) -> None:
        self.tokens = tokens
        self.grown: dict[str, np.ndarray] = {}
        self._stored = stored

    def extended(self, at: Scope, kind: str, new: str) -> str:
        """The stored rows of `new`, the head's key or value, and below them the new one: [n, k]."""
        earlier = at.give(f"{kind}.stored", self._stored[new])
        whole = at.apply(f"{kind}.all", Append(), earlier, new)
        self.grown[new] = at[whole].values
        return whole
