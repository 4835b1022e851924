"""Python for a notebook: a whole step as NumPy writes it, and one cell as on paper.

Both are printed from the step's cell expression, so a check never asks how the step was written.
"""

import math
from collections.abc import Mapping

from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref
from generator.engine.trace import Trace
from generator.errors import require
from generator.locales.folders import ENGLISH
from generator.notation.base import STRENGTH, OfTrace
from generator.notation.program import Program
from generator.notation.symbols import Symbols, meaning

SIGNS = {"=": "==", "<>": "!=", "^": "**"}
CALLED = {Fn.EXP: "np.exp", Fn.SQRT: "np.sqrt", Fn.TANH: "np.tanh", Fn.SUM: "np.sum"}
CALLED[Fn.IS_NUMBER] = "np.isfinite"  # −∞ is what a mask hides
EXTREME = {Fn.MAX: "max", Fn.MIN: "min"}
ALONG = "(axis=1, keepdims=True)"


class Vectorised(Program):
    """The right-hand side of a whole step, over the arguments of its function."""

    def __init__(self, trace: Trace, names: Mapping[str, str]) -> None:
        Symbols.__init__(self, trace, ENGLISH)  # of any step, not of one head
        self.names = names

    def step(self, name: str) -> str:
        return self.write(meaning(self.trace, name))

    def named(self, name: str, index: str) -> str:
        return self.names.get(name) or self.write(meaning(self.trace, name), 9)

    def num(self, node: Num) -> str:
        short = super().num(node)
        return short if math.isinf(node.value) or float(short) == node.value else repr(node.value)

    def bin(self, node: Bin) -> str:
        if node.op != "&":
            return super().bin(node)
        parts, left = [self.write(node.right)], node.left
        while isinstance(left, Bin) and left.op == "&":
            parts, left = [self.write(left.right), *parts], left.left
        return f"np.hstack([{', '.join([self.write(left), *parts])}])"

    def call(self, node: Call) -> str:
        match node:
            case Call(Fn.INDEX, (table, Num(place))):
                return f"{self.write(table, 9)}[{int(place) - 1}:{int(place)}]"
            case Call(Fn.MAX | Fn.MIN, (left, right)):
                return f"np.{EXTREME[node.fn]}imum({self.write(left)}, {self.write(right)})"
            case Call(Fn.TANH | Fn.IS_NUMBER, (x,)):
                return f"{CALLED[node.fn]}({self.write(x)})"
        require(node.fn in (*CALLED, *EXTREME, Fn.SQUARES), "notebook.function", fn=node.fn.value)
        return super().call(node)

    def _seen(self, node: If) -> If:
        return node  # the mask is given, 0 or −∞

    def _squares(self, area: Area, mean: Expr) -> str:
        minus = "" if mean == Num(0) else f" - {self.write(mean, STRENGTH['*'])}"
        return f"(({self.area(area)}{minus}) ** 2).sum{ALONG}"


class Scalars(OfTrace):
    """One cell with its numbers, over the variables of a notebook."""

    def __init__(self, trace: Trace, names: Mapping[str, str]) -> None:
        super().__init__(trace, ENGLISH)
        self.names = names

    def num(self, node: Num) -> str:
        return f"{'-' * (node.value < 0)}np.inf" if math.isinf(node.value) else repr(node.value)

    def ref(self, node: Ref) -> str:
        return f"{self.names[node.step]}[{node.i}, {node.j}]"

    def area(self, node: Area) -> str:
        return f"{self.names[node.step]}[{node.r0}:{node.r1}, {node.c0}:{node.c1}]"

    def dot(self, node: Dot) -> str:
        pairs = zip(node.left.cells(), node.right.cells(), strict=True)
        text = " + ".join(f"{self.ref(a)} * {self.ref(b)}" for a, b in pairs)
        return self.bracket(text, STRENGTH["+"])

    def bin(self, node: Bin) -> str:
        left, right, mine = self.sides(node)
        return self.bracket(f"{left} {SIGNS.get(node.op, node.op)} {right}", mine)

    def choice(self, node: If) -> str:
        yes, condition, no = map(self.write, (node.yes, node.condition, node.no))
        return f"({yes} if {condition} else {no})"

    def call(self, node: Call) -> str:
        match node:
            case Call(Fn.INDEX, (Area() as table, Num(place))):
                return self.ref(table.cells()[int(place) - 1])
            case Call(Fn.MAX | Fn.MIN, (left, right)):
                return f"{EXTREME[node.fn]}({self.write(left)}, {self.write(right)})"
            case Call(Fn.MAX | Fn.MIN, (x,)):
                return f"np.{EXTREME[node.fn]}({self.write(x)})"
            case Call(Fn.SQUARES, (x, mean)):
                return f"np.sum(({self.write(x)} - {self.write(mean, STRENGTH['*'])}) ** 2)"
        require(node.fn in CALLED, "notebook.function", fn=node.fn.value)
        return f"{CALLED[node.fn]}({self.write(node.args[0])})"
