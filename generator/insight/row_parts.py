"""One token's attention taken apart: sums and products over what it sees, and their checks.

So that no masked 0 is written out, and a solution fills in the boxes of the checks, too.
"""

from collections.abc import Callable

import numpy as np

from generator.engine.ops import Contribution, MatMul, MatMulT, RowSum
from generator.engine.trace import Step, Trace
from generator.notation.shown import shown_decimals

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
