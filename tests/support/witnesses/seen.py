"""What a witness looks at, and numbers as a reader sees them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

import numpy as np

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions


class Seen(NamedTuple):
    """What a witness looks at."""

    trace: Trace
    plan: Any

    def number(self, step: str, i: int, j: int) -> Decimal:
        """A number as printed."""
        return printed(self.trace, step, float(self.trace[step].values[i, j]))

    def row(self, step: str, i: int, columns: Iterable[int] | None = None) -> list[Decimal]:
        """Numbers of a row as printed, all or some."""
        every = range(self.trace[step].shape[1]) if columns is None else columns
        return [self.number(step, i, j) for j in every]

    def head(self, name: str) -> str:
        """A step of the sheet's head: on sheet 4a what follows the mask is as without it."""
        step = f"{self.plan.at}.{name}"
        free = self.plan.sheet == "4a" and f"{self.plan.at}.mask" in self.trace
        masked = name in ("exp", "sum", "weights", "output")
        return f"unmasked.{step}" if free and masked else step

    def own(self, name: str) -> list[Decimal]:
        """What a step of the sheet's head has of the tokens that the pupils' own one sees."""
        return self.row(self.head(name), self.plan.own, self.plan.visible)

    def all(self) -> tuple[int, ...]:
        """The places of all tokens."""
        return tuple(range(len(self.trace.tokens)))


Witness = Callable[[Seen], bool]


def printed(trace: Trace, step: str, value: float) -> Decimal:
    """A number as a step of that name shows it."""
    decimals = trace[step].decimals
    digits = 10 if decimals is None else decimals
    quick = Decimal(repr(round(value, 10)))
    return quick.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP) + 0


def softmax(logits: np.ndarray) -> np.ndarray:
    """Each row as shares."""
    powers: np.ndarray = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def alone(numbers: list[Decimal]) -> bool:
    """Whether the largest number stands there once."""
    return numbers.count(max(numbers)) == 1


def both(*witnesses: Witness) -> Witness:
    """Whether all of them hold."""
    return lambda seen: all(one(seen) for one in witnesses)


def fills(sheet: str) -> Witness:
    """Whether another sheet can be filled."""

    def holds(seen: Seen) -> bool:
        try:
            planned(sheet, seen.trace, SheetOptions(level=seen.plan.level))
        except UserError:
            return False
        return True

    return holds


def in_the_set(sheet: str) -> Witness:
    """Whether pupils have another sheet, as far as the set says which they have."""
    return lambda seen: not seen.plan.among or sheet in seen.plan.among


def fills_for_some(sheet: str) -> Witness:
    """Whether another sheet can be filled for a token of the sentence, whoever computes it."""

    def holds(seen: Seen) -> bool:
        own = (replace(seen.trace, exercise=k) for k in seen.all())
        return any(fills(sheet)(seen._replace(trace=trace)) for trace in own)

    return holds
