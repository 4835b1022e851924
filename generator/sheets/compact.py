"""Numbers without needless zeros: an exact computation with few decimals shows just those."""

from generator.engine.trace import Step, Trace
from generator.notation.shown import shown_decimals
from generator.sheets.attending import attended

HALVINGS = {1.0: 0, 2.0: 1, 4.0: 2}  # what dividing by these adds to the decimals


def compact(trace: Trace, at: str) -> tuple[Step, ...]:
    """A head's steps up to the scaled scores, shown with as many decimals as they can need.

    How many that are follows from the given numbers alone: a product has the decimals of its
    factors together. Nothing changes where numbers are rounded on the way, or need more.
    """
    if trace.rounding != "exact":
        return ()
    x = _full(trace, attended(trace))
    need = {name: x + _full(trace, f"{at}.weight.{name}") for name in PROJECTED}
    if any(f"{at}.bias.{name}" in trace for name in PROJECTED):
        return ()
    need["scores"] = need["query"] + need["key"]
    divisor = float(trace["scale"].values[0, 0])
    if divisor in HALVINGS:
        need["scaled"] = need["masked"] = need["scores"] + HALVINGS[divisor]
    steps = [(trace[f"{at}.{name}"], n) for name, n in need.items() if f"{at}.{name}" in trace]
    steps += [(trace["scale"], 0)] if divisor in HALVINGS else []
    return tuple(s._replace(decimals=n) for s, n in steps if s.decimals and n < s.decimals)


PROJECTED = ("query", "key", "value")


def _full(trace: Trace, name: str) -> int:
    """How many decimals a step's numbers have when nothing is cut off."""
    return shown_decimals(trace[name]._replace(decimals=None))
