"""What is wrong on the other tabs, as the first sentence of all: an input, or a division by 0."""

import math
from collections.abc import Iterator

from generator.engine.ops.attention import Power, RowShare
from generator.engine.ops.feedforward import Normalise
from generator.engine.trace import Step
from generator.notation.shown import number
from generator.render.workbook.frames import bound, letters
from generator.render.workbook.layout.box import Box, at, on, quoted
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet
from generator.render.workbook.layout.start_layout import TROUBLES
from generator.render.workbook.layout.tabs import by_token, round_prefix, tokens_of
from generator.render.workbook.pen import Pen
from generator.steps import kind_of, letter_of

FIRST = 5
LARGEST = math.log(1.7976931348623157e308)  # e to this is the largest number of a cell
THOUSAND = 1000  # more than there are columns on a tab
Trouble = tuple[str, str]  # a condition that is true when something is wrong, and the sentence


class Troubles(Pen):
    """Writes a column of conditions on the first tab."""

    def write(self) -> str:
        """Each cell is the first sentence so far; gives the last cell."""
        last = ""
        for row, (condition, sentence) in enumerate(self._all(), start=FIRST):
            own = f'IF({condition},{sentence},"")'
            formula = f'IF({last}<>"",{last},{own})' if last else own
            last = at(row, TROUBLES)
            self.live(last, formula, "")
        return last

    def _all(self) -> Iterator[Trouble]:
        """Inputs first, for what follows from them is no trouble of its own."""
        steps = [(sheet, step) for sheet in self.layout.sheets for step in sheet.tab.steps]
        for _, step in steps:
            if step.kind == "given" and (step.name, 0, 0) not in self.start.by_cell:
                yield from (self._no_word if step.text else self._no_number)(step)
        for sheet, step in steps:
            yield from self._of_results(sheet, step)
        for sheet in self.layout.sheets:  # whatever else: an error, which its sum then is as well
            right = self.layout.grids[sheet.tab.title].right
            bottom = sheet.bands[-1].bottom
            tab = Box("", sheet.tab.title, FIRST_ROW, 1, bottom - FIRST_ROW + 1, right)
            yield f"ISERROR(SUM({tab.area()}))", self._says(sheet, "other")

    def _says(self, sheet: Sheet, key: str) -> str:
        """A sentence about a tab."""
        return quoted(f"{sheet.tab.title}: {self.t(f'workbook.trouble.{key}')}")

    def _no_number(self, step: Step) -> Iterator[Trouble]:
        """A cell of a given table without a number within its bound; an error stops comparing."""
        home, limit = self.layout.homes[step.name], bound(step)
        area, shown = home.area(), number(limit, None, self.draft.catalogue.language)
        beyond = f'COUNTIF({area},">{limit:g}")+COUNTIF({area},"<-{limit:g}")'
        wrong = f'({area}>{limit:g})+({area}<-{limit:g})+({area}="")'
        reason = self.t("workbook.trouble.number", limit=shown)
        error = self._at_first(home, f'ISERROR({area}&"")*1', reason)
        yield f"ISERROR(SUM({area}))", error
        condition = f"OR(COUNT({area})<{home.height * home.width},{beyond}>0)"
        yield condition, self._at_first(home, wrong, reason)

    def _no_word(self, step: Step) -> Iterator[Trouble]:
        """No word, or one with more letters than there are cells for them."""
        home, most = self.layout.homes[step.name], letters(self.trace, step)
        area, reason = home.area(), self.t("workbook.trouble.empty")
        wrong, condition = f'({area}="")*1', f"COUNTBLANK({area})>0"
        if most:
            cells = (on(home.sheet, home.cell(i, j)) for i, j in home.cells())
            long = ",".join(f"LEN({cell})>{most}" for cell in cells)
            reason = self.t("workbook.bpe.word.error", most=most)
            wrong = f'({area}="")+(LEN({area})>{most})'
            condition = f"IFERROR(OR({condition},{long}),TRUE)"
        yield condition, self._at_first(home, wrong, reason)

    def _at_first(self, home: Box, wrong: str, reason: str) -> str:
        """The sentence that names the first wrong cell of a table, and what was delivered there.

        Of an error value IronCalc names only the tab. LARGE and not MAX, which Gnumeric does not
        compute for whole areas.
        """
        area, most = home.area(), THOUSAND**2
        place = f"(ROW({area})*{THOUSAND}+COLUMN({area}))"
        first = f"{most}-SUMPRODUCT(LARGE((({wrong})>0)*({most}-{place}),1))"
        row, column = f"INT(({first})/{THOUSAND})", f"MOD({first},{THOUSAND})"
        cell, _ = self.phrase("workbook.trouble.cell", cell=(f"ADDRESS({row},{column},4)", ""))
        lead = quoted(self.t("workbook.refused.warning") + home.sheet)
        sentence = f"{lead}&IFERROR({cell},{quoted(': ')})&{quoted(reason)}"
        if kept := self.draft.kept.get(home.sheet):
            lead = quoted(self.t("workbook.trouble.delivered"))
            place = f"{row}-{home.row - 1},{column}-{home.column - 1}"
            sentence += f'&IFERROR({lead}&INDEX({kept.copy(home).area()},{place}),"")'
        return sentence

    def _of_results(self, sheet: Sheet, step: Step) -> Iterator[Trouble]:
        """A word that stands twice, a divisor of 0, a power that no cell can hold."""
        if step.place.kind == "onehot":  # such a word of the sentence has two ones in its row
            condition = f"IFERROR(SUM({self.draft.area(step.name)})>{step.shape[0]},FALSE)"
            yield condition, self._says(sheet, "twice")
        yield from self._no_divisor(sheet, step)
        if isinstance(step.op, Power) and step.inputs[0] not in self.exercise.steps:
            largest = LARGEST / math.log(step.op.base or math.e)
            condition = f"IFERROR(MAX({self.draft.area(step.inputs[0])})>{largest:.2f},FALSE)"
            yield condition, self._says(sheet, "large")

    def _no_divisor(self, sheet: Sheet, step: Step) -> Iterator[Trouble]:
        """A row of a softmax whose sum is 0, of a norm whose deviation is 0."""
        if isinstance(step.op, RowShare):
            if step.op.empty:
                return  # an empty row of the strict mask has shares of 0
            key = "sum"
        elif step.place.kind == "normalised":
            key = "deviation" if isinstance(step.op, Normalise) else "root"
        else:
            return
        divisor = self.trace[step.inputs[-1]]
        if divisor.name in self.exercise.steps:
            return  # what pupils enter is judged, not commented on
        which = f"MATCH(0,{self.draft.area(divisor.name)},0)"
        reason = self.t(f"workbook.trouble.{key}", letter=letter_of(divisor.name).plain)
        row = self._row(divisor, which)
        yield f"ISNUMBER({which})", f"{quoted(sheet.tab.title)}{row}&{quoted(f': {reason}')}"

    def _row(self, step: Step, which: str) -> str:
        """The name of a step's row, to be joined: its token or temperature; nothing for others."""
        prefix = round_prefix(step.place.round)
        if by_token(step, tokens_of(self.trace, prefix))[0]:
            words = self.draft.area(f"{prefix}tokens")
            row, _ = self.phrase("workbook.trouble.row", token=(f"INDEX({words},{which})", ""))
            return f"&{row}"
        if kind_of(step.name).rows == "temperatures":
            return f'&", T = "&INDEX({self.draft.area("temperature")},{which})'
        return ""
