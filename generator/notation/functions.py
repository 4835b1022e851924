"""The formula of a cell as a person sees it in a spreadsheet of their language."""

import math
import re
from collections.abc import Callable

from generator.engine.expr import Expr, If, Num, Round
from generator.engine.rounding import GUARD
from generator.locales.locale import locale_of
from generator.notation.excel import Excel

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


class Functions(Excel):
    """What stands in a cell, with each step's rounding as one ROUND and no guard before it.

    The rounding to 10 decimals that only serves to compare numbers is left out.
    """

    def __init__(self, address: Callable[[str, int, int], str], language: str) -> None:
        super().__init__(address)
        self.language = language

    def formula(self, expression: Expr) -> str:
        """The whole formula, with its leading "=", in the language's names and signs."""
        return in_language(super().formula(expression), self.language)

    def rounded(self, node: Round, inside: int) -> str:
        if node.decimals >= GUARD:
            return self.write(node.inner, inside)
        match node.inner:
            case If(no=Num(value=value)) if value == -math.inf:
                return super().rounded(node, inside)  # comes back with the branch that is a number
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
