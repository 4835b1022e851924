"""Formulas over the symbols of tables: "Q = ROUND(SUMPRODUCT(row of X, column of W_Q), 1)"."""

import re

from generator.engine.expr import Area, Dot, Expr, Ref
from generator.engine.step import Cell
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.functions import Functions
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box
from generator.steps import kind_of

_FIRST_NAME = 0xF0000  # private characters stand for names while the formula is translated
_NAMES = re.compile("([\U000f0000-\U000ffffd])")


class Named(Functions):
    """The formula of one cell, with tables by their symbols and parts of them by what they are.

    A row and a column are those that are seen: of a table that stands turned beside the cell a
    row of the step is a column.
    """

    def __init__(self, draft: Draft, cell: Cell) -> None:
        super().__init__(lambda step, i, j: self._of(step), draft.catalogue.language)
        self.draft = draft
        self.home = draft.layout.home(cell[0])
        self.cell = cell
        self.names: list[str] = []

    def line(self) -> str:
        """The whole line, "Σ = ROUND(SUM(row of Exp), 4)"."""
        formula = self.formula(self.draft.exercise.meaning(*self.cell)).removeprefix("=")
        separator = locale_of(self.language).spreadsheet.separator
        formula = formula.replace(separator, f"{separator} ")
        parts = _NAMES.split(formula)
        named = "".join(self._table_name(part) if _NAMES.match(part) else part for part in parts)
        return f"{self._called(self.cell[0], self.home)} = {named}"

    def ref(self, node: Ref, inside: int) -> str:
        """The symbol of the table."""
        return self._of(node.step)

    def area(self, node: Area) -> str:
        """ "row of X", "column of W_Q"; of a vector only its symbol."""
        height, width = self.draft.trace[node.step].shape
        box = self.draft.layout.source(node.step, self.home)
        rows, columns = node.r1 - node.r0, node.c1 - node.c0
        vector = min(height, width) == 1 and not kind_of(node.step).by_word
        if vector or rows == columns == 1 or min(rows, columns) > 1:
            return self._of(node.step)
        part = "row" if (rows == 1) != box.turned else "column"
        called = self._called(node.step, box)
        return self._name(self.draft.catalogue.t(f"exercise.help.{part}", table=called))

    def dot(self, node: Dot, inside: int) -> str:
        """Always as a function."""
        return f"SUMPRODUCT({self.area(node.left)},{self.area(node.right)})"

    def _range(self, area: Expr) -> str:
        return self.write(area)

    def _squares(self, area: Area, mean: Expr, inside: int) -> str:
        return f"SUMPRODUCT((({self.area(area)})-{self.write(mean, STRENGTH['*'])})^2)"

    def _of(self, step: str) -> str:
        return self._name(self._called(step, self.draft.layout.source(step, self.home)))

    def _called(self, step: str, box: Box) -> str:
        """The table's symbol where formulas of this cell's step read it, or else its name."""
        names, t = self.draft.names, self.draft.catalogue.t
        symbol = names.symbol(step, box, self.home.step)
        return symbol or t("exercise.help.table", table=names.name(step))

    def _name(self, text: str) -> str:
        self.names.append(text)
        return chr(_FIRST_NAME + len(self.names) - 1)

    def _table_name(self, sign: str) -> str:
        return self.names[ord(sign) - _FIRST_NAME]
