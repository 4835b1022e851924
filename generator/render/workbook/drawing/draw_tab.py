"""The Draw tab: settings, sorted probabilities, intervals, the word hit, twenty draws; all live.

It computes nothing that a step computes: words and numbers are looked up where they are at home,
and a draw asks the same expression as the next token does, with another random number.

Also here:

* The tables of the Draw tab: words by probability, intervals, the word hit, twenty draws.
"""

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from generator.engine.choices import STRATEGIES
from generator.engine.evaluate import evaluate
from generator.engine.expr import Call, Expr
from generator.insight.output_layer import printed_draws
from generator.notation.excel import Excel
from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.frames import bars, framed, refused
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.draw_layout import (
    CHECKS,
    DRAWN,
    DRAWS,
    FIRST_ROW,
    INTERVALS,
    PARTS,
    SET,
    SORTED,
    WIDTHS,
    DrawLayout,
)
from generator.render.workbook.layout.start_layout import DRAWING, NOTHING_NEXT, cells
from generator.render.workbook.layout.tabs import PERCENT, TWO_DIGITS, accepted, between_0_and_1
from generator.render.workbook.print_setup import HEAD, LINE
from generator.render.workbook.start.entries import Lists, RowWriter
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.styles import FAINT
from generator.render.workbook.write.boxes import LookUp

CHECK_WIDTH = 10.0
HIT_HEIGHT = 20.0  # points
LISTS = CHECKS + 2


def write(draft: Draft) -> None:
    """The Draw tab, where there is one."""
    if draw := draft.layout.start.draw:
        pen = Pen(draft, draft.workbook[draw.sheet])
        _head(pen, draw)
        lists = Lists(pen, LISTS)
        _settings(pen, draw, lists)
        DrawnTables(pen, draw, lists).write()
        _shape(pen, draw)


def _head(pen: Pen, draw: DrawLayout) -> None:
    """Title, what to do, link back, message, and the headings of the tables."""
    start, t = pen.draft.start_page.title, pen.t
    pen.text(1, 1, draw.sheet, "title")
    pen.text(2, 1, t("workbook.draw.about"), "subtitle")
    pen.link(1, PARTS[-1].first, start, "A1", f"← {start}")
    pen.formula(at(3, 1), f"={on(*pen.draft.layout.warning)}", "", "alarm")
    for part in PARTS:
        pen.band(FIRST_ROW, part.first, part.last, t(f"workbook.draw.{part.key}"))
    pen.text(FIRST_ROW, CHECKS, t("workbook.start.check"), "tag")


def _settings(pen: Pen, draw: DrawLayout, lists: Lists) -> None:
    """What is typed in, and below what the strategies do."""
    rows = RowWriter(pen, lists)
    rows.heads(FIRST_ROW + 1, DRAWING, (SET.first, SET.last), "name")
    for group in draw.groups:
        rows.group(group, DRAWING)
    rows.choices(draw.groups)
    rows.colour(DRAWING, [entry.row for group in draw.groups for entry in group.entries])
    for k, name in enumerate(STRATEGIES):
        row = draw.strategies_row + k
        says = pen.t(f"workbook.control.strategy.{name}")
        pen.text(row, 1, f"{name}: {says}", "words")


def _shape(pen: Pen, draw: DrawLayout) -> None:
    """Widths and heights for one screen, and what is printed."""
    page = pen.page
    for column, width in enumerate(WIDTHS, start=1):
        page.column_dimensions[get_column_letter(column)].width = width
    for column in range(CHECKS, LAST_CHECK + 1):
        dimension = page.column_dimensions[get_column_letter(column)]
        dimension.width, dimension.outlineLevel = CHECK_WIDTH, 1
    for row in range(1, draw.bottom + 1):
        page.row_dimensions[row].height = HEAD[row - 1] if row <= len(HEAD) else LINE
    page.row_dimensions[draw.hit_row].height = HIT_HEIGHT
    page.freeze_panes = page.cell(FIRST_ROW, 2)
    page.print_area = f"A1:{at(draw.bottom, len(WIDTHS))}"


