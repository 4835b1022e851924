"""What marking costs: a simulated pupil's sheet, against computing its sentence."""

from generator.api import compute
from generator.grading.marking.marks import task_marks
from tests.benchmarks.measure import Pair
from tests.grading.papers import question
from tests.grading.pupils import solved
from tests.reference.options import Draws


def marking() -> Pair:
    """Marking a simulated pupil's sheet 4a, causes included, and computing the sentence."""
    asked = question("4a")
    typed = solved(asked, Draws("a")).typed
    return lambda: task_marks(asked, typed), lambda: compute(preset="katze-trained")
