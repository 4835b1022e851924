"""The bands of a tab: heading lines, formulas in functions, worked arithmetic, labels, numbers.

Boxes hold given numbers, live formulas, empty yellow cells and echoes; a home gets its defined
name. Then the copy of what a tab was delivered with, as plain values, so that they stay: whatever
somebody changes is held against them.
"""

from collections.abc import Iterator

from generator.engine.place import place_of
from generator.engine.trace import Step
from generator.notation.excel import Excel, as_typed
from generator.notation.live import AsTyped, LiveLines
from generator.notation.shown import number
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import COUNT, KEPT_ROW, LARGEST, TOTAL_ROW, KeptTab
from generator.render.workbook.layout.layout import (
    FIRST_ROW,
    WORDS_COLUMN,
    Band,
    HeadingLine,
    TabLabel,
)
from generator.render.workbook.layout.tabs import FOCUS, FOCUS_ROW, LETTER, OWN, WORD, by_token
from generator.render.workbook.pen import TabPen
from generator.render.workbook.styles import ARROW, PARTS
from generator.steps import kind_of

LEAST = "0.000001"  # a smaller difference is noise of the program that computes,
SHARE = "0.001"  # and of a large number so much of it, times the least difference
MASKABLE = ("mask", "masked", "shifted")  # their cells may hold the text −∞
GROWING = ("exp", "sum", "output.exp", "output.sum")  # e^x: one of them would outdo all others


