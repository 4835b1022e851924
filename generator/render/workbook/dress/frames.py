"""The focus token of a tab: its choice, its frame, its arithmetic, its shares."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.notation.live import live_line, live_text
from generator.render.workbook.dress.rules import framed, is_heated
from generator.render.workbook.file.package import Formula, put
from generator.render.workbook.layout.box import Box, quoted
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Band, Line, Sheet
from generator.render.workbook.layout.tabs import round_prefix
from generator.render.workbook.layout.texts import FOCUS
from generator.render.workbook.layout.tokens import by_token, tokens_of
from generator.text.catalogue import step_round

if TYPE_CHECKING:
    from generator.render.workbook.write.boxes import Writer

ROW, CELL, WORD = 3, "B3", "$C$3"


def choice(writer: "Writer", page: Worksheet, sheet: Sheet) -> None:
    """In the header of a tab with token rows: which token is in focus, to be changed here too."""
    tokens = _focusable(writer, sheet)
    if not tokens:
        return
    writer.write(page, ROW, 1, writer.catalogue.t("workbook.focus", last=len(tokens)), "label")
    start, setting = writer.layout.settings["focus"]
    place = focus_place(writer)
    style = writer.styles.look("input", align="center")
    writer.compute(page, ROW, 2, Formula(f"={quoted(start)}!{setting}", place + 1), style)
    home = writer.layout.home(f"{sheet.tab.prefix}tokens")
    area = home.span() if home.sheet == page.title else home.area()
    word = Formula(f'=IFERROR(INDEX({area},{FOCUS}),"")', tokens[place])
    writer.compute(page, ROW, 3, word, writer.styles.look("strong"))
    rule = DataValidation(type="list", allow_blank=False)
    rule.formula1 = '"' + ",".join(str(k + 1) for k in range(len(tokens))) + '"'
    rule.showErrorMessage = True
    rule.errorTitle = writer.catalogue.t("workbook.focus.title")
    rule.error = writer.catalogue.t("workbook.focus.error", last=len(tokens))
    rule.add(CELL)
    page.add_data_validation(rule)


def warning(writer: "Writer", page: Worksheet) -> None:
    """In the header of every tab: what the Start tab says of a refused entry, if anything."""
    sheet, cell = writer.layout.warning
    formula = Formula(f'={quoted(sheet)}!{cell}&""', "")
    writer.compute(page, ROW, WORDS_COLUMN, formula, writer.styles.look("alarm"))


def focus_place(writer: "Writer") -> int:
    """The place of the focus token, from 0, before anybody chooses another."""
    return writer.trace.exercise or 0


def live(writer: "Writer", page: Worksheet, line: Line) -> None:
    """The arithmetic of the focus token's row of a step, which follows the focus and the cells."""
    trace, language = writer.trace, writer.catalogue.language
    address = writer.layout.addresses(writer.layout.home(line.step))
    formula = live_line(trace, line.step, 0, address, FOCUS, language)
    if formula is None:
        raise ValueError(f"{line.step} has a row for a live line but no such line")
    before, between, after = _phrase(writer)
    text = f'"{before}"&{FOCUS}&"{between}"&{WORD}&"{after}"&{formula[1:]}'
    step = trace[line.step]
    i, tokens = focus_place(writer), tokens_of(trace, round_prefix(step_round(line.step)))
    j = i if by_token(step, tokens)[1] else 0
    head = f"{before}{i + 1}{between}{tokens[i]}{after}"
    cached = head + live_text(trace, line.step, i, j, language)
    style = writer.styles.look("live")
    writer.compute(page, line.live, 1, Formula(f'=IFERROR({text},"")', cached), style)


def frames(writer: "Writer", page: Worksheet, sheet: Sheet) -> None:
    """Lines around the focus token's row of each table, and its column where tokens stand across.

    Drawn by rules over the focus cell of the same tab, so they follow it.
    """
    tokens = _focusable(writer, sheet)
    if not tokens:
        return
    down: dict[int, list[str]] = {}
    across: dict[int, list[str]] = {}
    for band in sheet.bands:
        for row, span in _token_labels(band, f"{sheet.tab.prefix}tokens", len(tokens)):
            down.setdefault(row, []).append(span)
        for box in band.boxes:
            rows, columns = by_token(writer.trace[box.step], tokens)
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
            letter = get_column_letter(label.column)
            yield label.row, f"{letter}{label.row}:{letter}{label.row + n - 1}"


def _frame(page: Worksheet, spans: list[str], function: str, first: int) -> None:
    """The rule that frames the focus token's row, or column, of tables that begin at `first`."""
    if first:
        rule = framed(f"{function}()={FOCUS}+{first - 1}")
        page.conditional_formatting.add(" ".join(spans), rule)


def picked(writer: "Writer", page: Worksheet, box: Box) -> None:
    """The focus token's row of a table once more, live."""
    step = writer.trace[box.step]
    home = writer.layout.home(box.step)
    style = writer.styles.look("echo", writer.look(step).number, "right")
    i = focus_place(writer)
    for j in range(box.width):
        letter = get_column_letter(home.column + j)
        area = f"{letter}{home.row}:{letter}{home.bottom}"
        cell = page.cell(box.row, box.column + j)
        cell._style = style
        put(cell, Formula(f'=IFERROR(INDEX({area},{FOCUS}),"")', writer.cached(step, i, j)))


def _focusable(writer: "Writer", sheet: Sheet) -> tuple[str, ...]:
    """The tokens of a tab's round, where some of its tables have a row for each."""
    tokens = tokens_of(writer.trace, sheet.tab.prefix)
    steps = {box.step for band in sheet.bands for box in band.boxes}
    steps -= {f"{sheet.tab.prefix}tokens"}
    return tokens if any(by_token(writer.trace[name], tokens)[0] for name in steps) else ()


def _phrase(writer: "Writer") -> tuple[str, str, str]:
    before, rest = writer.catalogue.phrases["workbook.live"].split("{number}")
    between, after = rest.split("{word}")
    return before, between, after
