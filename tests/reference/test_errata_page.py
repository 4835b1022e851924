"""The page of errata names every wrong number of the sources, and the right ones beside it."""

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import NamedTuple

DOCUMENTS = json.loads(Path(__file__).with_name("source_numbers.json").read_text("utf-8"))[
    "documents"
]
PAGE = Path(__file__).parents[2] / "docs" / "errata.md"
WRONG_ROWS = 54
IDS = (
    *(f"N{k:02d}" for k in range(1, 55)),
    *(f"F{k:02d}" for k in range(1, 23)),
    *(f"P{k:02d}" for k in range(1, 15)),
)


class Wrong(NamedTuple):
    """One row of a printed table with at least one number that follows neither chain."""

    quantity: str
    label: str
    printed: str
    paper: str
    exact: str


def _is_wrong(mark: str | None) -> bool:
    return mark is not None and "P" not in mark and "F" not in mark


def _shown(value: object, decimals: int) -> str:
    """A number, or the visible numbers of a row in brackets, as the page writes them."""
    if isinstance(value, list):
        return f"[{', '.join(_shown(v, decimals) for v in value if v is not None)}]"
    first = Decimal(str(value)).quantize(Decimal("1e-10"), ROUND_HALF_UP)
    text = str(first.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")


def _rows(name: str, entry: dict[str, object]) -> list[Wrong]:
    marks = entry["match_cells"]
    tables = [
        entry[key]
        for key in ("printed", "recomputed_paper_chain", "recomputed_full_precision_chain")
    ]
    if isinstance(marks, list) and isinstance(marks[0], list):
        labels = entry["row_labels"]
        picked = [(labels[i], *(t[i] for t in tables), marks[i]) for i in range(len(marks))]
    else:
        picked = [("", *tables, marks if isinstance(marks, list) else [marks])]
    return [
        Wrong(name, label, *(_shown(v, entry["decimals"]) for v in values))
        for label, *values, row in picked
        if any(map(_is_wrong, row))
    ]


def wrong_rows() -> list[Wrong]:
    """Every wrong row of every document, in the order of the reference."""
    return [
        row
        for sections in DOCUMENTS.values()
        for section in sections.values()
        for name, entry in section.items()
        if "recomputed_paper_chain" in entry
        for row in _rows(name, entry)
    ]


def page_tables() -> list[list[str]]:
    """The rows of the page's tables as lists of cells."""
    lines = PAGE.read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]


def missing(row: Wrong, tables: list[list[str]]) -> bool:
    """Whether no line of the page has the row's name, its printed and both right numbers."""
    wanted = [row.printed, row.paper, row.exact]
    return not any(
        cells[1] == f"`{row.quantity}`"
        and row.label in cells[2]
        and [cell.removesuffix(" %") for cell in cells[3:6]] == wanted
        for cells in tables
        if len(cells) == 7
    )


def test_every_wrong_row_stands_on_the_page_with_its_right_numbers():
    rows, tables = wrong_rows(), page_tables()
    assert len(rows) == WRONG_ROWS
    assert [row for row in rows if missing(row, tables)] == []


def test_a_row_left_out_or_changed_would_be_noticed():
    tables = page_tables()
    for k, row in enumerate(wrong_rows(), start=1):
        others = [cells for cells in tables if cells[0] != f"N{k:02d}"]
        assert missing(row, others), row
    first = wrong_rows()[0]
    assert missing(first._replace(paper=first.printed), tables)


def test_every_erratum_has_one_line_on_the_page():
    lines = [cells[0] for cells in page_tables()]
    assert len(IDS) > 50
    assert [name for name in IDS if lines.count(name) != 1] == []


def test_the_headline_comes_first():
    text = PAGE.read_text("utf-8")
    numbered = re.findall(r"^\d\. (.*)$", text, re.MULTILINE)
    assert '"Matte" with 36.6 %' in numbered[0]
    assert 'not "Katze"' in numbered[0]
    assert "0.339 is a slip for 0.399" in numbered[1]
    assert "GPT-3" in numbered[2]
    assert text.index(numbered[2]) < text.index("| N01 |")
