"""One right answer of an answer key."""

from typing import NamedTuple


class Answer(NamedTuple):
    """One asked cell: whose, on which sheet, where, what is right and by how much it may differ.

    `title` is how the teacher's language calls the step; `row` and `column` are its labels, such as
    "Katze" and "q1". `decimals` and `tolerance`, one unit of the last decimal, are those of the
    paper; a text has neither.
    """

    code: str
    key: str
    sheet: str
    step: str
    title: str
    row: str
    column: str
    value: float | str
    decimals: int | None
    tolerance: float | None
