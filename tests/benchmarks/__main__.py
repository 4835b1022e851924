"""Measures all rows, for the page of benchmarks and the file that it is held to.

    python -m tests.benchmarks            # every row; writes results.json and the page
    python -m tests.benchmarks --check    # quick rows against results.json; exit code 1 if slower

Needs the extra `bench`.
"""

import argparse
import datetime
import sys

from tests.benchmarks import engine
from tests.benchmarks.results import QUICK, collected, committed, keep, slower
from tests.benchmarks.rows import Result, measured, rows

HEAD = ("row", "ours ms", "reference ms", "ratio", "aim", "peak MB", "aim MB")


def line(result: Result) -> tuple[str, ...]:
    """One line of what is printed."""
    row = result.row
    return (
        row.title,
        f"{result.ours:.2f}",
        f"{result.reference:.2f}",
        f"{result.ratio:.2f}",
        "-" if row.aim is None else f"{row.aim:.2f}",
        f"{result.memory:.0f}",
        "-" if row.limit is None else f"{row.limit}",
    )


def main(words: list[str] | None = None) -> int:
    """Print each row as soon as it is known; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare the quick rows")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the results")
    asked = parser.parse_args(words)
    if asked.check:
        problems = slower((row for row in rows() if row.title in QUICK), committed())
        print(*problems, sep="\n", file=sys.stderr)
        return 1 if problems else 0
    print(_spaced(HEAD), flush=True)
    found = []
    for row in rows():
        found.append(measured(row))
        print(_spaced(line(found[-1])), flush=True)
    keep(collected(found, engine.parts(), asked.date))
    return 0


def _spaced(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:<48}" + "".join(f"{cell:>14}" for cell in cells[1:])


if __name__ == "__main__":
    sys.exit(main())
