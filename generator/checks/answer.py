"""One right answer of an answer key."""

from typing import NamedTuple


class Answer(NamedTuple):
    """One asked cell: whose, on which sheet, where, what is right and by how much it may differ.

    `row` and `column` are the labels of the step, such as "Katze" and "q1". `decimals` and
    `tolerance`, one unit of the last decimal, are those of the paper; a text has neither.
    """

    code: str
    key: str
    sheet: str
    step: str
    row: str
    column: str
    value: float | str
    decimals: int | None
    tolerance: float | None
