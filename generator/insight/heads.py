"""What mask and heads do to one token, and the wrong numbers that usual slips give.

Also here:

* Who sees whom in a head: all everybody, only those before, not even oneself.
* One token's sum and output over the tokens that it sees, so that no masked 0 is written out.
* One token's attention taken apart: sums and products over what it sees, and their checks.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from generator.engine.fitness import PREFIX
from generator.engine.ops.attention import Contribution, RowSum
from generator.engine.ops.linear import MatMul, MatMulT, Plus
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals

FIRST, SECOND, CONCAT = "block1.head1", "block1.head2", "block1.concat"
OUTPUT_WEIGHT = "block1.weight.output"


def only_joined(trace: Trace) -> bool:
    """Whether the output of the attention is the heads side by side: W_O, if any, is I."""
    if OUTPUT_WEIGHT not in trace:
        return True
    weight = trace[OUTPUT_WEIGHT].values
    same = weight.shape[0] == weight.shape[1] and bool((weight == np.eye(len(weight))).all())
    return same and "block1.bias.output" not in trace


def favourite(trace: Trace, weights: str, row: int, among: tuple[int, ...]) -> int:
    """The token to which a token gives most of its attention; ties go to the earlier one."""
    return max(among, key=lambda j: (trace[weights].values[row, j], -j))


def mask_slips(trace: Trace, at: str, row: int, visible: tuple[int, ...]) -> list[Slip]:
    """Masked tokens counted in Σ, and shares of the old Σ. Needs the steps of `unmasked`."""
    total, weights = f"{at}.sum", f"{at}.weights"
    best = favourite(trace, weights, row, visible)
    counted = float(trace[PREFIX + total].values[row, 0])
    old = float(trace[PREFIX + weights].values[row, best])
    candidates = [Slip("counted", total, row, 0, counted), Slip("old_sum", weights, row, best, old)]
    return _changing(trace, candidates)


def head_slips(trace: Trace, token: int, partner: int) -> list[Slip]:
    """The query of the first head used in the second."""
    query = trace[f"{FIRST}.query"].values[token : token + 1]
    product = MatMulT().value(query, trace[f"{SECOND}.key"].values[partner : partner + 1])
    scores = f"{SECOND}.scores"
    wrong = float(trace.rounded_as(scores, product)[0, 0])
    return _changing(trace, [Slip("other_query", scores, token, partner, wrong)])


def concat_slips(trace: Trace, token: int) -> list[Slip]:
    """Both outputs added instead of put side by side, and the second head put first."""
    first, second = (trace[f"{at}.output"].values[token : token + 1] for at in (FIRST, SECOND))
    total: np.ndarray = trace.rounded_as(CONCAT, Plus().value(first, second))
    candidates = [
        Slip("added", CONCAT, token, 0, float(total[0, 0])),
        Slip("turned", CONCAT, token, 0, float(second[0, 0])),
    ]
    return _changing(trace, candidates)


def _changing(trace: Trace, slips: list[Slip]) -> list[Slip]:
    """Those that give another number than the right one."""
    return [s for s in slips if s.wrong != trace[s.step].values[s.i, s.j]]


Sight: TypeAlias = Literal["none", "causal", "strict", "other"]


def sight(trace: Trace, at: str) -> Sight:
    """The kind of mask that a head has in this computation, whatever its preset is called."""
    count = len(trace.tokens)
    visible = np.ones((count, count), dtype=bool)
    if f"{at}.mask" in trace:
        visible = trace[f"{at}.mask"].values == 0.0
    if visible.all():
        return "none"
    if (visible == np.tri(count, dtype=bool)).all():
        return "causal"
    return "strict" if (visible == np.tri(count, k=-1, dtype=bool)).all() else "other"


def over_visible(
    trace: Trace, at: str, token: int, visible: tuple[int, ...], prefix: str
) -> tuple[Step, ...]:
    """The steps `<prefix>.sum` [1, 1] and `<prefix>.output` [1, d_head] and what they come from.

    The numbers are those of the Trace; only the masked tokens are left out.
    """
    chain = trace.scratch()
    names = {}
    for name in ("exp", "weights"):
        step = trace[f"{at}.{name}"]
        row = step.values[token : token + 1, list(visible)]
        names[name] = chain.give(f"{prefix}.{name}", row, decimals=step.decimals)
    value = trace[f"{at}.value"]
    rows = value.values[list(visible)]
    names["value"] = chain.give(f"{prefix}.value", rows, decimals=value.decimals)
    chain.apply(f"{prefix}.sum", RowSum(), names["exp"])
    chain.apply(f"{prefix}.output", MatMul(), names["weights"], names["value"])
    return chain.new


def key_sums(trace: Trace, at: str, visible: tuple[int, ...], name: str) -> Step:
    """The sum of each key column over the tokens seen, [1, d_head]: what the check needs."""
    chain = trace.scratch()
    key = trace[f"{at}.key"]
    ones = chain.give(f"{name}.once", np.ones((1, len(visible))))
    keys = chain.give(f"{name}.keys", key.values[list(visible)])
    total = chain.apply(name, MatMul(), ones, keys, rows=("Σ",), columns=key.columns)
    return chain[total]._replace(decimals=key.decimals)


def checked_sums(
    trace: Trace, at: str, token: int, visible: tuple[int, ...], prefix: str
) -> tuple[Step, ...]:
    """What a token's checks give: `<prefix>.scores` and `<prefix>.weights` [1, 1], the sums."""
    chain = trace.scratch()
    for name in ("scores", "weights"):
        step = trace[f"{at}.{name}"]
        row = step.values[token : token + 1, list(visible)]
        given = chain.give(f"{prefix}.{name}.row", row, decimals=step.decimals)
        chain.apply(f"{prefix}.{name}", RowSum(), given, decimals=step.decimals)
    return chain.new


