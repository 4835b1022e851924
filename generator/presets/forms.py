"""Short forms of weights: "select d1 d2", "identity", "0.5 identity", "zero", "draw …", a file."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from generator.engine.draws import draw
from generator.engine.tokenizers import MAX_TOKENS
from generator.errors import Sendable
from generator.files import require_file

Form: TypeAlias = str | list[Any] | dict[str, str]

FORMS = (
    'a table of numbers, "select d1 d2", "identity", "0.5 identity", "zero", '
    '"draw -0.9 0.9 0.1" or {file = "x.safetensors", key = "…"}'
)
_NUMBER = r"-?\d+(?:\.\d+)?"
_IDENTITY = re.compile(rf"(?:({_NUMBER})\s+)?identity")
_DRAW = re.compile(rf"draw\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})")
_SELECT = re.compile(r"select((?:\s+d\d{1,6})+)")


class FormError(Sendable, ValueError):
    """A weight that could not be read: what was found and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(f"found {found}, expected {expected}")
        self.found = found
        self.expected = expected


def resolve(
    form: Form, shape: tuple[int, int], name: str, seed: int, folder: Path | None
) -> np.ndarray:
    """The matrix [shape] of a weight's short form, read-only. Raises FormError otherwise.

    A height of 0 takes as many rows as are given; short forms then have one for each of the 512
    tokens that a sentence may have. Drawn numbers depend on seed and name alone; `folder` is where
    the preset's files lie.
    """
    if isinstance(form, str):
        matrix = _from_text(form.strip(), (shape[0] or MAX_TOKENS, shape[1]), name, seed)
    elif isinstance(form, Mapping):
        matrix = _from_file(form, folder)
    else:
        matrix = _from_numbers(form)
    if matrix.ndim != 2 or matrix.shape != (shape[0] or len(matrix), shape[1]):
        size = "×".join(map(str, matrix.shape))
        raise FormError(f"{size} numbers", f"{shape[0] or 'n'}×{shape[1]}")
    if not np.isfinite(matrix).all():
        raise FormError("NaN or infinity", "finite numbers")
    matrix = matrix + 0.0  # no −0
    matrix.setflags(write=False)
    return matrix


def _from_text(text: str, shape: tuple[int, int], name: str, seed: int) -> np.ndarray:
    if text == "zero":
        return np.zeros(shape)
    if match := _IDENTITY.fullmatch(text):
        if shape[0] != shape[1]:
            raise FormError(
                f'"{text}"', f"another form, as {shape[0]}×{shape[1]} is not square: {FORMS}"
            )
        return np.diag(np.full(shape[0], float(match[1] or 1)))
    if match := _SELECT.fullmatch(text):
        return _selected([int(d[1:]) for d in match[1].split()], shape)
    if match := _DRAW.fullmatch(text):
        low, high, step = (float(x) for x in match.groups())
        return _drawn((low, high, step), shape, name, seed)
    raise FormError(f'"{text}"', FORMS)


def _selected(dimensions: list[int], shape: tuple[int, int]) -> np.ndarray:
    if len(dimensions) != shape[1] or not all(1 <= d <= shape[0] for d in dimensions):
        raise FormError(
            f"a selection of {', '.join(f'd{d}' for d in dimensions)}",
            f"{shape[1]} of d1 to d{shape[0]}",
        )
    return np.eye(shape[0])[:, [d - 1 for d in dimensions]]


def _drawn(
    numbers: tuple[float, float, float], shape: tuple[int, int], name: str, seed: int
) -> np.ndarray:
    low, high, step = numbers
    if not 0 < step < math.inf or not -math.inf < low <= high < math.inf:
        raise FormError("an empty range", "FROM ≤ TO and STEP above 0")
    count = math.floor((high - low) / step + 1e-9) + 1
    cells = range(shape[0] * shape[1])
    drawn = [round(low + step * draw("weight", seed, name, c, count), 10) for c in cells]
    return np.array(drawn).reshape(shape)


def _from_numbers(form: list[Any]) -> np.ndarray:
    if not _only_numbers(form):
        raise FormError("cells that are no numbers", FORMS)
    try:
        return np.atleast_2d(np.array(form, dtype=np.float64))
    except (ValueError, OverflowError):
        raise FormError("rows that are no table of numbers", FORMS) from None


def _only_numbers(cell: object) -> bool:
    if isinstance(cell, list):
        return all(map(_only_numbers, cell))
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _from_file(form: Mapping[str, str], folder: Path | None) -> np.ndarray:
    if set(form) != {"file", "key"}:
        raise FormError(f"a table with {', '.join(form) or 'nothing in it'}", "file and key")
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise FormError(
            "a safetensors file",
            "the package that reads it: pip install 'paperformer[safetensors]'",
        ) from None
    path = (folder or Path()) / form["file"]
    require_file(path, "weights")
    try:
        with safe_open(path, framework="numpy") as tensors:
            return np.atleast_2d(np.asarray(tensors.get_tensor(form["key"]), dtype=np.float64))
    except (OSError, SafetensorError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else "unreadable"
        raise FormError(
            f"{form['file']} that gives no {form['key']!r} ({reason})",
            "a safetensors file that holds it",
        ) from None
