"""Numbers that a preset wants its result compared with, such as those printed on a slide."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Compare:
    """One row of a step as somebody else printed it.

    `title` and `note` by language, `row` counted from 0. The note says what to make of a
    difference.
    """

    title: Mapping[str, str]
    step: str
    row: int
    values: tuple[float, ...]
    note: Mapping[str, str]
