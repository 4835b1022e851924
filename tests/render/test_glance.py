"""The teachers' page on the series says what the sheets are: numbers, minutes, presets."""

import re
from pathlib import Path

import pytest

import generator
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SHEETS
from generator.sheets.sheet1.plan import Plan1
from tests.support.battery import boxes
from tests.support.filled import PRESETS, filling, reason
from tests.support.sheets import traces

PAGE = Path(generator.__file__).parents[1] / "docs" / "how-to" / "series-at-a-glance.md"
LINES = {
    found[1]: [cell.strip() for cell in found[2].split("|")]
    for found in re.finditer(r"^\| `(\w+)` ([^|]*\|.*)\|$", PAGE.read_text(encoding="utf-8"), re.M)
}
FIRST_LESSON = ("slide", "slides")
READ = ("code", "math", "formulas")


def test_every_sheet_has_its_line_in_order():
    assert tuple(LINES) == SHEETS


@pytest.mark.parametrize("sheet", SHEETS)
def test_numbers_and_minutes_are_those_of_the_sheets(sheet):
    _, _, numbers, computing, minutes, _ = LINES[sheet]
    trace, exact = traces("paris" if sheet in FIRST_LESSON else filling(sheet), "de")
    options = [SheetOptions(level=level) for level in (1, 2, 3)]
    plans = [planned(sheet, trace, one) for one in options]
    if sheet in READ:
        assert numbers == "–"
        for shown, spent in ((computing, "minutes"), (minutes, "in_all")):
            found = [getattr(plan, spent) for plan in plans]
            assert shown == (_joined(found) if found[0] else "–")
        return
    asked = [boxes(sheet, trace, exact, one) + _free(plan)
             for one, plan in zip(options, plans, strict=True)]  # fmt: skip
    assert numbers == _joined(asked)
    assert computing == _joined([plan.minutes for plan in plans])
    assert minutes == _joined([plan.in_all for plan in plans])


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_presets_named_are_those_that_fill_it(sheet):
    fitting = {preset for preset in PRESETS if not reason(sheet, preset)}
    named = LINES[sheet][5]
    if named.startswith("all"):
        missing = set(re.findall(r"[\w-]+", named.removeprefix("all").removeprefix(" but")))
        assert fitting == set(PRESETS) - missing
    else:
        assert fitting == set(named.split(", "))


def _free(plan: Plan) -> int:
    """Boxes for words of the pupils' own; no program knows what belongs in them."""
    return plan.free if isinstance(plan, Plan1) else 0


def _joined(values: list[int]) -> str:
    """One number where the levels are alike, otherwise all three."""
    return " / ".join(map(str, values if len(set(values)) > 1 else values[:1]))
