"""A live line: the worked arithmetic of whichever token a cell names, as one Excel formula."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from generator.engine.expr import Area, Bin, Call, Fn, If, Num, Ref, Round
from generator.engine.ops.attention import Power, Root, RowShare, RowSum
from generator.engine.ops.copying import Append, Copy, SizeProduct
from generator.engine.ops.feedforward import Deviation, Variance
from generator.engine.ops.learning import Columns, PlaceRows
from generator.engine.ops.sampling import Renormalise
from generator.engine.predict import drawing_row
from generator.engine.trace import Step, Trace
from generator.notation.excel import MASKED, Excel, as_typed, guarded, one_of
from generator.notation.shown import MINUS, number
from generator.notation.worked import LOOKED_UP, SAME, Worked
from generator.steps import kind_of, shaped_as

Address = Callable[[str, int, int], str]

LONGEST_FORMULA = 8192
FOCUS = 10**6  # the row, or column, that stands for the token in focus
COPIES = (Append, Columns, Copy, PlaceRows)
NEVER_NEGATIVE = (Deviation, Power, Renormalise, Root, RowShare, RowSum, SizeProduct, Variance)
_FIRST_PIECE = 0xF0000  # private characters stand for what the sheet puts in
_PIECES = re.compile("([\U000f0000-\U000ffffd])")


def is_worked_out(step: Step) -> bool:
    """Whether the step's numbers come from arithmetic that a line can show."""
    copied = step.kind == "given" or isinstance(step.op, COPIES)
    return kind_of(step.name).live and not copied


class AllTerms(Worked):
    """Worked arithmetic with masked terms too: the mask can be switched while a formula stays."""

    def is_masked(self, cell: Ref) -> bool:
        """No term is left out."""
        return False


class AsTyped(AllTerms):
    """What a live line shows before anybody changes a cell: given numbers as they are typed."""

    def spelled(self, name: str, i: int, j: int) -> str:
        step = self.trace[name]
        if step.text or step.decimals is not None:
            return super().spelled(name, i, j)
        return number(float(step.values[i, j]), None, self.language)


def _row(trace: Trace, step: Step) -> int | None:
    """The row to show: that in focus, the only one, or that of the temperature drawn with.

    A later round of an exercise has no line, for its tokens are not shown yet.
    """
    number = step.place.round
    tokens = trace[f"round{number}.tokens" if number > 1 else "tokens"].values[:, 0]
    if shaped_as(step.name).rows == "tokens" and step.rows == tuple(tokens.tolist()):
        return FOCUS
    if step.shape[0] == 1:
        return 0
    drawn = step.rows == trace["output.tempered"].rows
    return drawing_row(trace.preset) if drawn else None


@dataclass(eq=False)
class _Cells(Excel):
    """Excel formulas in which the token in focus picks its cell, every sum written out."""

    trace: Trace
    focus: str

    longest_sum: ClassVar = math.inf

    def ref(self, node: Ref) -> str:
        if FOCUS not in (node.i, node.j):
            return super().ref(node)
        height, width = self.trace[node.step].shape
        rows = (0, height - 1) if node.i == FOCUS else (node.i, node.i)
        columns = (0, width - 1) if node.j == FOCUS else (node.j, node.j)
        first, last = (self.address(node.step, *place) for place in zip(rows, columns, strict=True))
        area = f"{first}:{last.rpartition('!')[2]}"
        if node.i == node.j == FOCUS:
            return f"INDEX({area},{self.focus},{self.focus})"
        return one_of(area, self.focus)

    def area(self, node: Area) -> str:
        return ",".join(self.ref(cell) for cell in node.cells())


class _Shown(_Cells):
    """The same formulas over the numbers as they are shown, which a reader reckons with."""

    def __init__(self, cells: _Cells) -> None:
        super().__init__(cells.address, cells.trace, cells.focus)
        self.plain = cells

    def ref(self, node: Ref) -> str:
        cell, decimals = super().ref(node), self.trace[node.step].decimals
        noisy = self.trace.rounding == "exact"  # cells hold more digits than they show
        return guarded(cell, decimals) if noisy and decimals is not None else cell

    def choice(self, node: If) -> str:
        condition = self.plain.write(node.condition)
        return f"IF({condition},{self.write(node.yes)},{self.write(node.no)})"

    def rounded(self, node: Round) -> str:
        return self.write(node.inner, self.inside)  # before rounding, as `Worked` compares


