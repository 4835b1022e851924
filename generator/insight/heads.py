"""What mask and heads do to one token, and the wrong numbers that usual slips give."""

import numpy as np

from generator.engine.ops import MatMulT, Plus
from generator.engine.trace import Trace
from generator.engine.unmasked import PREFIX
from generator.insight.slips import Slip

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
