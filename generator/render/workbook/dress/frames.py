"""Frames that follow a cell: around the focus token's rows and columns, around the winner.

Also here:

* What is no number in a given table is red; what cannot be computed from it shows nothing.
* Rules that colour and frame cells by what they hold: shares, the chosen word, no minus zero.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import ColorScaleRule, DataBarRule, FormulaRule, Rule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.ops.pieces import PairPlaces
from generator.engine.trace import Step
from generator.render.workbook.draft import Draft
from generator.render.workbook.guards import bound, letters
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.focus import FOCUS, focusable
from generator.render.workbook.layout.kept import KeptTab
from generator.render.workbook.layout.layout import FIRST_ROW, Band, Sheet
from generator.render.workbook.layout.tabs import by_token
from generator.render.workbook.styles import ALARM, CHANGED, CHANGED_INK, HEAT, INK, REFUSED
from generator.render.workbook.write.kept import differs
from generator.steps import kind_of


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


GREY = "E4E7EA"


def mark_refused(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A given cell without a number within its bound, or without a word."""
    for box in (box for band in sheet.bands for box in band.boxes if box.home):
        step = draft.trace[box.step]
        if step.kind == "given" and draft.layout.start.entry(step.name, 0, 0) is None:
            rule = refused(_wrong(at(box.row, box.column), step, letters(draft, step)))
            page.conditional_formatting.add(box.span(), rule)


def _wrong(cell: str, step: Step, most: int) -> str:
    if step.text:
        return f'OR({cell}="",LEN({cell})>{most})' if most else f'{cell}=""'
    return f"IF(ISNUMBER({cell}),ABS({cell})>{bound(step):g},TRUE)"


def hide_errors(page: Worksheet) -> None:
    """A grey cell in the place of "#VALUE!", before the other rules of the page.

    By a rule and not by IFERROR around each formula: a formula stays as short as on paper.
    """
    others, page.conditional_formatting = page.conditional_formatting, ConditionalFormattingList()
    span = f"A1:{at(page.max_row, page.max_column)}"
    rule = FormulaRule(
        formula=["ISERROR(A1)"],
        font=Font(color=GREY),
        fill=PatternFill("solid", bgColor=GREY),
        stopIfTrue=True,
    )
    page.conditional_formatting.add(span, rule)
    for known in others:
        for one in known.rules:
            one.priority = 0
            page.conditional_formatting.add(str(known.sqref), one)


HEATED = ("shares", "bars")


def colour(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The colours of shares, no minus before a zero."""
    for band in sheet.bands:
        for box in band.boxes:
            if is_heated(box):
                _heat(page, box)
            step = draft.trace[box.step]
            if draft.trace.rounding == "exact" and not step.text and step.kind == "computed":
                _no_minus_zero(page, box, draft.looks[step.name].number)


def is_heated(box: Box) -> bool:
    """Whether the box shows shares, darker for larger ones."""
    return kind_of(box.step).shown.chart in HEATED and box.width > 1


def _heat(page: Worksheet, box: Box) -> None:
    """Darker for a larger share."""
    scale = ColorScaleRule(
        start_type="num",
        start_value=0,
        start_color=HEAT[0],
        end_type="num",
        end_value=1,
        end_color=HEAT[1],
    )
    page.conditional_formatting.add(box.span(), scale)


def _no_minus_zero(page: Worksheet, box: Box, number: str) -> None:
    """Unrounded negative numbers that show as zero show no minus."""
    if not number.startswith("0.0") or "E" in number:
        return
    cell = at(box.row, box.column)
    test = f"AND(ISNUMBER({cell}),{cell}<0,ROUND({cell},{number.count('0') - 1})=0)"
    style = DifferentialStyle(numFmt=NumberFormat(numFmtId=200, formatCode=f"{number};{number}"))
    rule = FormulaRule(formula=[test])
    rule.dxf = style
    page.conditional_formatting.add(box.span(), rule)


def changed_rule(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A tint for every cell of a step that differs from as delivered: one rule for the whole tab.

    It compares with the copy in the hidden columns, which is empty beside all other cells. Shares
    have a rule of their own, for LibreOffice takes no more than the rules of one range.
    """
    if kept := draft.kept.get(sheet.tab.title):
        for box in (box for band in sheet.bands for box in band.boxes if is_heated(box)):
            rule = tinted(apart(kept, box.row, box.column))
            page.conditional_formatting.add(box.span(), rule)
        span = f"{at(FIRST_ROW, 1)}:{at(kept.bottom, kept.wide)}"
        page.conditional_formatting.add(span, tinted(apart(kept, FIRST_ROW, 1)))


def apart(kept: KeptTab, row: int, column: int) -> str:
    """The condition that a cell differs from its copy as delivered, as a relative formula."""
    now, then = at(row, column), at(row, kept.column(column))
    both = f"AND(ISNUMBER({now}),ISNUMBER({then}))"
    changed = f"IF({both},{differs(now, then)},NOT(EXACT({now},{then})))"
    return f'IF({then}="",FALSE,{changed})'


def tinted(formula: str) -> FormulaRule:
    """The tint of what has changed, where a formula is true."""
    return FormulaRule(
        formula=[formula],
        font=Font(color=CHANGED_INK, bold=True),
        fill=PatternFill("solid", bgColor=CHANGED),
    )


def refused(formula: str) -> FormulaRule:
    """The red of an entry that is not accepted, where a formula is true."""
    return FormulaRule(
        formula=[formula],
        font=Font(color=ALARM, bold=True),
        fill=PatternFill("solid", bgColor=REFUSED),
    )


def bars(most: float) -> Rule:
    """A bar behind each number, from 0 to that number, which fills the cell."""
    return DataBarRule(
        start_type="num",
        start_value=0,
        end_type="num",
        end_value=most,
        color=HEAT[1],
        minLength=0,
        maxLength=100,
    )


def framed(formula: str, tinted: bool = False) -> FormulaRule:
    """A rule that frames cells and makes their content bold, perhaps tinted as changed."""
    line = Side("thin", color=INK)
    frame = Border(left=line, right=line, top=line, bottom=line)
    rule = FormulaRule(formula=[formula])
    fill = PatternFill("solid", bgColor=CHANGED) if tinted else None
    font = Font(b=True, color=CHANGED_INK if tinted else None)
    rule.dxf = DifferentialStyle(border=frame, font=font, fill=fill)
    return rule