@dataclass(eq=False)
class LiveLines(AllTerms):
    """Lines as "0.8 × 0 + 0.1 × 1 ≈ 0.10" as formulas: of the token whose number is in `focus`.

    While `Worked` spells a line, a private character stands for each piece of a formula; `joined`
    puts the pieces in: `"e^"&FIXED(B3,2,TRUE)`. Digits and "=" follow the numbers in the sheet and
    read as in `Worked`, but given numbers stand in full and as they are typed.
    """

    address: Address
    focus: str

    def __post_init__(self) -> None:
        super().__post_init__()
        self.cells = _Cells(self.address, self.trace, self.focus)
        self.as_shown = _Shown(self.cells)
        self.pieces: list[str] = []

    def of(self, name: str, j: int) -> str | None:
        """The formula of a step's line, with its leading "=", in column j.

        Its row is that of the token whose number, from 1, stands in the cell `focus`; where the
        columns are the tokens too, the column is the token's own, for there the framed row and
        column cross. Of the rows for several temperatures it takes the one that is drawn with.
        None where there is nothing to work out (given, copied, chosen or counted cells) and where
        no cell could hold the formula.
        """
        step = self.trace[name]
        row = _row(self.trace, step) if is_worked_out(step) else None
        if row is None:
            return None
        square = shaped_as(step.name).square and step.shape[0] == step.shape[1]
        formula = self.formula(step.name, row, FOCUS if square else j)
        return formula if len(formula) <= LONGEST_FORMULA else None

    def formula(self, name: str, i: int, j: int) -> str:
        """The whole line of a cell: terms, "=" or "≈", result; every hyphen made a minus."""
        expression = self.trace.cell(name, i, j)
        inner = expression.inner if isinstance(expression, Round) else expression
        result = Ref(name, i, j)
        missed = self.as_shown.write(Bin("-", inner, result))
        relation = f'IF(IFERROR(ABS({missed})<{SAME:.0E},FALSE)," = "," ≈ ")'
        end = self.digits(result)
        if MASKED in missed:  # then a masked cell has these
            cell, masked = self.cells.ref(result), ('" = "', MASKED)
            relation, end = (
                f"IF(ISNUMBER({cell}),{x},{y})"
                for x, y in zip((relation, end), masked, strict=True)
            )
        terms = self.joined(self.write(inner))
        return f'=SUBSTITUTE({terms}&{relation}&{end},"-","{MINUS}")'

    def digits(self, node: Ref) -> str:
        """The formula of a number's digits; FIXED spells them in every language of Excel."""
        cell, decimals = self.cells.ref(node), self.trace[node.step].decimals
        if decimals is None:
            return as_typed(cell)
        shown = self.as_shown.ref(node)
        return f"FIXED({shown}+0,{decimals},TRUE)"  # +0: IronCalc knows a −0

    def joined(self, text: str) -> str:
        """A spelled text with its pieces put in."""
        parts = [part for part in _PIECES.split(text) if part]
        return "&".join(
            self.pieces[ord(part) - _FIRST_PIECE] if _PIECES.match(part) else f'"{part}"'
            for part in parts
        )

    def piece(self, formula: str) -> str:
        """The character that stands for a formula of a text."""
        self.pieces.append(formula)
        return chr(_FIRST_PIECE + len(self.pieces) - 1)

    def num(self, node: Num) -> str:
        if math.isinf(node.value) or float(node.value).is_integer():
            return super().num(node)
        # its decimal mark is that of the cells
        return self.piece(self.cells.write(node, self.inside))

    def ref(self, node: Ref) -> str:
        digits = self.digits(node)
        if not self.inside or isinstance(self.trace[node.step].op, NEVER_NEGATIVE):
            return self.piece(digits)
        below = self.as_shown.ref(node)
        opened, closed = (f'IF({below}<0,"{bracket}","")' for bracket in "()")
        return self.piece(f"{opened}&{digits}&{closed}")

    def choice(self, node: If) -> str:
        condition = self.cells.write(node.condition)
        yes, no = (self.joined(self.write(side, self.inside)) for side in (node.yes, node.no))
        return self.piece(f"IF({condition},{yes},{no})")

    def call(self, node: Call) -> str:
        if node.fn is Fn.INDEX or node.fn in LOOKED_UP:
            raise TypeError(f"{node.fn} is looked up once, no line of it can be live")
        return super().call(node)
