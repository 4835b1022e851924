"""Fills the boxes of a tab: given numbers, live formulas, empty yellow cells, echoes.

Then the copy of what it was delivered with, as plain values, so that they stay: whatever somebody
changes is held against them.
"""


from generator.engine.trace import Step
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import COUNT, KEPT_ROW, LARGEST, TOTAL_ROW, KeptTab
from generator.render.workbook.layout.layout import FIRST_ROW, Band
from generator.render.workbook.layout.tabs import FOCUS
from generator.render.workbook.pen import TabPen
from generator.steps import kind_of

LEAST = "0.000001"  # a smaller difference is noise of the program that computes,
SHARE = "0.001"  # and of a large number so much of it, times the least difference
MASKABLE = ("mask", "masked", "shifted")  # their cells may hold the text −∞
GROWING = ("exp", "sum", "output.exp", "output.sum")  # e^x: one of them would outdo all others


class Boxes(TabPen):
    """Writes the cells of steps; a home gets its defined name."""

    def write(self, band: Band) -> None:
        """All boxes of a band."""
        for box in band.boxes:
            step, number = self.trace[box.step], self.layout.looks[box.step].number
            wrapped, shown = step.text and box.column == 1, kind_of(step.name).shown
            align = "center" if shown.centred else "" if wrapped else "right"
            for i, j in box.cells():
                role, formula = self._formula(box, step, i, j)
                live = CellFormula(formula, self.draft.shown(step.name, i, j)) if formula else None
                if role == "entry":
                    self.put(box.place(i, j), None, role, "@" if step.text else number, "right")
                elif live:
                    self.put(box.place(i, j), live, role, number, align, wrap=wrapped)
                elif step.text:
                    self.put(box.place(i, j), str(step.values[i, j]), role, "@", wrap=True)
                else:
                    self.put(box.place(i, j), float(step.values[i, j]), role, number, "right")
            if box.home:
                self.draft.define(box)
        if band.picked:
            self._in_focus(band.picked)

    def _formula(self, box: Box, step: Step, i: int, j: int) -> tuple[str, str]:
        """The role of a cell, and its formula: "" where it is asked or typed in."""
        exercise, cell = self.exercise, (step.name, i, j)
        hidden = exercise.hides(*cell)
        if not box.home:  # an empty cell is repeated as empty and not as 0
            role, home = (
                "label" if step.text and box.column == 1 else "echo",
                self.layout.homes[box.step],
            )
            address = (
                home.cell(i, j) if home.sheet == box.sheet else on(home.sheet, home.cell(i, j))
            )
            return role, f'=IF({address}="","",{address})' if hidden else f"={address}"
        if step.kind == "given":  # typed in, or what the Start tab decides
            in_force = self.layout.in_force(*cell)
            return ("inforce", in_force) if in_force else ("given", "")
        if cell in exercise.asked:
            return "entry", ""
        result = kind_of(step.name).shown.result and step.name not in exercise.steps
        read = exercise.shown(cell) if hidden else self.trace.cell(*cell)
        return "result" if result else "computed", self.draft.excel(box).formula(read)

    def _in_focus(self, box: Box) -> None:
        """The focus token's row of a table once more, live."""
        home, number = self.layout.homes[box.step], self.layout.looks[box.step].number
        for j in range(box.width):
            column = home.column + j
            value = f"INDEX({at(home.row, column)}:{at(home.bottom, column)},{FOCUS})"
            if box.step in self.exercise.steps:
                value = f'IF({value}="","",{value})'
            shown = self.draft.shown(box.step, self.draft.focus, j)
            live = f'IFERROR({value},"")'
            self.live((box.row, box.column + j), live, shown, "echo", number, "right")

    def chosen(self, band: Band) -> None:
        """An arrow beside the row of the chosen word in each interval table, live."""
        arrow = self.t("workbook.chosen")
        for table, chosen in self.layout.choices(band):
            cell = at(chosen.row, chosen.column, fixed=True)
            next_word = self.draft.shown(chosen.step, 0, 0)
            for k, word in enumerate(self.trace["vocabulary.words"].values[:, 0]):
                row = table.row + k
                text = f'IF(EXACT($A{row},{cell}),"{arrow}","")'
                shown = arrow if word == next_word else ""
                self.live((row, table.right + 1), text, shown, "chosen")


class Copies(TabPen):
    """Writes the copy of a tab, in a solution, and compares the tab with it."""

    def write(self) -> None:
        """The copy, echoes included; the changes of each computed table, above of all."""
        if self.kept is None:
            return
        self.put((KEPT_ROW, self.kept.first), self.t("workbook.kept.about"), "tag")
        for box in self.sheet.boxes:
            for i, j in box.cells():
                row, column = box.place(i, j)
                value = self.draft.shown(box.step, i, j)
                self.put((row, self.kept.column(column)), value, "tag")
        row, count, largest = FIRST_ROW, self.kept.wide + COUNT, self.kept.wide + LARGEST
        for box, step in self.homes():
            if step.kind == "computed":
                changes = _compared(step, box, self.kept)
                self.live((row, count), changes[0], 0.0)
                self.live((row, largest), changes[1], 0.0)
                row += 1
        for column, function in ((count, "SUM"), (largest, "MAX")):
            lines = f"{at(FIRST_ROW, column)}:{at(max(row - 1, FIRST_ROW), column)}"
            self.live((TOTAL_ROW, column), f"{function}({lines})", 0.0)


def _compared(step: Step, box: Box, kept: KeptTab) -> tuple[str, str]:
    """The formulas of how many cells of a table differ, and of the largest difference.

    Of a table with masked cells it counts those that are masked, or no longer so: the numbers
    themselves are counted in the table before it. What is not counted is no largest difference.
    """
    now, then = box.span(), kept.copy(box).span()
    if step.text:
        return f"IFERROR(SUMPRODUCT(({now}<>{then})*1),0)", "0"
    if step.place.kind in MASKABLE:
        return f"ABS(COUNT({now})-COUNT({then}))", "0"
    changed = differs(now, then)
    count = f"IFERROR(SUMPRODUCT(({changed})*1),0)"
    if step.place.kind in GROWING:
        return count, "0"
    return count, f"IFERROR(SQRT(SUMPRODUCT(LARGE(({now}-{then})^2*({changed}),1))),0)"


def differs(now: str, then: str) -> str:
    """The condition that numbers differ by more than noise: two cells, or two areas cell by cell.

    Squares, for Gnumeric takes no ABS of a range.
    """
    return f"({now}-{then})^2>{LEAST}^2*(1+({SHARE}*{then})^2)"
