"""Writes the tab "At a glance": what is chosen there, the numbers, and the words around them.

Also here:

* The numbers of the tab "At a glance": live links to the tab of the head that is chosen.
* The tab "At a glance" on screen and paper: frames, bars, drop-downs, widths, one page.
* The map beside the head: every stage of the model leads to its tab, the one shown is lit.
"""

from collections.abc import Sequence
from itertools import groupby

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.layout import Layout as ChartLayout
from openpyxl.chart.layout import ManualLayout
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.frames import framed
from generator.render.workbook.file.cells import write_formula, write_link
from generator.render.workbook.file.package import CellFormula, describe
from generator.render.workbook.glance import words
from generator.render.workbook.glance.words import RIGHT, GlanceTexts
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.glance import (
    CHOICES,
    FIRST_ROW,
    FOCUS,
    MOST_HEADS,
    OWN,
    WORD,
    Glance,
    MapStage,
    Panel,
    step_of,
)
from generator.render.workbook.layout.tabs import DIGIT, POINTS, tokens_of
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.styles import LIT, SHARE
from generator.render.workbook.write.boxes import shown


def write(draft: Draft) -> None:
    """The whole tab, where the workbook has one."""
    glance = draft.layout.glance
    if glance is None:
        return
    pen = Pen(draft, draft.workbook[glance.sheet])
    _top(pen, glance)
    _focus(pen, glance)
    _head(pen, glance)
    write_numbers(draft, glance)
    words.write(draft, glance)
    write_map(draft, glance)


def _top(pen: Pen, glance: Glance) -> None:
    """Title, what this is, the way back, and what was refused."""
    pen.text(1, 1, glance.sheet, "title")
    pen.text(
        2, 1, pen.t("workbook.about.glance" + ".rounds" * (pen.draft.trace.rounds > 1)), "subtitle"
    )
    start = pen.draft.start_page.title
    pen.link(1, glance.columns.map, start, "A1", f"← {start}")
    message = f'={on(*pen.draft.layout.warning)}&""'
    pen.formula(at(1, glance.columns.query), message, "", "alarm")


def _focus(pen: Pen, glance: Glance) -> None:
    """The place of the focus token is typed here; Start says whether it is taken."""
    layout, place = pen.draft.layout, focus_place(pen.draft.trace, pen.draft.exercise.asked)
    pen.text(CHOICES, 1, pen.t("workbook.focus", last=glance.sizes.tokens), "label")
    pen.value(OWN, place + 1, "input", "0")
    force = f"={on(*layout.settings['focus'])}"
    pen.formula(FOCUS.replace("$", ""), force, place + 1, "inforce", "0", "center")
    word = f"=INDEX({layout.home('tokens').area()},{FOCUS},1)"
    pen.formula(WORD, word, tokens_of(pen.draft.trace, "")[place], "strong")


def _head(pen: Pen, glance: Glance) -> None:
    """Which head is shown: typed here where there are several, with a message if refused."""
    column, most = glance.columns.key + 1, len(glance.heads)
    if most == 1:
        several = glance.of_all > MOST_HEADS
        key = "workbook.glance.first" if several else "workbook.glance.only"
        title = pen.t(key, head=glance.heads[0].title, heads=glance.of_all)
        pen.text(CHOICES, glance.columns.key, title, "strong")
        return
    pen.text(CHOICES, column - 1, pen.t("workbook.glance.head", last=most), "label", "right")
    own = glance.own_head
    pen.value(own, 1, "input", "0")
    force = f"=IF(ISNUMBER({own}),IF(AND({own}>=1,{own}<={most},{own}=INT({own})),{own},1),1)"
    pen.formula(at(CHOICES, column + 1), force, 1, "inforce", "0", "center")
    titles = of_chosen_head(glance, [f'"{head.title}"' for head in glance.heads])
    refused = pen.t("workbook.refused.whole", least=1, most=most)
    formula = f'=IF({own}&""={glance.head}&"",{titles},{titles}&" ◀ {refused}")'
    pen.formula(at(CHOICES, column + 2), formula, glance.heads[0].title, "strong")


ROLES = {
    "input": "echo",
    "scores": "computed",
    "weights": "share",
    "output": "result",
    "query": "query",
    "key": "key",
    "value": "value",
    "weight.query": "query",
    "weight.key": "key",
    "weight.value": "value",
}


def write_numbers(draft: Draft, glance: Glance) -> None:
    """Every cell of every panel, live."""
    page, focus = draft.workbook[glance.sheet], focus_place(draft.trace, draft.exercise.asked)
    for panel in glance.panels:
        homes = homes_of(draft, glance, panel.part)
        number = draft.looks[homes[0].step].number
        style = draft.styles.look(ROLES.get(panel.part, "computed"), number, "center")
        for row, column, i, j in panel.cells():
            value = shown(draft, homes[0].step, focus if i is None else i, j)
            formula = CellFormula(link(glance, panel, homes, i, j), value)
            write_formula(page, row, column, formula, style)


