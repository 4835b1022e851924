"""The switchboard of all notations: walks a cell expression, the subclass spells."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import assert_never

from generator.engine.expr import Area, Bin, Call, Dot, Expr, If, Num, Ref, Round, Text
from generator.engine.trace import Trace
from generator.locales.locale import locale_of

# How tightly an operator binds; a notation that reads otherwise (Excel's −2^2) overrides it.
STRENGTH = {
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), 1),
    "&": 2,
    "+": 3,
    "-": 3,
    "*": 4,
    "/": 4,
    "^": 5,
}
ATOM = 9


class Notation(ABC):
    """Prints cell expressions; every node has exactly one method, an unknown node stops mypy."""

    inside = 0  # how tightly what stands around the node binds that is being spelled

    def write(self, expression: Expr, inside: int = 0) -> str:
        """The expression in this notation, in brackets where it binds weaker than `inside`."""
        around, self.inside = self.inside, inside
        try:
            return self._spelled(expression)
        finally:
            self.inside = around

    def _spelled(self, expression: Expr) -> str:
        match expression:
            case Num():
                return self.num(expression)
            case Text():
                return self.text(expression)
            case Ref():
                return self.ref(expression)
            case Area():
                return self.area(expression)
            case Dot():
                return self.dot(expression)
            case Bin():
                return self.bin(expression)
            case If():
                return self.choice(expression)
            case Call():
                return self.call(expression)
            case Round():
                return self.rounded(expression)
            case _:
                assert_never(expression)

    def bracket(self, text: str, mine: int) -> str:
        """The text, in brackets where it binds weaker than its surroundings."""
        return f"({text})" if mine < self.inside else text

    def sides(self, node: Bin) -> tuple[str, str, int]:
        """Both sides of an operator, bracketed, and its strength."""
        mine = STRENGTH[node.op]
        return self.write(node.left, mine), self.write(node.right, mine + 1), mine

    @abstractmethod
    def num(self, node: Num) -> str:
        """A number of the formula itself."""

    @abstractmethod
    def text(self, node: Text) -> str:
        """A literal text."""

    @abstractmethod
    def ref(self, node: Ref) -> str:
        """One cell."""

    @abstractmethod
    def area(self, node: Area) -> str:
        """A rectangle of cells, as an argument."""

    @abstractmethod
    def dot(self, node: Dot) -> str:
        """A sum of products."""

    @abstractmethod
    def bin(self, node: Bin) -> str:
        """Two sides and an operator."""

    @abstractmethod
    def choice(self, node: If) -> str:
        """One of two."""

    @abstractmethod
    def call(self, node: Call) -> str:
        """A function."""

    @abstractmethod
    def rounded(self, node: Round) -> str:
        """The rounding at the end of a step."""


@dataclass(eq=False)
class OfTrace(Notation):
    """Over the numbers or letters of a Trace, in a language; rounding is not written."""

    trace: Trace
    language: str

    def __post_init__(self) -> None:
        self.signs = locale_of(self.language).signs

    def text(self, node: Text) -> str:
        return node.value

    def rounded(self, node: Round) -> str:
        return self.write(node.inner, self.inside)

    def power(self, base: str, exponent: Expr) -> str:
        """base^exponent."""
        return f"{base}^{self.write(exponent, ATOM)}"

    def root(self, radicand: Expr) -> str:
        """A square root."""
        return f"√{self.write(radicand, ATOM)}"
