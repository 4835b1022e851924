"""The tab "At a glance" as a person reads it: what is chosen, numbers, their words, the map.

Then its look and rules: the focus token's row framed, the bars, the place on the map lit, the
drop-downs, widths and heights for one screen and one page.
"""

import math
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

from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.frames import framed
from generator.render.workbook.file.cells import cell_at, write_link
from generator.render.workbook.file.package import describe
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.glance import (
    CHOICES,
    FIRST_ROW,
    FOCUS,
    MOST_HEADS,
    OWN,
    ROLES,
    SMALL,
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

DOWN, ALONG, RIGHT = "▼", "│", "►"
LETTER = {"query": "Q", "key": "K", "value": "V"}
ACROSS = "centerContinuous"  # over the empty cells at the right, which stay cells of their own
LOOKS = {
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

FRAMED = ("input", "query")  # the parts of which the focus token's row matters


def write(draft: Draft) -> None:
    """What stands in the cells of the tab, where the workbook has one."""
    if draft.layout.glance:
        GlanceTab(draft, draft.layout.glance).write()


def dress(draft: Draft) -> None:
    """What follows the cells, and what may be chosen; after the rules that all tabs have."""
    if draft.layout.glance:
        GlanceTab(draft, draft.layout.glance).dress()


def fit(draft: Draft) -> None:
    """Widths, heights and paper, in place of what all tabs have."""
    if draft.layout.glance:
        GlanceTab(draft, draft.layout.glance).fit()


class GlanceTab(Pen):
    """The tab with its layout; its words and numbers are those of the draft."""

    def __init__(self, draft: Draft, glance: Glance) -> None:
        super().__init__(draft, draft.workbook[glance.sheet])
        self.glance = glance
        self.columns, self.rows, self.sizes = glance.columns, glance.rows, glance.sizes
        self.at_column = {role: glance.panel(role).column for role in ROLES}
        self.words = tokens_of(draft.trace, "")
        self.focus = focus_place(draft.trace, draft.exercise.asked)

    def write(self) -> None:
        """What stands in the cells, from top to bottom, then the map beside it."""
        self._title()
        self._chosen_token()
        self._chosen_head()
        self._numbers()
        self._tokens()
        self._products()
        self._turned()
        self._captions()
        self._result()
        self._roles()
        self._map()

    def dress(self) -> None:
        """The focus token's row framed, the place on the map lit, bars, drop-downs."""
        self._frame()
        self._light()
        self.page.add_chart(self._bars())
        self._choices()

    # What stands in the cells ---------------------------------------------------------------------

    def _title(self) -> None:
        """Title, what this is, the way back, and what was refused."""
        self.text(1, 1, self.glance.sheet, "title")
        about = "workbook.about.glance" + ".rounds" * (self.draft.trace.rounds > 1)
        self.text(2, 1, self.t(about), "subtitle")
        start = self.draft.start_page.title
        self.link(1, self.columns.map, start, "A1", f"← {start}")
        message = f'={on(*self.draft.layout.warning)}&""'
        self.formula(at(1, self.columns.query), message, "", "alarm")

    def _chosen_token(self) -> None:
        """The place of the focus token is typed here; Start says whether it is taken."""
        layout = self.draft.layout
        self.text(CHOICES, 1, self.t("workbook.focus", last=self.sizes.tokens), "label")
        self.value(OWN, self.focus + 1, "input", "0")
        force = f"={on(*layout.settings['focus'])}"
        self.formula(FOCUS.replace("$", ""), force, self.focus + 1, "inforce", "0", "center")
        word = f"=INDEX({layout.home('tokens').area()},{FOCUS},1)"
        self.formula(WORD, word, self.words[self.focus], "strong")

    def _chosen_head(self) -> None:
        """Which head is shown: typed here where there are several, with a message if refused."""
        glance, column = self.glance, self.columns.key + 1
        most = len(glance.heads)
        if most == 1:
            key = "first" if glance.of_all > MOST_HEADS else "only"
            title = self._said(key, head=glance.heads[0].title, heads=glance.of_all)
            self.text(CHOICES, self.columns.key, title, "strong")
            return
        self.text(CHOICES, column - 1, self._said("head", last=most), "label", "right")
        own = glance.own_head
        self.value(own, 1, "input", "0")
        force = f"=IF(ISNUMBER({own}),IF(AND({own}>=1,{own}<={most},{own}=INT({own})),{own},1),1)"
        self.formula(at(CHOICES, column + 1), force, 1, "inforce", "0", "center")
        titles = self._of_chosen_head([f'"{head.title}"' for head in glance.heads])
        refused = self.t("workbook.refused.whole", least=1, most=most)
        formula = f'=IF({own}&""={glance.head}&"",{titles},{titles}&" ◀ {refused}")'
        self.formula(at(CHOICES, column + 2), formula, glance.heads[0].title, "strong")

    def _numbers(self) -> None:
        """Every cell of every panel, live: it links to the tab of the head that is chosen."""
        trace = self.draft.trace
        for panel in self.glance.panels:
            steps = [step_of(trace, head.prefix, panel.part).name for head in self.glance.heads]
            homes = [self.draft.layout.home(step) for step in steps]
            number = self.draft.looks[homes[0].step].number
            role = LOOKS.get(panel.part, "computed")
            for row, column, i, j in panel.cells():
                cached = shown(self.draft, homes[0].step, self.focus if i is None else i, j)
                link = f"={self._source(panel, homes, i, j)}"
                self.formula(at(row, column), link, cached, role, number, "center")

    def _source(self, panel: Panel, homes: Sequence[Box], i: int | None, j: int) -> str:
        """What a cell repeats: what stands in the chosen head's tab, or turned in this one."""
        if panel.shows == "turned":
            keys = self.glance.panel(panel.part)
            return at(keys.row + (i or 0), keys.column + j)
        if panel.part == "query" and i is None:
            queries = self.glance.panel("query")
            return _in_focus("", queries.row, queries.bottom, queries.column + j)
        if i is None:
            in_focus = (_in_focus(x.sheet, x.row, x.bottom, x.column + j) for x in homes)
            return self._of_chosen_head(list(in_focus))
        return self._of_chosen_head([on(box.sheet, box.cell(i, j)) for box in homes])

    def _of_chosen_head(self, of_heads: Sequence[str]) -> str:
        """An expression that gives that of the chosen head; they may all be the same."""
        if len(set(of_heads)) == 1:
            return of_heads[0]
        return f"CHOOSE({self.glance.head},{','.join(of_heads)})"

    def _tokens(self) -> None:
        """The tokens with their numbers: at the left, and above the scores where they fit."""
        home = self.draft.layout.home("tokens")
        for k, token in enumerate(self.words):
            cell = on(home.sheet, home.cell(k, 0))
            live, cached = f'="{k + 1} "&{cell}', f"{k + 1} {token}"
            self.formula(at(self.rows.tokens + k, 1), live, cached, "label")
            if self.glance.variant.named:
                above = at(self.rows.names, self.columns.key + k)
                self.formula(above, live, cached, "head", align="center")
            else:
                self.text(self.rows.names, self.columns.key + k, str(k + 1), "head", "center")

    def _products(self) -> None:
        """X · W: the matrices above, the arrows into their products."""
        rows, variant, d_head = self.rows, self.glance.variant, self.sizes.d_head
        self.text(rows.weights - 1, 1, self.glance.captions[0], "caption")
        for role, column in self.at_column.items():
            letter, look = LETTER[role], f"{role} tag"
            if variant.weighted:
                self._across(rows.weights - 1, column, d_head, f"W_{letter}", look)
            self._across(rows.tags, column, d_head, f"{DOWN} {letter}  {role}", look)
        if not variant.weighted:
            key = "elsewhere.w" if variant.inputs else "elsewhere.xw"
            self.text(rows.weights - 1, self.at_column["query"], self._said(key), "words")
        if variant.inputs:
            x, wide = self.columns.x, self.sizes.d_model
            self._across(rows.tags, x, wide, self._said("x"), "tag head")
        middle = rows.tokens + (self.sizes.tokens - 1) // 2
        self.text(middle, self.columns.query - 1, RIGHT, "arrow", "center")

    def _turned(self) -> None:
        """Q down to the focus token's query, K down to its turned copy."""
        first = self.rows.names - 1
        self._flow("query", first, self.rows.scores - 1)
        self.text(first, self.columns.key, f"{DOWN} {self._said('turned')}", "key tag")

    def _captions(self) -> None:
        """What each row of the focus token is."""
        rows, columns = self.rows, self.columns
        for k, caption in enumerate(self.glance.captions[1:]):
            self.text(rows.scores + k, 1, caption, "caption")
        above = self.glance.panel("sum", "focus").row - 1
        self.text(above, columns.total, "Σ", "tag head", "center")
        self.text(rows.scores, columns.key - 1, RIGHT, "arrow", "center")
        self.text(rows.bars - 1, columns.value - 1, RIGHT, "arrow", "center")

    def _result(self) -> None:
        """V down to the output, and where it goes from there."""
        row, column, d_head = self.rows.bars, self.at_column["value"], self.sizes.d_head
        self._flow("value", self.rows.names - 1, row - 2)
        number = len(self.glance.captions) + 1
        self._across(row, column, d_head, self._said("output", number=number), "caption")
        self._across(row + 1, column, d_head, self._said("weighted"), "caption")
        before, after = self._said("looks", word="|").split("|")
        cached = f"{before}{self.words[self.focus]}{after}"
        self.formula(at(row, 1), f'="{before}"&{WORD}&"{after}"', cached, "caption")

    def _roles(self) -> None:
        """What the three are for, where the scores leave room beside the keys."""
        first, last = self.columns.key + self.sizes.d_head, self.columns.value - 1
        texts = {role: self._said(f"role.{role}") for role in ROLES}
        width = math.fsum(self.columns.widths[first - 1 : last])
        free = self.sizes.tokens - len(ROLES)
        if width < SMALL * max(map(len, texts.values())) + 10 or free < 0:
            return
        for row, role in enumerate(ROLES, start=self.rows.tokens + free // 2):
            self._across(row, first, last + 1 - first, texts[role], f"{role} tag")

    # The map of the model, from token to next token -----------------------------------------------

    def _map(self) -> None:
        """Every stage leads to its tab; with arrows between them where there is room."""
        stages, column = self.glance.map, self.columns.map
        self.text(FIRST_ROW - 1, column, self._said("map"), "map head", "center")
        style = self.draft.styles.look("map", align="center")
        for k, stage in enumerate(stages):
            row, home = self._row_of(k), self.draft.layout.home(stage.step)
            target = on(home.sheet, f"A{home.row}")
            write_link(self.page, row, column, stage.title, target, style)
            if self._spread and k:
                self.text(row - 1, column, "↓", "arrow", "center")
            if numbers := self._heads_of(stage):
                sign = RIGHT if 1 in numbers else ""
                self.formula(at(row, column - 1), self._lit(numbers), sign, "arrow", align="right")
        if stages[-1].step == "sampling.next":
            home, row = self.draft.layout.home("sampling.next"), self._row_of(len(stages) - 1) + 1
            live = f'={on(home.sheet, home.cell(0, 0))}&""'
            cached = shown(self.draft, "sampling.next", 0, 0)
            self.formula(at(row, column), live, cached, "result", align="center")

    def _lit(self, numbers: Sequence[int]) -> str:
        """The formula of the sign at a stage with these heads."""
        if len(self.glance.heads) == 1:
            return f'="{RIGHT}"'
        chosen = ",".join(f"{self.glance.head}={number}" for number in numbers)
        return f'=IF(OR({chosen}),"{RIGHT}","")'

    def _heads_of(self, stage: MapStage) -> list[int]:
        """The numbers, from 1, of the heads that a stage stands for."""
        if not stage.block:
            return []
        name = f"block{stage.block}.head{stage.head or ''}"
        prefixes = enumerate((head.prefix for head in self.glance.heads), start=1)
        return [k for k, x in prefixes if (x == name if stage.head else x.startswith(name))]

    @property
    def _spread(self) -> bool:
        """Whether there is room for an arrow between any two stages, and for the next token."""
        return FIRST_ROW + 2 * len(self.glance.map) - 1 <= len(self.rows.heights)

    def _row_of(self, k: int) -> int:
        """The row of a stage."""
        return FIRST_ROW + (2 * k if self._spread else k)

    # Look, rules and paper ------------------------------------------------------------------------

    def _frame(self) -> None:
        """The focus token's row, wherever it matters."""
        first = self.rows.tokens
        framed_parts = [x for x in self.glance.panels if x.part in FRAMED and x.shows == "all"]
        spans = [f"A{first}:A{first + self.sizes.tokens - 1}", *(x.span for x in framed_parts)]
        rule = framed(f"ROW()={FOCUS}+{first - 1}")
        self.page.conditional_formatting.add(" ".join(spans), rule)

    def _light(self) -> None:
        """The stage in which the chosen head stands, in colour; it follows the choice."""
        column, first = self.columns.map, self._row_of(0)
        last = self._row_of(len(self.glance.map) - 1)
        fill, font = PatternFill("solid", bgColor=LIT), Font(bold=True)
        cell = f"${get_column_letter(column - 1)}{first}"
        rule = FormulaRule(formula=[f'{cell}<>""'], fill=fill, font=font)
        self.page.conditional_formatting.add(f"{at(first, column)}:{at(last, column)}", rule)

    def _bars(self) -> BarChart:
        """A bar below each share, as wide as its column; the numbers above say how long."""
        shares = self.glance.panel("weights", "focus")
        bars = BarChart()
        bars.type, bars.gapWidth, bars.legend, bars.title = "col", 40, None, None
        cells = Reference(self.page, shares.column, shares.row, shares.right, shares.row)
        series = Series(cells, title=None)
        series.graphicalProperties.solidFill = SHARE
        bars.series.append(series)
        bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
        bars.y_axis.majorGridlines = None
        bars.x_axis.delete = bars.y_axis.delete = True
        inner = {"layoutTarget": "inner", "xMode": "edge", "yMode": "edge"}
        bars.layout = ChartLayout(manualLayout=ManualLayout(**inner, x=0.0, y=0.02, w=1.0, h=0.96))
        bars.graphical_properties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
        describe(bars, self.t("workbook.chart.shares"), self.t("workbook.chart.shares.text"))
        left = shares.column - 1
        start = AnchorMarker(col=left, row=self.rows.bars - 1)
        stop = AnchorMarker(col=left + shares.width, row=self.rows.bars_end)
        bars.anchor = TwoCellAnchor(_from=start, to=stop)
        return bars

    def _choices(self) -> None:
        """Drop-downs for the focus token and, where there are several, for the head."""
        last, heads = self.sizes.tokens, self.glance.heads
        error, note = self.t("workbook.focus.error", last=last), "workbook.setting.focus.note"
        self._choose(OWN, last, self.t("workbook.focus.title"), error, self.t(note))
        if len(heads) > 1:
            title = self.t("workbook.refused.title")
            error = self.t("workbook.refused.whole", least=1, most=len(heads))
            prompt = ", ".join(f"{k}: {head.title}" for k, head in enumerate(heads, start=1))
            self._choose(self.glance.own_head, len(heads), title, error, prompt)

    def _choose(self, cell: str, most: int, title: str, error: str, prompt: str) -> None:
        rule = DataValidation(type="list", allow_blank=True)
        rule.formula1 = '"' + ",".join(str(k + 1) for k in range(most)) + '"'
        rule.errorTitle, rule.error, rule.prompt = title, error, prompt
        rule.showErrorMessage = rule.showInputMessage = True
        rule.add(cell)
        self.page.add_data_validation(rule)

    def fit(self) -> None:
        """Widths and heights in pixels of the screen; one page on paper."""
        page, column = self.page, 1
        for pixels, alike in groupby(self.columns.widths):
            dimension = page.column_dimensions[get_column_letter(column)]
            dimension.width, dimension.min = pixels / DIGIT, column
            column += len(list(alike))
            dimension.max = column - 1
        for row, pixels in enumerate(self.rows.heights, start=1):
            page.row_dimensions[row].height = pixels * POINTS
        page.print_area = f"A1:{at(len(self.rows.heights), len(self.columns.widths))}"
        page.page_setup.fitToHeight = 1
        page.print_title_rows = None
        page.sheet_view.zoomScale = 100

    # Words ----------------------------------------------------------------------------------------

    def _said(self, key: str, **names: object) -> str:
        """A phrase of this tab."""
        return self.t(f"workbook.glance.{key}", **names)

    def _across(self, row: int, column: int, width: int, text: str, role: str) -> None:
        """A text in the middle of some cells, of which the others are empty."""
        self.text(row, column, text, role, ACROSS)
        for k in range(1, width):
            cell_at(self.page, row, column + k, self.draft.styles.look(role, align=ACROSS))

    def _flow(self, role: str, first: int, last: int) -> None:
        """An arrow down from one row to another."""
        for row in range(first, last + 1):
            sign = DOWN if row == last else ALONG
            self._across(row, self.at_column[role], self.sizes.d_head, sign, f"{role} tag")


def _in_focus(sheet: str, top: int, bottom: int, column: int) -> str:
    """The focus token's cell of a column; with two indices, as every program needs them."""
    area = f"{at(top, column)}:{at(bottom, column)}"
    return f"INDEX({on(sheet, area) if sheet else area},{FOCUS},1)"
