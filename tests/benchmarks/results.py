"""What was measured last: a committed file, its table in the docs, and the check against it."""

import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Result, Row, once

FILE = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
ROWS, PARTS = "results", "parts of the engine"  # the tables of the page
COMPARED = ("numpy", "openpyxl", "XlsxWriter", "weasyprint", "typst")
SLOWER = 1.3  # times the committed ratio: so much is more than noise
AGAIN = 4  # times at most that a row too slow is measured once more
QUICK = (  # rows of a few seconds, whose ratios hardly change from run to run
    "engine, exact / bare NumPy (peak: 512 tokens)",
    "engine, paper / bare NumPy (peak: 512 tokens)",
    "gradients / the engine's own pass, exact",
    "workbook, ready cells / XlsxWriter",
    "workbook, all of it / XlsxWriter's writing",
    "workbook with a step of training / without",
    "worksheet 4a / untuned WeasyPrint",
    "marking a sheet 4a / its computation",
    "sheet 4a with hints / without",
)

Results = Mapping[str, Any]
Parts = Mapping[str, tuple[float, float]]


def collected(results: Iterable[Result], engine: Parts, date: str) -> Results:
    """All that is kept of a run: when and with what, for each row its numbers and aims.

    `engine`: for each of its parts the ms of exact and of paper arithmetic.
    """
    return {
        "date": date,
        "machine": f"{os.cpu_count()} processors, {platform.system()} {platform.machine()}",
        "versions": {"Python": platform.python_version()}
        | {name: version(name) for name in COMPARED},
        "rows": {
            one.row.title: {
                "ours ms": round(one.ours, 2),
                "reference ms": round(one.reference, 2),
                "ratio": round(one.ratio, 4),
                "aim": one.row.aim,
                "peak MB": round(one.memory),
                "aim MB": one.row.limit,
            }
            for one in results
        },
        "engine ms": {what: [round(ms, 2) for ms in both] for what, both in engine.items()},
    }


def committed() -> Results:
    """The results as they stand in the file."""
    found: Results = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def table(results: Results) -> str:
    """The results as they stand on the page."""
    lines = ["| row | ratio | aim | peak MB | aim |", "|---|---|---|---|---|"]
    for title, row in results["rows"].items():
        aims = ("" if row[aim] is None else f"≤ {row[aim]:g}" for aim in ("aim", "aim MB"))
        aim, limit = aims
        lines.append(f"| {title} | {row['ratio']:.3g} | {aim} | {row['peak MB']} | {limit} |")
    used = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    return "\n".join(
        [*lines, "", f"Measured on {results['date']}: {results['machine']}; {used}.", ""]
    )


def parts_table(results: Results) -> str:
    """What the engine's time goes into, as it stands on the page."""
    lines = ["| what | exact, ms | paper, ms |", "|---|---|---|"]
    for what, (exact, paper) in results["engine ms"].items():
        lines.append(f"| {what} | {exact:.2f} | {paper:.2f} |")
    return "\n".join([*lines, ""])


def on_page(page: str, results: Results) -> str:
    """The page with these results between its marks; `ValueError` where it has none."""
    for name, text in ((ROWS, table(results)), (PARTS, parts_table(results))):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"expected {begin.strip()} and {end.strip()} on the page")
        page = f"{before}{begin}{text}{end}{after}"
    return page


def keep(results: Results) -> None:
    """Write the file and the page."""
    text = json.dumps(results, ensure_ascii=False, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(on_page(page, results), encoding="utf-8")


def slower(
    rows: Iterable[Row], results: Results, say: Callable[[str], object] = print
) -> list[str]:
    """The rows whose ratio is too far above the committed one, also when it is measured again.

    A row that keeps its aim passes: the committed ratio is that of one machine, and another one
    takes up to half as long again for Python beside what a library computes.
    """
    found = []
    for row in rows:
        before = results["rows"][row.title]["ratio"]
        most = max(SLOWER * before, row.aim or 0)
        times = _times(row, most)
        now = times[0] / times[1]
        say(f"{row.title:<48}{now:8.3g}  committed {before:.3g}")
        if now > most:
            found.append(f"{row.title}: {now:.3g}, expected at most {most:.3g}")
    return found


def _times(row: Row, most: float) -> list[float]:
    """The least ms of both sides; both are measured again while their ratio is above `most`."""
    least = once(row)
    for _ in range(AGAIN):
        if least[0] / least[1] <= most:
            break
        least = [min(both) for both in zip(least, once(row), strict=True)]
    return least
