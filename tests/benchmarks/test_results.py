"""The page's table is that of the committed results, and the check knows slower from noise."""

import re

from generator.sheets.series import SHEETS
from tests.benchmarks.measure import Job
from tests.benchmarks.results import AGAIN, PAGE, QUICK, committed, on_page, slower
from tests.benchmarks.rows import CHROMIUM, Row, rows

TITLE = QUICK[0]


def test_the_page_has_the_committed_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == on_page(page, committed()), "run: python -m tests.benchmarks"


def test_the_results_are_those_of_rows_as_they_are_with_their_aims() -> None:
    now = {row.title: (row.aim, row.limit) for row in rows(sheets=SHEETS)}
    kept = {title: (row["aim"], row["aim MB"]) for title, row in committed()["rows"].items()}
    for titles in (now, kept):
        titles.pop(CHROMIUM, None)  # not everybody has the program
    assert kept == now
    assert set(QUICK) <= kept.keys()


def test_other_pages_quote_the_table_of_a_class() -> None:
    page, docs = PAGE.read_text(encoding="utf-8"), PAGE.parent
    blanks, many = (
        re.search(rf"^\| {row}[^|]*\| (\d+) \|", page, re.MULTILINE)[1]
        for row in ("30 pupils, blanks:", "300 pupils, blanks and solutions")
    )
    told = (docs / "how-to" / "how-stamping-works.md").read_text(encoding="utf-8")
    assert f"a class of 30 is {blanks} to " in told
    assert f"one of 300 is {many} times as fast" in told
    assert f"[{blanks} and {many}](" in (docs / "ARCHITECTURE.md").read_text(encoding="utf-8")


def _work(size: int) -> Job:
    return lambda: sum(range(size))


def _checked(committed_ratio: float, aim: float | None = None) -> tuple[list[str], int]:
    """What the check says of a row whose ratio is about 1, and how often it was prepared."""
    prepared = []

    def pair() -> tuple[Job, Job]:
        prepared.append(1)
        return _work(200_000), _work(200_000)

    row = Row(TITLE, pair, aim, 20, "")
    results = {"rows": {TITLE: {"ratio": committed_ratio}}}
    return slower([row], results, lambda text: None), len(prepared)


def test_a_row_as_quick_as_committed_passes_at_once() -> None:
    assert _checked(10.0) == ([], 1)


def test_a_slower_row_is_measured_again_and_named() -> None:
    problems, times = _checked(0.1)
    assert times == 1 + AGAIN
    assert len(problems) == 1
    assert problems[0].startswith(TITLE)


def test_a_row_that_keeps_its_aim_passes_on_a_machine_with_other_ratios() -> None:
    assert _checked(0.1, aim=3.0) == ([], 1)
    assert _checked(0.1, aim=0.2)[0]
