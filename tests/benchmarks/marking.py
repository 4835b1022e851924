"""What marking costs: a simulated pupil's sheet, against computing its sentence."""

from generator.api import compute
from generator.grading.marking.marks import marked
from generator.grading.reading.entries import Entries, Source
from tests.benchmarks.measure import Pair
from tests.grading.papers import question
from tests.grading.pupils import solved
from tests.reference.options import Draws


def marking() -> Pair:
    """Marking a simulated pupil's sheet 4a, causes included, and computing the sentence."""
    asked = question("4a")
    source = Source("list.csv", "csv", "B7KQ", ("4a",))
    entries = Entries(source, solved(asked, Draws("a")).typed)
    return lambda: marked([asked], entries), lambda: compute(preset="katze-trained")
