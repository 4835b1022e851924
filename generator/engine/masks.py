"""The masks of attention: each is one entry that says who sees whom, which all who need it ask."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Expr, If


@dataclass(frozen=True)
class MaskForm:
    """Whom the token of row i sees: `sees` of arrays of rows and columns, `cell` of one cell.

    `cell(i, j, seen, hidden)` is what a cell holds, `hides` says in LaTeX which cells are hidden.
    Whoever `looks_ahead` sees later tokens; a row may be `empty` where nobody is seen. `says` is a
    comment in a preset. `focus`: a lesson's worked and asked token, early where a mask hides much,
    and how many are to come behind, so that the asked one has a token that it does not see.
    """

    sees: Callable[[np.ndarray, np.ndarray], np.ndarray]
    cell: Callable[[Expr, Expr, Expr, Expr], Expr]
    hides: str
    says: str
    looks_ahead: bool = False
    empty: bool = False
    focus: tuple[int, int, int] = (1, 2, 1)

    def visible(self, tokens: int) -> np.ndarray:
        """Who sees whom among so many tokens: [n, n]."""
        place = np.arange(tokens)
        return self.sees(place[:, None], place[None, :])


MASKS: Final[Mapping[choices.Mask, MaskForm]] = MappingProxyType({
    "causal": MaskForm(
        sees=lambda i, j: j <= i,
        cell=lambda i, j, seen, hidden: If(Bin("<=", j, i), seen, hidden),
        hides="j > i",
        says="earlier tokens and itself",
    ),
    "strict": MaskForm(
        sees=lambda i, j: j < i,
        cell=lambda i, j, seen, hidden: If(Bin("<", j, i), seen, hidden),
        hides=r"j \ge i",
        says="only earlier ones",
        empty=True,
        focus=(2, 3, 0),
    ),
})  # fmt: skip


@lru_cache(maxsize=16)
def added(kind: choices.Mask, size: int) -> np.ndarray:
    """What a mask adds to the scores [n, n]: 0 where a token is seen, −∞ where not."""
    return np.where(MASKS[kind].visible(size), 0.0, -np.inf)
