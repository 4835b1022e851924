"""The worked example of sheet 7d: two groups, one row of two numbers, one step together."""

import numpy as np

from generator.engine.ops import Descend
from generator.engine.together import write_mean
from generator.engine.trace import Step, Trace

GIVEN = {"first": (0.4, -0.2), "second": (0.2, 0.6), "old": (0.5, 1.0)}
RATE, DECIMALS = 0.5, 2


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """`example.first` and `.second`, their sum and mean, the old and the new row."""
    chain = trace.scratch()
    for name, numbers in GIVEN.items():
        chain.give(f"example.{name}", np.array([numbers]), columns=("d1", "d2"))
    mean = write_mean(chain, "example", ("example.first", "example.second"), DECIMALS)
    chain.give("example.rate", np.array([[RATE]]))
    before = ("example.old", "example.rate")
    chain.apply("example.new", Descend(), *before, mean, columns=("d1", "d2"), decimals=DECIMALS)
    return chain.new
