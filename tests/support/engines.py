"""Two further programs that compute workbooks, where they are installed: Gnumeric, HyperFormula.

The workbooks were never tuned to them. Gnumeric: `apt-get install gnumeric`. HyperFormula:
`npm install --prefix .venv/engines hyperformula@3`. A test that asks for one that is not there is
skipped and says so.
"""

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple

from tests.support.office import ERROR
from tests.support.recalculate import Value, Values, formula_cells, strip_caches

SECONDS = 120
HYPERFORMULA = Path(sys.prefix) / "engines"
SCRIPT = Path(__file__).with_name("hyperformula.mjs")
CLOSE = 1e-9

Rows = list[list[object]]


def gnumeric_values(xlsx: bytes) -> Values:
    """All formula cells as Gnumeric computes them; skips the test where it is not installed."""
    program = _gnumeric()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.xlsx"), Path(folder, "after.xlsx")
        before.write_bytes(strip_caches(xlsx))
        command = [program, "--recalc", "-T", "Gnumeric_Excel:xlsx2", str(before), str(after)]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of openpyxl, about looks that Gnumeric drops
            book = load_workbook(after, data_only=True)
    return {
        sheet: {name: _told(book[sheet][name].value) for name in cells}
        for sheet, cells in formula_cells(xlsx).items()
    }


def hyperformula_values(xlsx: bytes) -> Values:
    """All formula cells as HyperFormula computes them; skips the test where it is missing."""
    return live(xlsx, [{}])[0]


def live(
    xlsx: bytes, edits: Sequence[Mapping[tuple[str, str], object]], language: str = "en"
) -> list[Values]:
    """What HyperFormula makes of a workbook in which edits are typed, one after another.

    In a program of that language: in a German one the text "0,86" is a number, "0.86" is none. A
    text that is to stay one begins with "'".
    """
    book = load_workbook(io.BytesIO(xlsx))
    sheets = {
        sheet.title: [
            [f"'{cell.value}" if cell.data_type == "s" else cell.value for cell in row]
            for row in sheet.iter_rows(min_row=1, min_col=1)
        ]
        for sheet in book.worksheets
    }
    return _node(sheets, edits, language, formula_cells(xlsx), stored=True)


def typed_values(shown: Values, typed: Values, language: str) -> Values:
    """What formulas give that somebody types over what a workbook shows, in a German program too.

    They are read with HyperFormula's own names of functions in that language.
    """
    sheets = {}
    for sheet, cells in shown.items():
        known = {name: f"'{x}" if isinstance(x, str) else x for name, x in cells.items()}
        known |= typed.get(sheet, {})  # others that begin with "=" are no formulas
        places = {coordinate_to_tuple(name): value for name, value in known.items()}
        height, width = (max(place[k] for place in places) for k in (0, 1))
        rows = range(1, height + 1)
        sheets[sheet] = [[places.get((row, k)) for k in range(1, width + 1)] for row in rows]
    return _node(sheets, [{}], language, typed)[0]


def gnumeric_tables(files: Sequence[bytes], wanted: Sequence[Values]) -> list[Values]:
    """All formula cells of workbooks as Gnumeric computes them, written as plain tables.

    That is quicker than a xlsx, but says no types: they are those of the `wanted` values.
    """
    program = _gnumeric()
    with tempfile.TemporaryDirectory() as folder:
        spelled = [_as_tables(program, Path(folder), xlsx) for xlsx in files]
    return [
        {
            sheet: {name: _read(text, known[sheet].get(name, "")) for name, text in cells.items()}
            for sheet, cells in texts.items()
        }
        for texts, known in zip(spelled, wanted, strict=True)
    ]


def _as_tables(program: str, folder: Path, xlsx: bytes) -> dict[str, dict[str, str]]:
    """One file a sheet, in the order of the workbook; numbers with all their digits."""
    before, cells = folder / "before.xlsx", formula_cells(xlsx)
    before.write_bytes(xlsx)
    spelled = "format=raw separator=, quoting-mode=always eol=unix charset=UTF-8"
    command = [program, "--recalc", "-S", "-T", "Gnumeric_stf:stf_assistant", "-O", spelled]
    command += [str(before), str(folder / "%n.csv")]
    subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    found = {}
    for number, (sheet, names) in enumerate(cells.items()):
        with (folder / f"{number}.csv").open(encoding="utf-8", newline="") as table:
            rows = list(csv.reader(table))
        found[sheet] = {name: str(_picked(rows, name)) for name in names}
    return found


def _read(text: str, wanted: Value) -> Value:
    """A spelled value as a number, where a number is wanted."""
    try:
        return text if isinstance(wanted, str) else float(text)
    except ValueError:
        return text


def _node(
    sheets: Mapping[str, Rows],
    edits: Sequence[Mapping[tuple[str, str], object]],
    language: str,
    wanted: Mapping[str, Iterable[str]],
    *,
    stored: bool = False,
) -> list[Values]:
    """The wanted cells of these sheets after each edit; one process computes all."""
    node = shutil.which("node")
    if node is None or not (HYPERFORMULA / "node_modules/hyperformula").is_dir():
        pytest.skip(f"HyperFormula is missing: npm install --prefix {HYPERFORMULA} hyperformula@3")
    asked = [[[sheet, *_from_0(cell), x] for (sheet, cell), x in edit.items()] for edit in edits]
    book = {"sheets": sheets, "edits": asked, "stored": stored}
    done = subprocess.run(
        [node, str(SCRIPT), str(HYPERFORMULA)],
        input=json.dumps({"books": [book], "language": language}),
        check=True,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    (answers,) = json.loads(done.stdout)
    return [
        {sheet: {n: _picked(found[sheet], n) for n in names} for sheet, names in wanted.items()}
        for found in answers
    ]


def differing(
    values: Values, wanted: Values, close: float = CLOSE
) -> list[tuple[str, str, object, object]]:
    """The cells that two programs compute differently: sheet, cell, found, wanted."""
    return [
        (sheet, name, value, wanted[sheet].get(name, ""))
        for sheet, cells in values.items()
        for name, value in cells.items()
        if not same(value, wanted[sheet].get(name, ""), close)
    ]


def same(value: Value, wanted: Value, close: float = CLOSE) -> bool:
    """Whether two programs show the same; a truth value is 1 or 0."""
    if isinstance(value, str) or isinstance(wanted, str):
        return value == wanted
    return abs(value - wanted) <= close * max(1.0, abs(wanted))


def _gnumeric() -> str:
    program = shutil.which("ssconvert")
    if program is None:
        pytest.skip("Gnumeric is not installed: apt-get install --no-install-recommends gnumeric")
    return program


def _from_0(cell: str) -> tuple[int, int]:
    row, column = coordinate_to_tuple(cell)
    return row - 1, column - 1


def _picked(rows: Sequence[Sequence[object]], name: str) -> Value:
    row, column = coordinate_to_tuple(name)
    cells = rows[row - 1] if row <= len(rows) else []
    return _told(cells[column - 1] if column <= len(cells) else None)


def _told(value: object) -> Value:
    if isinstance(value, dict) or (isinstance(value, str) and value.startswith("#")):
        return ERROR
    if isinstance(value, bool | int | float):
        return float(value)
    return "" if value is None else str(value)
