"""The first tab: what this is, what to do, experiments, switches, words, a map of the tabs.

Also here:

* What is wrong on the other tabs, as the first sentence of all: an input, or a division by 0.
* Judging pauses while an experiment is on: its numbers are not those that the exercise asks for.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from generator.engine.choices import STRATEGIES
from generator.engine.ops.attention import Power, RowShare
from generator.engine.ops.feedforward import Normalise
from generator.engine.trace import Step
from generator.notation.shown import number
from generator.render.owner import APART, NAME
from generator.render.workbook.draft import Draft
from generator.render.workbook.guards import bound, letters
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet
from generator.render.workbook.layout.start_layout import (
    HEAD_ROW,
    LAST_COLUMN,
    NOTHING_NEXT,
    TROUBLES,
    shows,
)
from generator.render.workbook.layout.tabs import by_token, round_prefix, tokens_of
from generator.render.workbook.start import tab_map
from generator.render.workbook.start.entries import FIRST_RIGHT, LAST_LEFT, EntryTables
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import quoted
from generator.render.workbook.start.tab_map import WIDTH, Progress, TabMap, progress_of
from generator.render.workbook.write.boxes import cells_of, shown
from generator.steps import kind_of, letter_of

CONTENTS, NEXT, COMPARED = 3, 10, 13  # columns: beside a label, the next token, the delivered one
GAP, CHECK_WIDTH = 3.0, 16.0
LINE, TOP = 15.0, (28.0, 22.0, 16.0)  # points of a row, of the rows above
SOLUTION_SIGNS = ("given", "input", "computed", "echo", "inforce")
EXERCISE_SIGNS = ("entry", "right", "wrong", "text")
UNJUDGED_SIGNS = EXERCISE_SIGNS[:1]


def write(draft: Draft) -> None:
    """The first tab; in an exercise its map says how many entries of each tab are right."""
    FirstTab(draft, progress_of(draft)).write()


class FirstTab:
    """Writes the first tab from top to bottom; `progress` is by the title of a tab."""

    def __init__(self, draft: Draft, progress: Mapping[str, Progress]) -> None:
        self.draft = draft
        self.page = draft.start_page
        self.layout = draft.layout
        self.start = self.layout.start
        self.trace = self.layout.trace
        self.pen = Pen(draft)
        self.t = draft.catalogue.t
        self.exercise = bool(draft.exercise.asked)
        self.progress = progress
        self.entries = EntryTables(self.pen)
        self.row = self.start.map_row

    def write(self) -> None:
        """Everything on the tab."""
        self._head()
        self._to_do()
        self._legend()
        self._experiments()
        tab_map.write(self.pen)
        self.entries.write()
        self._strategies()
        self.row = TabMap(self.pen, self.progress).write()
        warning = self.layout.warning[1]
        message = self.entries.warning(write_troubles(self.pen))
        if self.exercise:
            write_pause(self.pen)
            message = announced(self.pen, message)
        self.pen.formula(warning, message, "", "alarm")
        self._shape()

    # The top ------------------------------------------------------------------------------------

    def _head(self) -> None:
        preset = self.trace.preset
        self.pen.text(1, 1, preset.heading(self.draft.catalogue.language), "title")
        self._mark()
        self.pen.text(2, 1, self.t("workbook.start.now"), "label")
        home = self.layout.home("tokens")
        cells = [on(home.sheet, home.cell(i, 0)) for i in range(home.height)]
        self.pen.formula(
            at(2, CONTENTS), "=" + '&" | "&'.join(cells), " | ".join(self.trace.tokens), "strong"
        )
        self._next(2)
        texts = {
            "sentence": self.trace.sentence,
            "rounding": self.t(f"workbook.rounding.{self.trace.rounding}"),
            "guard": self.t("workbook.start.guard.text"),
            "numbers": self.t("workbook.start.chosen"),
        }
        lines = iter(shows(self.trace, self.draft.catalogue))
        for row, key in enumerate(self.start.head, start=HEAD_ROW):
            if key != "more":
                self.pen.text(row, 1, self.t(f"workbook.start.{key}"), "label")
            self.pen.text(row, CONTENTS, texts[key] if key in texts else next(lines))

    def _mark(self) -> None:
        """Which workbook it is; where it has an owner whose, in a cell with a name of its own."""
        code, owner = self.draft.code, self.draft.owner
        mark = f"{code}{APART}{owner}" if owner else code
        self.pen.text(1, LAST_COLUMN, mark, "words", "right")
        if owner:
            area = on(self.page.title, at(1, LAST_COLUMN, fixed=True))
            self.draft.workbook.defined_names[NAME] = DefinedName(NAME, attr_text=area)

    def _next(self, row: int) -> None:
        """The next token, live; with several rounds all that were chosen."""
        names = [
            f"round{number}.sampling.next" if number > 1 else "sampling.next"
            for number in range(1, self.trace.rounds + 1)
        ]
        if names[0] not in self.trace:
            return
        cells = [on(self.layout.home(n).sheet, self.layout.home(n).cell(0, 0)) for n in names]
        joined = "&".join(f'{cell}&" "' for cell in cells)
        cached = " ".join(str(shown(self.draft, name, 0, 0)) for name in names).strip()
        formula = f"TRIM({joined})" if len(cells) > 1 else f'{cells[0]}&""'
        key = "workbook.start.next" + ".several" * (len(cells) > 1)
        self.pen.text(row, COMPARED - 1, self.t(key), "label", "right")
        formula = f'=IFERROR({formula},"{NOTHING_NEXT}")'
        self.pen.formula(at(row, COMPARED), formula, cached, "next", align="center")

    def _to_do(self) -> None:
        row = self.start.to_do_row
        self.pen.band(row, 1, LAST_LEFT, self.t("workbook.start.todo"))
        most = len(self.start.experiments)
        keys = ["fill" if self.exercise else "read"]
        keys += ["later"] if self.exercise and self.start.entries else []
        keys += ["try"] if most else []
        keys += ["own"] if self.start.groups and not self.start.words else []
        keys += ["words"] if self.start.words else []
        keys += ["reset"] if self.start.entries else []
        for k, key in enumerate(keys, start=1):
            self.pen.text(row + k, 1, f"{k}.  " + self.t(f"workbook.start.todo.{key}", most=most))

    def _legend(self) -> None:
        row = self.start.to_do_row
        self.pen.band(row, FIRST_RIGHT, LAST_COLUMN, self.t("workbook.start.legend"))
        judged = EXERCISE_SIGNS if self.draft.judging.judges else UNJUDGED_SIGNS
        signs = SOLUTION_SIGNS + (judged if self.exercise else ())
        for k, sign in enumerate(signs):
            place = row + 1 + k % 5, FIRST_RIGHT + 4 * (k // 5)
            role = sign if sign in (*SOLUTION_SIGNS, "entry") else "strong"
            self.pen.sample(*place, self.t(f"workbook.start.sign.{sign}"), role)
            says = "locked" if self.exercise and sign == "given" else sign
            self.pen.text(place[0], place[1] + 1, self.t(f"workbook.start.legend.{says}"), indent=1)

    # Experiments and strategies -----------------------------------------------------------------

    def _experiments(self) -> None:
        experiments, row = self.start.experiments, self.start.experiments_row
        if not experiments:
            return
        self.pen.band(row, 1, LAST_COLUMN, self.t("workbook.start.experiments"))
        titles = {1: "number", 2: "what", 6: "question"}
        heads = {c: self.t(f"workbook.start.experiment.{key}") for c, key in titles.items()}
        self.pen.heads(row + 2, heads, (1, LAST_COLUMN), (2, 6))
        for k, experiment in enumerate(experiments, start=1):
            key = f"workbook.experiment.{experiment.key}"
            names = {name: self._spelled(value) for name, value in experiment.names.items()}
            self.pen.text(row + 2 + k, 1, str(k), "strong", "center")
            self.pen.text(row + 2 + k, 2, self.t(key, **names))
            self.pen.text(row + 2 + k, 6, self.t(f"{key}.question"))
        self.pen.text(row + 1, 4, self.t("workbook.start.column.force"), "label", "right")
        self._result(row + 1)

    def _spelled(self, value: float | str) -> str:
        return value if isinstance(value, str) else number(value, None, self.trace.language)

    def _result(self, row: int) -> None:
        """Beside the choice: the next token, or where to look where there is none."""
        if "sampling.next" not in self.trace:
            heads = [sheet.tab.title for sheet in self.layout.sheets if sheet.tab.kind == "head"]
            self.pen.text(row, NEXT - 1, self.t("workbook.start.look"), "label", "right")
            if heads:
                self.pen.link(row, NEXT, heads[0], "A1", heads[0])
            return
        cell = at(2, COMPARED)
        cached = str(self.page[cell].value.cached)
        self.pen.text(row, NEXT - 1, self.t("workbook.start.next.now"), "label", "right")
        self.pen.formula(at(row, NEXT), f"={cell}", cached, "result", align="center")
        if not self.exercise:
            delivered = self.t("workbook.start.next.delivered")
            self.pen.text(row, COMPARED - 1, delivered, "label", "right")
            self.pen.value(at(row, COMPARED), cached, "echo", "@")

    def _strategies(self) -> None:
        if "sampling.strategy" in self.trace and not self.start.draw:
            for k, name in enumerate(STRATEGIES):
                row = self.start.strategies_row + k
                self.pen.text(row, 1, name, "words", indent=1)
                self.pen.text(row, 2, self.t(f"workbook.control.strategy.{name}"), "words")

    # Screen and paper ---------------------------------------------------------------------------

    def _shape(self) -> None:
        page, last = self.page, max(self.row, self.start.map_row + 2)
        for column in range(1, LAST_COLUMN + 1):
            page.column_dimensions[get_column_letter(column)].width = WIDTH
        page.column_dimensions[get_column_letter(LAST_COLUMN + 1)].width = GAP
        first = LAST_COLUMN + 2
        for column in range(first, TROUBLES + 1):
            page.column_dimensions[get_column_letter(column)].width = CHECK_WIDTH
            page.column_dimensions[get_column_letter(column)].outlineLevel = 1
        self.pen.text(HEAD_ROW, first, self.t("workbook.start.check"), "tag")
        for row in range(1, last + 1):
            points = TOP[row - 1] if row <= len(TOP) else LINE
            page.row_dimensions[row].height = points
        page.freeze_panes = page.cell(HEAD_ROW, 1)
        page.print_area = f"A1:{get_column_letter(LAST_COLUMN)}{last}"


FIRST = 5
LARGEST = math.log(1.7976931348623157e308)  # e to this is the largest number of a cell
THOUSAND = 1000  # more than there are columns on a tab


class Trouble(NamedTuple):
    """One thing that may be wrong: a condition that is true then, and the sentence, as formulas."""

    condition: str
    sentence: str


def write_troubles(pen: Pen) -> str:
    """Writes a column of conditions, each cell the first sentence so far; gives the last cell."""
    last, letter = "", get_column_letter(TROUBLES)
    for row, trouble in enumerate(_troubles(pen.draft), start=FIRST):
        own = f'IF({trouble.condition},{trouble.sentence},"")'
        formula = f'=IF({last}<>"",{last},{own})' if last else f"={own}"
        last = f"{letter}{row}"
        pen.formula(last, formula, "", "tag")
    return last


def _troubles(draft: Draft) -> Iterator[Trouble]:
    """Inputs first, for what follows from them is no trouble of its own."""
    steps = [(sheet, step) for sheet in draft.layout.sheets for step in sheet.tab.steps]
    for sheet, step in steps:
        if step.kind == "given" and draft.layout.start.entry(step.name, 0, 0) is None:
            yield from (_no_word if step.text else _no_number)(draft, sheet, step)
    for sheet, step in steps:
        yield from _twice(draft, sheet, step)
        yield from _no_divisor(draft, sheet, step)
        yield from _too_large(draft, sheet, step)
    for sheet in draft.layout.sheets:
        yield _any_error(draft, sheet)


# Inputs -----------------------------------------------------------------------------------------


def _no_number(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A cell of a given table without a number within its bound; an error value stops comparing."""
    home, limit = draft.layout.home(step.name), bound(step)
    area, limit_text = home.area(), number(limit, None, draft.catalogue.language)
    beyond = f'COUNTIF({area},">{limit:g}")+COUNTIF({area},"<-{limit:g}")'
    wrong = f'({area}>{limit:g})+({area}<-{limit:g})+({area}="")'
    reason = draft.catalogue.t("workbook.trouble.number", limit=limit_text)
    error = _at_first(draft, sheet, home, f'ISERROR({area}&"")*1', reason)
    yield Trouble(f"ISERROR(SUM({area}))", error)
    condition = f"OR(COUNT({area})<{home.height * home.width},{beyond}>0)"
    yield Trouble(condition, _at_first(draft, sheet, home, wrong, reason))


