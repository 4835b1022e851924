"""The Excel notation: classic functions in English, as formulas are stored in every language.

Also here:

* The formula of a cell as a person sees it in a spreadsheet of their language.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, Text
from generator.engine.rounding import GUARD
from generator.locales.locale import locale_of
from generator.notation.base import ATOM, STRENGTH, Notation

LONGEST_SUM = 8
APART = 99  # spaces between pieces that are cut out of a text: more than a piece has letters
MASKED = '"−∞"'
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_SAME = (Fn.EXP, Fn.LN, Fn.SQRT, Fn.SIN, Fn.COS, Fn.TANH, Fn.SUM, Fn.MAX, Fn.MIN, Fn.EXACT, Fn.ABS)
FUNCTIONS = {fn: fn.name for fn in _SAME} | {
    Fn.IS_NUMBER: "ISNUMBER",
    Fn.COUNT_NUMBERS: "COUNT",
    Fn.IF_ERROR: "IFERROR",
    Fn.LENGTH: "LEN",
}


@dataclass(eq=False)
class Excel(Notation):
    """Formulas over the cells that `address` gives for (step, row, column), counted from 0.

    A sum of products is written out up to eight terms, above as SUM(MMULT(row,column)) or
    SUMPRODUCT(row,row): no array evaluation that one program does and another does not.
    """

    address: Callable[[str, int, int], str]

    longest_sum: ClassVar[float] = LONGEST_SUM  # above it a sum of products is a function

    def formula(self, expression: Expr) -> str:
        """The whole formula, with its leading "="."""
        return "=" + self.write(expression)

    def num(self, node: Num) -> str:
        if node.value == -math.inf:
            return MASKED
        text = repr(float(node.value)).upper().removesuffix(".0")
        return f"({text})" if node.value < 0 and self.inside else text

    def text(self, node: Text) -> str:
        return '"' + node.value.replace('"', '""') + '"'

    def ref(self, node: Ref) -> str:
        return self.address(node.step, node.i, node.j)

    def area(self, node: Area) -> str:
        first = self.address(node.step, node.r0, node.c0)
        last = self.address(node.step, node.r1 - 1, node.c1 - 1)
        return first if len(node) == 1 else f"{first}:{last.rpartition('!')[2]}"

    def dot(self, node: Dot) -> str:
        left, right = node.left, node.right
        if len(left) <= self.longest_sum:
            pairs = zip(left.cells(), right.cells(), strict=True)
            text = "+".join(f"{self.ref(a)}*{self.ref(b)}" for a, b in pairs)
            return self.bracket(text, STRENGTH["+" if len(left) > 1 else "*"])
        if self._upright(left) == self._upright(right):
            return f"SUMPRODUCT({self.area(left)},{self.area(right)})"
        row, column = (right, left) if self._upright(left) else (left, right)
        return f"SUM(MMULT({self.area(row)},{self.area(column)}))"

    def _upright(self, area: Area) -> bool:
        """Whether the area's cells stand one below the other where the formula sees them."""
        cells = area.cells()
        first, second = (self.address(c.step, c.i, c.j) for c in cells[:2])
        return first.rstrip("0123456789") == second.rstrip("0123456789")

    def bin(self, node: Bin) -> str:
        left, right, mine = self.sides(node)
        return self.bracket(f"{left}{node.op}{right}", mine)

    def choice(self, node: If) -> str:
        return self._function("IF", (node.condition, node.yes, node.no))

    def call(self, node: Call) -> str:
        match node.fn, node.args:
            case Fn.SQUARES, (Area() as area, mean):
                return self._squares(area, mean)
            case Fn.MATCH, (value, area):
                return f"MATCH({self.write(value)},{self._range(area)},0)"
            case Fn.INDEX, (area, place):
                return one_of(self._range(area), self.write(place))
            case Fn.COUNT_AT_MOST, (area, limit):
                return f"SUMPRODUCT(({self.write(area)}<={self.write(limit, ATOM)})*1)"
            case Fn.SUM_BELOW, (keys, limit, area):
                condition = f'"<"&{self.write(limit, ATOM)}'
                return f"SUMIF({self._range(keys)},{condition},{self._range(area)})"
            case Fn.COUNT_EQUAL, (area, value):
                return f"COUNTIF({self._range(area)},{self.write(value)})"
            case Fn.NORMAL, (value,):  # NORMSDIST takes one argument here and two there
                return f"NORMDIST({self.write(value)},0,1,1)"
            case Fn.ROUND_UP, (value,):
                return f"ROUNDUP({self.write(value)},0)"
            case Fn.TWO_DIGITS, (value,):
                return f'TEXT({self.write(value)},"00")'
            case Fn.COUNT_BLANK, areas:
                text = "+".join(f"COUNTBLANK({self._range(area)})" for area in areas)
                return self.bracket(text, STRENGTH["+" if len(areas) > 1 else "*"])
            case Fn.RANK, (value, area):
                return f"RANK({self.write(value)},{self._range(area)})"
            case ((Fn.SPELLED | Fn.PIECES | Fn.PAIR_AT | Fn.MERGED), _):
                return self._pieces(node)
            case fn, args:
                return self._function(FUNCTIONS[fn], args)

    def _pieces(self, node: Call) -> str:
        """Texts cut and joined by their spaces; two of them between pieces make each one whole."""
        match node.fn, node.args:
            case Fn.SPELLED, (word, Num(value=most)):
                letters = (f"MID({self.write(word)},{k + 1},1)" for k in range(int(most)))
                return "TRIM(" + '&" "&'.join(letters) + ")"
            case Fn.PIECES, (text,):
                cell = self.write(text)
                spaces = f'LEN({cell})-LEN(SUBSTITUTE({cell}," ",""))'
                return self.bracket(f"{spaces}+1", STRENGTH["+"])
            case Fn.PAIR_AT, (text, Num(value=place)):
                apart = f'SUBSTITUTE({self.write(text)}," ",REPT(" ",{APART}))'
                return f"TRIM(MID({apart},{(int(place) - 1) * APART + 1},{2 * APART}))"
            case Fn.MERGED, (text, pair):
                cell, two = (f'" "&SUBSTITUTE({self.write(x)}," ","  ")&" "' for x in (text, pair))
                one = f'" "&SUBSTITUTE({self.write(pair)}," ","")&" "'
                return f"TRIM(SUBSTITUTE({cell},{two},{one}))"
            case _:
                raise TypeError(f"found {node}, expected a function of texts in pieces")

    def rounded(self, node: Round) -> str:
        match node.inner:
            case If(condition, yes, Num(value=value)) if value == -math.inf:
                visible = self.write(Round(yes, node.decimals))  # ROUND takes no text
                return f"IF({self.write(condition)},{visible},{MASKED})"
        if isinstance(node.inner, Round) and node.inner.decimals >= GUARD:
            return f"ROUND({self.write(node.inner)},{node.decimals})"
        return guarded(self.write(node.inner), node.decimals)

    def _range(self, area: Expr) -> str:
        """The area as B3:B3 even for one cell: some functions take nothing but a range."""
        text = self.write(area)
        return text if ":" in text else f"{text}:{text.rpartition('!')[2]}"

    def _function(self, name: str, args: tuple[Expr, ...]) -> str:
        return f"{name}({','.join(self.write(arg) for arg in args)})"

    def _squares(self, area: Area, mean: Expr) -> str:
        if len(area) > self.longest_sum:
            return f"SUMPRODUCT({self.square(self.area(area), mean)})"
        text = "+".join(self.square(self.ref(cell), mean) for cell in area.cells())
        return self.bracket(text, STRENGTH["+"])

    def square(self, x: str, mean: Expr) -> str:
        """(x − mean)²; of x alone where the mean is 0."""
        return f"{x}^2" if mean == Num(0) else f"({x}-{self.write(mean, STRENGTH['*'])})^2"


