"""Frames that follow a cell: around the focus token's rows and columns, around the winner."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.ops.pieces import PairPlaces
from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.rules import apart, framed, is_heated
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.focus import FOCUS, focusable
from generator.render.workbook.layout.layout import Band, Sheet
from generator.render.workbook.layout.tokens import by_token


class Frame(NamedTuple):
    """Cells that are framed where a formula is true; it is written for the first of them."""

    spans: tuple[str, ...]
    formula: str


def changed(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The frames of cells that differ from as delivered, with their tint.

    LibreOffice takes of all rules the first that is true, so this one comes before the tint.
    """
    if kept := draft.kept.get(sheet.tab.title):
        for frame in _frames(draft, sheet):
            columns, rows, _, _ = zip(*map(range_boundaries, frame.spans), strict=True)
            both = f"AND({frame.formula},{apart(kept, min(rows), min(columns))})"
            page.conditional_formatting.add(" ".join(frame.spans), framed(both, tinted=True))


def draw(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The frames of all other cells."""
    for frame in _frames(draft, sheet):
        page.conditional_formatting.add(" ".join(frame.spans), framed(frame.formula))


def _frames(draft: Draft, sheet: Sheet) -> Iterator[Frame]:
    yield from _chosen(draft, sheet)
    yield from _focus(draft, sheet)
    yield from _winners(draft, sheet)


def _chosen(draft: Draft, sheet: Sheet) -> Iterator[Frame]:
    """The row of the chosen word in each table of intervals."""
    for band in sheet.bands:
        for table, chosen in draft.layout.choices(band):
            cell = at(chosen.row, chosen.column, fixed=True)
            span = f"A{table.row}:{at(table.bottom, table.right)}"
            yield Frame((span,), f"EXACT($A{table.row},{cell})")


def _focus(draft: Draft, sheet: Sheet) -> Iterator[Frame]:
    """The focus token's row of each table, and its column where tokens stand across.

    The formulas read the focus cell of the same tab, so the frames follow it.
    """
    tokens = focusable(draft.trace, sheet)
    down: dict[int, list[str]] = {}
    across: dict[int, list[str]] = {}
    for band in sheet.bands if tokens else ():
        for row, span in _token_labels(band, f"{sheet.tab.prefix}tokens", len(tokens)):
            down.setdefault(row, []).append(span)
        for box in band.boxes:
            rows, columns = by_token(draft.trace[box.step], tokens)
            if box.turned:
                rows, columns = columns, rows
            if is_heated(box):  # LibreOffice frames heated cells where both rules have one range
                yield from _at([box.span()], "ROW", box.row if rows else 0)
                yield from _at([box.span()], "COLUMN", box.column if columns else 0)
                continue
            if rows:
                down.setdefault(box.row, []).append(box.span())
            if columns:
                across.setdefault(box.column, []).append(box.span())
    for row, spans in down.items():
        yield from _at(spans, "ROW", row)
    for column, spans in across.items():
        yield from _at(spans, "COLUMN", column)


def _at(spans: Sequence[str], function: str, first: int) -> Iterator[Frame]:
    """The focus token's row, or column, of tables that begin at `first`; none for 0."""
    if first:
        ordered = sorted(spans, key=lambda span: range_boundaries(span)[1::-1])
        yield Frame(tuple(ordered), f"{function}()={FOCUS}+{first - 1}")


def _token_labels(band: Band, tokens: str, n: int) -> Iterator[tuple[int, str]]:
    """The first row and the range of each column of labels that has all tokens."""
    for label in band.labels:
        if label.step == tokens and not label.across and label.cell == 0:
            first, last = at(label.row, label.column), at(label.row + n - 1, label.column)
            yield label.row, f"{first}:{last}"


def _winners(draft: Draft, sheet: Sheet) -> Iterator[Frame]:
    """The most frequent pair of a round of byte-pair encoding, wherever it stands."""
    for step in sheet.tab.steps:
        if isinstance(step.op, PairPlaces):
            home = draft.layout.home(step.name)
            winner = draft.layout.home(step.name.replace(".places", ".winner"))
            first, cell = home.cell(0, 0), at(winner.row, winner.column, fixed=True)
            yield Frame((home.span(),), f'AND({first}<>"",EXACT({first},{cell}))')
