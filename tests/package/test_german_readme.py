"""The German README promises minutes of computing; the sheets count them."""

import re
from pathlib import Path

from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from tests.support.sheets import traces

TEXT = (Path(__file__).parents[2] / "docs/LIESMICH.md").read_text(encoding="utf-8")
LESSONS = re.findall(r"^\| .*?\| (.*`.*) \| (\d+) \|$", TEXT, re.MULTILINE)
BASE = ["4a", "4b"]  # what the longer ones add to


def test_the_minutes_of_each_lesson_are_those_of_its_sheets():
    assert len(LESSONS) == 4
    trace, _ = traces("katze-trained", "de")
    options = SheetOptions(language="de", level=2)
    for sheets, minutes in LESSONS:
        names = [name for name in re.findall("`(.+?)`", sheets) if SERIES[name].kind.filled]
        names += BASE if sheets.startswith(("dazu", "oder")) else []
        counted = [round(planned(name, trace, options).minutes) for name in names]
        assert int(minutes) == sum(counted), sheets
