"""The answer key of a class: a line for each asked cell of each pupil, to search and to filter."""

from collections.abc import Iterable, Iterator

from generator.checks.answer import Answer
from generator.locales.catalogue import load
from generator.render.workbook.plain_table import Column, Figure, Line
from generator.render.workbook.plain_table import render as table

COLUMNS = ("code", "id", "sheet", "step", "row", "column", "value", "tolerance", "address")
WIDTHS = (16, 14, 8, 38, 18, 12, 14, 12, 28)


def render(answers: Iterable[Answer], language: str) -> bytes:
    """`answer-key.xlsx`; memory does not grow with the class. Raises as `plain_table.render`."""
    t = load(language).t
    columns = [Column(t(f"class.key.{n}"), w) for n, w in zip(COLUMNS, WIDTHS, strict=True)]

    def tab(number: int) -> str:
        return t("class.key.tab", number=number)

    return table(t("class.key.title"), tab, columns, _lines(answers), language)


def _lines(answers: Iterable[Answer]) -> Iterator[Line]:
    for one in answers:
        words = (one.code, one.key, one.sheet, one.title, one.row, one.column)
        yield [*words, _entry(one, one.value), _entry(one, one.tolerance), one.step]


def _entry(answer: Answer, value: float | str | None) -> str | Figure:
    if value is None or isinstance(value, str):
        return value or ""
    return Figure(value, answer.decimals or 0)
