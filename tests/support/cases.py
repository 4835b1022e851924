"""Cases of tests as tables: `cases.toml` beside them has one for each test that it gives rows to.

A table is called after file and test; it has `names` of what a row holds, and `rows`, in which
"(none)" stands for None.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FILE = "cases.toml"


@cache
def tables(folder: Path) -> dict[str, Any]:
    """The tables of a folder's tests, by file and test; none without a file of them."""
    path = folder / FILE
    return _read(tomllib.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _read(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_read(one) for one in value]
    return None if value == "(none)" else value


def give(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each of its rows."""
    path, name = metafunc.definition.path, metafunc.function.__name__
    if table := tables(path.parent).get(path.stem, {}).get(name):
        metafunc.parametrize(table["names"], table["rows"], ids=table.get("ids"))
