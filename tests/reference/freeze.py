"""Writes the drawn cases, and what torch finds for some: `python -m tests.reference.freeze`.

`drawn.json` holds the options of all cases; those that a new option adds come after them.
`frozen.json` lets the tests compare the engine with torch where torch is not installed.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tests.reference.cases import DRAWN_FILE, Case, cases_of_round, frozen_cases
from tests.reference.options import OPTIONS

FROZEN_FILE = Path(__file__).with_name("frozen.json")
MOST_ROUNDS = 8  # those of the gradients
DIGITS = 14  # significant ones: finer than the tolerance, coarser than a processor's last bit


def frozen_text() -> str:
    """The file's text: one line a step, so that a change can be read."""
    from tests.reference.torch_model import reference  # torch is an extra: only to write

    return (
        "{\n"
        + ",\n".join(case_text(c, reference(c.preset, c.tokens)) for c in frozen_cases())
        + "\n}\n"
    )


def case_text(case: Case, steps: Mapping[str, np.ndarray]) -> str:
    content = {
        "options": json.dumps(dict(case.options)),
        "tokens": json.dumps(case.tokens),
        "steps": "{\n"
        + ",\n".join(f"{json.dumps(n)}: {rows(a)}" for n, a in steps.items())
        + "\n}",
    }
    inner = ",\n".join(f"{json.dumps(key)}: {value}" for key, value in content.items())
    return f"{json.dumps(case.name)}: {{\n{inner}\n}}"


def rows(array: np.ndarray) -> str:
    """A step as JSON: rows of numbers or words, null where a cell is masked."""
    return json.dumps([[cell(value) for value in row] for row in array.tolist()], allow_nan=False)


def cell(value: float | str) -> float | str | None:
    if isinstance(value, str):
        return value
    return None if value == -np.inf else float(f"{value:.{DIGITS}g}")


def frozen_steps(content: Mapping[str, list[list[float | str | None]]]) -> dict[str, np.ndarray]:
    """The steps of one case as `reference` gave them: name -> float64 or object array."""
    return {name: array(table) for name, table in content.items()}


def array(table: list[list[float | str | None]]) -> np.ndarray:
    if any(isinstance(value, str) for row in table for value in row):
        return np.array(table, dtype=object)
    return np.array([[-np.inf if v is None else v for v in row] for row in table], dtype=np.float64)


def drawn_text(rounds: int) -> str:
    """The options of each round's cases, a line a case, in the order of `OPTIONS`."""
    lines = {}
    for number in range(1, rounds + 1):
        rows = [[case.options.get(name, "") for name in OPTIONS] for case in cases_of_round(number)]
        lines[number] = ",\n".join(json.dumps(row) for row in rows)
    inner = ",\n".join(f'"{number}": [\n{text}\n]' for number, text in lines.items())
    return f'{{"options": {json.dumps(list(OPTIONS))},\n"rounds": {{\n{inner}\n}}}}\n'


if __name__ == "__main__":
    DRAWN_FILE.write_text(drawn_text(MOST_ROUNDS), encoding="utf-8")
    FROZEN_FILE.write_text(frozen_text(), encoding="utf-8")
