"""The worked example of sheet 7c: two made-up tokens and the way back through their attention."""

import numpy as np

from generator.engine.ops import (
    ActivationSlope,
    MatMul,
    MatMulT,
    MatTMul,
    Op,
    Over,
    RowDot,
    ShareSlope,
    Sum,
)
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace

TOKENS = ("A", "B")
DECIMALS = 3
PAST, THROUGH = 0.2, -0.05  # the two paths of the residual connection
GATES = {"hidden": (1.2, -0.4), "after": (0.3, -0.2)}
ARRIVES, SHARES = (0.4, -0.6), (0.75, 0.25)
VALUES, KEYS = ((1.0, 0.5), (0.2, -1.0)), ((2.0,), (-1.0,))
ROOT, INPUT = 2.0, 0.5  # √d for d = 4
AT = "example."


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """`example.*`: a gate, a sum, and softmax backwards down to one number of a weight matrix."""
    chain = trace.scratch()
    _gates(chain)
    give = {"output": (ARRIVES,), "shares": (SHARES,), "value": VALUES, "key": KEYS}
    for name, rows in give.items():
        chain.give(AT + name, np.array(rows))
    chain.give(f"{AT}root", np.array([[ROOT]]))
    chain.give(f"{AT}input", np.array([[INPUT]]))
    _head(chain)
    return chain.new


def _gates(chain: Scope) -> None:
    for name, numbers in GATES.items():
        chain.give(AT + name, np.array([numbers]))
    slope = ActivationSlope("relu")
    chain.apply(f"{AT}gate", slope, f"{AT}after", f"{AT}hidden", decimals=DECIMALS)
    for name, number in (("past", PAST), ("through", THROUGH)):
        chain.give(AT + name, np.array([[number]]))
    chain.apply(f"{AT}both", Sum(), f"{AT}past", f"{AT}through", decimals=DECIMALS)


def _head(chain: Scope) -> None:
    def step(name: str, op: Op, *inputs: str) -> None:
        chain.apply(AT + name, op, *(AT + one for one in inputs), decimals=DECIMALS)

    step("content", MatTMul(), "shares", "output")
    step("share", MatMulT(), "output", "value")
    step("average", RowDot(), "share", "shares")
    step("scaled", ShareSlope(None), "share", "shares", "average")
    step("score", Over(), "scaled", "root")
    step("query", MatMul(), "score", "key")
    step("weight", MatTMul(), "input", "query")