def guarded(value: str, decimals: int) -> str:
    """The engine's one rounding rule as a formula: without the first, noise decides a tie."""
    guard = f"ROUND({value},{GUARD})"
    return guard if decimals >= GUARD else f"ROUND({guard},{decimals})"


def as_typed(cell: str) -> str:
    """The digits of a cell's number, as many as it has, with the program's own decimal sign.

    Joined to a text as it is, Gnumeric spells 0.54 as 0.54000000000000000002.
    """
    sign = "MID(1/2,2,1)"
    return f'IF({cell}=INT({cell}),{cell},TEXT({cell},"0"&{sign}&"{"#" * GUARD}"))'


def one_of(area: str, place: str) -> str:
    """The cell at that place of a row or column of cells.

    Of a row it is `INDEX(B3:G3,1,n)`: with one index alone two programs find no such cell.
    """
    first, _, last = area.rpartition("!")[2].partition(":")
    lies = first != last and first.lstrip("$" + LETTERS) == last.lstrip("$" + LETTERS)
    return f"INDEX({area},{'1,' * lies}{place})"


_PART = re.compile(
    r"""
      "(?:[^"]|"")*"                          # a text
    | '(?:[^']|'')*'!                         # a sheet
    | (?P<function>[A-Z][A-Z0-9.]*)(?=\()
    | \$?[A-Z]{1,3}\$?\d+                     # a cell
    | (?P<number>\d+\.\d+)
    | (?P<comma>,)
    """,
    re.VERBOSE,
)


@dataclass(eq=False)
class Functions(Excel):
    """What stands in a cell, with each step's rounding as one ROUND and no guard before it.

    The rounding to 10 decimals that only serves to compare numbers is left out.
    """

    language: str

    def formula(self, expression: Expr) -> str:
        """The whole formula, with its leading "=", in the language's names and signs."""
        return in_language(super().formula(expression), self.language)

    def rounded(self, node: Round) -> str:
        if node.decimals >= GUARD:
            return self.write(node.inner, self.inside)
        match node.inner:
            case If(no=Num(value=value)) if value == -math.inf:
                return super().rounded(node)  # comes back with the branch that is a number
        return f"ROUND({self.write(node.inner)},{node.decimals})"


def in_language(formula: str, language: str) -> str:
    """An English formula as the sheet of that language shows it: `=RUNDEN(B3*0,5;2)`.

    Raises KeyError for a function that stands in no list here.
    """
    locale = locale_of(language)
    names, separator = locale.spreadsheet.functions, locale.spreadsheet.separator

    def translated(part: re.Match[str]) -> str:
        match part.lastgroup:
            case "function":
                return names[part[0]]
            case "number":
                return part[0].replace(".", locale.numbers.decimal)
            case "comma":
                return separator
            case _:
                return part[0]

    return _PART.sub(translated, formula)
