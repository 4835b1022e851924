"""The Excel notation: classic functions in English, as formulas are stored in every language."""

import math
from collections.abc import Callable

from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, Text
from generator.engine.rounding import GUARD
from generator.notation.base import ATOM, STRENGTH, Notation

LONGEST_SUM = 8
MASKED = '"−∞"'

FUNCTIONS = {
    Fn.EXP: "EXP",
    Fn.SQRT: "SQRT",
    Fn.SIN: "SIN",
    Fn.COS: "COS",
    Fn.TANH: "TANH",
    Fn.NORMAL: "NORMSDIST",
    Fn.SUM: "SUM",
    Fn.MAX: "MAX",
    Fn.MIN: "MIN",
    Fn.EXACT: "EXACT",
    Fn.IS_NUMBER: "ISNUMBER",
    Fn.INDEX: "INDEX",
    Fn.RANK: "RANK",
    Fn.COUNT_EQUAL: "COUNTIF",
}


class Excel(Notation):
    """Formulas over the cells that `address` gives for (step, row, column), counted from 0.

    A sum of products is written out up to eight terms, above as SUM(MMULT(row,column)) or
    SUMPRODUCT(row,row): no array evaluation that one program does and another does not.
    """

    def __init__(self, address: Callable[[str, int, int], str]) -> None:
        self.address = address

    def formula(self, expression: Expr) -> str:
        """The whole formula, with its leading "="."""
        return "=" + self.write(expression)

    def num(self, node: Num, inside: int) -> str:
        if node.value == -math.inf:
            return MASKED
        text = repr(float(node.value))
        text = text.removesuffix(".0")
        return f"({text})" if node.value < 0 and inside else text

    def text(self, node: Text) -> str:
        return '"' + node.value.replace('"', '""') + '"'

    def ref(self, node: Ref, inside: int) -> str:
        return self.address(node.step, node.i, node.j)

    def area(self, node: Area) -> str:
        first = self.address(node.step, node.r0, node.c0)
        last = self.address(node.step, node.r1 - 1, node.c1 - 1)
        return first if len(node) == 1 else f"{first}:{last.rpartition('!')[2]}"

    def dot(self, node: Dot, inside: int) -> str:
        left, right = node.left, node.right
        if len(left) <= LONGEST_SUM:
            pairs = zip(left.cells(), right.cells(), strict=True)
            text = "+".join(f"{self.ref(a, 0)}*{self.ref(b, 0)}" for a, b in pairs)
            return self.bracket(text, STRENGTH["+" if len(left) > 1 else "*"], inside)
        crossed = left.r1 - left.r0 == 1 and right.c1 - right.c0 == 1
        both = f"{self.area(left)},{self.area(right)}"
        return f"SUM(MMULT({both}))" if crossed else f"SUMPRODUCT({both})"

    def bin(self, node: Bin, inside: int) -> str:
        left, right, mine = self.sides(node)
        return self.bracket(f"{left}{node.op}{right}", mine, inside)

    def choice(self, node: If, inside: int) -> str:
        return self._function("IF", (node.condition, node.yes, node.no))

    def call(self, node: Call, inside: int) -> str:
        match node.fn, node.args:
            case Fn.SQUARES, (Area() as area, mean):
                return self._squares(area, mean, inside)
            case Fn.MATCH, (value, area):
                return f"MATCH({self.write(value)},{self.write(area)},0)"
            case Fn.COUNT_AT_MOST, (area, limit):
                return f"SUMPRODUCT(({self.write(area)}<={self.write(limit, ATOM)})*1)"
            case Fn.SUM_BELOW, (keys, limit, area):
                condition = f'"<"&{self.write(limit, ATOM)}'
                return f"SUMIF({self.write(keys)},{condition},{self.write(area)})"
            case fn, args:
                return self._function(FUNCTIONS[fn], args)

    def rounded(self, node: Round, inside: int) -> str:
        guard = f"ROUND({self.write(node.inner)},{GUARD})"
        return guard if node.decimals >= GUARD else f"ROUND({guard},{node.decimals})"

    def _function(self, name: str, args: tuple[Expr, ...]) -> str:
        return f"{name}({','.join(self.write(arg) for arg in args)})"

    def _squares(self, area: Area, mean: Expr, inside: int) -> str:
        centre = self.write(mean, STRENGTH["*"])
        if len(area) > LONGEST_SUM:
            return f"SUMPRODUCT(({self.area(area)}-{centre})^2)"
        text = "+".join(f"({self.ref(cell, 0)}-{centre})^2" for cell in area.cells())
        return self.bracket(text, STRENGTH["+"], inside)
