"""One step of learning, as sheet 7a teaches it, for the reference sheets: four steps to list."""

from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.output_step import GRADIENT, LOSS, NEW
from generator.sheets.sheet7a import plan as sheet7a
from generator.sheets.sheetmath.overview import Entry

LANE = "learning"
LETTER = "loss.probability"  # P of the right word: not listed, yet it has a letter here
EACH = ("n_vocab", "d_model")
LISTED = (
    Entry("loss", LANE, LOSS, ("1", "1"), ""),
    Entry("error", LANE, "grad.output.logits", ("1", "n_vocab"), ""),
    Entry("gradient", LANE, GRADIENT, EACH, ""),
    Entry("update", LANE, NEW, EACH, ""),
)


def learned(trace: Trace) -> list[Entry]:
    """Loss, error, gradient and new weights; none for a model that sheet 7a cannot let learn."""
    return list(LISTED) if _steps(trace) else []


def taught(trace: Trace) -> Trace:
    """The computation with a step of learning, if there is one."""
    return trace.with_steps(_steps(trace))


def _steps(trace: Trace) -> tuple[Step, ...]:
    try:
        return sheet7a.learning(trace, 1, sheet7a.SHEET).steps
    except UserError:  # the sheet says why; here it is only left out
        return ()
