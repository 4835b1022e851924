"""A trained preset as its file: the spec's own part, then the numbers in a readable layout."""

import json
import re
from collections.abc import Iterator, Mapping

import numpy as np

from generator.engine.decimals import decimals_for
from generator.training.spec import Spec

EMBEDDING = "vocabulary.embedding"


def preset_text(spec: Spec, numbers: Mapping[str, np.ndarray], made: str) -> str:
    """The preset file with these numbers; `made`, one line, says what made them.

    `numbers` holds [words, d_model] under "vocabulary.embedding" and the weights by step name.
    """
    first, _, rest = spec.head.partition("\n")
    lines = [first, f"# {made}", rest, "", "[vocabulary.words] # learned"]
    decimals = _decimals(spec, EMBEDDING)
    for word, row in zip(spec.words, numbers[EMBEDDING], strict=True):
        lines.append(f"{_key(word)} = {_row(row, decimals)}")
    lines += ["", "[weights] # learned, for row vectors: x · W"]
    for name, form in spec.training.fixed.items():
        lines.append(f'"{name}" = {json.dumps(form)} # set by hand')
    for name, matrix in numbers.items():
        if name != EMBEDDING and name not in spec.training.fixed:
            lines += _matrix(name, matrix, _decimals(spec, name))
    return "\n".join(lines) + "\n"


def _decimals(spec: Spec, name: str) -> int:
    return decimals_for({"default": 1} | spec.training.decimals, name)


def _key(word: str) -> str:
    """A word as a key of TOML: bare where it may be, else in quotes, escaped as in JSON."""
    return word if re.fullmatch("[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


def _matrix(name: str, matrix: np.ndarray, decimals: int) -> Iterator[str]:
    if len(matrix) == 1:
        yield f'"{name}" = {_row(matrix[0], decimals)}'
        return
    yield f'"{name}" = ['
    yield from (f"  {_row(row, decimals)}," for row in matrix)
    yield "]"


def _row(row: np.ndarray, decimals: int) -> str:
    return f"[{', '.join(f'{number + 0.0:.{decimals}f}' for number in row.tolist())}]"