AMONG, ALONE, OTHERS = ("exp", "weights", "scores"), ("query",), ("key", "value")


def row_parts(
    trace: Trace, named: Callable[[str], str], token: int, visible: tuple[int, ...], prefix: str
) -> tuple[Step, ...]:
    """The sum, the products and the output of a row over the `visible` tokens, and its checks.

    `named` gives the whole name of a head's step. The steps are `<prefix>.sum` and `.output`, as
    the head has them; `.product` [visible, d_head], each share times value, not rounded;
    `.check.scores` and `.check.weights`, the sums of the written numbers; `.check.query`, which is
    q · Σk; `.check.outputs`, the sum of the outputs, and `.check.values`, Σ share · (sum of v).
    """
    chain = trace.scratch()
    given = {
        **{name: trace[named(name)].values[[token]][:, list(visible)] for name in AMONG},
        **{name: trace[named(name)].values[[token]] for name in ALONE},
        **{name: trace[named(name)].values[list(visible)] for name in OTHERS},
    }
    part = {
        name: chain.give(f"{prefix}.{name}", cut, decimals=shown_decimals(trace[named(name)]))
        for name, cut in given.items()
    }
    chain.apply(f"{prefix}.sum", RowSum(), part["exp"], decimals=trace[named("sum")].decimals)
    chain.apply(f"{prefix}.product", Contribution(0), part["weights"], part["value"])
    last = trace[named("output")].decimals
    output = chain.apply(
        f"{prefix}.output", MatMul(), part["weights"], part["value"], decimals=last
    )
    chain.apply(f"{prefix}.check.outputs", RowSum(), output, decimals=last)
    sums = chain.apply(f"{prefix}.sums", RowSum(), part["value"], decimals=10)
    chain.apply(f"{prefix}.check.values", MatMul(), part["weights"], sums, decimals=last)
    for name in ("scores", "weights"):
        decimals = trace[named(name)].decimals
        chain.apply(f"{prefix}.check.{name}", RowSum(), part[name], decimals=decimals)
    ones = chain.give(f"{prefix}.once", np.ones((1, len(visible))))
    keys = chain.apply(f"{prefix}.keys", MatMul(), ones, part["key"], decimals=10)
    decimals = trace[named("scores")].decimals
    chain.apply(f"{prefix}.check.query", MatMulT(), part["query"], keys, decimals=decimals)
    return chain.new
