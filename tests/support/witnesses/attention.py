"""Witnesses of the claims about attention: who sees whom, who gets most, what the mask does."""

import math
from collections.abc import Callable
from decimal import Decimal

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


def signs(seen: Seen) -> bool:
    """Whether a query or a key of the sheet's head has a negative number."""
    names = (f"{seen.plan.at}.{name}" for name in ("query", "key"))
    return any(min(seen.row(name, i)) < 0 for name in names for i in seen.all())


def by_table(seen: Seen) -> bool:
    """Whether every exponent is a whole number whose power is short."""
    base, step = seen.trace.preset.softmax_base, seen.trace[f"{seen.plan.at}.scaled"]
    exponents = set(step.values.ravel().tolist())
    short = {x for x in range(-3, 5) if base and round(base**x, 3) == base**x}
    return bool(base) and exponents <= short


def rows_differ(seen: Seen) -> bool:
    """Whether no two rows x that are multiplied by W are the same."""
    x = seen.trace[seen.trace[f"{seen.plan.at}.query"].inputs[0]].values
    return len({tuple(row) for row in x.tolist()}) == len(x)


def everyone_seen(seen: Seen) -> bool:
    """Whether the example's and the own token's shares are those over all tokens."""
    trace, base = seen.trace, seen.trace.preset.softmax_base or math.e
    for row in (seen.plan.worked, seen.plan.own):
        powers = base ** trace[f"{seen.plan.at}.scaled"].values[row]
        if trace.rounding == "paper":
            kept = [float(printed(trace, seen.head("exp"), p)) for p in powers.tolist()]
            total = float(printed(trace, seen.head("sum"), sum(kept)))
            wanted = [float(printed(trace, seen.head("weights"), p / total)) for p in kept]
        else:
            wanted = (powers / powers.sum()).tolist()
        shares = trace[seen.head("weights")].values[row]
        if not (np.abs(shares - wanted) < 1e-9).all():
            return False
    return True


def own_leads(seen: Seen) -> bool:
    """Whether one token gets more than any other of the own token's attention."""
    return alone(seen.own("weights"))


def lies_between(seen: Seen) -> bool:
    """Whether some value seen begins with less than the output, and some with more."""
    output = seen.number(seen.head("output"), seen.plan.own, 0)
    values = [seen.number(seen.head("value"), j, 0) for j in seen.plan.visible]
    return any(one < output for one in values) and any(one > output for one in values)


def shaping(seen: Seen) -> int:
    """How many tokens add most to the own first output, whatever the sign; 0 if none adds a bit."""
    if seen.trace.rounding == "exact":  # factors are printed shorter than they were multiplied
        parts = [abs(seen.number("own.product", k, 0)) for k in range(len(seen.plan.visible))]
    else:
        values = [seen.number(seen.head("value"), j, 0) for j in seen.plan.visible]
        pairs = zip(seen.own("weights"), values, strict=True)
        parts = [round(abs(share * value), 9) for share, value in pairs]
    return parts.count(max(parts)) if max(parts) else 0


def shape_first_output(count: int) -> Witness:
    """Whether so many tokens do."""
    return lambda seen: shaping(seen) == count


def takes_most_from(who: str) -> Witness:
    """Whether the own row leads at another token ("other"), at the own one, or at several."""

    def holds(seen: Seen) -> bool:
        shares = seen.own("weights")
        if not alone(shares):
            return who == "even"
        place = seen.plan.visible[shares.index(max(shares))]
        return who == ("own" if place == seen.plan.own else "other")

    return holds


def products(seen: Seen) -> tuple[np.ndarray, int, np.ndarray]:
    """Each q·k of the own row, the place of the leader, and how far its lie above their means."""
    plan, trace, shares = seen.plan, seen.trace, seen.own("weights")
    q, keys = trace[f"{plan.at}.query"].values[plan.own], trace[f"{plan.at}.key"].values
    found, best = (q * keys)[list(plan.visible)], shares.index(max(shares))
    return found, best, np.round(found[best] - found.mean(axis=0), 9)


def products_help(least: int) -> Callable[[Seen], bool]:
    """Whether one product of the leader's score is positive, or at least two of them are."""

    def holds(seen: Seen) -> bool:
        found, best, _ = products(seen)
        positive = [product for product in found[best].tolist() if round(product, 9) > 0]
        return len(positive) == 1 if least == 1 else len(positive) >= least

    return holds


def product_decides(seen: Seen) -> bool:
    """Whether one product q·k of the leader lies furthest above the mean of that product.

    And whether it decides: alone it would make its token lead, or another would catch up without.
    """
    found, best, above = products(seen)
    mine = np.round(found[:, int(np.argmax(above))], 9).tolist()
    rest = np.round(found.sum(axis=1) - found[:, int(np.argmax(above))], 9).tolist()
    decides = mine.count(max(mine)) == 1 and mine[best] == max(mine)
    decides |= any(one >= rest[best] for k, one in enumerate(rest) if k != best)
    alone_above = bool(above.max() > 0) and (above == above.max()).sum() == 1
    return own_leads(seen) and alone_above and decides


