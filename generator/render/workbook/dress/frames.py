"""Frames that follow a cell: around the focus token's rows and columns, around the winner."""

from collections.abc import Iterator

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.ops.pieces import PairPlaces
from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.rules import framed, is_heated
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.focus import FOCUS, focusable
from generator.render.workbook.layout.layout import Band, Sheet
from generator.render.workbook.layout.tokens import by_token


def focus(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """Lines around the focus token's row of each table, and its column where tokens stand across.

    Drawn by rules over the focus cell of the same tab, so they follow it.
    """
    tokens = focusable(draft.trace, sheet)
    if not tokens:
        return
    down: dict[int, list[str]] = {}
    across: dict[int, list[str]] = {}
    for band in sheet.bands:
        for row, span in _token_labels(band, f"{sheet.tab.prefix}tokens", len(tokens)):
            down.setdefault(row, []).append(span)
        for box in band.boxes:
            rows, columns = by_token(draft.trace[box.step], tokens)
            if box.turned:
                rows, columns = columns, rows
            if is_heated(box):  # LibreOffice frames heated cells where both rules have one range
                _frame(page, [box.span()], "ROW", box.row if rows else 0)
                _frame(page, [box.span()], "COLUMN", box.column if columns else 0)
                continue
            if rows:
                down.setdefault(box.row, []).append(box.span())
            if columns:
                across.setdefault(box.column, []).append(box.span())
    for row, spans in down.items():
        _frame(page, spans, "ROW", row)
    for column, spans in across.items():
        _frame(page, spans, "COLUMN", column)


def _token_labels(band: Band, tokens: str, n: int) -> Iterator[tuple[int, str]]:
    """The first row and the range of each column of labels that has all tokens."""
    for label in band.labels:
        if label.step == tokens and not label.across and label.cell == 0:
            first, last = at(label.row, label.column), at(label.row + n - 1, label.column)
            yield label.row, f"{first}:{last}"


def _frame(page: Worksheet, spans: list[str], function: str, first: int) -> None:
    """The rule that frames the focus token's row, or column, of tables that begin at `first`."""
    if first:
        rule = framed(f"{function}()={FOCUS}+{first - 1}")
        page.conditional_formatting.add(" ".join(spans), rule)


def winners(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The most frequent pair of a round of byte-pair encoding, wherever it stands."""
    for step in sheet.tab.steps:
        if isinstance(step.op, PairPlaces):
            home = draft.layout.home(step.name)
            winner = draft.layout.home(step.name.replace(".places", ".winner"))
            first, cell = home.cell(0, 0), at(winner.row, winner.column, fixed=True)
            rule = framed(f'AND({first}<>"",EXACT({first},{cell}))')
            page.conditional_formatting.add(home.span(), rule)
