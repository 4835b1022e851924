"""A task knows all that it asked."""

from generator.api import compute
from generator.grading.reading.entries import PupilTask
from generator.sheets.sheet4a.plan import plan


def test_a_task_asks_what_its_plans_ask():
    trace = compute("Die Katze sitzt", preset="katze")
    one, two = plan(trace, 1), plan(trace, 3)
    assert one.asked < two.asked
    assert PupilTask(trace, {"4a": one, "same again": two}).asked == two.asked