def _no_word(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """No word, or one with more letters than there are cells for them."""
    home, most = draft.layout.home(step.name), letters(draft, step)
    area, reason = home.area(), draft.catalogue.t("workbook.trouble.empty")
    if not most:
        wrong = f'({area}="")*1'
        yield Trouble(f"COUNTBLANK({area})>0", _at_first(draft, sheet, home, wrong, reason))
        return
    cells = (on(home.sheet, home.cell(i, j)) for i, j in cells_of(step))
    long = ",".join(f"LEN({cell})>{most}" for cell in cells)
    reason = draft.catalogue.t("workbook.bpe.word.error", most=most)
    wrong = f'({area}="")+(LEN({area})>{most})'
    condition = f"IFERROR(OR(COUNTBLANK({area})>0,{long}),TRUE)"
    yield Trouble(condition, _at_first(draft, sheet, home, wrong, reason))


def _at_first(draft: Draft, sheet: Sheet, home: Box, wrong: str, reason: str) -> str:
    """The sentence that names the first wrong cell of a table, and what was delivered there.

    Excel and LibreOffice compute with whole areas here; of an error value IronCalc names only the
    tab, and of any cell Gnumeric and HyperFormula the tab or its first one.
    """
    area, most = home.area(), THOUSAND**2
    place = f"(ROW({area})*{THOUSAND}+COLUMN({area}))"
    first = f"{most}-SUMPRODUCT(MAX((({wrong})>0)*({most}-{place})))"
    row, column = f"INT(({first})/{THOUSAND})", f"MOD({first},{THOUSAND})"
    before, after = draft.catalogue.phrases["workbook.trouble.cell"].split("{cell}")
    refused, tab = draft.catalogue.t("workbook.refused.warning"), sheet.tab.title
    cell = f"{quoted(before)}&ADDRESS({row},{column},4)&{quoted(after)}"
    sentence = f"{quoted(refused + tab)}&IFERROR({cell},{quoted(': ')})&{quoted(reason)}"
    if kept := draft.kept.get(sheet.tab.title):
        lead = quoted(draft.catalogue.t("workbook.trouble.delivered"))
        place = f"{row}-{home.row - 1},{column}-{home.column - 1}"
        sentence += f'&IFERROR({lead}&INDEX({kept.area(home)},{place}),"")'
    return sentence


def _twice(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A word of the sentence that stands in the vocabulary twice has two ones in its row."""
    if step.place.kind == "onehot":
        area = draft.layout.home(step.name).area()
        reason = draft.catalogue.t("workbook.trouble.twice")
        sentence = quoted(f"{sheet.tab.title}: {reason}")
        yield Trouble(f"IFERROR(SUM({area})>{step.shape[0]},FALSE)", sentence)


# Results ----------------------------------------------------------------------------------------


def _no_divisor(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A row of a softmax whose sum is 0, of a norm whose deviation is 0."""
    if isinstance(step.op, RowShare):
        if step.op.empty:
            return  # an empty row of the strict mask has shares of 0
        key = "sum"
    elif step.place.kind == "normalised":
        key = "deviation" if isinstance(step.op, Normalise) else "root"
    else:
        return
    divisor = draft.trace[step.inputs[-1]]
    if divisor.name in draft.exercise.steps:
        return  # what pupils enter is judged, not commented on
    which = f"MATCH(0,{draft.layout.home(divisor.name).area()},0)"
    row = _row(draft, divisor, which)
    letter = letter_of(divisor.name).plain
    reason = draft.catalogue.t(f"workbook.trouble.{key}", letter=letter)
    sentence = f"{quoted(sheet.tab.title)}{row}&{quoted(f': {reason}')}"
    yield Trouble(f"ISNUMBER({which})", sentence)


def _row(draft: Draft, step: Step, which: str) -> str:
    """The name of a step's row, to be joined: its token or temperature; nothing for others."""
    prefix = round_prefix(step.place.round)
    if by_token(step, tokens_of(draft.trace, prefix))[0]:
        words = draft.layout.home(f"{prefix}tokens").area()
        before, after = draft.catalogue.phrases["workbook.trouble.row"].split("{token}")
        return f"&{quoted(before)}&INDEX({words},{which})&{quoted(after)}"
    if kind_of(step.name).rows == "temperatures":
        heats = draft.layout.home("temperature").area()
        return f'&", T = "&INDEX({heats},{which})'
    return ""


def _too_large(draft: Draft, sheet: Sheet, step: Step) -> Iterator[Trouble]:
    """A power that no cell can hold."""
    if isinstance(step.op, Power) and step.inputs[0] not in draft.exercise.steps:
        largest = LARGEST / math.log(step.op.base or math.e)
        area = draft.layout.home(step.inputs[0]).area()
        reason = draft.catalogue.t("workbook.trouble.large")
        sentence = quoted(f"{sheet.tab.title}: {reason}")
        yield Trouble(f"IFERROR(MAX({area})>{largest:.2f},FALSE)", sentence)


def _any_error(draft: Draft, sheet: Sheet) -> Trouble:
    """Whatever else: an error on a tab, which its sum then is as well."""
    right = draft.grids[sheet.tab.title].right
    tab = Box("", sheet.tab.title, FIRST_ROW, 1, sheet.bands[-1].bottom - FIRST_ROW + 1, right)
    reason = draft.catalogue.t("workbook.trouble.other")
    sentence = quoted(f"{sheet.tab.title}: {reason}")
    return Trouble(f"ISERROR(SUM({tab.area()}))", sentence)


def write_pause(pen: Pen) -> None:
    """The cell that says whether anything differs from as delivered."""
    layout = pen.draft.layout
    cell = layout.paused[1]
    start = layout.start
    rows = [(start.page(entry), start.cells(entry)) for entry in start.entries]
    pairs = [(on(page, row.force), on(page, row.delivered)) for page, row in rows]
    force, delivered = (
        ('&"|"&'.join(cells) for cells in zip(*pairs, strict=True)) if pairs else ('""',) * 2
    )
    formula = f"=IF(EXACT({force},{delivered}),0,1)"
    pen.formula(cell, formula, 0, "tag")


def announced(pen: Pen, warning: str) -> str:
    """The formula of the sentence on all tabs: that judging pauses, else the warning."""
    cell = pen.draft.layout.paused[1]
    sentence = pen.t("exercise.paused")
    return f'=IF({cell}>0,"{sentence}",{warning.removeprefix("=")})'
