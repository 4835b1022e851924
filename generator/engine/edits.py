"""Edits: changes to given numbers that keep a computation's structure."""

import re
from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from generator.errors import UserError, did_you_mean, refused, require, require_shown
from generator.typed import plainly, typed_number

ADDRESS = re.compile(r"(?P<step>[^\[\]]+?)(?:\[(?P<i>\d+)(?:,\s*(?P<j>\d+))?\])?", re.ASCII)


class Edits:
    """Requested changes by address: `name`, `name[i]` or `name[row,column]`, counted from 1.

    A plain name takes a value for a 1×1 step, a whole table otherwise; `temperature` alone means
    that in `temperature_row`, which the next token is drawn with. Each must meet a given step:
    `finish` raises a `UserError` for those that did not.
    """

    def __init__(
        self, requested: Mapping[str, object] | None = None, temperature_row: int = 0
    ) -> None:
        self.requested = MappingProxyType(dict(requested or {}))
        self._open = dict(self.requested)
        self._given: list[str] = []
        self.temperature_row = temperature_row

    def applied(self, name: str, values: np.ndarray) -> np.ndarray:
        """The array [n, m] with the edits that name it; the array itself where there are none."""
        if not self.requested:
            return values
        self._given.append(name)
        mine = [a for a in self._open if _parsed(a)["step"] == name]
        if mine:
            values = values.copy()
        for address in mine:
            row = self.temperature_row if name == "temperature" else None
            Edit(address, values, row).set(self._open.pop(address))
        return values

    def steps(self) -> list[str]:
        """The steps that the edits name."""
        return [_parsed(address)["step"] for address in self.requested]

    def finish(self, known: Container[str]) -> None:
        """Raise a `UserError` for each edit that met no given step."""
        for address in self._open:
            name, given = _parsed(address)["step"], ", ".join(self._given)
            require(name not in known, "engine.computed", address=address, name=name, given=given)
            hint = did_you_mean(name, self._given)
            raise refused("engine.given", address=address, name=name, hint=hint, given=given)


class Edit(NamedTuple):
    """One change: its address, the array that it changes, and the row of a temperature."""

    address: str
    values: np.ndarray
    row: int | None

    def set(self, value: object) -> None:
        """Put a number, a word or a whole table where the address says."""
        match = _parsed(self.address)
        if match["i"] is not None:
            self.values[self._index(int(match["i"]), match["j"])] = self._checked(value)
            return
        if isinstance(value, int | float | str):
            if self.row is not None:
                self.values[self.row, 0] = self._checked(value)
                return
            require(self.values.shape == (1, 1), "engine.cell", edit=self, step=match["step"])
        table = np.atleast_2d(np.array(value, dtype=object))  # cells are checked one by one
        require(table.shape == self.values.shape, "engine.table", edit=self, table=table)
        for index in np.ndindex(self.values.shape):
            self.values[index] = self._checked(table[index])

    def _index(self, i: int, column: str | None) -> tuple[int, int]:
        height, width = self.values.shape
        row, j = (1, i) if column is None and height == 1 else (i, int(column or 1))
        inside = 1 <= row <= height and 1 <= j <= width
        require(inside and (column or min(height, width) == 1), "engine.index", edit=self)
        return row - 1, j - 1

    def _checked(self, value: object) -> object:
        if self.values.dtype == object:
            if isinstance(value, str):
                require_shown(f"edit {self.address!r}", value)
                return value
            raise UserError(f"edit {self.address!r}: found {value!r}, expected a word")
        number = typed_number(value) if isinstance(value, str) else _finite(value)
        if number is None:
            hint = plainly(value) if isinstance(value, str) else ""
            raise refused("engine.number", edit=self, value=value, hint=hint)
        return number


def _parsed(address: str) -> re.Match[str]:
    match = ADDRESS.fullmatch(address.strip())
    if match is None:
        raise refused("engine.address", address=address)
    return match


def _finite(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if np.isfinite(number) else None
