"""A head as a program: NumPy lines printed from the operations of a Trace, as formulas are."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from generator.engine.expr import Area, Bin, Dot, Expr, If, Num, Ref
from generator.engine.ops.attention import Mask
from generator.engine.trace import Step, Trace
from generator.locales.folders import ENGLISH
from generator.notation.base import STRENGTH
from generator.notation.symbols import Symbols, meaning
from generator.resources import table

MOST_DECIMALS = 4
NAMES: Mapping[str, str] = table("notation/program.toml")["names"]
ROWS = "X"  # what queries, keys and values are computed from
WRITTEN_OUT = "scale"  # where it is read, to save a line
PLACES = "i, j = np.indices({}.shape)"


class Program(Symbols):
    """The lines of one head in Python with NumPy; each right-hand side is its step's meaning."""

    times = "*"

    def __init__(self, trace: Trace, head: str) -> None:
        super().__init__(trace, ENGLISH)
        self.head = head
        self.rows = trace[f"{head}.query"].inputs[0]

    def lines(self) -> Iterator[str]:
        """The program: the numbers of the model, a line for each step, what it prints."""
        return (line for line, _ in self.spelled())

    def spelled(self) -> Iterator[tuple[str, str]]:
        """The lines, each with the name of the step that it computes, "" for the others."""
        yield "import numpy as np", ""
        own = [step for step in self.trace if step.name.startswith(f"{self.head}.")]
        yield f"{ROWS} = {array(self.trace[self.rows])}", ""
        for step in own:
            if step.kind == "given":
                yield f"{self.named(step.name, '')} = {array(step)}", ""
        for step in own:
            kind = step.place.kind
            if isinstance(step.op, Mask):  # written out where it hides something
                yield PLACES.format("S"), ""
            if step.kind == "given" or kind == WRITTEN_OUT or kind not in NAMES:
                continue
            right = self.write(meaning(self.trace, step.name))
            yield f"{self.named(step.name, '')} = {right}", step.name
        yield "print(O.round(2))", ""

    def named(self, name: str, index: str) -> str:
        if name == self.rows:
            return ROWS
        kind = self.trace[name].place.kind
        return NAMES[kind] if kind in NAMES else self.write(meaning(self.trace, name), 9)

    def num(self, node: Num) -> str:
        return "-np.inf" if np.isinf(node.value) else f"{node.value:g}"

    def dot(self, node: Dot) -> str:
        left, right = (self.named(area.step, "") for area in (node.left, node.right))
        across = node.right.r1 - node.right.r0 == 1
        return self.bracket(f"{left} @ {right}{'.T' * across}", STRENGTH["*"])

    def bin(self, node: Bin) -> str:
        if node.op == "^":
            return self.power(self.write(node.left, 9), node.right)
        left, right, mine = self.sides(node)
        sign = {"=": "==", "<>": "!="}.get(node.op, node.op)
        return self.bracket(f"{left} {sign} {right}", mine)

    def choice(self, node: If) -> str:
        node = self._seen(node)
        if (plain := without_choice(node)) is not node:
            return self.write(plain, self.inside)
        parts = (self.write(one) for one in (node.condition, node.yes, node.no))
        return f"np.where({', '.join(parts)})"

    def _seen(self, node: If) -> If:
        """A choice by a mask's 0 as one by places: where the mask shows, else −∞."""
        match node:
            case If(Bin("=", Ref(mask), Num(0)), _, Num(hidden)) if np.isinf(hidden):
                shown = meaning(self.trace, mask)
                return replace(node, condition=shown.condition) if isinstance(shown, If) else node
        return node

    def power(self, base: str, exponent: Expr) -> str:
        if base == "e":
            return f"np.exp({self.write(exponent)})"
        return f"{base} ** {self.write(exponent, 9)}"

    def root(self, radicand: Expr) -> str:
        return f"np.sqrt({self.write(radicand)})"

    def big_sum(self, text: str) -> str:
        return f"{text}.sum(axis=1, keepdims=True)"

    def _sum(self, area: Area) -> str:
        return self.big_sum(self.area(area))

    def area(self, node: Area) -> str:
        return self.named(node.step, "")

    def named_function(self, name: str, argument: str) -> str:
        return f"{argument}.{name}(axis=1, keepdims=True)"


def without_choice(node: Expr) -> Expr:
    """What a choice about −∞ comes to where it needs none: −∞ + x is −∞, and e^−∞ is 0."""
    match node:
        case If(Bin("=", mask, Num(0)), scaled, Num(hidden)) if np.isinf(hidden):
            return Bin("+", scaled, mask)
        case If(_, yes, Num(0)) if not isinstance(yes, Num):
            return yes
    return node


def array(step: Step) -> str:
    """A given table as NumPy reads it, with at most four decimals."""
    rows = np.round(step.values.astype(float), MOST_DECIMALS) + 0.0
    inner = ", ".join(f"[{', '.join(f'{x:g}' for x in row)}]" for row in rows.tolist())
    return f"np.array([{inner}])"
