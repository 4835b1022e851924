"""The first tab: what this is, what to do, experiments, switches, words, a map of the tabs."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break

from generator.engine.choices import STRATEGIES
from generator.notation.numbers import number
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.controls import is_control
from generator.render.workbook.layout.draw_layout import FIRST_ROW, PARTS
from generator.render.workbook.layout.layout import Band, Sheet
from generator.render.workbook.layout.paper import PAGE_HEIGHT, PAGE_WIDTH, points_of
from generator.render.workbook.layout.start_layout import (
    HEAD_ROW,
    LAST_COLUMN,
    NOTHING_NEXT,
    TROUBLES,
    shows,
)
from generator.render.workbook.start import before_after, pause, troubles
from generator.render.workbook.start.entries import FIRST_RIGHT, LAST_LEFT, Entries
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.write.filling import shown

CONTENTS, NEXT, COMPARED = 3, 10, 13  # columns: beside a label, the next token, the delivered one
WIDTH, GAP, CHECK_WIDTH = 12.3, 3.0, 16.0
LINE, TOP = 15.0, (28.0, 22.0, 16.0)  # points of a row, of the rows above
FIRST_LINK, RIGHT, SHARE = 3, 13, 14
LETTER = 0.95  # how wide a letter of a link is, in widths of a digit
SOLUTION_SIGNS = ("given", "input", "computed", "echo", "inforce")
EXERCISE_SIGNS = ("entry", "right", "wrong", "text")
UNJUDGED_SIGNS = EXERCISE_SIGNS[:1]


class Progress(NamedTuple):
    """How many of a tab's asked cells are right, or filled in where nobody judges.

    A formula, "=…", and the number asked.
    """

    right: str
    asked: int


def write(draft: Draft) -> None:
    """The first tab; in an exercise its map says how many entries of each tab are right."""
    Start(draft, progress_of(draft)).write()


def progress_of(draft: Draft) -> Mapping[str, Progress]:
    """The progress of each tab with asked cells, by its title."""
    return {
        title: Progress(f"={checks.done(draft.judging.judges)}", len(checks.asked))
        for title, checks in draft.checks.items()
    }


class Start:
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
        self.entries = Entries(self.pen)
        self.row = self.start.map_row

    def write(self) -> None:
        """Everything on the tab."""
        self._head()
        self._to_do()
        self._legend()
        self._experiments()
        before_after.write(self.pen)
        self.entries.write()
        self._strategies()
        self._map()
        warning = self.layout.warning[1]
        message = self.entries.warning(troubles.write(self.pen))
        if self.exercise:
            pause.write(self.pen)
            message = pause.announced(self.pen, message)
        self.pen.formula(warning, message, "", "alarm")
        self._shape()

    # The top ------------------------------------------------------------------------------------

    def _head(self) -> None:
        preset = self.trace.preset
        self.pen.text(1, 1, preset.heading(self.draft.catalogue.language), "title")
        self.pen.text(1, LAST_COLUMN, self.draft.code, "words", "right")
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
            place = row + 1 + k % 5, FIRST_RIGHT + 3 * (k // 5)
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

    # The map ------------------------------------------------------------------------------------

    def _map(self) -> None:
        self.pen.band(self.row, 1, LAST_COLUMN, self.t("workbook.start.map"))
        titles = {1: "tab", FIRST_LINK: "blocks"}
        done = "right" if self.draft.judging.judges else "filled"
        titles |= {RIGHT: done, SHARE: "share"} if self.progress else {}
        titles |= {RIGHT: "changed", SHARE: "largest"} if self.draft.kept else {}
        heads = {c: self.t(f"workbook.start.map.{key}") for c, key in titles.items()}
        self.pen.heads(self.row + 1, heads, (1, LAST_COLUMN), (1, FIRST_LINK))
        self.row += 2
        self._glance()
        top = self.row
        for sheet in self.layout.sheets:
            self.pen.link(self.row, 1, sheet.tab.title, "A1", sheet.tab.title)
            title = sheet.tab.title
            self._progress(self.row, self.progress.get(title))
            before_after.counted(self.pen, self.row, self.draft.kept.get(title), (RIGHT, SHARE))
            self._blocks(sheet)
            self._drawing(sheet)
        if self.draft.kept:
            before_after.tint(self.pen, at(top, RIGHT), at(self.row - 1, SHARE))
        if self.progress:
            self.pen.text(self.row, 1, self.t("workbook.start.map.all"), "strong")
            parts = "+".join(f"({p.right.removeprefix('=')})" for p in self.progress.values())
            total = Progress(f"={parts}", sum(p.asked for p in self.progress.values()))
            self._progress(self.row, total)
            self._total(total)

    def _glance(self) -> None:
        """The tab that shows a head on one screen, or why there is none."""
        glance, sizes = self.layout.glance, self.layout.too_large
        if glance:
            self.pen.link(self.row, 1, glance.sheet, "A1", glance.sheet)
            self.pen.text(self.row, FIRST_LINK, self.t("workbook.start.map.glance"))
        elif sizes:
            self.pen.text(self.row, 1, self.t("workbook.tab.glance"))
            said = self.t("workbook.start.map.too.large", **sizes._asdict())
            self.pen.text(self.row, FIRST_LINK, said)
        self.row += bool(glance or sizes)

    def _progress(self, row: int, progress: Progress | None) -> None:
        if progress is None or not progress.asked:
            return
        done, paused = progress.right.removeprefix("="), self.layout.paused[1]
        count = f'=IF({paused}>0,"{NOTHING_NEXT}",({done})&" / {progress.asked}")'
        self.pen.formula(at(row, RIGHT), count, f"0 / {progress.asked}", "text", align="center")
        share = f'=IF({paused}>0,"{NOTHING_NEXT}",({done})/{progress.asked})'
        self.pen.formula(at(row, SHARE), share, 0.0, "strong", "0%", "center")

    def _total(self, total: Progress) -> None:
        """The progress in all once more, at the top."""
        self.pen.text(
            HEAD_ROW, LAST_COLUMN - 1, self.t("workbook.start.progress"), "label", "right"
        )
        share = f"={at(self.row, SHARE)}"
        self.pen.formula(at(HEAD_ROW, LAST_COLUMN), share, 0.0, "strong", "0%", "center")

    def _blocks(self, sheet: Sheet) -> None:
        """A link to each block, as many in a row as there is room for."""
        column, stop = FIRST_LINK, RIGHT
        for band in sheet.bands:
            name, top = self._block(band)
            if not name:
                continue
            width = math.ceil((len(name) + 2) * LETTER / WIDTH)
            if column > FIRST_LINK and column + width > stop:
                column, self.row = FIRST_LINK, self.row + 1
            self.pen.link(self.row, column, sheet.tab.title, f"A{top}", name)
            column += width
        self.row += 1

    def _drawing(self, sheet: Sheet) -> None:
        """Below the output of the first round: the Draw tab and its tables."""
        draw, titles = self.start.draw, self.layout.titles
        if draw is None or titles.index(sheet.tab.title) + 1 != titles.index(draw.sheet):
            return
        self.pen.link(self.row, 1, draw.sheet, "A1", draw.sheet)
        column = FIRST_LINK
        for part in PARTS:
            name = self.t(f"workbook.draw.{part.key}")
            self.pen.link(self.row, column, draw.sheet, at(FIRST_ROW, part.first), name)
            column += math.ceil((len(name) + 2) * LETTER / WIDTH)
        self.row += 1

    def _block(self, band: Band) -> tuple[str, int]:
        """What a block is called: after the first step that it computes; "" for mere controls."""
        steps = [self.trace[line.step] for line in band.lines if not is_control(line.step)]
        if not steps:
            return "", band.top
        first = next((step for step in steps if step.kind == "computed"), steps[0])
        return self.draft.catalogue.step(first.name).partition(" (")[0], band.top

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
        self._breaks(last)

    def _breaks(self, last: int) -> None:
        """A new page before the tables or the map, where they would be cut."""
        heights = [self.page.row_dimensions[row].height for row in range(1, last + 1)]
        scale = min(1.0, PAGE_WIDTH / (LAST_COLUMN * points_of(WIDTH)))
        page_height = PAGE_HEIGHT / scale
        starts = [1, self.start.tables_row, self.start.map_row, last + 1]
        used = 0.0
        for first, following in pairwise(starts):
            height = sum(heights[first - 1 : following - 1])
            if used and used + height > page_height:
                self.page.row_breaks.append(Break(id=first - 1))
                used = sum(TOP)
            used += height
