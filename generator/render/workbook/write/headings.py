"""The texts of a band: heading lines, formulas in functions, worked arithmetic, labels."""

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.place import place_of
from generator.notation.functions import Functions
from generator.notation.live import live_line, live_text
from generator.notation.numbers import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put, put_text, write_formula, write_text
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.focus import FOCUS, WORD, focus_place
from generator.render.workbook.layout.formats import in_words
from generator.render.workbook.layout.glance import ROLES
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Band, Label, Line, Sheet
from generator.render.workbook.layout.tabs import origin, round_prefix
from generator.render.workbook.layout.tokens import by_token, tokens_of
from generator.render.workbook.write.filling import shown
from generator.render.workbook.write.table_titles import title_over


def write(draft: Draft, page: Worksheet, sheet: Sheet, band: Band) -> None:
    """Everything that stands around the boxes of a band."""
    for line in band.lines:
        _line(draft, page, sheet, band, line)
        if line.live and line.step not in draft.exercise.steps:
            _worked(draft, page, line)
    letters = {line.step: line.letter for line in band.lines}
    for box, (row, column) in band.tags.items():
        title = title_over(draft, box, letters.get(box.step, ""), band)
        kind = place_of(box.step).kind.rpartition(".")[2]
        role = f"{kind} tag" if kind in ROLES else "tag"  # W_Q is in the colour of Q
        write_text(page, row, column, title, draft.styles.look(role))
    for label in band.labels:
        _label(draft, page, label)


def _line(draft: Draft, page: Worksheet, sheet: Sheet, band: Band, line: Line) -> None:
    """Title and formula in words of a step; in functions below, where there is room."""
    look, grid = draft.styles.look, draft.grids[sheet.tab.title]
    first = line is band.lines[0] and not band.rows
    above = "band " if first else ""
    if first:
        for column in range(1, grid.right + 1):
            cell_at(page, line.row, column, look("band"))
    title = draft.catalogue.step(line.step)
    if place_of(line.step).learning and not band.rows:  # of all tabs of the way forward in one
        title = f"{origin(draft.trace, draft.catalogue, line.step)} · {title}"
    title = f"({line.letter})  {title}" if line.letter else title
    step, turned = draft.trace[line.step], draft.layout.turned(line.step)
    words = in_words(draft.trace, step, draft.catalogue, turned)
    role = "strong" if band.rows else "band" if first else "line"
    write_text(page, line.row, 1, title, look(role))
    write_text(page, line.row, WORDS_COLUMN, words, look(f"{above}words"))
    _functions(draft, page, line)


def _functions(draft: Draft, page: Worksheet, line: Line) -> None:
    """The formula of the step's first cell, as a person reads it in the cell."""
    if line.functions:
        box = draft.layout.home(line.step)
        functions = Functions(draft.layout.addresses(box), draft.catalogue.language)
        place = draft.texts.telling(draft.trace[line.step])
        formula = functions.formula(draft.trace.cell(line.step, *place))
        texts = draft.texts.functions(box.cell(*place), formula, len(line.functions))
        for row, text in zip(line.functions, texts, strict=False):
            write_text(page, row, WORDS_COLUMN, text, draft.styles.look("functions"))


def _worked(draft: Draft, page: Worksheet, line: Line) -> None:
    """The arithmetic of the focus token's row of a step, which follows the focus and the cells."""
    trace, language = draft.trace, draft.catalogue.language
    address = draft.layout.addresses(draft.layout.home(line.step))
    formula = live_line(trace, line.step, 0, address, FOCUS, language)
    if formula is None:
        raise ValueError(f"{line.step} has a row for a live line but no such line")
    before, rest = draft.catalogue.phrases["workbook.live"].split("{number}")
    between, after = rest.split("{word}")
    text = f'"{before}"&{FOCUS}&"{between}"&{WORD}&"{after}"&{formula[1:]}'
    i, tokens = (
        focus_place(trace, draft.exercise.asked),
        tokens_of(trace, round_prefix(place_of(line.step).round)),
    )
    j = i if by_token(trace[line.step], tokens)[1] else 0
    head = f"{before}{i + 1}{between}{tokens[i]}{after}"
    worked = Formula(f'=IFERROR({text},"")', head + live_text(trace, line.step, i, j, language))
    write_formula(page, line.live, 1, worked, draft.styles.look("live"))


def _label(draft: Draft, page: Worksheet, label: Label) -> None:
    """A text, or the cell that it repeats."""
    align = "right" if label.column > 1 else ""
    role = "head" if label.across else "label"
    wrap = label.across or (label.column == 1 and bool(label.step))
    style = draft.styles.look(role, "General", align, wrap)
    cell = cell_at(page, label.row, label.column, style)
    if not label.step:
        put_text(cell, label.shown(draft.catalogue))
        return
    at = Box("", page.title, label.row, label.column, 1, 1)
    step = draft.layout.home(label.step).step
    address = draft.layout.addresses(at)(step, label.cell, 0)
    if place_of(label.step).kind == "tokens":
        put(cell, Formula(f'="{label.cell + 1} "&{address}', label.text))
    elif label.step == "temperature":
        heat = number(
            float(draft.trace[step].values[label.cell, 0]), None, draft.catalogue.language
        )
        put(cell, Formula(f'="T = "&ROUND({address},6)', f"T = {heat}"))
    else:
        put(cell, Formula(f"={address}", shown(draft, step, label.cell, 0)))