def homes_of(draft: Draft, glance: Glance, part: str) -> list[Box]:
    """Where a part of each head is computed."""
    steps = (step_of(draft.trace, head.prefix, part) for head in glance.heads)
    return [draft.layout.home(step.name) for step in steps]


def link(glance: Glance, panel: Panel, homes: Sequence[Box], i: int | None, j: int) -> str:
    """The formula of a cell: what stands in the chosen head's tab, or turned in this one."""
    if panel.shows == "turned":
        keys = glance.panel(panel.part)
        return f"={at(keys.row + (i or 0), keys.column + j)}"
    if panel.part == "query" and i is None:
        queries = glance.panel("query")
        return f"={in_focus('', queries.row, queries.bottom, queries.column + j)}"
    return f"={of_chosen_head(glance, [_of_head(box, i, j) for box in homes])}"


def of_chosen_head(glance: Glance, of_heads: Sequence[str]) -> str:
    """An expression that gives that of the chosen head; they may all be the same."""
    if len(set(of_heads)) == 1:
        return of_heads[0]
    return f"CHOOSE({glance.head},{','.join(of_heads)})"


def in_focus(sheet: str, top: int, bottom: int, column: int) -> str:
    """The focus token's cell of a column; with two indices, as every program needs them."""
    area = f"{at(top, column)}:{at(bottom, column)}"
    return f"INDEX({on(sheet, area) if sheet else area},{FOCUS},1)"


def _of_head(box: Box, i: int | None, j: int) -> str:
    """A cell of a part where it is computed; of the focus token's row the one in that column."""
    if i is None:
        return in_focus(box.sheet, box.row, box.bottom, box.column + j)
    return on(box.sheet, box.cell(i, j))


FRAMED = ("input", "query")  # the parts of which the focus token's row matters


def dress(draft: Draft) -> None:
    """The focus token's row framed, its shares as bars, the place on the map lit."""
    glance = draft.layout.glance
    if glance is None:
        return
    page = draft.workbook[glance.sheet]
    labels = f"A{glance.rows.tokens}:A{glance.rows.tokens + glance.sizes.tokens - 1}"
    framed_parts = [x for x in glance.panels if x.part in FRAMED and x.shows == "all"]
    spans = [labels, *(panel.span for panel in framed_parts)]
    rule = framed(f"ROW()={FOCUS}+{glance.rows.tokens - 1}")
    page.conditional_formatting.add(" ".join(spans), rule)
    light(draft, glance)
    page.add_chart(_bars(draft, glance, page))


def _bars(draft: Draft, glance: Glance, page: Worksheet) -> BarChart:
    """A bar below each share, as wide as its column; the numbers above say how long."""
    shares = glance.panel("weights", "focus")
    bars = BarChart()
    bars.type, bars.gapWidth, bars.legend, bars.title = "col", 40, None, None
    cells = Reference(
        page, min_col=shares.column, max_col=shares.right, min_row=shares.row, max_row=shares.row
    )
    series = Series(cells, title=None)
    series.graphicalProperties.solidFill = SHARE
    bars.series.append(series)
    bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
    bars.y_axis.majorGridlines = None
    bars.x_axis.delete = bars.y_axis.delete = True
    bars.layout = ChartLayout(
        manualLayout=ManualLayout(
            layoutTarget="inner", xMode="edge", yMode="edge", x=0.0, y=0.02, w=1.0, h=0.96
        )
    )
    none = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    bars.graphical_properties = none
    t = draft.catalogue.t
    describe(bars, t("workbook.chart.shares"), t("workbook.chart.shares.text"))
    top, left = glance.rows.bars - 1, shares.column - 1
    start = AnchorMarker(col=left, row=top)
    stop = AnchorMarker(col=left + shares.width, row=glance.rows.bars_end)
    bars.anchor = TwoCellAnchor(_from=start, to=stop)
    return bars


def guard(draft: Draft) -> None:
    """Drop-downs for the focus token and, where there are several, for the head."""
    glance = draft.layout.glance
    if glance is None:
        return
    page, t = draft.workbook[glance.sheet], draft.catalogue.t
    last = glance.sizes.tokens
    error = t("workbook.focus.error", last=last)
    _choose(page, OWN, last, t("workbook.focus.title"), error, t("workbook.setting.focus.note"))
    most = len(glance.heads)
    if most > 1:
        error = t("workbook.refused.whole", least=1, most=most)
        prompt = ", ".join(f"{k}: {head.title}" for k, head in enumerate(glance.heads, start=1))
        _choose(page, glance.own_head, most, t("workbook.refused.title"), error, prompt)