HIT, RANKED, SHOWN, FEW = CHECKS + 3, CHECKS + 4, CHECKS + 5, CHECKS + 6  # places of words, from 1
FORCE, REFUSED = CHECKS + 7, CHECKS + 8  # each draw's number in force, and the first message
LAST_CHECK = REFUSED
KEPT, OUT, MARK = "✓", "–", "◀"


class DrawnTables:
    """Writes the tables from left to right."""

    def __init__(self, pen: Pen, draw: DrawLayout, lists: Lists) -> None:
        self.pen = pen
        self.lists = lists
        self.draw = draw
        self.draft = pen.draft
        self.trace = pen.draft.trace
        self.t = pen.t
        self.find = LookUp(pen.draft)
        self.ranked = self.find.ranked(draw.shown)
        self.listed = sorted(self.ranked)
        self.numbers = printed_draws(self.trace, DRAWS)
        self.hits = [self._place(number / PERCENT) for number in self.numbers]

    def write(self) -> None:
        """All tables but that of the settings."""
        self._heads()
        self._hit()
        for k in range(self.draw.shown):
            self._ranked(self.draw.top + k, k)
            self._interval(self.draw.top + k, k)
        if self.draw.words > self.draw.shown:
            self._rest(self.draw.rest_row)
        for k in range(DRAWS):
            self._draw(self.draw.top + k, k)
        self._dress()

    def _heads(self) -> None:
        row = FIRST_ROW + 1
        for part, keys in (
            (SORTED, ("rank", "word", "share", "kept")),
            (INTERVALS, ("word", "renormalised", "from", "to", "digits", "hits")),
            (DRAWN, ("number", "ball", "word")),
        ):
            titles = {part.first + k: self.t(f"workbook.draw.{x}") for k, x in enumerate(keys)}
            left = [part.first + keys.index("word")]
            self.pen.heads(row, titles, (part.first, part.last), left)
        for column, key in ((HIT, "hit"), (RANKED, "sorted"), (SHOWN, "intervals")):
            self.pen.text(FIRST_ROW - 1, column, self.t(f"workbook.draw.{key}"), "tag")

    # The word hit -------------------------------------------------------------------------------

    def _hit(self) -> None:
        draw = self.draw
        self.pen.text(draw.hit_row, 1, self.t("workbook.draw.hit"), "label")
        word, shown = self.find.cell("sampling.next", 0, 0)
        live = f'=IFERROR({word}&"","{NOTHING_NEXT}")'
        self.pen.formula(at(draw.hit_row, 2), live, shown, "next", align="center")
        place = float(self._place(float(self.trace["sampling.random"].values[0, 0])))
        formula = self._place_formula(None)
        self.pen.formula(draw.hit_place.replace("$", ""), f"={formula}", place, "tag")

    def _passed(self) -> Expr:
        """The place, from 1, of the word that the next token is: what its expression looks up."""
        chosen = self.trace.cell("sampling.next", 0, 0)
        if not isinstance(chosen, Call):
            raise TypeError(f"found {chosen} for the next token, expected a word that is looked up")
        return chosen.args[-1]

    def _place(self, random: float) -> int:
        """The place of the word that a random number hits, as the engine finds it."""
        arrays = {name: step.values for name, step in self.trace.steps.items()}
        arrays["sampling.random"] = self.trace["sampling.random"].values * 0 + random
        return int(float(evaluate(self._passed(), arrays.__getitem__)))

    def _place_formula(self, random: str | None) -> str:
        """The formula of that place; `random` takes the place of the random number in force."""
        address = self.draft.layout.addresses(Box("", self.draw.sheet, 1, 1, 1, 1))
        excel = Excel(
            lambda step, i, j: (
                random if random and step == "sampling.random" else address(step, i, j)
            )
        )
        return excel.formula(self._passed()).removeprefix("=")

    # Words by probability -----------------------------------------------------------------------

    def _ranked(self, row: int, k: int) -> None:
        word, first = self.ranked[k], SORTED.first
        place = at(row, RANKED, fixed=True)
        ranks = self.find.area("sampling.rank")
        self.pen.value(at(row, first), k + 1, "label")
        self.pen.formula(
            at(row, RANKED), f"=MATCH({at(row, first)},{ranks},0)", float(word + 1), "tag"
        )
        self._word(row, first + 1, place, word)
        self._number(row, first + 2, "sampling.share", place, word)
        kept = self.find.at("sampling.kept", place)
        sign = KEPT if self.trace["sampling.kept"].values[0, word] else OUT
        formula = f'=IF({kept}=1,"{KEPT}","{OUT}")'
        self.pen.formula(at(row, first + 3), formula, sign, "echo", align="center")

    def _word(self, row: int, column: int, place: str, word: int) -> None:
        formula = f'={self.find.at("vocabulary.words", place)}&""'
        shown = str(self.trace["vocabulary.words"].values[word, 0])
        self.pen.formula(at(row, column), formula, shown, "label")

    def _number(self, row: int, column: int, step: str, place: str, word: int) -> None:
        shown = self.trace[step].values[0, word]
        number = self.draft.looks[step].number
        text = isinstance(shown, str)
        cached = str(shown) if text else float(shown)
        align = "center" if text else "right"
        formula = f"={self.find.at(step, place)}"
        self.pen.formula(at(row, column), formula, cached, "echo", number, align)

    # Intervals ----------------------------------------------------------------------------------

    def _interval(self, row: int, k: int) -> None:
        word, first = self.listed[k], INTERVALS.first
        place = at(row, SHOWN, fixed=True)
        self._listed(row, k)
        self._word(row, first, place, word)
        names = ("renormalised", "from", "cumulative", "digits")
        for column, name in enumerate(names, start=first + 1):
            self._number(row, column, f"sampling.{name}", place, word)
        hits = f"=COUNTIF({self.draw.column(HIT, DRAWS)},{place})"
        cached = float(self.hits.count(word + 1))
        self.pen.formula(at(row, first + 5), hits, cached, "echo", "0", "right")
        mark = f'=IF({place}={self.draw.hit_place},"{MARK}","")'
        hit = str(self.trace["vocabulary.words"].values[word, 0]) == str(
            self.trace["sampling.next"].values[0, 0]
        )
        self.pen.formula(at(row, first + 6), mark, MARK if hit else "", "chosen")

    def _listed(self, row: int, k: int) -> None:
        """The place of the k-th word of the table: of few words its number, else looked up."""
        if self.draw.words == self.draw.shown:
            self.pen.value(at(row, SHOWN), k + 1, "tag")
            return
        if k == 0:
            self._few()
        formula = f"=SMALL({self.draw.column(FEW, self.draw.words)},{k + 1})"
        self.pen.formula(at(row, SHOWN), formula, float(self.listed[k] + 1), "tag")

    def _few(self) -> None:
        """Beside each other in a column: the places of the words of the first ranks."""
        for word in range(self.draw.words):
            rank, _ = self.find.cell("sampling.rank", 0, word)
            formula = f'=IF({rank}<={self.draw.shown},{word + 1},"")'
            cached = float(word + 1) if word in self.ranked else ""
            self.pen.formula(at(self.draw.top + word, FEW), formula, cached, "tag")

    def _rest(self, row: int) -> None:
        """All words without a row of their own."""
        shown, number = self.draw.shown, self.draft.looks["sampling.share"].number
        text = self.t("workbook.draw.rest", count=self.draw.words - shown)
        for column, step, words in (
            (SORTED.first + 2, "sampling.share", self.ranked),
            (INTERVALS.first + 1, "sampling.renormalised", self.listed),
        ):
            values = self.trace[step].values[0]
            rest = float(values.sum() - values[words].sum())
            formula = f"=SUM({self.find.area(step)})-SUM({self.draw.column(column, shown)})"
            self.pen.text(row, column - 1, text, "label")
            self.pen.formula(at(row, column), formula, rest, "echo", number, "right")
        column = INTERVALS.first + 5
        hits = sum(hit - 1 not in self.listed for hit in self.hits)
        formula = f'=COUNTIF({self.draw.column(HIT, DRAWS)},">0")-SUM('
        formula += f"{self.draw.column(column, shown)})"
        self.pen.formula(at(row, column), formula, float(hits), "echo", "0", "right")

    # Twenty draws -------------------------------------------------------------------------------

    def _draw(self, row: int, k: int) -> None:
        first = DRAWN.first
        drawn, place = at(row, first + 1), at(row, HIT, fixed=True)
        delivered = self.numbers[k] / PERCENT
        self.pen.value(at(row, first), k + 1, "label")
        self.pen.value(drawn, self.numbers[k], "input", "00.##")
        self._refused(row, k, drawn)
        force = at(row, FORCE)
        taken = f"IF({accepted(drawn)},{between_0_and_1(drawn)},{delivered:g})"
        formula = f"=IF(ISNUMBER({drawn}),{taken},{delivered:g})"
        self.pen.formula(force, formula, delivered, "tag")
        formula = f"={self._place_formula(force)}"
        self.pen.formula(at(row, HIT), formula, float(self.hits[k]), "tag")
        words = self.find.at("vocabulary.words", place)
        shown = str(self.trace["vocabulary.words"].values[self.hits[k] - 1, 0])
        self.pen.formula(at(row, first + 2), f'={words}&""', shown, "computed", indent=1)

    def _refused(self, row: int, k: int, drawn: str) -> None:
        """The first message so far: of the settings, then of each draw, with what counts."""
        settings = cells(DRAWING, self.draw.groups[-1].entries[-1].row).check
        before = at(row - 1, REFUSED) if k else settings
        name = f"{self.t('workbook.draw.drawn')}, {self.t('workbook.draw.number')} {k + 1}"
        says = f"{name}: {self._reason} ({self.t('workbook.draw.counts', number=self.numbers[k])})"
        formula = f'=IF({before}<>"",{before},IF({_wrong(drawn)},"{says}",""))'
        self.pen.formula(at(row, REFUSED), formula, "", "tag")

    @property
    def _reason(self) -> str:
        """What may be typed in as a number drawn."""
        return self.t("workbook.refused.random", least="0", most=str(TWO_DIGITS))

    # Colours and rules --------------------------------------------------------------------------

    def _dress(self) -> None:
        top, page = self.draw.top, self.pen.page
        last = top + self.draw.shown - 1
        rules = page.conditional_formatting
        rules.add(self._span(SORTED.first + 2, last), bars(1))
        rules.add(self._span(INTERVALS.first + 5, last), bars(DRAWS))
        kept = at(top, SORTED.last)
        out = FormulaRule(formula=[f'${kept}="{OUT}"'], font=Font(color=FAINT, strike=True))
        rules.add(self._span(SORTED.first + 1, last), out)
        mark = get_column_letter(INTERVALS.last)
        left, right = (get_column_letter(x) for x in (INTERVALS.first, INTERVALS.last - 1))
        rules.add(f"{left}{top}:{right}{last}", framed(f'${mark}{top}<>""'))
        drawn = [at(top + k, DRAWN.first + 1) for k in range(DRAWS)]
        rules.add(f"{drawn[0]}:{drawn[-1]}", refused(_wrong(drawn[0])))
        prompt = self.t("workbook.draw.prompt")
        self.lists.between(drawn, 0, TWO_DIGITS, prompt, self._reason)

    def _span(self, column: int, last: int) -> str:
        return f"{at(self.draw.top, column)}:{at(last, column)}"


def _wrong(drawn: str) -> str:
    """The condition that what stands in a cell is no such number; an empty one is in order."""
    return f"IF(ISNUMBER({drawn}),NOT({accepted(drawn)}),NOT(ISBLANK({drawn})))"