class BandPen(TabPen):
    """Writes the head of a tab and its bands, texts and numbers."""

    def write(self, band: Band) -> None:
        """Everything that stands around the boxes of a band."""
        for line in band.lines:
            self._line(band, line)
            if line.live and line.step not in self.exercise.steps:
                self._worked(line)
        letters = {line.step: line.letter for line in band.lines}
        for box, spot in band.tags.items():
            kind = place_of(box.step).kind.rpartition(".")[2]
            role = f"{kind} tag" if kind in PARTS else "tag"  # W_Q is in the colour of Q
            self.put(spot, self.title_over(box, letters.get(box.step, ""), band), role)
        for label in band.labels:
            self._label(label)
        self._boxes(band)

    def _line(self, band: Band, line: HeadingLine) -> None:
        """Title and formula in words of a step; in functions below, where there is room."""
        first = line.row == band.top and not band.rows
        title = self.draft.catalogue.step(line.step)
        title = title if band.rows else self.layout.texts.heading(line.step, line.letter)
        words = self.layout.in_words(line.step)
        if first:
            self.band(line.row, (1, self.grid.right), title)
        else:
            self.put((line.row, 1), title, "strong" if band.rows else "line")
        if self.draft.told(line.step):
            beside = first and not line.below
            self.put((line.words, WORDS_COLUMN), words, "band words" if beside else "words")
        # the formula of the step's first cell, as a person reads it in the cell
        if line.functions and self.draft.judging.helps:
            cell = line.step, *self.layout.texts.telling(line.step)
            formula = self.formula(cell, self.trace.cell(*cell))
            for row, text in line.lines(formula):
                self.put((row, WORDS_COLUMN), text, "functions")

    def _worked(self, line: HeadingLine) -> None:
        """The arithmetic of the focus token's row of a step; it follows focus and cells."""
        language, i = self.draft.catalogue.language, self.draft.focus
        address = self.layout.addresses(self.layout.homes[line.step])
        formula = LiveLines(self.trace, language, address, FOCUS).of(line.step, 0)
        if formula is None:
            raise ValueError(f"{line.step} has a row for a live line but no such line")
        step, tokens = self.trace[line.step], self.tokens_at(line.step)
        j = i if by_token(step, tokens)[1] else 0
        who = {"number": (FOCUS, i + 1), "word": (WORD, tokens[i])}
        text, shown = self.phrase("workbook.live", **who)
        worked = f"{shown}{AsTyped(self.trace, language).line(line.step, i, j)}"
        self.live((line.live, 1), f'IFERROR({text}&{formula[1:]},"")', worked, "live")

    def _label(self, label: TabLabel) -> None:
        """A text, or the cell that it repeats."""
        if label.heading:
            self.band(label.row, (1, self.grid.right), label.text)
            return
        content: str = label.shown(self.draft.catalogue)
        if label.step:
            at = Box("", self.title, label.row, label.column, 1, 1)
            step = self.layout.homes[label.step].step
            address = self.layout.addresses(at)(step, label.cell, 0)
            shown = self.draft.shown(step, label.cell, 0)
            if place_of(label.step).kind == "tokens":
                content = CellFormula(f'="{label.cell + 1} "&{address}', label.text)
            elif label.step == "temperature":
                heat = number(float(shown), None, self.draft.catalogue.language)
                content = CellFormula(f'="T = "&{as_typed(address)}', f"T = {heat}")
            else:
                content = CellFormula(f"={address}", shown)
        align = "right" if label.column > 1 else ""
        wrap = label.across or (label.column == 1 and bool(label.step))
        role = "head" if label.across else "label"
        self.put((label.row, label.column), content, role, align=align, wrap=wrap)

    # The heading over a table: letter, name, formula in symbols, role; as much as finds room ------

    def title_over(self, box: Box, letter: str, band: Band) -> str:
        """The first of a table's possible headings that ends before the next one in its row."""
        row, column = band.tags[box]
        after = [c for r, c in band.tags.values() if r == row and c > column]
        width = self.grid.span(column, min(after, default=self.grid.right + 1) - 1)
        before = "= " if not box.home else f"({letter}) " if letter else ""
        texts = self._of_home(box) if box.home else self._of_echo(box, band)
        headings = [f"{before}{text}".rstrip() for text in texts]
        return next((text for text in headings if len(text) * LETTER <= width), headings[-1])

    def _of_home(self, box: Box) -> Iterator[str]:
        """ "Query Q = X · W_Q [C calculated]", and shorter ones."""
        names, step = self.draft.names, self.trace[box.step]
        asked = any(cell[0] == step.name for cell in self.exercise.asked)
        sign, _, role = self.t(f"workbook.role.{'asked' if asked else step.kind}").partition("  ")
        symbol = names.symbol(step.name, box)
        silent = asked or (box.turned and symbol.endswith("ᵀ"))  # a formula is the first hint
        formula = "" if silent else names.formula(step.name)
        full = names.full(step.name, symbol)
        whole = [f"{names.name(step.name)} {formula}", formula] if formula else []
        for text in (*whole, full):
            yield f"{text} [{sign} {role}]"
            yield f"{text} [{sign}]"
        yield full
        if symbol:
            yield f"{symbol} [{sign}]"
            yield symbol
        yield ""

    def _of_echo(self, box: Box, band: Band) -> Iterator[str]:
        """ "Input X (tab Input)", and shorter ones."""
        here = band.lines[0].step if band.lines else ""
        home, symbol = self.layout.homes[box.step], self.draft.names.symbol(box.step, box, here)
        way = "above" if home.row <= box.row else "below"
        key = "tab" if home.sheet != box.sheet else way
        where = self.t(f"workbook.place.{key}", tab=home.sheet)
        full = self.draft.names.full(box.step, symbol)
        yield f"{full} ({where})"
        if symbol:
            yield f"{symbol} ({where})"
        yield full
        yield symbol

    # The rows above the first band: title, link back, focus token, message ------------------------

    def top(self) -> None:
        """The head of a tab, with a link back to the first one."""
        self.head(self.sheet.tab.about(self.draft.catalogue), self.grid.link)
        if checks := self.draft.checks.get(self.title):
            self.link((2, self.grid.link), self.t("exercise.first"), checks.entry)
        if self.tokens:
            self._focus()
        message, shown = self.layout.told, ""
        if self.tokens and not self.asks:  # the tab's own focus token, if it was refused
            reason = self.t("workbook.refused.whole", least=1, most=len(self.tokens))
            title = self.t("workbook.focus.title")
            says = f"{self.t('workbook.refused.warning')}{title}: {reason}"
            message = f'IF(OR(ISBLANK({OWN}),{self._accepted}),{message},"{says}")'
        if before := self.draft.waits.get(self.title):  # which tab is to be filled in first
            message, cell = on(*self.layout.warning), before.open_tab
            first = next(iter(self.draft.checks))
            text, shown = self.phrase("exercise.waits", f"{ARROW} ", tab=(cell, first))
            message = f'IF({message}<>"",{message}&"",IF({cell}="","",{text}))'
        self.live((FOCUS_ROW, WORDS_COLUMN), message, shown, "alarm")

    def _focus(self) -> None:
        """Which token is in focus; in a solution one of the tab's own.

        An empty cell, or one with anything but such a number, means the token chosen for all tabs.
        """
        self.put((FOCUS_ROW, 1), self.t("workbook.focus", last=len(self.tokens)), "label")
        chosen = on(*self.layout.settings["focus"])
        if not self.asks:
            self.put(OWN, None, "input", "0", "center")
            chosen = f"IF({self._accepted},{OWN},{chosen})"
        self.live(FOCUS, chosen, self.draft.focus + 1, "inforce", "0", "center")
        home = self.layout.homes[f"{self.sheet.tab.prefix}tokens"]
        area = home.span() if home.sheet == self.title else home.area()
        word = f'IFERROR(INDEX({area},{FOCUS},1),"")'
        self.live(WORD, word, self.tokens[self.draft.focus], "strong")

    @property
    def _accepted(self) -> str:
        """The condition that the tab's own focus token is one of its tokens."""
        number = f"IF(ISNUMBER({OWN}),{OWN},0)"
        return f"AND({number}>=1,{number}<={len(self.tokens)},{number}=INT({number}))"

    # Numbers --------------------------------------------------------------------------------------

    def _boxes(self, band: Band) -> None:
        """All boxes of a band."""
        for box in band.boxes:
            step, number = self.trace[box.step], self.layout.looks[box.step].number
            wrapped, shown = step.text and box.column == 1, kind_of(step.name).shown
            align = "center" if shown.centred else "" if wrapped else "right"
            excel = self.draft.excel(box)
            for i, j in box.cells():
                role, formula = self._formula(box, step, excel, i, j)
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
        for box in band.picked:
            self._in_focus(box)

    def _formula(self, box: Box, step: Step, excel: Excel, i: int, j: int) -> tuple[str, str]:
        """The role of a cell, and its formula: "" where it is asked or typed in."""
        exercise, cell = self.exercise, (step.name, i, j)
        hidden = exercise.hides(*cell)
        if not box.home:  # an empty cell is repeated as empty and not as 0
            role = "label" if step.text and box.column == 1 else "echo"
            home = self.layout.homes[box.step]
            address = home.cell(i, j)
            if home.sheet != box.sheet:
                address = on(home.sheet, address)
            return role, f'=IF({address}="","",{address})' if hidden else f"={address}"
        if step.kind == "given":  # typed in, or what the Start tab decides
            in_force = self.layout.in_force(*cell)
            return ("inforce", in_force) if in_force else ("given", "")
        if cell in exercise.asked:
            return "entry", ""
        result = kind_of(step.name).shown.result and step.name not in exercise.steps
        read = exercise.shown(cell) if hidden else self.trace.cell(*cell)
        return "result" if result else "computed", excel.formula(read)

    def _in_focus(self, box: Box) -> None:
        """The focus token's row of a table once more, live."""
        home, number = self.layout.homes[box.step], self.layout.looks[box.step].number
        for j in range(box.width):
            column = home.strip(j).span()
            column = column if home.sheet == self.title else on(home.sheet, column)
            value = f"INDEX({column},{FOCUS},1)"
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

    # The copy of a tab, in a solution, with which it is compared ----------------------------------

    def copy(self) -> None:
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
