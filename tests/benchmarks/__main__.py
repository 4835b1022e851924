"""Prints the table of benchmarks; needs the extra `bench`."""

from tests.benchmarks.rows import Result, measured, rows

HEAD = ("row", "ours ms", "reference ms", "ratio", "aim", "peak MB", "aim MB")


def line(result: Result) -> tuple[str, ...]:
    """One line of the table."""
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


def main() -> None:
    """Measure every row and print it as soon as it is known."""
    print(_spaced(HEAD), flush=True)
    for row in rows():
        print(_spaced(line(measured(row))), flush=True)


def _spaced(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:<48}" + "".join(f"{cell:>14}" for cell in cells[1:])


if __name__ == "__main__":
    main()
