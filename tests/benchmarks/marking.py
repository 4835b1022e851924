"""What marking costs: a simulated pupil's sheet, against computing its sentence."""

from generator.api import compute
from generator.grading.marking.marks import marked
from generator.grading.reading.entries import Entries, Source
from tests.grading.papers import question
from tests.grading.pupils import solved
from tests.reference.options import Draws


class Marking:
    """Marking a simulated pupil's sheet 4a, causes included, and computing the sentence."""

    def __init__(self) -> None:
        self.asked = question("4a")
        self.entries = Entries(
            Source("list.csv", "csv", "B7KQ", ("4a",)), solved(self.asked, Draws("a")).typed
        )

    def ours(self) -> object:
        """Every box with its credit and causes."""
        return marked([self.asked], self.entries)

    def once(self) -> object:
        """The computation alone."""
        return compute(preset="katze-trained")
