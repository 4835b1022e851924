"""How long a class needs: seconds for each kind of number, minutes for a sheet."""

import tomllib
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("effort.toml")


@cache
def seconds() -> dict[str, float]:
    """The editable table of seconds for one number of each kind."""
    return {k: float(v) for k, v in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()}


def dot(terms: int) -> float:
    """Seconds for a dot product of that many terms."""
    return seconds()["dot"] * terms + seconds()["dot_start"]


def minutes(practised: float, blocks: int) -> int:
    """Minutes of a class median for that many practised seconds, spread over that many blocks."""
    table = seconds()
    return round((practised * table["class_median"] + blocks * table["reading"]) / 60)
