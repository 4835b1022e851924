"""Operations that only copy or look up numbers; they never round.

Also here:

* Counting parameters: products and sums over the sizes of a model.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Call, Expr, Fn, If, Num, Operand, total
from generator.engine.ops.base import Precision, when_on


@dataclass(frozen=True, slots=True)
class OneHot:
    """1 where a token is exactly the word, else 0: tokens [n, 1], words [v, 1] give [n, v]."""

    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        tokens, words = (words[:, 0].tolist() for words in inputs)
        places: dict[str, list[int]] = {}
        for j, word in enumerate(words):
            places.setdefault(word, []).append(j)
        same = np.zeros((len(tokens), len(words)))
        for i, token in enumerate(tokens):
            for j in places.get(token, ()):
                same[i, j] = 1.0
        return same

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        tokens, words = inputs
        same = Call(Fn.EXACT, (tokens.at(i, 0), words.at(j, 0)))
        return If(same, Num(1), Num(0))


@dataclass(frozen=True, slots=True)
class Ids:
    """Where the 1 stands in a one-hot row, counted from 0: [n, v] gives [n, 1]."""

    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        ids: np.ndarray = inputs[0].argmax(axis=1, keepdims=True).astype(np.float64)
        return ids

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Bin("-", Call(Fn.MATCH, (Num(1), inputs[0].row(i))), Num(1))


@dataclass(frozen=True, slots=True)
class Gather:
    """The table row of each id: ids [n, 1] and table [v, d] give [n, d]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        ids, table = inputs
        return table[ids[:, 0].astype(np.intp)]

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        ids, table = inputs
        return Call(Fn.INDEX, (table.column(j), Bin("+", ids.at(i, 0), Num(1))))


@dataclass(frozen=True, slots=True)
class Copy:
    """The same numbers again; rounded only where the model itself rounds its input."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return inputs[0].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return inputs[0].at(i, j)


@dataclass(frozen=True, slots=True)
class SelectRow:
    """One row of a matrix: [n, d] gives [1, d]."""

    index: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return inputs[0][self.index : self.index + 1].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return inputs[0].at(self.index, j)


@dataclass(frozen=True, slots=True)
class Concat:
    """The heads' outputs side by side: h times [n, d_head] gives [n, h·d_head]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.concatenate(inputs, axis=1)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        head, column = divmod(j, inputs[0].width)
        return inputs[head].at(i, column)


@dataclass(frozen=True, slots=True)
class ConcatIfOn:
    """The heads' outputs side by side, zeros for each head that is switched off.

    Takes the switches [blocks, heads] and then h times [n, d_head]; gives [n, h·d_head].
    """

    block: int  # the row of the switches, from 0
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        on = inputs[0][self.block] == 1.0
        heads = [x if on[h] else np.zeros_like(x) for h, x in enumerate(inputs[1:])]
        return np.concatenate(heads, axis=1)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        switches, *heads = inputs
        head, column = divmod(j, heads[0].width)
        return when_on(switches.at(self.block, head), heads[head].at(i, column), Num(0))


@dataclass(frozen=True, slots=True)
class Append:
    """A table and, below it, the rows of another one: [n, d] and [m, d] give [n + m, d]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.concatenate(inputs, axis=0)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        above, below = inputs
        return above.at(i, j) if i < above.height else below.at(i - above.height, j)


@dataclass(frozen=True, slots=True)
class SizeProduct:
    """factor · the product of some rows of the table of sizes: [s, m] gives [1, m]."""

    factor: int
    rows: tuple[int, ...]
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        sizes = inputs[0]
        product = np.full((1, sizes.shape[1]), float(self.factor))
        for row in self.rows:
            product *= sizes[row]
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        factors: list[Expr] = [inputs[0].at(row, j) for row in self.rows]
        result: Expr = Num(self.factor) if self.factor != 1 else factors.pop(0)
        for factor in factors:
            result = Bin("*", result, factor)
        return result


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of several matrices of one shape, cell by cell."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.asarray(np.sum(inputs, axis=0))

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return total([x.at(i, j) for x in inputs])


@dataclass(frozen=True, slots=True)
class TimesSize:
    """A count times one row of the table of sizes: [1, m] and [s, m] give [1, m]."""

    row: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        count, sizes = inputs
        product: np.ndarray = count * sizes[self.row]
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        count, sizes = inputs
        return Bin("*", count.at(0, j), sizes.at(self.row, j))
