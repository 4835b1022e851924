"""Short forms of weights: "select d1 d2", "identity", "0.5 identity", "zero", "draw …", a file."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.draws import draw
from generator.engine.vocabulary import MAX_TOKENS
from generator.errors import Sendable
from generator.files import require_file
from generator.presets.schema import EXPECTED, Form, Shape

FORMS: str = EXPECTED["keys"]["weights"]
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_IDENTITY = re.compile(rf"(?:({_NUMBER})\s+)?identity")
_DRAW = re.compile(rf"draw\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})")
_SELECT = re.compile(r"select((?:\s+d[0-9]{1,6})+)")


class FormError(Sendable, ValueError):
    """A weight that could not be read: what was found and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(f"found {found}, expected {expected}")
        self.found = found
        self.expected = expected


@dataclass(frozen=True)
class Forms:
    """Reads short forms; drawn numbers depend on `seed` and name, other files are in `folder`."""

    seed: int = 0
    folder: Path | None = None

    def matrix(self, form: Form, shape: Shape, name: str) -> np.ndarray:
        """The matrix [shape] of a weight's short form, read-only. Raises FormError otherwise.

        A height of 0 takes as many rows as are given; short forms then have one for each of the
        512 tokens that a sentence may have.
        """
        if isinstance(form, str):
            matrix = self._from_text(form.strip(), (shape[0] or MAX_TOKENS, shape[1]), name)
        elif isinstance(form, Mapping):
            matrix = self._from_file(form)
        elif _only_numbers(form):
            try:
                matrix = np.atleast_2d(np.array(form, dtype=np.float64))
            except (ValueError, OverflowError):
                raise FormError("rows that are no table of numbers", FORMS) from None
        else:
            raise FormError("cells that are no numbers", FORMS)
        if matrix.ndim != 2 or matrix.shape != (shape[0] or len(matrix), shape[1]):
            size = "×".join(map(str, matrix.shape))
            raise FormError(f"{size} numbers", f"{shape[0] or 'n'}×{shape[1]}")
        if not np.isfinite(matrix).all():
            raise FormError("NaN or infinity", "finite numbers")
        matrix = matrix + 0.0  # no −0
        matrix.setflags(write=False)
        return matrix

    def _from_text(self, text: str, shape: Shape, name: str) -> np.ndarray:
        height, width = shape
        if text == "zero":
            return np.zeros(shape)
        if match := _IDENTITY.fullmatch(text):
            if height != width:
                other = f"another form, as {height}×{width} is not square: {FORMS}"
                raise FormError(f'"{text}"', other)
            return np.diag(np.full(height, float(match[1] or 1)))
        if match := _SELECT.fullmatch(text):
            chosen = [int(d[1:]) for d in match[1].split()]
            if len(chosen) != width or not all(1 <= d <= height for d in chosen):
                found = f"a selection of {', '.join(f'd{d}' for d in chosen)}"
                raise FormError(found, f"{width} of d1 to d{height}")
            return np.eye(height)[:, [d - 1 for d in chosen]]
        if match := _DRAW.fullmatch(text):
            low, high, step = map(float, match.groups())
            if not 0 < step < math.inf or not -math.inf < low <= high < math.inf:
                raise FormError("an empty range", "FROM ≤ TO and STEP above 0")
            count = math.floor((high - low) / step + 1e-9) + 1
            draws = (draw("weight", self.seed, name, c, count) for c in range(height * width))
            return np.array([round(low + step * one, 10) for one in draws]).reshape(shape)
        raise FormError(f'"{text}"', FORMS)

    def _from_file(self, form: Mapping[str, str]) -> np.ndarray:
        if set(form) != {"file", "key"}:
            raise FormError(f"a table with {', '.join(form) or 'nothing in it'}", "file and key")
        try:
            from safetensors import SafetensorError, safe_open
        except ImportError:
            needed = "the package that reads it: pip install 'paperformer[safetensors]'"
            raise FormError("a safetensors file", needed) from None
        path = (self.folder or Path()) / form["file"]
        require_file(path, "weights")
        try:
            with safe_open(path, framework="numpy") as tensors:
                return np.atleast_2d(np.asarray(tensors.get_tensor(form["key"]), dtype=np.float64))
        except (OSError, SafetensorError, TypeError) as error:
            reason = str(error).splitlines()[0] if str(error) else "unreadable"
            found = f"{form['file']} that gives no {form['key']!r} ({reason})"
            raise FormError(found, "a safetensors file that holds it") from None


def _only_numbers(cell: Any) -> bool:
    if isinstance(cell, list):
        return all(map(_only_numbers, cell))
    return isinstance(cell, int | float) and not isinstance(cell, bool)
