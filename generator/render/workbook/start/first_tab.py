"""The first tab: what this is, what to do, experiments, switches, words, a map of the tabs."""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from generator.engine.choices import STRATEGIES
from generator.notation.numbers import number
from generator.render.owner import APART, NAME
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at, on
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
from generator.render.workbook.start.tab_map import WIDTH, Progress, TabMap, progress_of
from generator.render.workbook.write.filling import shown

CONTENTS, NEXT, COMPARED = 3, 10, 13  # columns: beside a label, the next token, the delivered one
GAP, CHECK_WIDTH = 3.0, 16.0
LINE, TOP = 15.0, (28.0, 22.0, 16.0)  # points of a row, of the rows above
SOLUTION_SIGNS = ("given", "input", "computed", "echo", "inforce")
EXERCISE_SIGNS = ("entry", "right", "wrong", "text")
UNJUDGED_SIGNS = EXERCISE_SIGNS[:1]


def write(draft: Draft) -> None:
    """The first tab; in an exercise its map says how many entries of each tab are right."""
    Start(draft, progress_of(draft)).write()


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
        self.row = TabMap(self.pen, self.progress).write()
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