def _choose(page: Worksheet, cell: str, most: int, title: str, error: str, prompt: str) -> None:
    rule = DataValidation(type="list", allow_blank=True)
    rule.formula1 = '"' + ",".join(str(k + 1) for k in range(most)) + '"'
    rule.errorTitle, rule.error, rule.prompt = title, error, prompt
    rule.showErrorMessage = rule.showInputMessage = True
    rule.add(cell)
    page.add_data_validation(rule)


def fit(draft: Draft) -> None:
    """Widths and heights in pixels of the screen; one page on paper."""
    glance = draft.layout.glance
    if glance is None:
        return
    page = draft.workbook[glance.sheet]
    column = 1
    for pixels, alike in groupby(glance.columns.widths):
        dimension = page.column_dimensions[get_column_letter(column)]
        dimension.width, dimension.min = pixels / DIGIT, column
        column += len(list(alike))
        dimension.max = column - 1
    for row, pixels in enumerate(glance.rows.heights, start=1):
        page.row_dimensions[row].height = pixels * POINTS
    last = at(len(glance.rows.heights), len(glance.columns.widths))
    page.print_area = f"A1:{last}"
    page.page_setup.fitToHeight = 1
    page.print_title_rows = None
    page.sheet_view.zoomScale = 100


def write_map(draft: Draft, glance: Glance) -> None:
    """From token to next token; with arrows between them where there is room."""
    words = GlanceTexts(draft, glance)
    column = glance.columns.map
    words.text(FIRST_ROW - 1, column, words.said("map"), "map head", "center")
    for k, stage in enumerate(glance.map):
        row = row_of(glance, k)
        home = draft.layout.home(stage.step)
        style = draft.styles.look("map", align="center")
        write_link(words.page, row, column, stage.title, on(home.sheet, f"A{home.row}"), style)
        if spread(glance) and k:
            words.text(row - 1, column, "↓", "arrow", "center")
        if numbers := lit(glance, stage):
            sign = CellFormula(_here(glance, numbers), RIGHT if 1 in numbers else "")
            style = draft.styles.look("arrow", align="right")
            write_formula(words.page, row, column - 1, sign, style)
    if glance.map[-1].step == "sampling.next":
        _next(draft, glance, words)


def light(draft: Draft, glance: Glance) -> None:
    """The stage in which the chosen head stands, in colour; it follows the choice."""
    page, column = draft.workbook[glance.sheet], glance.columns.map
    first, last = row_of(glance, 0), row_of(glance, len(glance.map) - 1)
    fill, font = PatternFill("solid", bgColor=LIT), Font(bold=True)
    cell = f"${get_column_letter(column - 1)}{first}"
    rule = FormulaRule(formula=[f'{cell}<>""'], fill=fill, font=font)
    page.conditional_formatting.add(f"{at(first, column)}:{at(last, column)}", rule)


def _here(glance: Glance, numbers: list[int]) -> str:
    """The formula of the sign at a stage with these heads."""
    if len(glance.heads) == 1:
        return f'="{RIGHT}"'
    chosen = ",".join(f"{glance.head}={number}" for number in numbers)
    return f'=IF(OR({chosen}),"{RIGHT}","")'


def lit(glance: Glance, stage: MapStage) -> list[int]:
    """The numbers, from 1, of the heads that a stage stands for."""
    if not stage.block:
        return []
    name = f"block{stage.block}.head"
    name += str(stage.head) if stage.head else ""
    prefixes = [head.prefix for head in glance.heads]
    whole = stage.head > 0
    return [k for k, x in enumerate(prefixes, 1) if (x == name if whole else x.startswith(name))]


def spread(glance: Glance) -> bool:
    """Whether there is room for an arrow between any two stages, and for the next token."""
    return FIRST_ROW + 2 * len(glance.map) - 1 <= len(glance.rows.heights)


def row_of(glance: Glance, k: int) -> int:
    """The row of a stage."""
    return FIRST_ROW + (2 * k if spread(glance) else k)


def _next(draft: Draft, glance: Glance, words: GlanceTexts) -> None:
    """The next token, live, below the last stage."""
    home, row = draft.layout.home("sampling.next"), row_of(glance, len(glance.map) - 1) + 1
    live = CellFormula(
        f'={on(home.sheet, home.cell(0, 0))}&""', shown(draft, "sampling.next", 0, 0)
    )
    write_formula(
        words.page, row, glance.columns.map, live, draft.styles.look("result", align="center")
    )
