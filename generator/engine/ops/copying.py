"""Operations that only copy or look up numbers; they never round.

Also here:

* Counting parameters: products and sums over the sizes of a model.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass

import numpy as np

from generator.engine.expr import Expr, Fn, If, Num, Operand, product, total
from generator.engine.ops.base import Array, Copying, Op, Words, when_on


class OneHot(Op):
    """1 where a token is exactly the word, else 0: tokens [n, 1], words [v, 1] give [n, v]."""

    precision = "whole"

    def value(self, tokens: Words, words: Words) -> Array:
        places: dict[str, list[int]] = {}
        for j, word in enumerate(words[:, 0].tolist()):
            places.setdefault(word, []).append(j)
        same = np.zeros((len(tokens), len(words)))
        for i, token in enumerate(tokens[:, 0].tolist()):
            same[i, places.get(token, [])] = 1.0
        return same

    def cell(self, i: int, j: int, tokens: Operand, words: Operand) -> Expr:
        return If(Fn.EXACT(tokens[i, 0], words[j, 0]), Num(1), Num(0))


class Ids(Op):
    """Where the 1 stands in a one-hot row, counted from 0: [n, v] gives [n, 1]."""

    precision = "whole"

    def value(self, onehot: Array) -> Array:
        ids: Array = onehot.argmax(axis=1, keepdims=True).astype(np.float64)
        return ids

    def cell(self, i: int, j: int, onehot: Operand) -> Expr:
        return Fn.MATCH(Num(1), onehot[i, :]) - 1


class Gather(Copying):
    """The table row of each id: ids [n, 1] and table [v, d] give [n, d]."""

    def value(self, ids: Array, table: Array) -> Array:
        return table[ids[:, 0].astype(np.intp)]

    def cell(self, i: int, j: int, ids: Operand, table: Operand) -> Expr:
        return Fn.INDEX(table[:, j], ids[i, 0] + 1)


class Copy(Copying):
    """The same numbers again; rounded only where the model itself rounds its input."""

    def value(self, x: Array) -> Array:
        return x.copy()

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return x[i, j]


@dataclass(frozen=True)
class SelectRow(Copying):
    """One row of a matrix: [n, d] gives [1, d]."""

    index: int

    def value(self, x: Array) -> Array:
        return x[self.index : self.index + 1].copy()

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return x[self.index, j]


class Concat(Copying):
    """The heads' outputs side by side: h times [n, d_head] gives [n, h·d_head]."""

    def value(self, *heads: Array) -> Array:
        return np.concatenate(heads, axis=1)

    def cell(self, i: int, j: int, *heads: Operand) -> Expr:
        head, column = divmod(j, heads[0].width)
        return heads[head][i, column]


@dataclass(frozen=True)
class ConcatIfOn(Copying):
    """The heads' outputs side by side, zeros for each head that is switched off.

    Takes the switches [blocks, heads] and then h times [n, d_head]; gives [n, h·d_head].
    """

    block: int  # the row of the switches, from 0

    def value(self, switches: Array, *heads: Array) -> Array:
        on = switches[self.block] == 1.0
        return np.concatenate([x if on[h] else np.zeros_like(x) for h, x in enumerate(heads)], 1)

    def cell(self, i: int, j: int, switches: Operand, *heads: Operand) -> Expr:
        head, column = divmod(j, heads[0].width)
        return when_on(switches[self.block, head], heads[head][i, column], Num(0))


class Append(Copying):
    """A table and, below it, the rows of another one: [n, d] and [m, d] give [n + m, d]."""

    def value(self, *inputs: Array) -> Array:
        return np.concatenate(inputs, axis=0)

    def cell(self, i: int, j: int, above: Operand, below: Operand) -> Expr:
        return above[i, j] if i < above.height else below[i - above.height, j]


@dataclass(frozen=True)
class SizeProduct(Copying):
    """factor · the product of some rows of the table of sizes: [s, m] gives [1, m]."""

    factor: int
    rows: tuple[int, ...]

    def value(self, sizes: Array) -> Array:
        result: Array = self.factor * sizes[list(self.rows)].prod(axis=0, keepdims=True)
        return result

    def cell(self, i: int, j: int, sizes: Operand) -> Expr:
        factor: list[Expr] = [Num(self.factor)] if self.factor != 1 else []
        return product([*factor, *(sizes[row, j] for row in self.rows)])


class Total(Copying):
    """The sum of several matrices of one shape, cell by cell."""

    def value(self, *inputs: Array) -> Array:
        return np.asarray(np.sum(inputs, axis=0))

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return total([x[i, j] for x in inputs])


@dataclass(frozen=True)
class TimesSize(Copying):
    """A count times one row of the table of sizes: [1, m] and [s, m] give [1, m]."""

    row: int

    def value(self, count: Array, sizes: Array) -> Array:
        return count * sizes[self.row : self.row + 1]

    def cell(self, i: int, j: int, count: Operand, sizes: Operand) -> Expr:
        return count[0, j] * sizes[self.row, j]
