"""What the overview says of its own model, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.general_claims import widens


def fixed(trace: Trace, plan: object) -> bool:
    """Whether the norms of this model have neither gain nor shift of their own."""
    return not any(".gain" in name or ".beta" in name for name in trace.preset.weights)


CLAIMS = {
    "sheetmath.words.hidden": Claim(widens, "sheetmath.words.hidden.plain"),
    "sheetmath.counts.note": Claim(fixed),
}
