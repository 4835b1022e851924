"""What a pupil meant by what was typed: a number, a word, or nothing that can be read."""

from generator.engine.ops.attention import RowShare
from generator.engine.ops.sampling import Cumulative
from generator.engine.step import Step
from generator.insight.output_layer import TICK
from generator.render.workbook.reading.read_back import to_number

Number = float | str
PERCENT = 100.0
SEPARATORS = str.maketrans("|·/", "   ")  # pupils put them between pieces of a word
CHANCES = ("chance", "probability")  # shares that a sheet copies


def is_tick(step: Step) -> bool:
    """Whether the cells of a step are ticked or left empty."""
    return step.text and set(step.values.ravel().tolist()) <= {TICK, ""}


def is_share(step: Step) -> bool:
    """Whether a step's numbers are shares of 1, so that somebody may write per cent."""
    return isinstance(step.op, RowShare | Cumulative) or step.name.endswith(CHANCES)


def read(step: Step, right: Number, typed: Number) -> Number | None:
    """The entry as a number or a text; None where it cannot be read without guessing.

    "0,35", "0.35", " 35 % " are numbers. A text is taken without the spaces around it, a number
    in place of a text as its digits, with the zeros in front that the right one has. In a place
    for a tick any sign is one.
    """
    if not step.text:
        return to_number(typed)
    if is_tick(step):
        return TICK
    text = f"{typed:g}" if isinstance(typed, float | int) else typed
    if " " in str(right):
        text = text.translate(SEPARATORS)
    text = " ".join(text.split())
    return text.zfill(len(str(right))) if text.isdigit() and str(right).isdigit() else text


def blank(typed: object) -> bool:
    """Whether a cell holds nothing."""
    return typed is None or (isinstance(typed, str) and not typed.strip())