def powers_compare(seen: Seen) -> bool:
    """Whether the largest and the smallest power differ and have a ratio, scaled or not."""
    trace, step = seen.trace, f"{seen.plan.at}.scores"
    if trace["scale"].values[0, 0] == 1:
        return False
    scores = [float(trace[step].values[seen.plan.own, j]) for j in seen.plan.visible]
    base = trace.preset.softmax_base or math.e
    low, high = (-9, 9) if trace.preset.softmax_base is None else (-3, 4)
    plain = [base**s for s in scores] if low <= min(scores) <= max(scores) <= high else [1.0]
    if trace.rounding == "paper" and trace[seen.head("exp")].decimals is not None:
        plain = [float(printed(trace, seen.head("exp"), p)) for p in plain]
    row = trace[seen.head("exp")].values[seen.plan.own, list(seen.plan.visible)].tolist()
    return all(max(powers) > min(powers) > 0 for powers in (row, plain))


def powers_apart(seen: Seen) -> bool:
    """Whether the scores' powers lie further apart than those of the scores divided by √d_k."""
    trace, plan = seen.trace, seen.plan
    base, ratios = trace.preset.softmax_base or math.e, []
    for step in ("scaled", "scores"):
        row = [float(trace[f"{plan.at}.{step}"].values[plan.own, j]) for j in plan.visible]
        ratios.append(base ** (max(row) - min(row)))
    return ratios[1] > ratios[0]


def queries_with_minus(seen: Seen) -> bool:
    """Whether a query of the sheet's head has a negative number."""
    return min(min(seen.row(f"{seen.plan.at}.query", i)) for i in seen.all()) < 0


def near_e(seen: Seen) -> bool:
    """Whether the powers of 2.71828 that pupils could write down are those of e, nearly."""
    step = f"{seen.plan.at}.scaled"
    exponents = [float(x) for x in seen.trace[step].values.ravel()]
    if seen.trace.preset.softmax_base is not None or max(map(abs, exponents)) > 9:
        return False
    decimals = seen.trace[seen.head("exp")].decimals
    unit = 10.0 ** -(10 if decimals is None else decimals)
    return all(abs(2.71828**x - math.exp(x)) < unit for x in exponents)


def one_adds_most(seen: Seen) -> bool:
    """Whether all products add to an output of the example, and one of them the most."""
    products, sums = seen.trace["example.product"], seen.trace["example.output"]
    for c in range(products.shape[1]):
        column = [seen.number(products.name, k, c) for k in range(products.shape[0])]
        if min(column) >= 0 and alone(column) and max(column) < seen.number(sums.name, 0, c):
            return True
    return False


def other_way_round(seen: Seen) -> bool:
    """Whether the own and the worked token see each other with two different scores."""
    plan, step = seen.plan, f"{seen.plan.at}.scores"
    if plan.worked not in plan.visible or plan.own not in plan.worked_visible:
        return False
    return seen.number(step, plan.own, plan.worked) != seen.number(step, plan.worked, plan.own)


def product_largest(seen: Seen) -> bool:
    """Whether no other token's product is as large in the leader's decisive dimension."""
    found, best, above = products(seen)
    mine = np.round(found[:, int(np.argmax(above))], 9).tolist()
    return mine.count(max(mine)) == 1 and mine[best] == max(mine)


def product_needed(seen: Seen) -> bool:
    """Whether another token's score is at least as large where the decisive product is missing."""
    found, best, above = products(seen)
    rest = np.delete(found, int(np.argmax(above)), axis=1).sum(axis=1)
    return any(round(rest[k] - rest[best], 9) >= 0 for k in range(len(rest)) if k != best)


def leaders_share_a_product(seen: Seen) -> bool:
    """Whether in the dimension named those with the largest share, and only they, have most."""
    found, best, above = products(seen)
    shares = seen.own("weights")
    mine = np.round(found[:, int(np.argmax(above))], 9).tolist()
    first = [k for k, one in enumerate(mine) if one == max(mine)]
    led = [k for k, one in enumerate(shares) if one == max(shares)]
    return first == led and best in led and 1 < len(led) < len(shares) and max(mine) > 0


def all_alike(seen: Seen) -> bool:
    """Whether shares and scores of the own row are all the same."""
    rows = [seen.own(name) for name in ("weights", "scores")]
    return all(len(set(row)) == 1 < len(row) for row in rows)


def unscaled_larger(seen: Seen) -> bool:
    """Whether the largest share grows without the division by √d_k, as printed."""
    plan, trace = seen.plan, seen.trace
    weights, power = seen.head("weights"), seen.head("exp")
    visible = list(plan.visible)
    shares = trace[weights].values[plan.own, visible].tolist()
    base = trace.preset.softmax_base or math.e
    powers = [base**s for s in trace[f"{plan.at}.scores"].values[plan.own, visible].tolist()]
    if trace.rounding == "paper" and trace[power].decimals is not None:
        powers = [float(printed(trace, power, p)) for p in powers]
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


def gaps(seen: Seen) -> list[Decimal]:
    """How far the own token's shares in heads 1 and 2 are apart, as printed, the widest first."""
    own, visible = seen.plan.own, seen.plan.visible
    rows = (seen.row(f"block1.head{k}.weights", own, visible) for k in (1, 2))
    return sorted((abs(a - b) for a, b in zip(*rows, strict=True)), reverse=True)


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


def heads_only_joined(seen: Seen) -> bool:
    """Whether each W_O has 1 on its diagonal and 0 elsewhere, so that nothing is mixed."""
    found = [x.values for name, x in seen.trace.steps.items() if name.endswith("weight.output")]
    return bool(found) and all((x == np.diag(np.ones(len(x)))).all() for x in found)


def asks_with_its_row(seen: Seen) -> bool:
    """Whether each query is the token's row of x."""
    weight = seen.trace["block1.head1.weight.query"].values
    return weight.shape[0] == weight.shape[1] and bool(
        (weight == np.diag(np.ones(len(weight)))).all()
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
