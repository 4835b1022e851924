"""Short forms of weights: "select d1 d2", "identity", "0.5 identity", "zero", "draw …", a file."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.draws import draw

FORMS = (
    'a table of numbers, "select d1 d2", "identity", "0.5 identity", "zero", '
    '"draw -0.9 0.9 0.1" or {file = "x.safetensors", key = "…"}'
)
_NUMBER = r"-?\d+(?:\.\d+)?"
_IDENTITY = re.compile(rf"(?:({_NUMBER})\s+)?identity")
_DRAW = re.compile(rf"draw\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})")
_SELECT = re.compile(r"select((?:\s+d\d+)+)")


class FormError(ValueError):
    """A weight that could not be read; its text says what was expected."""


def resolve(
    form: Any, shape: tuple[int, int], name: str, seed: int, folder: Path | None
) -> np.ndarray:
    """The matrix [shape] of a weight's short form, read-only. Raises FormError otherwise.

    Drawn numbers hang on seed and name alone; `folder` is where the preset's files lie.
    """
    if isinstance(form, str):
        matrix = _from_text(form.strip(), shape, name, seed)
    elif isinstance(form, Mapping):
        matrix = _from_file(form, folder)
    else:
        matrix = _from_numbers(form)
    if matrix.shape != shape:
        found = "×".join(map(str, matrix.shape))
        raise FormError(f"found {found} numbers, expected {shape[0]}×{shape[1]}")
    if not np.isfinite(matrix).all():
        raise FormError("found NaN or infinity, expected finite numbers")
    matrix.setflags(write=False)
    return matrix


def _from_text(text: str, shape: tuple[int, int], name: str, seed: int) -> np.ndarray:
    if text == "zero":
        return np.zeros(shape)
    if found := _IDENTITY.fullmatch(text):
        if shape[0] != shape[1]:
            raise FormError(
                f'found "{text}", expected {FORMS}: {shape[0]}×{shape[1]} is not square'
            )
        return np.eye(shape[0]) * float(found[1] or 1)
    if found := _SELECT.fullmatch(text):
        return _selected([int(d[1:]) for d in found[1].split()], shape)
    if found := _DRAW.fullmatch(text):
        return _drawn(*(float(x) for x in found.groups()), shape, name, seed)
    raise FormError(f'found "{text}", expected {FORMS}')


def _selected(dimensions: list[int], shape: tuple[int, int]) -> np.ndarray:
    if len(dimensions) != shape[1] or not all(1 <= d <= shape[0] for d in dimensions):
        raise FormError(
            f"found a selection of {', '.join(f'd{d}' for d in dimensions)}, "
            f"expected {shape[1]} of d1 to d{shape[0]}"
        )
    return np.eye(shape[0])[:, [d - 1 for d in dimensions]]


def _drawn(
    low: float, high: float, step: float, shape: tuple[int, int], name: str, seed: int
) -> np.ndarray:
    if step <= 0 or high < low:
        raise FormError("found an empty range, expected FROM ≤ TO and STEP above 0")
    count = round((high - low) / step) + 1
    cells = range(shape[0] * shape[1])
    numbers = [round(low + step * draw("weight", seed, name, c, count), 10) for c in cells]
    return np.array(numbers).reshape(shape) + 0.0


def _from_numbers(form: Any) -> np.ndarray:
    try:
        matrix = np.array(form, dtype=np.float64)
    except (TypeError, ValueError):
        raise FormError(f"found rows that are no table of numbers, expected {FORMS}") from None
    return np.atleast_2d(matrix)


def _from_file(form: Mapping[str, str], folder: Path | None) -> np.ndarray:
    if set(form) != {"file", "key"}:
        raise FormError(f"found the keys {', '.join(form)}, expected file and key")
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise FormError(
            "found a safetensors file, which needs a further package: "
            "pip install 'paperformer[safetensors]'"
        ) from None
    path = (folder or Path()) / form["file"]
    try:
        with safe_open(path, framework="numpy") as tensors:
            return np.atleast_2d(np.asarray(tensors.get_tensor(form["key"]), dtype=np.float64))
    except (OSError, SafetensorError) as error:
        raise FormError(f"found {form['file']} with {form['key']!r} unreadable ({error})") from None
