"""Controls: given numbers with which a class plays, each 1×1 switch 1 (on) or 0 (off).

They exist where they are asked for, because only a workbook, or an edit, can use them.
"""

import numpy as np

from generator.engine.arrays import column
from generator.engine.choices import STRATEGIES
from generator.engine.edits import Edits
from generator.engine.scope import Scope
from generator.engine.step import single
from generator.errors import require

K, P, RANDOM = 3.0, 0.9, 0.5  # shown until somebody sets them; a preset's own come first

_NAMES = ("switch.", "sampling.strategy")


def wanted(edits: Edits) -> bool:
    """Whether an edit names a control, so that the computation needs them."""
    return any(address.startswith(_NAMES) for address in edits.requested)


def give_switches(scope: Scope) -> None:
    """Write the switches of what the preset has: mask, scaling, positions, its several heads."""
    preset = scope.preset
    attention = "attention" in preset.parts and preset.start != "vector"
    if attention and preset.mask != "none":
        _switch(scope, "switch.mask")
    if attention:
        _switch(scope, "switch.scale")
    if preset.positions != "none" and preset.start == "sentence":
        _switch(scope, "switch.position")
    if attention and preset.heads > 1:
        rows = tuple(f"block{b + 1}" for b in range(preset.blocks))
        columns = tuple(f"head{h + 1}" for h in range(preset.heads))
        on = np.ones((preset.blocks, preset.heads))
        name = scope.give("switch.heads", on, rows=rows, columns=columns)  # [blocks, heads]
        require_switch(scope, name)


def give_sampling(scope: Scope) -> tuple[str, ...]:
    """Write strategy, k and p; gives their names. Raises `UserError` for an unknown strategy."""
    preset = scope.preset
    name = scope.give("sampling.strategy", column([preset.strategy]), **single("strategy"))
    strategy = scope[name].values[0, 0]
    known = ", ".join(STRATEGIES)
    require(strategy in STRATEGIES, "engine.strategy", strategy=strategy, known=known)
    k = min(K, len(scope.words)) if preset.k is None else preset.k
    p = P if preset.p is None else preset.p
    return name, give_limit(scope, "k", k), give_limit(scope, "p", p)


def give_limit(scope: Scope, name: str, value: float) -> str:
    """Write k or p, how much a strategy keeps; `UserError` where it is not above 0."""
    step = scope.give(f"sampling.{name}", np.array([[float(value)]]), **single(name))
    require(scope[step].values[0, 0] > 0, "engine.kept", name=name)
    return step


def _switch(scope: Scope, name: str) -> None:
    require_switch(scope, scope.give(name, np.ones((1, 1)), **single("on")))


def require_switch(scope: Scope, name: str) -> None:
    """Raise a `UserError` for a switch that is neither on nor off."""
    for value in scope[name].values.ravel().tolist():
        require(value in (0.0, 1.0), "engine.switch", name=name, value=value)
