"""Who gets most of a token's attention, which factor made it so, what √d_k changes.

Also here:

* Which numbers of a row are the largest, as a reader sees them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from generator.engine.fitness import FreeHead
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Trace
from generator.insight.row_again import row
from generator.notation.shown import shown_value


@dataclass(frozen=True)
class Attention:
    """Facts about one row: who gets most, and why.

    The token that gets most (`best`), its share, the dimension (`factor`) whose product of
    `query` and `key` sets it apart, and its share without the division by √d_head. `decisive`
    says whether that product lies above the average at all, and further than any other, `largest`
    whether no other token has a larger one in that dimension.
    """

    best: int
    share: float
    factor: int
    query: float
    key: float
    unscaled: float
    decisive: bool
    largest: bool


def attention(trace: Trace, head: FreeHead, token: int, visible: tuple[int, ...]) -> Attention:
    """The facts about the attention of one token over the tokens that it sees.

    Ties go to the earlier token. The decisive dimension is the one in which the winner's product
    q·k lies furthest above the mean of the row.
    """
    shares = guarded(trace[head.step("weights")].values[token, list(visible)], GUARD)
    place = int(np.argmax(shares))
    query = trace[head.step("query")].values[token]
    keys = trace[head.step("key")].values[list(visible)]
    advantage = guarded(query * (keys[place] - keys.mean(axis=0)), GUARD)
    factor = int(np.argmax(advantage))
    products = guarded(query[factor] * keys[:, factor], GUARD)
    unscaled = row(trace, head.at, token, visible, divisor=1.0).shares[place]
    return Attention(
        best=visible[place],
        share=float(shares[place]),
        factor=factor,
        query=float(query[factor]),
        key=float(keys[place, factor]),
        unscaled=float(unscaled),
        decisive=bool(advantage[factor] > 0 and (advantage == advantage[factor]).sum() == 1),
        largest=bool(products[place] == products.max() > products.min()),
    )


def asks_alike(trace: Trace, at: str, token: int) -> tuple[int, ...]:
    """The other tokens with the same query as a token, as repeated words have without positions.

    Computed again from what the queries are made of, as a sheet may ask for the queries themselves.
    """
    step = trace[f"{at}.query"]
    unrounded = step.op.value(*(trace.values(name) for name in step.inputs))  # [tokens, d_head]
    queries = guarded(trace.rounded_as(step.name, unrounded), GUARD)
    same = np.flatnonzero((queries == queries[token]).all(axis=1))
    return tuple(i for i in same.tolist() if i != token)


def leaders(trace: Trace, step: str, row: int, among: Iterable[int]) -> tuple[int, ...]:
    """The columns with the largest number of a row: several where these are printed alike."""
    shown = {j: shown_value(trace[step], row, j) for j in among}
    most = max(shown.values())
    return tuple(j for j, value in shown.items() if value == most)
