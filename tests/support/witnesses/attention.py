"""Witnesses of the claims about attention: who sees whom, who gets most, what the mask does."""

import math

import numpy as np

from tests.support.witnesses.seen import Seen, Witness, alone, printed


def sight(kind: str) -> Witness:
    """Whether each token sees all ("none"), itself and earlier ones, or only earlier ones.

    With "other" none of these.
    """
    if kind == "other":
        return lambda seen: not any(sight(one)(seen) for one in ("none", "causal", "strict"))

    def holds(seen: Seen) -> bool:
        mask = f"{seen.plan.at}.mask"
        for i in seen.all():
            for j in seen.all():
                open_ = mask not in seen.trace or seen.trace[mask].values[i, j] == 0
                wanted = {"none": True, "causal": j <= i, "strict": j < i}[kind]
                if open_ != wanted:
                    return False
        return True

    return holds


def rows_differ(seen: Seen) -> bool:
    """Whether no two rows x that are multiplied by W are the same."""
    x = seen.trace[seen.trace[f"{seen.plan.at}.query"].inputs[0]].values
    return len({tuple(row) for row in x.tolist()}) == len(x)


def way(seen: Seen, name: str) -> str:
    """A step of the sheet's head: on sheet 4a what follows the mask is as without it."""
    free = seen.plan.sheet == "4a" and f"{seen.plan.at}.mask" in seen.trace
    masked = name in ("exp", "sum", "weights", "output")
    return f"unmasked.{seen.plan.at}.{name}" if free and masked else f"{seen.plan.at}.{name}"


def everyone_seen(seen: Seen) -> bool:
    """Whether the example's and the own token's shares are those over all tokens."""
    trace, base = seen.trace, seen.trace.preset.softmax_base or math.e
    for row in (seen.plan.worked, seen.plan.own):
        powers = [base**score for score in trace[f"{seen.plan.at}.scaled"].values[row].tolist()]
        shares = trace[way(seen, "weights")].values[row].tolist()
        near = (abs(x - y / sum(powers)) < 0.02 for x, y in zip(shares, powers, strict=True))
        if not all(near):
            return False
    return True


def own_leads(seen: Seen) -> bool:
    """Whether one token gets more than any other of the own token's attention."""
    plan = seen.plan
    return alone(seen.row(way(seen, "weights"), plan.own, plan.visible))


def product_decides(seen: Seen) -> bool:
    """Whether one product q·k of the leader lies furthest above the mean of that product."""
    plan, trace = seen.plan, seen.trace
    shares = seen.row(way(seen, "weights"), plan.own, plan.visible)
    if shares.count(max(shares)) != 1:
        return False
    best = plan.visible[shares.index(max(shares))]
    q, keys = trace[f"{plan.at}.query"].values[plan.own], trace[f"{plan.at}.key"].values
    means = [
        sum(q[d] * keys[j, d] for j in plan.visible) / len(plan.visible) for d in range(len(q))
    ]
    above = [round(float(q[d] * keys[best, d] - means[d]), 9) for d in range(len(q))]
    return max(above) > 0 and above.count(max(above)) == 1


def product_largest(seen: Seen) -> bool:
    """Whether no other token has a larger product in the leader's decisive dimension."""
    plan, trace = seen.plan, seen.trace
    shares = seen.row(way(seen, "weights"), plan.own, plan.visible)
    best = plan.visible[shares.index(max(shares))]
    products = trace[f"{plan.at}.query"].values[plan.own] * trace[f"{plan.at}.key"].values
    mine = products[list(plan.visible)]
    d = int(np.argmax(np.round(products[best] - mine.mean(axis=0), 9)))
    return (
        round(products[best, d] - mine[:, d].max(), 9) >= 0 and mine[:, d].max() > mine[:, d].min()
    )


def all_alike(seen: Seen) -> bool:
    """Whether shares and scores of the own row are all the same."""
    plan = seen.plan
    rows = [seen.row(way(seen, name), plan.own, plan.visible) for name in ("weights", "scores")]
    return all(len(set(row)) == 1 < len(row) for row in rows)


def unscaled_larger(seen: Seen) -> bool:
    """Whether the largest share grows without the division by √d_k, as printed."""
    plan, trace = seen.plan, seen.trace
    weights, step = way(seen, "weights"), f"{plan.at}.scores"
    shares = [float(trace[weights].values[plan.own, j]) for j in plan.visible]
    scores = [float(trace[step].values[plan.own, j]) for j in plan.visible]
    base = trace.preset.softmax_base or math.e
    digits = trace[way(seen, "exp")].decimals if trace.rounding == "paper" else None
    powers = [base**s for s in scores]
    if digits is not None:
        powers = [float(printed(trace, way(seen, "exp"), p)) for p in powers]
    place = shares.index(max(shares))
    new, old = powers[place] / sum(powers), shares[place]
    return printed(trace, weights, new) > printed(trace, weights, old)


def masked_row(seen: Seen, row: int, visible: tuple[int, ...]) -> tuple[bool, bool, bool]:
    """Whether Σ falls, each share grows, and all stays as it is, as printed."""
    free, at = "unmasked.block1.head1", "block1.head1"
    (old,), (new,) = seen.row(f"{free}.sum", row, (0,)), seen.row(f"{at}.sum", row, (0,))
    before, after = (seen.row(f"{one}.weights", row, visible) for one in (free, at))
    grows = all(b > a for a, b in zip(before, after, strict=True))
    return new < old, new < old and grows, (new, after) == (old, before)


def two_leaders(seen: Seen, row: int, visible: tuple[int, ...]) -> list[set[int]]:
    """The tokens that get most in heads 1 and 2."""
    found = []
    for head in (1, 2):
        shares = seen.row(f"block1.head{head}.weights", row, visible)
        found.append({j for j, s in zip(visible, shares, strict=True) if s == max(shares)})
    return found


def heads_look_apart(seen: Seen) -> bool:
    """Whether the example's token looks most at others with its second head."""
    one, other = two_leaders(seen, seen.plan.worked, seen.plan.worked_visible)
    return not one & other


def each_head_leads(seen: Seen) -> bool:
    """Whether in either head one token gets most."""
    return all(len(s) == 1 for s in two_leaders(seen, seen.plan.own, seen.plan.visible))


def heads_mix(seen: Seen) -> bool:
    """Whether a column of W_O takes numbers from the outputs of two heads."""
    if "block1.weight.output" not in seen.trace:
        return False
    weight, heads = seen.trace["block1.weight.output"].values, seen.trace.preset.heads
    width = len(weight) // heads
    return any(
        sum(any(weight[h * width + k, c] != 0 for k in range(width)) for h in range(heads)) > 1
        for c in range(weight.shape[1])
    )


def attends(seen: Seen) -> bool:
    """Whether there is attention."""
    return "block1.head1.scores" in seen.trace


def example(place: int) -> Witness:
    """What the mask does to the row of the example."""
    return lambda s: masked_row(s, s.plan.worked, s.plan.worked_visible)[place]


def own_grows(seen: Seen) -> bool:
    """What the mask does to the row of the pupils' own token."""
    return masked_row(seen, seen.plan.own, seen.plan.visible)[1]
