"""Controls: given numbers with which a class plays, each 1×1 switch 1 (on) or 0 (off).

They exist where they are asked for, because only a workbook, or an edit, can use them.
"""

import numpy as np

from generator.engine.edits import Edits
from generator.engine.strategies import STRATEGIES
from generator.engine.trace import Trace
from generator.errors import UserError

K, P, RANDOM = 3.0, 0.9, 0.5  # shown until somebody sets them; a preset's own come first

_NAMES = ("switch.", "sampling.strategy")


def wanted(edits: Edits) -> bool:
    """Whether an edit names a control, so that the computation needs them."""
    return any(address.startswith(_NAMES) for address in edits.requested)


def give_switches(trace: Trace) -> None:
    """Write the switches of what the preset has: mask, scaling, positions, its several heads."""
    preset = trace.preset
    attention = "attention" in preset.parts and preset.start != "vector"
    if attention and preset.mask != "none":
        _switch(trace, "switch.mask")
    if attention:
        _switch(trace, "switch.scale")
    if preset.positions != "none" and preset.start == "sentence":
        _switch(trace, "switch.position")
    if attention and preset.heads > 1:
        rows = tuple(f"block{b + 1}" for b in range(preset.blocks))
        columns = tuple(f"head{h + 1}" for h in range(preset.heads))
        on = np.ones((preset.blocks, preset.heads))
        _require_switch(trace, trace.give("switch.heads", on, rows, columns))  # [blocks, heads]


def give_sampling(trace: Trace, words: int) -> tuple[str, str, str]:
    """Write strategy, k and p, whatever the strategy is; gives their names."""
    preset = trace.preset
    strategy = np.empty((1, 1), dtype=object)
    strategy[0, 0] = preset.strategy
    name = trace.give("sampling.strategy", strategy, ("",), ("strategy",))
    found = trace[name].values[0, 0]
    if found not in STRATEGIES:
        raise UserError(f"sampling.strategy: found {found!r}, expected {', '.join(STRATEGIES)}")
    k = min(K, words) if preset.k is None else preset.k
    p = P if preset.p is None else preset.p
    return name, _limit(trace, "k", k), _limit(trace, "p", p)


def _limit(trace: Trace, name: str, value: float) -> str:
    step = trace.give(f"sampling.{name}", np.array([[float(value)]]), ("",), (name,))
    if not trace[step].values[0, 0] > 0:
        raise UserError(f"sampling.{name}: expected a number above 0")
    return step


def _switch(trace: Trace, name: str) -> None:
    _require_switch(trace, trace.give(name, np.ones((1, 1)), ("",), ("on",)))


def _require_switch(trace: Trace, name: str) -> None:
    for value in trace[name].values.ravel().tolist():
        if value not in (0.0, 1.0):
            raise UserError(f"{name}: found {value:g}, expected 1 (on) or 0 (off)")
