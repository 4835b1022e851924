"""The switchboard of all notations: walks a cell expression, the subclass spells."""

from abc import ABC, abstractmethod
from typing import assert_never

from generator.engine.expr import Area, Bin, Call, Dot, Expr, If, Num, Ref, Round, Text

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

    def write(self, expression: Expr, inside: int = 0) -> str:
        """The expression in this notation, in brackets where it binds weaker than `inside`."""
        match expression:
            case Num():
                return self.num(expression, inside)
            case Text():
                return self.text(expression)
            case Ref():
                return self.ref(expression, inside)
            case Area():
                return self.area(expression)
            case Dot():
                return self.dot(expression, inside)
            case Bin():
                return self.bin(expression, inside)
            case If():
                return self.choice(expression, inside)
            case Call():
                return self.call(expression, inside)
            case Round():
                return self.rounded(expression, inside)
            case _:
                assert_never(expression)

    def bracket(self, text: str, mine: int, inside: int) -> str:
        """The text, in brackets where it binds weaker than its surroundings."""
        return f"({text})" if mine < inside else text

    def sides(self, node: Bin) -> tuple[str, str, int]:
        """Both sides of an operator, bracketed, and its strength."""
        mine = STRENGTH[node.op]
        return self.write(node.left, mine), self.write(node.right, mine + 1), mine

    @abstractmethod
    def num(self, node: Num, inside: int) -> str:
        """A number of the formula itself."""

    @abstractmethod
    def text(self, node: Text) -> str:
        """A literal text."""

    @abstractmethod
    def ref(self, node: Ref, inside: int) -> str:
        """One cell."""

    @abstractmethod
    def area(self, node: Area) -> str:
        """A rectangle of cells, as an argument."""

    @abstractmethod
    def dot(self, node: Dot, inside: int) -> str:
        """A sum of products."""

    @abstractmethod
    def bin(self, node: Bin, inside: int) -> str:
        """Two sides and an operator."""

    @abstractmethod
    def choice(self, node: If, inside: int) -> str:
        """One of two."""

    @abstractmethod
    def call(self, node: Call, inside: int) -> str:
        """A function."""

    @abstractmethod
    def rounded(self, node: Round, inside: int) -> str:
        """The rounding at the end of a step."""
