"""What came back is a record that nobody changes, and a task knows all that it asked."""

from dataclasses import FrozenInstanceError

import pytest

from generator.api import compute
from generator.grading.reading.entries import Entries, PupilTask, Source
from generator.sheets.sheet4a.plan import plan

SOURCE = Source("a/b.xlsx", "xlsx", "K7QX2MPD", "B2C3D4E5", ("workbook",), 2)


def test_entries_stay_as_they_were_read():
    cell = "block1.head1.scores", 1, 0
    entries = Entries(SOURCE, {cell: "0,35"})
    assert entries.typed[cell] == "0,35"
    with pytest.raises(FrozenInstanceError):
        entries.source.code = "other"  # type: ignore[misc]


def test_a_task_asks_what_its_plans_ask():
    trace = compute("Die Katze sitzt", preset="katze")
    one, two = plan(trace, 1), plan(trace, 3)
    assert one.asked < two.asked
    assert PupilTask(trace, {"4a": one, "same again": two}).asked == two.asked
